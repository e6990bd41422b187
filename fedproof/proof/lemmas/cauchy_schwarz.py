"""Cauchy and Schwarz: an inner product is at most the product of the norms."""

from __future__ import annotations

from typing import Any

from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas.rule_writer import rule, x, y
from fedproof.proof.step import Applied
from fedproof.proof.vectors import ip, n2, norm

with printed():
    NORMS = rule("cauchy_schwarz", ip(x, y) <= norm(x) * norm(y))
    SQUARED = rule("cauchy_schwarz.squared", ip(x, y) ** 2 <= n2(x) * n2(y))
    FALSE = (
        rule("cauchy_schwarz.turned", ip(x, y) >= norm(x) * norm(y)),
        rule("cauchy_schwarz.below", ip(x, y) >= norm(x) * norm(y) / -2),
        rule("cauchy_schwarz.squares", ip(x, y) <= n2(x) * n2(y)),
        rule("cauchy_schwarz.half", ip(x, y) ** 2 <= n2(x) * n2(y) / 2),
    )

PROOF = (NORMS, SQUARED)


def cauchy_schwarz(first: Any, second: Any, multiplier: Any = None) -> Applied:
    """<x, y> <= |x| |y| as a hypothesis; in the mean, E<x, y> <= sqrt(E|x|^2) sqrt(E|y|^2).

    >>> from fedproof.proof.vectors import vectors
    >>> u, v = vectors("u v")
    >>> cauchy_schwarz(u, v).relation
    ip(u, v) <= sqrt(n2(u))*sqrt(n2(v))
    """
    return NORMS.at({x: first, y: second}, weight=multiplier)


def cauchy_schwarz_squared(first: Any, second: Any, multiplier: Any = None) -> Applied:
    """<x, y>^2 <= |x|^2 |y|^2 as a hypothesis."""
    return SQUARED.at({x: first, y: second}, weight=multiplier)
