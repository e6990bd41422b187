"""The columns of a table as numbers: numbers as they are, text as one column of 0 and 1 for each kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedproof.problems.data.natural_order import is_number, natural_order
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError

MOST_LETTERS = 100
"""Of a name of a client, a class or a kind of text."""
MOST_KINDS = 1000
"""Of text in one column."""
#: what stands for a value that is not there, whatever the column holds, in small letters
MISSING = frozenset(("", "na", "n/a", "nan", "null", "?", "<na>", "#n/a"))
#: what does so among numbers
_AMONG_NUMBERS = MISSING | {"-", ".", "none", "missing"}
_KINDS_OF_CELLS = (str, bool, int, float, np.str_, np.generic)


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as kinds of text: row i holds kinds[codes[i]], or nothing where codes[i] is -1."""

    codes: Array
    kinds: tuple[str, ...]

    def counts(self) -> Array:
        """Rows of each kind, shape (kinds,)."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.kinds))


def numbers(series: Any) -> Array | None:
    """A column whose type is one of numbers, as float64, NaN where there is none; None for another type.

    >>> import pandas as pd
    >>> numbers(pd.Series([True, False])), numbers(pd.Series(["a"])) is None
    (array([1., 0.]), True)
    """
    from pandas.api import types

    if types.is_complex_dtype(series.dtype) or not types.is_numeric_dtype(series.dtype):
        return None
    found: Array = series.to_numpy(dtype=np.float64, na_value=np.nan)
    return found


def coded(series: Any, where: str) -> Coded:
    """A column as kinds of text, blanks at the ends taken off; the words of `MISSING` are no value.

    Raises: DataError for dates, lists and other cells that are neither numbers nor text.

    >>> import pandas as pd
    >>> coded(pd.Series(["b ", None, "a", "NA", "b"]), "x").kinds
    ('b', 'a')
    """
    import pandas as pd

    named = np.dtype("O") if isinstance(series.dtype, pd.CategoricalDtype) else series.dtype
    try:
        codes, kinds = pd.factorize(series)
    except TypeError:
        raise _odd(where, "cells that are no values") from None
    odd = next((k for k in kinds if not isinstance(k, _KINDS_OF_CELLS) or isinstance(k, np.datetime64)), None)
    if odd is not None or getattr(named, "kind", "O") in "mMc":
        raise _odd(where, type(odd).__name__ if odd is not None else str(named))
    texts = [_text(kind) for kind in kinds]
    unique = list(dict.fromkeys(text for text in texts if text.lower() not in MISSING))
    places = {text: n for n, text in enumerate(unique)}
    renamed = np.array([*(places.get(text, -1) for text in texts), -1], dtype=np.int64)
    return Coded(renamed[codes], tuple(unique))


def client_names(series: Any, where: str) -> Coded:
    """A column of names of clients as kinds of text.

    Raises: DataError as `coded`, and for floats so large that several whole numbers are one of them: what was
        told apart before it became a float may not be any more.

    >>> import pandas as pd
    >>> client_names(pd.Series([2.0, 1.0, 2.0]), "x").kinds
    ('2', '1')
    """
    found = coded(series, where)
    floats = [
        kind
        for kind in series.dropna().unique()
        if isinstance(kind, (float, np.floating)) and np.isfinite(kind)
    ]
    large = next((kind for kind in floats if abs(float(kind)) >= _whole_below(kind)), None)
    if large is not None:
        raise DataError(where, f"client {int(large)} as a floating-point number",
                        f"whole numbers or text from {_whole_below(large)} on",
                        "read the column as text or as Int64")  # fmt: skip
    return found


def _whole_below(number: Any) -> int:
    """Up to where every whole number is a number of this type of its own."""
    digits = np.finfo(np.asarray(number).dtype).nmant + 1
    return int(1 << digits)


def as_numbers(column: Coded, where: str, place: Callable[[int], str], comma: bool) -> Array | None:
    """Text that means numbers, NaN where there is none; None where the column is one of text.

    A column is one of numbers if at least half of its cells are; then all others must be, or be no value.

    Arguments:
        comma: whether 1,5 is a number too.

    Raises: DataError naming row and cell of what is no number among them.

    >>> as_numbers(Coded(np.array([0, 1, -1]), ("1,5", "2")), "x", str, comma=True)
    array([1.5, 2. , nan])
    """
    kinds = [with_point(kind) if comma else kind for kind in column.kinds]
    plain = np.array([is_number(kind) for kind in kinds], dtype=bool)
    absent = np.array([kind.lower() in _AMONG_NUMBERS for kind in kinds], dtype=bool)
    counts, odd = column.counts(), ~plain & ~absent
    if odd.any() or (kinds and not plain.any()):
        if not plain.any() or counts[plain].sum() < counts[odd].sum():
            return None
        row = int(np.flatnonzero(np.isin(column.codes, np.flatnonzero(odd)))[0])
        got = repr(column.kinds[column.codes[row]])
        raise DataError(f"{where}, {place(row)}", got, "a number, as in other rows",
                        "mend or drop the row, or leave the column out: ignore=COLUMN")  # fmt: skip
    values = np.array([*(float(k) if p else np.nan for k, p in zip(kinds, plain, strict=True)), np.nan])
    found: Array = values[column.codes]
    return found


def one_hot(column: Coded, where: str, name: str) -> tuple[tuple[str, ...], Coded]:
    """Names of the columns of 0 and 1, `name=kind` in natural order, and the codes in that order.

    Raises: DataError for too many kinds, or one that is too long.

    >>> one_hot(Coded(np.array([0, 1]), ("b", "a")), "x", "sex")[0]
    ('sex=a', 'sex=b')
    """
    if len(column.kinds) > MOST_KINDS or max(map(len, column.kinds), default=0) > MOST_LETTERS:
        got = f"{len(column.kinds)} kinds of text of up to {max(map(len, column.kinds))} letters"
        raise DataError(f"{where}, column {name}", got, f"at most {MOST_KINDS} of {MOST_LETTERS}",
                        f"leave it out: ignore={name}")  # fmt: skip
    ordered = in_order(column)
    return tuple(f"{name}={kind}" for kind in ordered.kinds), ordered


def in_order(column: Coded) -> Coded:
    """The same with its kinds in natural order."""
    ordered = natural_order(column.kinds)
    places = {kind: n for n, kind in enumerate(ordered)}
    renamed = np.array([*(places[kind] for kind in column.kinds), -1], dtype=np.int64)
    return Coded(renamed[column.codes], tuple(ordered))


def with_point(text: str) -> str:
    """A number with a comma for its decimal point as one with a point; other text as it is.

    >>> with_point("1,5"), with_point("1,2,3"), with_point("1.5")
    ('1.5', '1,2,3', '1.5')
    """
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


def _text(kind: Any) -> str:
    """A cell's text; a whole number in floats is written without a point."""
    if _finite(kind) and kind == int(kind):
        return str(int(kind))
    return str(kind).strip()


def _finite(kind: Any) -> bool:
    return isinstance(kind, (float, np.floating)) and bool(np.isfinite(kind))


def _odd(where: str, got: str) -> DataError:
    return DataError(where, got, "numbers or text", "convert the column, or leave it out: ignore=COLUMN")
