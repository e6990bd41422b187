"""A theorem's metric after R rounds beside its bound: exactly for full gradients or all draws, or sampled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.checks.composite._family import Case
from fedproof.validate.checks.composite._measures import gaps, mean_spread, potentials, squared_mapping
from fedproof.validate.checks.composite._stacked import Path, every_outcome, run_copies, seeded
from fedproof.validate.checks.composite._theory import bounds, metric, promise, wants
from fedproof.validate.replicas import generator
from fedproof.validate.statistics import mean_test
from fedproof.validate.verdict import Finding

__all__ = [
    "MEASURES",
    "Change",
    "admits",
    "admitted",
    "as_printed",
    "enumerated",
    "full",
    "full_path",
    "sampled",
]

ROUNDING = 1e-9
Change = Callable[[FedComposite], FedComposite]


def as_printed(method: FedComposite) -> FedComposite:
    """No change."""
    return method


def _mean_mapping(case: Case, problem: Any, path: Path) -> Array:
    squares = squared_mapping(problem, path.models[:-1], case.method.effective_stepsize)
    counts = np.arange(1, len(squares) + 1)[:, None]
    means: Array = np.add.accumulate(squares, axis=0) / (counts * problem.number(1))
    return means


def _potential(case: Case, problem: Any, path: Path) -> Array:
    found = potentials(problem, case.method, path.models, path.corrections, case.instance.least)
    return found[1:]


def _gap(case: Case, problem: Any, path: Path) -> Array:
    return gaps(problem, path.models[1:], case.instance.least)


def _distance(case: Case, problem: Any, path: Path) -> Array:
    apart = path.models - (case.instance.solution * problem.number(1))
    spread = mean_spread(problem, case.method, path.models, path.corrections)
    found: Array = np.add.reduce(apart * apart, axis=-1) + spread
    return found[1:]


def _squared_distance(case: Case, problem: Any, path: Path) -> Array:
    apart = path.models[1:] - (case.instance.solution * problem.number(1))
    found: Array = np.add.reduce(apart * apart, axis=-1)
    return found


#: by metric: the values after 1..R rounds of every copy, shape (R, S)
MEASURES: dict[str, Callable[[Case, Any, Path], Array]] = {
    "mean_squared_prox_gradient": _mean_mapping,
    "potential": _potential,
    "objective_gap": _gap,
    "distance_potential": _distance,
    "squared_distance": _squared_distance,
}


@cache
def admits(id: str, case: Case) -> bool:
    """Whether a statement speaks of a case: its letters exist and its conditions hold, exactly decided."""
    numbers = wants(id, case.numbers)
    return numbers is not None and promise(id, **numbers, R=1) is not None


def admitted(id: str, cases: Iterable[Case]) -> tuple[Case, ...]:
    """The cases of which a statement speaks."""
    return tuple(case for case in cases if admits(id, case))


@dataclass(frozen=True, eq=False)
class _Place:
    """A measured number beside its bound, and where."""

    measured: Any
    case: Case
    rounds: int
    bound: float

    @property
    def ratio(self) -> float:
        return float(self.measured) / self.bound if self.bound > 0 else np.inf * (self.measured > 0)


@cache
def full_path(case: Case, method: FedComposite, rounds: int) -> Path:
    """A case's run with full gradients."""
    problem = case.instance.rounded
    start = case.start.astype(float)[None]
    c = None if case.corrections is None else case.corrections.astype(float)[None]
    return run_copies(replace(method, batch_size=None), problem, rounds, None, 1, start, c)


def full(
    id: str, cases: tuple[Case, ...], rounds: int, change: Change = as_printed, shrink: float = 1.0
) -> Finding:
    """The worst place of full-gradient runs, where the expectation is the value itself.

    Arguments:
        cases: that the statement admits, without noise.
        rounds: the most; the bound is looked at after every one.
        change, shrink: for planting falsehoods: what runs in place of Algorithm 1, what divides the bound.
    """
    places = []
    for case in cases:
        path = full_path(case, change(case.method), rounds)
        measured = MEASURES[metric(id)](case, case.instance.rounded, path)[:, 0]
        count = np.arange(1, rounds + 1)
        bound = np.broadcast_to(bounds(id, **case.numbers, R=count), count.shape) / shrink
        # what is below the rounding of its own parts says nothing
        grain = ROUNDING * float(abs(case.numbers["Omega1"]))
        place = int(np.argmax(np.where(measured > grain, measured / np.maximum(bound, 1e-300), 0)))
        places.append(_Place(measured[place], case, place + 1, float(bound[place])))
    worst = max(places, key=lambda p: p.ratio)
    return Finding(
        id, metric(id), "<=", float(worst.measured), worst.bound,
        f"{len(cases)} cases, full gradients, {rounds} rounds; worst at R={worst.rounds}: "
        f"{worst.case.describe()}",
        f"After each of {rounds} rounds of {len(cases)} pairs of problem and setting, the metric is nearest "
        f"to its bound at R = {worst.rounds}: {float(worst.measured):.5g} against {worst.bound:.5g}, "
        f"{worst.ratio:.4g} of it.",
    ).decided(ROUNDING)  # fmt: skip


