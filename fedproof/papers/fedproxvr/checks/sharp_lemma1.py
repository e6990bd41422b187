"""Lemma 1, sharpened: the root mean square that local solves reach, against its least theta."""

from __future__ import annotations

from fedproof.papers.fedproxvr.checks._hyperparameters import FEW, SHARPENED
from fedproof.papers.fedproxvr.checks.lemma1 import find
from fedproof.validate.verdict import EmpiricalCheck

IDS = (
    "fedproxvr.lemma1.sarah.sharpened",
    "fedproxvr.lemma1.svrg.sharpened",
    "fedproxvr.lemma1.svrg.few.sharpened",
)
CHECK = EmpiricalCheck(
    IDS,
    "local inexactness (Lemma 1, sharpened)",
    lambda budget: (*find(budget, SHARPENED), *find(budget, FEW)),
)
