"""Lemma 1, sharpened: the root mean square that local solves reach, against its least theta."""

from __future__ import annotations

from fedproof.papers.fedproxvr.checks._theory import FEW, SHARPENED
from fedproof.papers.fedproxvr.checks.lemma1 import find as compare
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget


def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
    """What is asked of the printed Lemma 1, at the settings and the theta of the sharpened ones."""
    return (*compare(effort, form=SHARPENED), *compare(effort, form=FEW))


CHECK = EmpiricalCheck(
    (
        "fedproxvr.lemma1.sarah.sharpened",
        "fedproxvr.lemma1.svrg.sharpened",
        "fedproxvr.lemma1.svrg.few.sharpened",
    ),
    "local inexactness (Lemma 1, sharpened)",
    find,
)
