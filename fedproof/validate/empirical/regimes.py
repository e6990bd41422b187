"""A statement's metric after R rounds beside its bound: full gradients, all draws, or many seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from fedproof.validate.empirical.comparison import Place, compare, nearest, sampled_place
from fedproof.validate.empirical.runs import Experiment, Runs
from fedproof.validate.empirical.theory import bounds, holds, metric, wants
from fedproof.validate.verdict import BoundComparison, SamplingBudget
from fedproof.vocabulary.plurals import count

ROUNDING = 1e-9


def admits(id: str, experiment: Experiment) -> bool:
    """Whether a statement speaks of an experiment: its letters exist and its conditions hold, exactly."""
    numbers = wants(id, experiment.letters(1))
    return numbers is not None and holds(id, **numbers)


def admitted(id: str, experiments: Iterable[Any]) -> tuple[Any, ...]:
    """The experiments of which a statement speaks."""
    return tuple(e for e in experiments if admits(id, e))


def full(
    id: str, experiments: Sequence[Experiment], rounds: int, runs: Runs, budget: SamplingBudget
) -> BoundComparison:
    """Full-gradient runs, where the expectation is the value itself, after every round.

    Arguments:
        id: the statement.
        experiments: that it admits; their noise is left out.
        rounds: the most.
        runs: to share with other comparisons.
        budget: its `change` runs in place of the method.
    """
    places = []
    for experiment, values in zip(experiments, runs.full(experiments, budget.change, rounds), strict=True):
        measured, after_each = values[metric(id)], np.arange(1, rounds + 1)
        bound = np.broadcast_to(bounds(id, **experiment.letters(after_each)), after_each.shape)
        said = np.where(measured <= ROUNDING * experiment.grain, 0, measured / np.maximum(bound, 1e-300))
        i = int(np.argmax(said))
        places.append(Place(measured[i], float(bound[i]), (experiment, i + 1)))
    worst = nearest(places)
    experiment, after = worst.at
    return compare(
        id, metric(id), places,
        (f"{count(len(experiments), 'case')}, full gradients, {count(rounds, 'round')}; worst at R={after}: "
         f"{experiment.describe()}",
         f"After each of {count(rounds, 'round')} of {count(len(experiments), 'pair')} of problem and "
         f"setting, the metric is nearest to its bound at R = {after}: {float(worst.measured):.5g} against "
         f"{worst.bound:.5g}, {worst.ratio:.4g} of it."), budget, tolerance=ROUNDING,
    )  # fmt: skip


def enumerated(
    id: str, experiments: Sequence[tuple[Any, int]], runs: Runs, budget: SamplingBudget
) -> BoundComparison:
    """Short noisy runs, each with its rounds, the expectation taken over every outcome in fractions."""
    places, outcomes = [], 0
    for experiment, rounds in experiments:
        means, many = runs.every(experiment, budget.change(experiment.method), rounds)
        bound = float(bounds(id, **experiment.letters(rounds)))
        places.append(Place(means[metric(id)], bound, (experiment, rounds)))
        outcomes += many
    worst = nearest(places)
    experiment, rounds = worst.at
    return compare(
        id, metric(id), places,
        (f"{count(len(places), 'case')}, every outcome in fractions; worst at R={rounds}: "
         f"{experiment.describe()}",
         f"The expectation over all outcomes ({outcomes}) of {count(len(places), 'short run')} is exact; it "
         f"comes nearest to its bound at {float(worst.measured):.5g} against {worst.bound:.5g}, "
         f"{worst.ratio:.4g} of it."), budget, tolerance=ROUNDING,
    )  # fmt: skip


def sampled(
    id: str,
    experiments: Sequence[Experiment],
    horizons: tuple[int, ...],
    seeds: int,
    runs: Runs,
    budget: SamplingBudget,
) -> BoundComparison:
    """Many seeds of every experiment, tested after each of some numbers of rounds."""
    places, seeds = [], budget.seeds or seeds
    for e in experiments:
        values = runs.sampled(e, budget.change(e.method), horizons, seeds, budget.salt)[metric(id)]
        for rounds, row in zip(horizons, values, strict=True):
            places.append(sampled_place(row, float(bounds(id, **e.letters(rounds))), (e, rounds)))
    worst = nearest(places)
    experiment, rounds = worst.at
    cases, after = count(len(experiments), "case"), " and ".join(map(str, horizons))
    return compare(
        id, metric(id), places,
        (f"{cases}, {count(seeds, 'seed')}, R = {after}; worst at R={rounds}: {experiment.describe()}",
         f"{count(seeds, 'run')} of each of {cases}: the mean comes nearest to its bound at R = {rounds}: "
         f"{worst.measured:.5g} against {worst.bound:.5g}, {worst.ratio:.4g} of it."), budget,
    )  # fmt: skip
