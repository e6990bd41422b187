"""Real data for the sharpened Lemma 1: handwritten digits, softmax regression, two labels a client."""

from __future__ import annotations

from fedproof.papers.fedproxvr.checks._theory import SHARPENED
from fedproof.papers.fedproxvr.checks.digits import local
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget


def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
    """E|grad J_n| / |grad F_n|, which the sharpened lemma bounds too, against its least theta."""
    return tuple(local(estimator, effort, form=SHARPENED) for estimator in ("sarah", "svrg"))


CHECK = EmpiricalCheck(
    ("fedproxvr.lemma1.sarah.sharpened", "fedproxvr.lemma1.svrg.sharpened"),
    "real data (digits), Lemma 1 sharpened",
    find,
)
