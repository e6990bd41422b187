"""Real data for the sharpened Lemma 1: E|grad J_n| / |grad F_n| on digits, which it bounds too."""

from __future__ import annotations

from fedproof.papers.fedproxvr.checks._hyperparameters import SHARPENED
from fedproof.papers.fedproxvr.checks.digits import local
from fedproof.validate.verdict import EmpiricalCheck

CHECK = EmpiricalCheck(
    ("fedproxvr.lemma1.sarah.sharpened", "fedproxvr.lemma1.svrg.sharpened"),
    "real data (digits), Lemma 1 sharpened",
    lambda budget: tuple(local(estimator, budget, SHARPENED) for estimator in ("sarah", "svrg")),
)
