"""The linear factor of Theorem 3.6, fitted over rounds, against 1 - mu eta~/3 and the sharpened one."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from fedproof.papers.composite.checks._compare import Change, admitted, as_printed
from fedproof.papers.composite.checks._experiments import full_cases
from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.papers.composite.checks._metric_samples import MetricSamples
from fedproof.papers.composite.checks._theory import bounds, metric
from fedproof.problems.problem import Array
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.replicas import generator
from fedproof.validate.statistics import refit
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

IDS = ("composite.theorem3.6.repaired", "composite.theorem3.6.sharpened")
ROUNDS, SEEDS, FITTED = 60, 60, 40
#: a gap this small may be rounding, relative to 1 + |F*|
GRAIN = 1e-13
ROUNDING = 1e-9


def fitted(values: Array) -> float:
    """The factor per round of a least-squares fit of log values over the last half of the rounds.

    >>> round(fitted(0.8 ** np.arange(30)), 9)
    0.8
    """
    late = np.arange(len(values))[len(values) // 2 :]
    return float(np.exp(np.polyfit(late, np.log(values[len(values) // 2 :]), 1)[0]))


def speed(case: RunExperiment, factor: float) -> float:
    """(1 - factor) in units of mu eta~."""
    return (1 - factor) / float(case.numbers["mu"] * case.method.effective_stepsize)


def claimed(id: str, case: RunExperiment) -> float:
    """The speed that a theorem's bound has without noise, from its own formula."""
    given = {**case.numbers, "sigma2": 0, "B_g": 0, "Omega1": 1}
    one, two = (float(bounds(id, **given, R=rounds)) for rounds in (1, 2))
    return speed(case, two / one)


def until_rounding(values: Array, case: RunExperiment) -> Array:
    """A metric's values after every round until they are within the rounding of F."""
    small = np.flatnonzero(values < GRAIN * (1 + abs(float(case.instance.least))))
    cut: Array = values[: small[0]] if small.size else values
    return cut


def without_noise(
    id: str, change: Change = as_printed, raise_by: float = 1.0, seen: MetricSamples | None = None
) -> BoundComparison:
    """The slowest of the family's full-gradient runs, in units of mu eta~.

    Arguments:
        change, raise_by: for planting falsehoods: what runs, and what multiplies the claimed speed.
        seen: runs to share with other comparisons, none by default.
    """
    found, cases = [], admitted(id, full_cases())
    rows = (seen or MetricSamples((metric(id),))).full(cases, change, ROUNDS)
    for case, row in zip(cases, rows, strict=True):
        values = until_rounding(row[metric(id)], case)
        if len(values) >= 8:
            found.append((speed(case, fitted(values)) / claimed(id, case), case, len(values)))
    ratio, case, count = min(found, key=lambda f: f[0])
    promised = claimed(id, case)
    step = float(case.numbers["mu"] * case.method.effective_stepsize)
    return BoundComparison(
        id, "linear_speed", ">=", ratio * promised, raise_by * promised,
        f"{len(found)} cases, full gradients, up to {ROUNDS} rounds; slowest: {case.describe()}",
        f"Fitted over the last half of the rounds before rounding, the {metric(id).replace('_', ' ')} is "
        f"multiplied by at most 1 - {ratio * promised:.4g} mu eta~ a round in every case (here over {count} "
        f"rounds: {1 - ratio * promised * step:.6f}); the bound is multiplied by 1 - {promised:.4g} mu eta~.",
    ).decided(ROUNDING)  # fmt: skip


@cache
def noisy_case() -> RunExperiment:
    """Two clients apart with little noise, started so far away that the floor is not seen for a while."""
    noise = [Fraction(-1, 50), Fraction(1, 50)]
    instance = line([1, "1/2"], [1, -1], Separable(Fraction(1, 5)), noise, "clients apart, little noise")
    method = FedComposite(Fraction(1, 10) / (2 * Fraction(3, 2)), 2, Fraction(3, 2), 1)
    return RunExperiment(instance, method, instance.solution + 100)


def noisy(
    id: str, effort: SamplingBudget, change: Change = as_printed, raise_by: float = 1.0
) -> BoundComparison:
    """The factor of the mean over seeds, refitted on resampled seeds.

    Arguments:
        change, raise_by: for planting falsehoods.
    """
    case, seeds = noisy_case(), effort.seeds or SEEDS
    after = tuple(range(1, FITTED + 1))
    sample = (
        MetricSamples((metric(id),))
        .sampled(case, change(case.method), after, seeds, effort.salt)[metric(id)]
        .T
    )
    fit = refit(sample, lambda row: speed(case, fitted(row)), generator(42, effort.salt), resamples=500)
    promised = claimed(id, case)
    return BoundComparison(
        id, "linear_speed", ">=", fit.value, raise_by * promised,
        f"{seeds} seeds, {FITTED} rounds: {case.describe()}",
        f"The mean {metric(id).replace('_', ' ')} is multiplied by 1 - {fit.value:.4f} mu eta~ a round "
        f"({100 * fit.level:.0f}% interval {fit.low:.4f} to {fit.high:.4f}, refitted over resampled seeds) "
        f"before its floor; the bound by 1 - {promised:.4g} mu eta~.",
    ).tested(fit.test(raise_by * promised, seeds))  # fmt: skip


def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Without noise and with little, for the potential and for the gap."""
    seen = MetricSamples(tuple(map(metric, IDS)))
    return tuple(f for id in IDS for f in (without_noise(id, seen=seen), noisy(id, effort)))


CHECK = EmpiricalCheck(IDS, "linear factor (Theorem 3.6)", find)
