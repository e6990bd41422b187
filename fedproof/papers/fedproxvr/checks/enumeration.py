"""Lemma 1 with the expectation of (11) itself, over every outcome of a round, decided in fractions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.bounds.catalog import statement
from fedproof.papers.fedproxvr.checks._hyperparameters import Hyperparameters, local_hyperparameters
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.exact import count_outcomes, expectation, surrogate_gradients
from fedproof.validate.empirical.comparison import Place, compare, decided_exactly, nearest
from fedproof.validate.empirical.theory import definition_value
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

BETAS = {"sarah": (20,), "svrg": (50,)}
MOST_STEPS = 8
LAM = Fraction(1, 2)


@cache
def problem() -> Quadratic:
    """Three clients in one dimension with two samples each: curvatures (1, -1), (0, -1) and (1, 0).

    L = 1, lam = 1/2; every gradient is 1 at the start.

    >>> [str(c) for c in problem().client_matrices[:, 0, 0]]
    ['0', '-1/2', '1/2']
    """
    curvatures = [1, -1, 0, -1, 1, 0]
    return Quadratic.of(
        [[[a]] for a in curvatures], [[1]] * 6, sizes=[2, 2, 2], name="three clients of two samples"
    )


def settings(estimator: str) -> list[Hyperparameters]:
    """Settings of Lemma 1 with few enough local steps to go through all outcomes."""
    return [s for s in local_hyperparameters(estimator, LAM, BETAS[estimator]) if s.tau <= MOST_STEPS]


@cache
def inexactness(algorithm: FedProxVR, where: Any, client: int, power: int = 1) -> Fraction:
    """E (|grad J_n(w_n^(s))| / |grad F_n(w^(s-1))|)^power in one dimension, over every outcome."""
    start = where.start()

    def lengths(models: Array) -> Array:
        clients = np.full(len(models), client)
        found = surrogate_gradients(where, models, clients, start, algorithm.prox_weight)[:, 0]
        powers: Array = np.abs(found) ** power
        return powers

    gradient = where.client_gradients(start[None], np.array([client]))[0, 0]
    return Fraction(expectation(algorithm, where, start, client, lengths) / abs(gradient) ** power)


def enumerated(estimator: str, budget: SamplingBudget) -> BoundComparison:
    """The largest exact inexactness over clients and settings, beside the least theta.

    The least theta is irrational; that the measured fraction is no larger is decided by the lower bound of
    (13) or (14) itself, which must fail at theta = measured.
    """
    id, places, exceeded, outcomes = f"fedproxvr.lemma1.{estimator}", [], [], 0
    lower = next(c.relation for c in statement(id).admissible if c.label.endswith("lower"))
    for setting in settings(estimator):
        letters = {**setting.values, "lam": LAM}
        theta = float(definition_value(f"fedproxvr.certified.{estimator}", "theta", **letters))
        for client in range(problem().n_clients):
            measured = inexactness(setting.algorithm, problem(), client)
            given = letters | {"theta": measured * Fraction(budget.tighten)}
            exceeded.append(evaluate_relation(lower, {n: Fraction(v) for n, v in given.items()}).holds)
            outcomes += count_outcomes(setting.algorithm, problem(), client)
            places.append(Place(float(measured), theta, f"client {client}, {setting}"))
    worst = nearest(places)
    row = compare(
        id, "local_inexactness", places,
        (f"{problem().name}, lam={LAM} L, every outcome in fractions: {worst.at}",
         f"The expectation over all {outcomes} outcomes of {len(places)} pairs of client and setting is "
         f"exact: E|grad J_n|/|grad F_n| comes nearest to the least theta {worst.bound:.4g} at "
         f"{worst.measured:.4g}."), budget,
    )  # fmt: skip
    return decided_exactly(row, not any(exceeded))


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """One exact row an estimator; nothing is drawn."""
    return tuple(enumerated(estimator, budget) for estimator in BETAS)


CHECK = EmpiricalCheck(
    ("fedproxvr.lemma1.sarah", "fedproxvr.lemma1.svrg"), "Lemma 1 over every outcome", find
)
