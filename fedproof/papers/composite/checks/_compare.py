"""A theorem's metric after R rounds beside its bound: exactly for full gradients or all draws, or sampled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isnan
from typing import Any

import numpy as np

from fedproof.papers.composite.checks._family import RunExperiment
from fedproof.papers.composite.checks._metric_samples import MetricSamples
from fedproof.papers.composite.checks._theory import bounds, holds, metric, wants
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.statistics import mean_test
from fedproof.validate.verdict import BoundComparison

ROUNDING = 1e-9
Change = Callable[[FedComposite], FedComposite]


def as_printed(method: FedComposite) -> FedComposite:
    """No change."""
    return method


def admits(id: str, case: RunExperiment) -> bool:
    """Whether a statement speaks of a case: its letters exist and its conditions hold, exactly decided."""
    numbers = wants(id, case.numbers)
    return numbers is not None and holds(id, **numbers)


def admitted(id: str, cases: Iterable[RunExperiment]) -> tuple[RunExperiment, ...]:
    """The cases of which a statement speaks."""
    return tuple(case for case in cases if admits(id, case))


def over(measured: Any, bound: Any) -> float:
    """Measured over bound: infinite where something is above a bound of 0, and where it is not a number.

    >>> over(1, 4), over(1, 0), over(0, 0), over(-1, 0)
    (0.25, inf, 0.0, 0.0)
    """
    if isnan(measured):
        return inf
    if bound > 0:
        return float(measured) / float(bound)
    return inf if measured > bound else 0.0


@dataclass(frozen=True, eq=False)
class _Place:
    """A measured number beside its bound, and where."""

    measured: Any
    case: RunExperiment
    rounds: int
    bound: float

    @property
    def ratio(self) -> float:
        return over(self.measured, self.bound)


def full(
    id: str,
    cases: tuple[RunExperiment, ...],
    rounds: int,
    change: Change = as_printed,
    shrink: float = 1.0,
    seen: MetricSamples | None = None,
) -> BoundComparison:
    """The worst place of full-gradient runs, where the expectation is the value itself.

    Arguments:
        cases: that the statement admits, without noise.
        rounds: the most; the bound is looked at after every one.
        change, shrink: for planting falsehoods: what runs in place of Algorithm 1, what divides the bound.
        seen: runs to share with other comparisons, none by default.
    """
    seen, places = seen or MetricSamples((metric(id),)), []
    for case, values in zip(cases, seen.full(cases, change, rounds), strict=True):
        measured = values[metric(id)]
        count = np.arange(1, rounds + 1)
        bound = np.broadcast_to(bounds(id, **case.numbers, R=count), count.shape) / shrink
        # what is below the rounding of its own parts says nothing
        grain = ROUNDING * float(abs(case.numbers["Omega1"]))
        place = int(np.argmax(np.where(measured <= grain, 0, measured / np.maximum(bound, 1e-300))))
        places.append(_Place(measured[place], case, place + 1, float(bound[place])))
    worst = max(places, key=lambda p: p.ratio)
    return BoundComparison(
        id, metric(id), "<=", float(worst.measured), worst.bound,
        f"{len(cases)} cases, full gradients, {rounds} rounds; worst at R={worst.rounds}: "
        f"{worst.case.describe()}",
        f"After each of {rounds} rounds of {len(cases)} pairs of problem and setting, the metric is nearest "
        f"to its bound at R = {worst.rounds}: {float(worst.measured):.5g} against {worst.bound:.5g}, "
        f"{worst.ratio:.4g} of it.",
    ).decided(ROUNDING)  # fmt: skip


def enumerated(
    id: str,
    cases: tuple[tuple[RunExperiment, int], ...],
    change: Change = as_printed,
    shrink: Fraction = Fraction(1),
    seen: MetricSamples | None = None,
) -> BoundComparison:
    """The worst place of short noisy runs, the expectation taken over every outcome in fractions.

    Arguments:
        cases: that the statement admits, each with its rounds.
        change, shrink: for planting falsehoods.
        seen: runs to share with other comparisons, none by default.
    """
    seen, places, outcomes = seen or MetricSamples((metric(id),)), [], 0
    for case, rounds in cases:
        means, count = seen.every(case, change(case.method), rounds)
        bound = float(bounds(id, **case.numbers, R=rounds)) / float(shrink)
        places.append(_Place(means[metric(id)], case, rounds, bound))
        outcomes += count
    worst = max(places, key=lambda p: p.ratio)
    return BoundComparison(
        id, metric(id), "<=", float(worst.measured), worst.bound,
        f"{len(cases)} cases, every outcome in fractions; worst at R={worst.rounds}: {worst.case.describe()}",
        f"The expectation over all {outcomes} outcomes of {len(cases)} short runs is exact; it comes nearest "
        f"to its bound at {float(worst.measured):.5g} against {worst.bound:.5g}, {worst.ratio:.4g} of it.",
    ).decided(ROUNDING)  # fmt: skip


def sampled(
    id: str,
    cases: tuple[RunExperiment, ...],
    horizons: tuple[int, ...],
    seeds: int,
    salt: int,
    change: Change = as_printed,
    shrink: float = 1.0,
    seen: MetricSamples | None = None,
) -> BoundComparison:
    """Many seeds of every case, tested after each of some numbers of rounds.

    One p-value speaks for all: violated if it is anywhere (Bonferroni), obeyed if it is everywhere (the
    largest).
    """
    seen, found = seen or MetricSamples((metric(id),)), []
    for case in cases:
        values = seen.sampled(case, change(case.method), horizons, seeds, salt)[metric(id)]
        for rounds, row in zip(horizons, values, strict=True):
            bound = float(bounds(id, **case.numbers, R=rounds)) / shrink
            test = mean_test(row, bound)
            found.append((_Place(test.mean, case, rounds, bound), test))
    worst, _ = max(found, key=lambda f: f[0].ratio)
    return BoundComparison(
        id, metric(id), "<=", worst.measured, worst.bound,
        f"{len(cases)} cases, {seeds} seeds, R in {horizons}; worst at R={worst.rounds}: "
        f"{worst.case.describe()}",
        f"{seeds} runs of each of {len(cases)} cases: the mean comes nearest to its bound at R = "
        f"{worst.rounds}: {worst.measured:.5g} against {worst.bound:.5g}, {worst.ratio:.4g} of it.",
        seeds,
        min(1.0, len(found) * min(t.p_above for _, t in found)),
        max(t.p_below for _, t in found),
    )  # fmt: skip
