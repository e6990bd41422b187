"""The thinnest thread: a quadratic, FedAvg and FedProxVR, the driver."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.driver import run


def two_clients() -> Quadratic:
    """Client 0 holds (w-1)^2/2 twice with noise +-1/4, client 1 holds w^2."""
    return Quadratic.of([[[1]], [[1]], [[2]]], [["-3/4"], ["-5/4"], [0]], sizes=[2, 1], origin=[4])


@pytest.mark.parametrize("estimator", ["sarah", "svrg", "sgd"])
def test_fedproxvr_descends(estimator: str) -> None:
    """The loss of a convex quadratic goes down over the run, in floats."""
    algorithm = FedProxVR(stepsize=0.1, local_steps=10, prox_weight=0.5, estimator=estimator, returned="last")
    history = run(algorithm, two_clients().as_float(), rounds=20, seed=1)

    assert history.rounds == 20
    assert history.metrics["loss"][-1] < history.metrics["loss"][0] / 10


def test_fractions_and_floats_agree() -> None:
    """The same round in exact fractions and in floats gives the same model to rounding."""
    algorithm = FedProxVR(stepsize=Fraction(1, 8), local_steps=4, prox_weight=Fraction(1, 2))
    exact = run(algorithm, two_clients(), rounds=2, seed=3)
    rounded = run(algorithm, two_clients().as_float(), rounds=2, seed=3)

    assert isinstance(exact.model[0], Fraction)
    assert np.allclose(exact.model.astype(float), rounded.model, rtol=1e-14, atol=0)


def test_fedavg_one_full_step_is_gradient_descent() -> None:
    """FedAvg with one full local step is a gradient step on the global loss."""
    problem = two_clients()
    history = run(FedAvg(stepsize=Fraction(1, 4), local_steps=1, batch_size=None), problem, rounds=1)

    assert history.model[0] == 4 - problem.gradient(problem.start())[0] / 4
