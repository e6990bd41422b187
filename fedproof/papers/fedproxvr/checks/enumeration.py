"""Lemma 1 with the expectation of (11) itself, over every outcome of a round, decided in fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.bounds.catalog import statement
from fedproof.papers.fedproxvr.checks._theory import Hyperparameters, definition_value, local_settings
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.exact import count_outcomes, expectation, surrogate_gradients
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

BETAS = {"sarah": (20,), "svrg": (50,)}
MOST_STEPS = 8
LAM = Fraction(1, 2)


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
    return [s for s in local_settings(estimator, LAM, BETAS[estimator]) if s.tau <= MOST_STEPS]


@cache
def inexactness(algorithm: FedProxVR, client: int) -> Fraction:
    """E|grad J_n(w_n^(s))| / |grad F_n(w^(s-1))|, exactly: in one dimension a norm is an absolute value."""
    where = problem()
    start = where.start()

    def lengths(models: Array) -> Array:
        clients = np.full(len(models), client)
        found: Array = np.abs(surrogate_gradients(where, models, clients, start, algorithm.prox_weight))[:, 0]
        return found

    gradient = where.client_gradients(start[None], np.array([client]))[0, 0]
    return Fraction(expectation(algorithm, where, start, client, lengths) / abs(gradient))


def enumerated(estimator: str, enlarge: Fraction = Fraction(1)) -> BoundComparison:
    """The largest exact inexactness over clients and settings, beside the least theta.

    The least theta is irrational; that the measured fraction is no larger is decided by the lower bound of
    (13) or (14) itself, which must fail at theta = measured.

    Arguments:
        enlarge: multiplies what is measured, for planting falsehoods.
    """
    id, found, exceeded, outcomes = f"fedproxvr.lemma1.{estimator}", [], [], 0
    lower = next(c.relation for c in statement(id).admissible if c.label.endswith("lower"))
    for setting in settings(estimator):
        algorithm = FedProxVR(1 / setting.beta, setting.tau, setting.mu, estimator)
        theta = float(
            definition_value(f"fedproxvr.certified.{estimator}", "theta", **setting.values, lam=LAM)
        )
        for client in range(problem().n_clients):
            measured = enlarge * inexactness(algorithm, client)
            values = {**setting.values, "lam": LAM, "theta": measured}
            exceeded.append(
                evaluate_relation(lower, {name: Fraction(value) for name, value in values.items()}).holds
            )
            outcomes += count_outcomes(algorithm, problem(), client)
            found.append((float(measured) / theta, float(measured), theta, f"client {client}, {setting}"))
    _, measured_float, theta, where = max(found)
    finding = BoundComparison(
        id, "local_inexactness", "<=", measured_float, theta,
        f"{problem().name}, lam={LAM} L, every outcome in fractions: {where}",
        f"The expectation over all {outcomes} outcomes of {len(found)} pairs of client and setting is exact: "
        f"E|grad J_n|/|grad F_n| comes nearest to the least theta {theta:.4g} at {measured_float:.4g}.",
    )  # fmt: skip
    return replace(finding, p_violated=float(not any(exceeded)), p_obeyed=float(any(exceeded)))


def find(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
    """One exact finding an estimator; nothing is drawn."""
    del effort
    return tuple(enumerated(estimator) for estimator in BETAS)


CHECK = EmpiricalCheck(
    ("fedproxvr.lemma1.sarah", "fedproxvr.lemma1.svrg"), "Lemma 1 over every outcome", find
)
