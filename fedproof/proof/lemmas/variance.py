"""The variance decomposition: E|x - c|^2 = E|x - m|^2 + |m - c|^2 about any fixed c."""

from __future__ import annotations

from typing import Any

from fedproof.algebra.expressions import printed
from fedproof.proof.lemmas.rule_writer import c, m, rule, x, z
from fedproof.proof.notation import Eq
from fedproof.proof.step import Applied
from fedproof.proof.vectors import ip, n2

with printed():
    MEAN = (Eq(ip(x - m, m), 0), Eq(ip(x - m, c), 0))
    DECOMPOSITION = rule("variance", Eq(n2(x - c), n2(x - m) + n2(m - c)), *MEAN)
    MOMENT = rule(
        "variance.moment", n2(x - m) <= n2(x), MEAN[0], note="A variance is at most a second moment."
    )
    FALSE = (
        rule("variance.varying", Eq(n2(x - z), n2(x - m) + n2(m - z)), *MEAN),
        rule("variance.no_mean", Eq(n2(x - c), n2(x - m) + n2(m - c)), MEAN[1]),
        rule("variance.half", n2(x - m) <= n2(x) / 2, MEAN[0]),
        rule("variance.sign", Eq(n2(x - c), n2(x - m) - n2(m - c)), *MEAN),
    )

PROOF = (DECOMPOSITION, MOMENT)


def variance(of: Any, is_: Any, about: Any = 0, multiplier: Any = None) -> Applied:
    """E|x - c|^2 = E|x - m|^2 + |m - c|^2 as a hypothesis; that m is the mean of x, with c fixed, is owed.

    >>> from fedproof.proof.vectors import vectors
    >>> g, v, w = vectors("g v w")
    >>> variance(v, g, about=w).relation
    Eq(n2(v - w), n2(-g + v) + n2(g - w))
    """
    return DECOMPOSITION.at({x: of, m: is_, c: about}, weight=multiplier)


def second_moment(of: Any, is_: Any, multiplier: Any = None) -> Applied:
    """E|x - m|^2 <= E|x|^2 as a hypothesis; that m is the mean of x is owed."""
    return MOMENT.at({x: of, m: is_}, weight=multiplier)
