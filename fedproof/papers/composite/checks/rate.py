"""The linear factor of Theorem 3.6, fitted over rounds, against 1 - mu eta~/3 and the sharpened one."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from fedproof.papers.composite.checks._experiments import full_experiments
from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.papers.composite.checks._metrics import runs_of
from fedproof.problems.problem import Array
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.empirical.comparison import Place, compare, nearest, refitted
from fedproof.validate.empirical.regimes import ROUNDING, admitted
from fedproof.validate.empirical.runs import Runs
from fedproof.validate.empirical.theory import bounds, metric
from fedproof.validate.rates import fitted_factor
from fedproof.validate.replicas import generator
from fedproof.validate.statistics import refit
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

IDS = ("composite.theorem3.6.repaired", "composite.theorem3.6.sharpened")
ROUNDS, SEEDS, FITTED = 60, 60, 40
#: a gap this small may be rounding, relative to 1 + |F*|
GRAIN = 1e-13


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


def without_noise(id: str, budget: SamplingBudget, runs: Runs | None = None) -> BoundComparison:
    """The slowest of the family's full-gradient runs, in units of mu eta~."""
    places, cases = [], admitted(id, full_experiments())
    rows = (runs or runs_of(metric(id))).full(cases, budget.change, ROUNDS)
    for case, row in zip(cases, rows, strict=True):
        values = until_rounding(row[metric(id)], case)
        if len(values) >= 8:
            promised = claimed(id, case)
            share = speed(case, fitted_factor(values)) / promised
            places.append(Place(share * promised, promised, (case, len(values))))
    slowest = nearest(places, ">=")
    case, count = slowest.at
    step = float(case.numbers["mu"] * case.method.effective_stepsize)
    return compare(
        id, "linear_speed", places,
        (f"{len(places)} cases, full gradients, up to {ROUNDS} rounds; slowest: {case.describe()}",
         f"Fitted over the last half of the rounds before rounding, the {metric(id).replace('_', ' ')} is "
         f"multiplied by at most 1 - {slowest.measured:.4g} mu eta~ a round in every case (here over {count} "
         f"rounds: {1 - slowest.measured * step:.6f}); the bound is multiplied by 1 - {slowest.bound:.4g} mu "
         "eta~."), budget, ">=", ROUNDING,
    )  # fmt: skip


@cache
def noisy_experiment() -> RunExperiment:
    """Two clients apart with little noise, started so far away that the floor is not seen for a while."""
    noise = [Fraction(-1, 50), Fraction(1, 50)]
    instance = line([1, "1/2"], [1, -1], Separable(Fraction(1, 5)), noise, "clients apart, little noise")
    method = FedComposite(Fraction(1, 10) / (2 * Fraction(3, 2)), 2, Fraction(3, 2), 1)
    return RunExperiment(instance, method, instance.solution + 100)


def noisy(id: str, budget: SamplingBudget) -> BoundComparison:
    """The factor of the mean over seeds, refitted on resampled seeds."""
    case, seeds, after = noisy_experiment(), budget.seeds or SEEDS, tuple(range(1, FITTED + 1))
    values = runs_of(metric(id)).sampled(case, budget.change(case.method), after, seeds, budget.salt)
    fit = refit(
        values[metric(id)].T,
        lambda row: speed(case, fitted_factor(row)),
        generator(42, budget.salt),
        resamples=500,
    )
    promised = claimed(id, case)
    return refitted(
        id, "linear_speed", fit, promised,
        (f"{seeds} seeds, {FITTED} rounds: {case.describe()}",
         f"The mean {metric(id).replace('_', ' ')} is multiplied by 1 - {fit.value:.4f} mu eta~ a round "
         f"({100 * fit.level:.0f}% interval {fit.low:.4f} to {fit.high:.4f}, refitted over resampled seeds) "
         f"before its floor; the bound by 1 - {promised:.4g} mu eta~."), budget, seeds,
    )  # fmt: skip


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Without noise and with little, for the potential and for the gap."""
    runs = runs_of(*map(metric, IDS))
    return tuple(row for id in IDS for row in (without_noise(id, budget, runs), noisy(id, budget)))


CHECK = EmpiricalCheck(IDS, "linear factor (Theorem 3.6)", find)
