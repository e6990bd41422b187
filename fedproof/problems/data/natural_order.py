"""Names in the order in which people count: client 2 before client 10."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DIGITS = re.compile(r"([0-9]{1,100})")
_FLOAT_LETTERS = 400


def natural_order(names: Iterable[str]) -> list[str]:
    """Each name once: by value where all are numbers, else by their letters and the whole numbers in them.

    >>> natural_order(["b2", "b10", "a", "b2"]), natural_order(["10", "-1", "2.5"])
    (['a', 'b2', 'b10'], ['-1', '2.5', '10'])
    """
    each = sorted(set(names))
    if all(is_number(name) for name in each):
        return sorted(each, key=float)
    return sorted(each, key=_key)


def is_number(text: str) -> bool:
    """Whether this is a number as data files have it: digits 0 to 9, no underscores, a sensible length.

    >>> is_number("-1e3"), is_number("1_0"), is_number("9" * 1000)
    (True, False, False)
    """
    return len(text) <= _FLOAT_LETTERS and "_" not in text and text.isascii() and is_float(text)


def is_float(text: str) -> bool:
    """Whether Python reads it as a float."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _key(name: str) -> list[tuple[int, int, str]]:
    """Pieces of letters and of digits, which compare among themselves; capitals count last."""
    pieces = [
        (0, int(piece), "") if piece[:1].isdigit() and piece.isascii() else (1, 0, piece.casefold())
        for piece in _DIGITS.split(name)
        if piece
    ]
    return [*pieces, (-1, 0, name)]
