"""LaTeX of expressions in a paper's own letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import sympy as sp

from fedproof.bounds.letter import Letter

Printer = Callable[[Any], str]


def printer(letters: Iterable[Letter]) -> Printer:
    """A function that prints expressions, in the order typed, with the paper's letters.

    >>> from fedproof.papers.fedproxvr.notation import lam, letters
    >>> printer(letters())(2 * lam)
    '2 \\\\lambda'
    """
    names = {letter.symbol: letter.latex for letter in letters}

    def tex(expr: Any) -> str:
        text: str = sp.latex(expr, symbol_names=names, order="none")
        return text

    return tex
