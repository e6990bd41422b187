"""Reductions that FedProxVR and FedAvg must obey, against loops written here."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fedproof.problems.problem import Array, Problem
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.randomness import RandomSource

ESTIMATORS = ["sarah", "svrg", "sgd"]
QUADRATIC = random_quadratic(3, n_clients=4, dimension=3, samples=[1, 2, 3, 2], heterogeneity=2)


def small_softmax(sizes: list[int]) -> Supervised:
    """Three classes, four features, clients of these sizes."""
    rng = np.random.default_rng(1)
    total = sum(sizes)
    return Supervised(
        Softmax(3), rng.standard_normal((total, 4)), rng.integers(0, 3, total), Partition.of_sizes(sizes)
    )


def one_round(
    algorithm: Any, problem: Problem, x: Array, draws: Any = None, cohort: Array | None = None
) -> Any:
    """A single round from x with the draws of seed 0."""
    taking = Cohort.of(problem, cohort)
    draws = algorithm.draw(problem, taking.clients, RandomSource(0, 1)) if draws is None else draws
    return algorithm.round(problem, algorithm.init(problem, x), taking, draws)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("returned", ["random", "last"])
def test_no_local_steps(estimator: str, returned: str) -> None:
    """tau = 0: as printed nobody moves; with the last iterate it is x - eta / (1 + eta mu) grad F_n(x)."""
    eta, mu, x = Fraction(1, 4), Fraction(3), QUADRATIC.start()
    _, trace = one_round(FedProxVR(eta, 0, mu, estimator, returned=returned), QUADRATIC, x)
    for n in range(4):
        rows = range(QUADRATIC.partition.offsets[n], QUADRATIC.partition.offsets[n + 1])
        slopes = [QUADRATIC.matrices[i] @ (x - QUADRATIC.centre) + QUADRATIC.slopes[i] for i in rows]
        moved = eta / (1 + eta * mu) * sum(slopes) / Fraction(len(rows)) * (returned == "last")

        assert (trace.local_models[n] == x - moved).all()


@pytest.mark.parametrize("returned", ["random", "last"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_one_client_is_the_centralised_method(estimator: str, returned: str) -> None:
    """With one client a round is a plain proximal SARAH, SVRG or SGD loop on its samples."""
    problem = small_softmax([7])
    eta, mu, tau = 0.2, 0.5, 5
    algorithm = FedProxVR(eta, tau, mu, estimator, returned=returned)
    x = np.random.default_rng(2).standard_normal(problem.dimension)
    draws = algorithm.draw(problem, np.array([0]), RandomSource(4, 1))
    state, _ = one_round(algorithm, problem, x, draws)

    def gradient(w: Array, i: int) -> Array:
        scores = np.exp(w.reshape(3, 4) @ problem.features[i])
        residual = scores / scores.sum() - np.eye(3)[problem.labels[i]]
        return np.outer(residual, problem.features[i]).ravel()

    v0 = sum(gradient(x, i) for i in range(7)) / 7
    path, v = [x, (x - eta * v0 + eta * mu * x) / (1 + eta * mu)], v0
    for i in draws["samples"][0, :, 0]:
        now, before = path[-1], path[-2]
        if estimator == "sarah":
            v = gradient(now, i) - gradient(before, i) + v
        elif estimator == "svrg":
            v = gradient(now, i) - gradient(x, i) + v0
        else:
            v = gradient(now, i)
        path.append((now - eta * v + eta * mu * x) / (1 + eta * mu))
    expected = path[-1] if returned == "last" else path[int(draws["returned"][0])]

    assert np.allclose(state.model, expected, rtol=1e-13, atol=1e-15)
