"""Theorem 1, Corollary 1 and the closed chain, sharpened: mean squared gradients of Algorithm 1's rounds."""

from __future__ import annotations

from functools import partial

from fedproof.papers.fedproxvr.checks._hyperparameters import SHARPENED
from fedproof.papers.fedproxvr.checks.theorem1 import PARTS, find
from fedproof.validate.verdict import EmpiricalCheck

CHECK = EmpiricalCheck(
    tuple(f"fedproxvr.{part}.sharpened" for part in PARTS),
    "mean squared gradient (Theorem 1, Corollary 1, sharpened)",
    partial(find, form=SHARPENED),
)
