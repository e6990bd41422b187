"""Telescoping: what falls by at least so much at every step falls by at least the sum."""

from __future__ import annotations

from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.forall import ForAll
from fedproof.proof.notation import Eq
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Applied, Step

t, n = sp.symbols("t n", real=True)
F, G = sequence("F"), sequence("G")
ZERO, ONE = sp.Integer(0), sp.Integer(1)


def _rule(name: str, claim: sp.Basic, *given: Any) -> Step:
    return Step(claim, given, f"rule.{name}", rule="sum")


with printed():
    FALLS = ForAll(F(t) + G(t) <= F(t - 1), t, ONE, n)
    EQUATION = _rule("telescoping", Eq(total(F(t) - F(t - 1), t, 1, n), F(n) - F(0)), n >= 0)
    DESCENT = _rule("telescoping.descent", F(n) + total(G(t), t, 1, n) <= F(0), n >= 0, FALLS)
    FALSE = (
        _rule("telescoping.start", Eq(total(F(t) - F(t - 1), t, 1, n), F(n) - F(1)), n >= 1),
        _rule("telescoping.end", Eq(total(F(t) - F(t - 1), t, 1, n), F(n - 1) - F(0)), n >= 1),
        _rule("telescoping.long", F(n) + total(G(t), t, 1, n + 1) <= F(0), n >= 0, FALLS),
        _rule("telescoping.early", F(n) + total(G(t), t, 0, n) <= F(0), n >= 0, FALLS),
        _rule("telescoping.turned", F(n) + total(G(t), t, 1, n) >= F(0), n >= 0, FALLS),
    )

PROOF = (EQUATION, DESCENT)


def telescoping(values: sp.Expr, index: sp.Symbol, last: Any, multiplier: Any = None) -> Applied:
    """sum over t = 1..n of F(t) - F(t - 1) = F(n) - F(0) as a hypothesis; n >= 0 is owed.

    Arguments:
        values: the term F(t), in the index.
        index: t.
        last: n.

    >>> k, N = sp.symbols("k N", real=True)
    >>> X = sequence("X")
    >>> telescoping(X(k), k, N).relation.rhs
    -X(0) + X(N)
    """
    return EQUATION.at({F(t): _of(values, index), n: last}, weight=multiplier)


def telescoped(
    values: sp.Expr, falls: sp.Expr, index: sp.Symbol, last: Any, multiplier: Any = None
) -> Applied:
    """F(n) + sum of G(t) over t = 1..n <= F(0) as a hypothesis; F(t) + G(t) <= F(t - 1) there is owed."""
    return DESCENT.at({F(t): _of(values, index), G(t): _of(falls, index), n: last}, weight=multiplier)


def _of(term: sp.Expr, index: sp.Symbol) -> sp.Expr:
    return term.xreplace({index: t})
