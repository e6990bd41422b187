"""Descent (87), sharpened: what a round of Algorithm 1 gains, against Theta of the sharpened chain."""

from __future__ import annotations

from functools import partial

from fedproof.papers.fedproxvr.checks._hyperparameters import SHARPENED
from fedproof.papers.fedproxvr.checks.descent import find
from fedproof.validate.verdict import EmpiricalCheck

CHECK = EmpiricalCheck(
    ("fedproxvr.eq87.sharpened",), "descent of a round ((87), sharpened)", partial(find, form=SHARPENED)
)
