"""A relation for every whole index between two ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
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


@lru_cache(maxsize=1 << 14)
def plainly(said: sp.Basic | ForAll) -> str:
    """A relation as SymPy writes it; in steps of proofs the same ones are written many times."""
    with sp.evaluate(True):
        return str(said)


def relation_text(relation: sp.Basic | ForAll) -> str:
    """A relation in words, for every index or not."""
    if isinstance(relation, ForAll):
        lo, hi = map(plainly, (relation.lo, relation.hi))
        return f"{plainly(relation.relation)} for {relation.index} = {lo}..{hi}"
    return plainly(relation)


def within(lo: sp.Expr, index: sp.Expr, hi: sp.Expr) -> tuple[sp.Basic, sp.Basic]:
    """That an index lies between two ends."""
    return sp.Le(lo, index, evaluate=False), sp.Le(index, hi, evaluate=False)


def ordered(relation: sp.Basic) -> tuple[sp.Expr, sp.Expr]:
    """The sides of a relation, the one that is at most the other first; those of an equation as they are."""
    left, right = relation.args
    return (right, left) if isinstance(relation, (sp.Ge, sp.Gt)) else (left, right)


def as_expression(value: Any) -> Any:
    """A number or expression as SymPy has it, never read from text; None stays None.

    Raises: InputError.
    """
    try:
        return None if value is None else sp.sympify(value, strict=True)
    except sp.SympifyError:
        expected = "a number or an expression of symbols"
        raise InputError("expression", value, expected, "make names by sympy.symbols") from None
