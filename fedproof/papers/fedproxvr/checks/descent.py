"""Descent (87): what a round gains in expectation, against Theta of the closed chain."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from fedproof.papers.fedproxvr.checks._experiments import RoundExperiment, cases, worst_direction
from fedproof.papers.fedproxvr.checks._family import aligned
from fedproof.papers.fedproxvr.checks._hyperparameters import PRINTED
from fedproof.problems.problem import Array
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.moments import run_moments
from fedproof.validate.empirical.comparison import Place, compare, controlled, sampled_place
from fedproof.validate.replicas import generator, local_models
from fedproof.validate.statistics import mean_test
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

METRIC = "descent"
ESTIMATORS = ("sarah", "svrg")
SEEDS = 1000
ROUNDING = 1e-6
CONTROL = 1e-6
STEPS_RUN, STEPS_CONTROLLED = 400, 5000


def worst(
    estimator: str, most_steps: float = np.inf, form: str = PRINTED
) -> tuple[RoundExperiment, float, int]:
    """The case and start with the least descent over Theta.

    For every case the least descent over all starts is an eigenvalue of exact moments.

    Returns: the case, started there; the descent per squared gradient; how many cases were tried.
    """
    found: list[tuple[float, float, Array, RoundExperiment]] = []
    for case in cases(estimator, form):
        if case.setting.tau <= most_steps:
            square = case.forms.matrix @ case.forms.matrix
            top, direction = worst_direction(square, case.forms.descent)
            found.append((case.factor * top, 1 / top, direction, case))
    ratio, least, direction, case = max(found, key=lambda f: f[0])
    del ratio
    return replace(case, problem=aligned(case.problem, direction)), least, len(found)


@cache
def _worst(estimator: str, most_steps: float, form: str) -> tuple[RoundExperiment, float, int]:
    return worst(estimator, most_steps, form)


def by_steps(case: RoundExperiment, algorithm: FedProxVR) -> float:
    """Descent per squared gradient at the case's start, from moments read off the algorithm's own steps."""
    problem = case.problem.as_float()
    stepwise: Any = algorithm
    path = run_moments(stepwise, problem, 1)
    gain = path[0].expected_loss(problem) - path[1].expected_loss(problem)
    return float(gain / path[0].expected_squared_gradient(problem))


def exact(estimator: str, budget: SamplingBudget, form: str = PRINTED) -> BoundComparison:
    """The least exact descent over family, settings and starts, against Theta."""
    case, least, tried = _worst(estimator, np.inf, form)
    nearest, expected, _ = _worst(estimator, STEPS_CONTROLLED, form)
    row = compare(
        f"fedproxvr.eq87{form}", METRIC, [Place(least, case.factor, case)],
        (f"{estimator}, quadratics, every start: {case.describe()}",
         f"Over {tried} pairs of problem and setting that the closed chain admits, and all starts, the "
         f"expected gain of a round comes nearest to Theta |grad F|^2 where it is {least:.4g} |grad F|^2 "
         f"and Theta = {case.factor:.4g}."), budget, ">=", ROUNDING,
    )  # fmt: skip
    stepped = by_steps(nearest, budget.change(nearest.algorithm))
    if abs(stepped / expected - 1) > ROUNDING:
        detail = f"The algorithm's own steps gain {stepped:.6g}, the recursion {expected:.6g}: these differ."
        return replace(row, detail=detail, p_obeyed=1.0)
    return row


def gains(case: RoundExperiment, algorithm: FedProxVR, seeds: int, salt: int) -> Array:
    """(F(w^(s-1)) - F(w^(s))) / |grad F(w^(s-1))|^2 in independent repetitions, shape (seeds,)."""
    problem = case.problem.as_float()
    start, clients = problem.start(), np.arange(problem.n_clients)
    models = local_models(algorithm, problem, start, clients, seeds, generator(2, salt, case.setting.tau))
    server = np.einsum("n,snd->sd", problem.sizes / problem.sizes.sum(), models)
    gradient = problem.gradient(start)
    drops: Array = (problem.loss(start) - problem.losses(server)) / (gradient @ gradient)
    return drops


def sampled(estimator: str, budget: SamplingBudget, form: str = PRINTED) -> BoundComparison:
    """Runs of one round at the worst case with few enough local steps, the exact descent as a control."""
    seeds = budget.seeds or SEEDS
    case, expected, _ = _worst(estimator, STEPS_RUN, form)
    place = sampled_place(gains(case, budget.change(case.algorithm), seeds, budget.salt), case.factor, case)
    row = compare(
        f"fedproxvr.eq87{form}", METRIC, [place],
        (f"{estimator}, runs of one round: {case.describe()}",
         f"{seeds} runs of a round at the start with the least descent gain {place.measured:.4g} |grad F|^2 "
         f"on average (exactly {expected:.4g} expected); Theta = {case.factor:.4g}."), budget, ">=",
    )  # fmt: skip
    return controlled(row, [mean_test(place.values, expected)], CONTROL, "The runs miss the exact value.")


def find(budget: SamplingBudget, form: str = PRINTED) -> tuple[BoundComparison, ...]:
    """An exact and a sampled row for every estimator."""
    return tuple(row for e in ESTIMATORS for row in (exact(e, budget, form), sampled(e, budget, form)))


CHECK = EmpiricalCheck(("fedproxvr.eq87",), "descent of a round (87)", find)
