"""Formulas drawn in characters, for terminals, with the letters that the paper prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from sympy.printing.pretty.pretty import PrettyPrinter

from fedproof.bounds.letter import Letter

#: an accent, a letter, an index, a square
_LATEX = re.compile(r"(?:\\(bar|tilde|hat)\s*)?\\?([A-Za-z]+)(?:_\{?(\w+)\}?)?(\^\{2\})?")


def drawer(letters: Iterable[Letter]) -> Callable[[Any], str]:
    """A function that draws expressions, in the order typed.

    >>> from fedproof.papers.composite.notation import eta_t, letters, sigma2
    >>> print(drawer(letters())(sigma2), drawer(letters())(eta_t))
    σ² η̃
    """
    names = {letter.symbol: drawn_name(letter) for letter in letters}
    settings = {"use_unicode": True, "order": "none"}
    return lambda expr: str(_Printer(names, settings).doprint(expr))


def drawn_name(letter: Letter) -> str:
    """What SymPy calls a symbol that it draws as the paper prints the letter; its own name if it cannot."""
    found = _LATEX.fullmatch(letter.latex)
    if found is None:
        return letter.name
    accent, base, index, square = found.groups()
    base = "epsilon" if base == "varepsilon" else base
    return f"{base}{accent or ''}" + (f"_{index}" if index else "") + ("^2" if square else "")


class _Printer(PrettyPrinter):  # type: ignore[misc]
    """SymPy's, with names for symbols."""

    def __init__(self, names: dict[Any, str], settings: dict[str, Any]) -> None:
        super().__init__(settings)
        self._names = names

    def _print_Symbol(self, e: Any, bold_name: bool = False) -> Any:
        named = self._names.get(e)
        return super()._print_Symbol(e if named is None else e.func(named), bold_name)
