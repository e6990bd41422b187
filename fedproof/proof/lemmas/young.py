"""Young's inequality: a square of a sum is split at the price of a weight."""

from __future__ import annotations

from typing import Any

from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas.rule_writer import alpha, rule, x, y
from fedproof.proof.step import Applied
from fedproof.proof.vectors import ip, n2

with printed():
    SQUARE = rule("young", n2(x + y) <= (1 + alpha) * n2(x) + (1 + 1 / alpha) * n2(y), alpha > 0)
    PRODUCT = rule("young.product", ip(x, y) <= alpha / 2 * n2(x) + 1 / (2 * alpha) * n2(y), alpha > 0)
    FALSE = (
        rule("young.unsigned", n2(x + y) <= (1 + alpha) * n2(x) + (1 + 1 / alpha) * n2(y)),
        rule("young.half", n2(x + y) <= (1 + alpha) * n2(x) + (1 + 1 / (2 * alpha)) * n2(y), alpha > 0),
        rule("young.equal", n2(x + y) <= n2(x) + n2(y)),
        rule("young.product.small", ip(x, y) <= alpha / 2 * n2(x) + 1 / (4 * alpha) * n2(y), alpha > 0),
    )

PROOF = (SQUARE, PRODUCT)


def young(first: Any, second: Any, weight: Any = 1, multiplier: Any = None) -> Applied:
    """|x + y|^2 <= (1 + alpha)|x|^2 + (1 + 1/alpha)|y|^2 as a hypothesis; alpha > 0 is owed.

    Arguments:
        first, second: combinations of vectors.
        weight: alpha.
        multiplier: with which the proof uses it, where it is known.

    >>> from fedproof.proof.vectors import vectors
    >>> u, v = vectors("u v")
    >>> young(u, -v).relation.lhs
    n2(u - v)
    """
    return SQUARE.at({x: first, y: second, alpha: weight}, weight=multiplier)


def young_product(first: Any, second: Any, weight: Any = 1, multiplier: Any = None) -> Applied:
    """<x, y> <= alpha/2 |x|^2 + 1/(2 alpha) |y|^2 as a hypothesis; alpha > 0 is owed."""
    return PRODUCT.at({x: first, y: second, alpha: weight}, weight=multiplier)
