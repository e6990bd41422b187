"""Theorems 3.6 and 3.8: the potential and the objective gap after R rounds, against their bounds."""

from __future__ import annotations

from fractions import Fraction

from fedproof.validate.checks.composite._cases import full_cases, noisy_cases, short_cases, strong_cases
from fedproof.validate.checks.composite._compare import (
    Change,
    admits,
    admitted,
    as_printed,
    enumerated,
    full,
    sampled,
)
from fedproof.validate.verdict import Check, Effort, Finding

__all__ = ["CHECK", "EXACT", "IDS", "find"]

IDS = (
    "composite.theorem3.6",
    "composite.theorem3.6.repaired",
    "composite.theorem3.6.sharpened",
    "composite.distance",
)
EXACT, DISTANCE = "composite.exact.pl", "composite.theorem3.8"
ROUNDS, SEEDS, HORIZONS = 60, 100, (10, 60)
LONG, HORIZONS38 = 200, (10, 40)


def find(effort: Effort, change: Change = as_printed, shrink: int = 1) -> tuple[Finding, ...]:
    """Full gradients, every outcome of short runs, and long noisy runs over seeds, for every form."""
    seeds, salt = effort.seeds or SEEDS, effort.salt
    found = []
    for id in (*IDS, EXACT):
        found.append(full(id, admitted(id, full_cases()), ROUNDS, change, shrink))
        if id != EXACT:
            short = tuple((c, r) for c, r in short_cases() if admits(id, c))
            found.append(enumerated(id, short, change, Fraction(shrink)))
            found.append(sampled(id, admitted(id, noisy_cases()), HORIZONS, seeds, salt, change, shrink))
    found.append(full(DISTANCE, admitted(DISTANCE, strong_cases(None)), LONG, change, shrink))
    noisy = admitted(DISTANCE, strong_cases(1))
    found.append(sampled(DISTANCE, noisy, HORIZONS38, seeds, salt, change, shrink))
    return tuple(found)


CHECK = Check((*IDS, EXACT, DISTANCE), "potential and objective gap (Theorems 3.6 and 3.8)", find)