@cache
def _every_path(case: Case, method: FedComposite, rounds: int) -> Path:
    problem = case.instance.problem
    draws, count = every_outcome(problem, method, rounds)
    start = np.repeat(case.start[None], count, axis=0)
    c = None if case.corrections is None else np.repeat(case.corrections[None], count, axis=0)
    return run_copies(method, problem, rounds, draws, count, start, c)


def enumerated(
    id: str, cases: tuple[tuple[Case, int], ...], change: Change = as_printed, shrink: Fraction = Fraction(1)
) -> Finding:
    """The worst place of short noisy runs, the expectation taken over every outcome in fractions.

    Arguments:
        cases: that the statement admits, each with its rounds.
        change, shrink: for planting falsehoods.
    """
    places, outcomes = [], 0
    for case, rounds in cases:
        path = _every_path(case, change(case.method), rounds)
        count = path.models.shape[1]
        measured = np.add.reduce(MEASURES[metric(id)](case, case.instance.problem, path)[-1]) / Fraction(
            count
        )
        bound = promise(id, **case.numbers, R=rounds)
        assert bound is not None, f"{id} does not admit {case.describe()}"
        places.append(_Place(measured, case, rounds, bound / float(shrink)))
        outcomes += count
    worst = max(places, key=lambda p: p.ratio)
    return Finding(
        id, metric(id), "<=", float(worst.measured), worst.bound,
        f"{len(cases)} cases, every outcome in fractions; worst at R={worst.rounds}: {worst.case.describe()}",
        f"The expectation over all {outcomes} outcomes of {len(cases)} short runs is exact; it comes nearest "
        f"to its bound at {float(worst.measured):.5g} against {worst.bound:.5g}, {worst.ratio:.4g} of it.",
    ).decided(ROUNDING)  # fmt: skip


@cache
def _samples(case: Case, method: FedComposite, rounds: int, seeds: int, salt: int, number: int) -> Path:
    problem = case.instance.rounded
    start = np.repeat(case.start.astype(float)[None], seeds, axis=0)
    c = None if case.corrections is None else np.repeat(case.corrections.astype(float)[None], seeds, axis=0)
    draws = seeded(problem, method, seeds, generator(11, salt, number))
    return run_copies(method, problem, rounds, draws, seeds, start, c)


def sampled(
    id: str,
    cases: tuple[Case, ...],
    horizons: tuple[int, ...],
    seeds: int,
    salt: int,
    change: Change = as_printed,
    shrink: float = 1.0,
) -> Finding:
    """Many seeds of every case, tested after each of some numbers of rounds.

    One p-value speaks for all: violated if it is anywhere (Bonferroni), obeyed if it is everywhere (the
    largest).
    """
    found = []
    for number, case in enumerate(cases):
        path = _samples(case, change(case.method), max(horizons), seeds, salt, number)
        values = MEASURES[metric(id)](case, case.instance.rounded, path)
        for rounds in horizons:
            bound = float(bounds(id, **case.numbers, R=rounds)) / shrink
            test = mean_test(values[rounds - 1], bound)
            found.append((_Place(test.mean, case, rounds, bound), test))
    worst, _ = max(found, key=lambda f: f[0].ratio)
    return Finding(
        id, metric(id), "<=", worst.measured, worst.bound,
        f"{len(cases)} cases, {seeds} seeds, R in {horizons}; worst at R={worst.rounds}: "
        f"{worst.case.describe()}",
        f"{seeds} runs of each of {len(cases)} cases: the mean comes nearest to its bound at R = "
        f"{worst.rounds}: {worst.measured:.5g} against {worst.bound:.5g}, {worst.ratio:.4g} of it.",
        seeds,
        min(1.0, len(found) * min(t.p_above for _, t in found)),
        max(t.p_below for _, t in found),
    )  # fmt: skip
