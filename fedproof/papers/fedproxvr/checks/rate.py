"""The sublinear rate: how fast the squared gradient falls over rounds, against O(1/T)."""

from __future__ import annotations

from functools import cache

import numpy as np

from fedproof.papers.fedproxvr.checks._experiments import RoundExperiment, cases
from fedproof.problems.problem import Array
from fedproof.validate.empirical.comparison import refitted
from fedproof.validate.rates import fitted_exponent
from fedproof.validate.replicas import generator, run_rounds
from fedproof.validate.statistics import refit
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

SEEDS, ROUNDS, STEPS = 40, 400, 60
BOUND = 1.0


@cache
def slow_experiment() -> RoundExperiment:
    """The slowest of the family's convex heterogeneous problems with few local steps and a settled decay.

    Settled: in exact expectation the squared gradient has fallen below a tenth by half of the rounds, from
    the problem's own start; before that a power says nothing.
    """
    found = []
    for case in cases("sarah"):
        if case.setting.tau <= STEPS and case.numbers["sigma2"] > 0:
            start = (case.problem.start() - case.problem.centre).astype(float)
            path = [float(start @ g @ start) for g in case.forms.squared_gradients(ROUNDS)]
            if path[ROUNDS // 2] < path[0] / 10:
                found.append((fitted_exponent(np.array(path)), case))
    return min(found, key=lambda f: f[0])[1]


def squared_gradients(case: RoundExperiment, seeds: int, salt: int) -> Array:
    """|grad F(w^(s))|^2 of whole runs, shape (seeds, rounds + 1)."""
    problem = case.problem.as_float()
    path = run_rounds(case.algorithm, problem, ROUNDS, seeds, generator(4, salt))
    gradients = (path - problem.centre) @ problem.mean_matrix
    squares: Array = np.square(gradients).sum(axis=-1).T
    return squares


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """One row: the fitted exponent with its interval."""
    case, seeds = slow_experiment(), budget.seeds or SEEDS
    sample = squared_gradients(case, seeds, budget.salt)
    fit = refit(sample, fitted_exponent, generator(5, budget.salt), resamples=500)
    row = refitted(
        "fedproxvr.theorem1", "decay_exponent", fit, BOUND,
        (f"{seeds} runs of {ROUNDS} rounds, s = {ROUNDS // 2}..{ROUNDS}: {case.describe()}",
         f"The mean squared gradient at round s falls like s^-{fit.value:.3g} over the last half of {ROUNDS} "
         f"rounds ({100 * fit.level:.0f}% interval {fit.low:.3g} to {fit.high:.3g}, refitted over resampled "
         f"seeds); a mean over rounds of order 1/T needs no more than {BOUND:.3g}."), budget, seeds,
    )  # fmt: skip
    return (row,)


CHECK = EmpiricalCheck(("fedproxvr.theorem1",), "sublinear rate", find)
