"""Descent (87), sharpened: what a round of Algorithm 1 gains, against Theta of the sharpened chain."""

from __future__ import annotations

from fedproof.papers.fedproxvr.checks._theory import SHARPENED
from fedproof.papers.fedproxvr.checks.descent import find as compare
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget


def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
    """What is asked of the printed (87), at settings of the sharpened chain."""
    return compare(effort, form=SHARPENED)


CHECK = EmpiricalCheck(("fedproxvr.eq87.sharpened",), "descent of a round ((87), sharpened)", find)
