"""A relation for every whole index between two ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True)
class ForAll:
    """A relation for every whole `index` from `lo` to `hi`."""

    relation: sp.Basic
    index: sp.Symbol
    lo: sp.Expr
    hi: sp.Expr

    def __post_init__(self) -> None:
        object.__setattr__(self, "lo", as_expression(self.lo))
        object.__setattr__(self, "hi", as_expression(self.hi))


def as_expression(value: Any) -> Any:
    """A number or expression as SymPy has it, never read from text; None stays None.

    Raises: InputError.
    """
    try:
        return None if value is None else sp.sympify(value, strict=True)
    except sp.SympifyError:
        expected = "a number or an expression of symbols"
        raise InputError("expression", value, expected, "make names by sympy.symbols") from None
