"""Exact expectations: enumeration against hand counts, moments against enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.exact import expectation, local_outcomes, surrogate_gradients
from fedproof.solvers.local.gradient_descent import GradientDescent
from fedproof.solvers.local.stochastic_gradient import StochasticGradient
from fedproof.solvers.moments import Moments, local_moments, run_moments

PROBLEM = random_quadratic(5, n_clients=2, dimension=2, samples=[2, 3], heterogeneity=2)
ETA = Fraction(1, 4)
SOLVERS = [
    *(StochasticGradient(ETA, 2, 1, update) for update in ("gradient", "prox")),
    StochasticGradient(ETA, 1, 2),
    GradientDescent(ETA, 2),
]


def variants() -> list[Any]:
    """Small instances of the algorithms in all their switches."""
    made: list[Any] = [FedAvg(ETA, 2), FedAvg(ETA, 2, None), FedAvg(ETA, 0), FedAvg(ETA, 1, 2)]
    names = ("estimator", "first_step", "returned", "counted")
    for chosen in product(*(FedProxVR.choices[name] for name in names)):
        made.append(FedProxVR(ETA, 2, 1, **dict(zip(names, chosen, strict=True))))
    made += [FedProx(Fraction(1, 2), local_solver=solver) for solver in SOLVERS]
    return [*made, FedProxVR(ETA, 1, 1, batch_size=2), FedProxVR(ETA, 2, 1, batch_size=None)]


@pytest.mark.parametrize("algorithm", variants(), ids=str)
def test_moments_are_those_of_the_enumeration(algorithm: Any) -> None:
    """Mean and second moment of every client's model equal the enumerated ones, fraction for fraction."""
    x = PROBLEM.start()
    for client in range(2):
        found = local_moments(algorithm, PROBLEM, client, Moments.at(x))
        mean = expectation(algorithm, PROBLEM, x, client, lambda w: w)
        second = expectation(algorithm, PROBLEM, x, client, lambda w: w[:, :, None] * w[:, None, :])

        assert (found.map @ np.append(x, 1) == mean).all()
        assert (found.second[:2, :2] == second).all()


@pytest.mark.parametrize("algorithm", [
    FedProxVR(ETA, 1, 1, "sarah"),
    FedProxVR(ETA, 1, 1, "svrg"),
    FedProx(Fraction(1, 2), local_solver=StochasticGradient(ETA, 2)),
], ids=str)  # fmt: skip
def test_two_rounds_against_all_their_outcomes(algorithm: Any) -> None:
    """Expected loss and squared gradient after two rounds equal the mean over every possible run."""
    sizes = [int(s) for s in PROBLEM.sizes]
    runs = [(Fraction(1), PROBLEM.start())]
    for _ in range(2):
        after = []
        for p, x in runs:
            pair = [[w for block in local_outcomes(algorithm, PROBLEM, x, n) for w in block] for n in (0, 1)]
            for a, b in product(*pair):
                share = p / (len(pair[0]) * len(pair[1]))
                after.append((share, (sizes[0] * a + sizes[1] * b) / Fraction(sum(sizes))))
        runs = after
    end = run_moments(algorithm, PROBLEM, 2)[2]

    assert end.expected_loss(PROBLEM) == sum(p * PROBLEM.loss(x) for p, x in runs)
    squares = sum(p * (PROBLEM.gradient(x) @ PROBLEM.gradient(x)) for p, x in runs)
    assert end.expected_squared_gradient(PROBLEM) == squares


def test_svrg_direction_is_unbiased_and_sarah_is_not_after_the_second_step() -> None:
    """E v^(1) is the gradient at w^(1) for both; E v^(2) given the path only for SVRG."""
    x, client = PROBLEM.start(), np.array([1])
    biased = {}
    for estimator in ("sarah", "svrg"):
        algorithm = FedProxVR(ETA, 2, 1, estimator)
        first = algorithm.begin(PROBLEM, x[None], client, None)
        second = [algorithm.step(PROBLEM, first, client, np.array([[i]])) for i in range(3)]

        assert (
            sum(s.direction[0] for s in second) / 3 == PROBLEM.client_gradients(first.point, client)[0]
        ).all()
        gaps = [
            sum(algorithm.step(PROBLEM, s, client, np.array([[i]])).direction[0] for i in range(3)) / 3
            - PROBLEM.client_gradients(s.point, client)[0]
            for s in second
        ]
        biased[estimator] = any(gap.any() for gap in gaps)
        assert not sum(gaps).any()

    assert biased == {"sarah": True, "svrg": False}


def test_surrogate_gradient_at_its_anchor_is_the_clients() -> None:
    """The surrogate's gradient at the round's start is the client's own, whatever the proximal weight."""
    x, clients = PROBLEM.start(), np.arange(2)
    models = np.stack([x, x])

    assert (
        surrogate_gradients(PROBLEM, models, clients, x, 7) == PROBLEM.client_gradients(models, clients)
    ).all()
