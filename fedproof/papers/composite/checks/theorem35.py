"""Theorem 3.5: the mean squared prox-gradient over rounds, against its bound; printed, sharpened, exact."""

from __future__ import annotations

from fractions import Fraction

from fedproof.papers.composite.checks._compare import (
    Change,
    admits,
    admitted,
    as_printed,
    enumerated,
    full,
    sampled,
)
from fedproof.papers.composite.checks._experiments import full_cases, noisy_cases, short_cases
from fedproof.papers.composite.checks._metric_samples import MetricSamples
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

ANY = "composite.theorem3.5.any_server"
IDS = (
    "composite.theorem3.5",
    "composite.theorem3.5.sharpened",
    f"{ANY}.sharpened",
    "composite.exact.nonconvex",
)
ROUNDS, SEEDS, HORIZONS = 60, 100, (10, 60)


def find(effort: SamplingBudget, change: Change = as_printed, shrink: int = 1) -> tuple[BoundComparison, ...]:
    """Full gradients, every outcome of short runs, and long noisy runs over seeds, for every form."""
    seeds = effort.seeds or SEEDS
    seen, found = MetricSamples(("mean_squared_prox_gradient",)), []
    for id in IDS:
        found.append(full(id, admitted(id, full_cases()), ROUNDS, change, shrink, seen))
        if id != "composite.exact.nonconvex":
            short = tuple((c, r) for c, r in short_cases() if admits(id, c))
            found.append(enumerated(id, short, change, Fraction(shrink), seen))
            noisy = admitted(id, noisy_cases())
            found.append(sampled(id, noisy, HORIZONS, seeds, effort.salt, change, shrink, seen))
    return tuple(found)


CHECK = EmpiricalCheck(IDS, "mean squared prox-gradient (Theorem 3.5)", find)
