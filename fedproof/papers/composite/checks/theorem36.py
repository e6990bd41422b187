"""Theorems 3.6 and 3.8: the potential and the objective gap after R rounds, against their bounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from fedproof.papers.composite.checks._experiments import every_regime, strong_experiments
from fedproof.papers.composite.checks._metrics import runs_of
from fedproof.validate.empirical.regimes import admitted, full, sampled
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

EXACT = "composite.exact.pl"
FALLING = (
    "composite.theorem3.6",
    "composite.theorem3.6.repaired",
    "composite.theorem3.6.sharpened",
    "composite.theorem3.6.any_server.sharpened",
    "composite.distance",
    EXACT,
)
#: Theorem 3.8 where its own steps are longest: experiments, rounds with full gradients
DISTANCES: dict[str, tuple[Any, int]] = {
    "composite.theorem3.8": (strong_experiments, 200),
    "composite.theorem3.8.sharpened": (partial(strong_experiments, sharpened=True), 60),
}
SEEDS, HORIZONS = 100, (10, 40)


def _distances(budget: SamplingBudget) -> Iterator[BoundComparison]:
    for id, (experiments, rounds) in DISTANCES.items():
        runs = runs_of("squared_distance", "distance_potential")
        yield full(id, admitted(id, experiments(None)), rounds, runs, budget)
        yield sampled(id, admitted(id, experiments(1)), HORIZONS, SEEDS, runs, budget)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Full gradients, every outcome of short runs, and long noisy runs over seeds, for every form."""
    runs = runs_of("potential", "objective_gap", "squared_distance")
    falling = (row for id in FALLING for row in every_regime(id, runs, budget, noise=id != EXACT))
    return (*falling, *_distances(budget))


CHECK = EmpiricalCheck((*FALLING, *DISTANCES), "potential, gap and distance (Theorems 3.6 and 3.8)", find)
