"""Theorems 3.6 and 3.8: the potential and the objective gap after R rounds, against their bounds."""

from __future__ import annotations

from collections.abc import Iterator
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
from fedproof.papers.composite.checks._experiments import (
    distance_cases,
    full_cases,
    noisy_cases,
    short_cases,
    strong_cases,
)
from fedproof.papers.composite.checks._metric_samples import MetricSamples
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

IDS = (
    "composite.theorem3.6",
    "composite.theorem3.6.repaired",
    "composite.theorem3.6.sharpened",
    "composite.theorem3.6.any_server.sharpened",
    "composite.distance",
)
EXACT = "composite.exact.pl"
DISTANCES = ("composite.theorem3.8", "composite.theorem3.8.sharpened")
ROUNDS, SEEDS, HORIZONS = 60, 100, (10, 60)
LONG, HORIZONS38 = dict(zip(DISTANCES, (200, ROUNDS), strict=True)), (10, 40)


def _falling(effort: SamplingBudget, change: Change, shrink: int) -> Iterator[BoundComparison]:
    """Theorem 3.6 in every form."""
    seeds, salt = effort.seeds or SEEDS, effort.salt
    seen = MetricSamples(("potential", "objective_gap", "squared_distance"))
    for id in (*IDS, EXACT):
        yield full(id, admitted(id, full_cases()), ROUNDS, change, shrink, seen)
        if id != EXACT:
            short = tuple((c, r) for c, r in short_cases() if admits(id, c))
            yield enumerated(id, short, change, Fraction(shrink), seen)
            yield sampled(id, admitted(id, noisy_cases()), HORIZONS, seeds, salt, change, shrink, seen)


def _distances(effort: SamplingBudget, change: Change, shrink: int) -> Iterator[BoundComparison]:
    """Theorem 3.8, printed and sharpened, where their own steps are longest."""
    seeds, salt = effort.seeds or SEEDS, effort.salt
    for id, cases in zip(DISTANCES, (strong_cases, distance_cases), strict=True):
        yield full(id, admitted(id, cases(None)), LONG[id], change, shrink)
        yield sampled(id, admitted(id, cases(1)), HORIZONS38, seeds, salt, change, shrink)


def find(effort: SamplingBudget, change: Change = as_printed, shrink: int = 1) -> tuple[BoundComparison, ...]:
    """Full gradients, every outcome of short runs, and long noisy runs over seeds, for every form."""
    return (*_falling(effort, change, shrink), *_distances(effort, change, shrink))


CHECK = EmpiricalCheck((*IDS, EXACT, *DISTANCES), "potential, gap and distance (Theorems 3.6 and 3.8)", find)
