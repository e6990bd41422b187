"""Minkowski: the norm of a sum is at most the sum of the norms."""

from __future__ import annotations

from typing import Any

from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas.rule_writer import a, alpha, rule, x, y
from fedproof.proof.step import Applied
from fedproof.proof.vectors import n2, norm

with printed():
    SUM = rule("minkowski", norm(x + y) <= norm(x) + norm(y))
    REVERSED = rule("minkowski.reversed", norm(x) - norm(y) <= norm(x - y))
    SQUARED = rule(
        "minkowski.squared",
        n2(x + y) <= (alpha + a) ** 2,
        *(alpha >= 0, a >= 0, n2(x) <= alpha**2, n2(y) <= a**2),
    )
    FALSE = (
        rule("minkowski.turned", norm(x + y) >= norm(x) + norm(y)),
        rule("minkowski.of_squares", n2(x + y) <= n2(x) + n2(y)),
        rule("minkowski.reversed.twice", norm(x) - norm(y) <= norm(x - y) / 2),
        rule("minkowski.squared.unsigned", n2(x + y) <= (alpha + a) ** 2, n2(x) <= alpha**2, n2(y) <= a**2),
    )

PROOF = (SUM, REVERSED, SQUARED)


def minkowski(first: Any, second: Any, multiplier: Any = None) -> Applied:
    """|x + y| <= |x| + |y| as a hypothesis; in the mean, of root mean squares.

    >>> from fedproof.proof.vectors import vectors
    >>> u, v = vectors("u v")
    >>> minkowski(u, v).relation
    sqrt(n2(u + v)) <= sqrt(n2(u)) + sqrt(n2(v))
    """
    return SUM.at({x: first, y: second}, weight=multiplier)


def minkowski_reversed(first: Any, second: Any, multiplier: Any = None) -> Applied:
    """|x| - |y| <= |x - y| as a hypothesis."""
    return REVERSED.at({x: first, y: second}, weight=multiplier)


def minkowski_squared(first: Any, second: Any, most: tuple[Any, Any], multiplier: Any = None) -> Applied:
    """|x + y|^2 <= (a + b)^2 as a hypothesis; |x|^2 <= a^2, |y|^2 <= b^2 and the signs of a, b are owed.

    Arguments:
        most: a and b.
    """
    return SQUARED.at({x: first, y: second, alpha: most[0], a: most[1]}, weight=multiplier)
