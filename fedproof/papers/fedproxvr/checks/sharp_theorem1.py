"""Theorem 1, Corollary 1 and the closed chain, sharpened: mean squared gradients of Algorithm 1's rounds."""

from __future__ import annotations

from fedproof.papers.fedproxvr.checks._theory import SHARPENED
from fedproof.papers.fedproxvr.checks.theorem1 import find as compare
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget


def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
    """What is asked of the printed statements, at settings of the sharpened chain."""
    return compare(effort, form=SHARPENED)


CHECK = EmpiricalCheck(
    (
        "fedproxvr.theorem1.sharpened",
        "fedproxvr.corollary1.sharpened",
        "fedproxvr.certified.sarah.sharpened",
        "fedproxvr.certified.svrg.sharpened",
    ),
    "mean squared gradient (Theorem 1, Corollary 1, sharpened)",
    find,
)
