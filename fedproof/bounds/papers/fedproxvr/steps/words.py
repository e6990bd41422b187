"""Vectors, sequences and numbers that the proofs speak of, and how the paper prints them."""

from __future__ import annotations

from typing import Any

import sympy as sp

from fedproof.bounds.papers.fedproxvr.assumptions import SMOOTH, WEAKLY_CONVEX
from fedproof.bounds.step import ForAll, Step, assume
from fedproof.vocabulary.source import Source

__all__ = ["KEY", "Eq", "fact", "number", "rational", "smooth", "weakly_convex"]

KEY = "fedproxvr"


def number(name: str) -> Any:
    """A real number of the proof's own, such as a function value."""
    return sp.Symbol(name, real=True)


def rational(p: int, q: int) -> sp.Rational:
    """The fraction p/q."""
    return sp.Rational(p, q)


def Eq(left: Any, right: Any) -> sp.Basic:
    """An equation as it stands, never evaluated."""
    return sp.Eq(left, right, evaluate=False)


def fact(name: str, where: str, claim: sp.Basic, *given: Any, **more: Any) -> Step:
    """A step of this paper: `fact("eq25", "eq. (25)", claim, hypotheses...)`.

    Hypotheses may be tuples, as `assume` returns them.
    """
    flat = tuple(h for g in given for h in (g if isinstance(g, tuple) else (g,)))
    return Step(claim, flat, f"{KEY}.{name}", source=Source(KEY, where), **more)


def smooth(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Consequences of (3) that are assumed."""
    return assume(SMOOTH.id, *relations)


def weakly_convex(*relations: sp.Basic | ForAll) -> tuple[Any, ...]:
    """Consequences of (4) that are assumed."""
    return assume(WEAKLY_CONVEX.id, *relations)
