"""Sequences of reals with whole indices, and sums of them with a symbolic number of terms."""

from __future__ import annotations

from typing import Any

import sympy as sp


def sequence(name: str, latex: str = "", *, nonnegative: bool = False) -> Any:
    """A sequence of reals: `x(t)` is its term at index t.

    Arguments:
        name: of the sequence, or of a term, such as "x(t)", which `latex` shows.
        latex: how the paper prints that term.
        nonnegative: whether every term is >= 0.

    >>> x = sequence("x", nonnegative=True)
    >>> x(sp.Symbol("t"))
    x(t)
    """
    assumption = {"nonnegative": True} if nonnegative else {"real": True}
    head, _, index = name.rstrip(")").partition("(")
    found = sp.Function(head, **assumption)
    found.latex = (found(sp.Symbol(index)) if index else found, latex)
    return found


def total(body: Any, index: sp.Symbol, lo: Any, hi: Any) -> sp.Expr:
    """The sum of `body` over the whole `index` from lo to hi, as printed.

    >>> t, n = sp.symbols("t n", real=True)
    >>> total(t, t, 1, n)
    Sum(t, (t, 1, n))
    """
    return sp.Sum(body, (index, lo, hi))


def is_sequence_term(expr: sp.Basic) -> bool:
    """Whether an expression is a term of a sequence."""
    return isinstance(expr, sp.core.function.AppliedUndef)
