"""The variance of sample gradients and the inexactness of local solves, against exact sums."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fedproof.measure import inexactness, variance
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.search_options import make_search_options
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.driver import run


def test_the_variance_is_the_exact_sum() -> None:
    """Quadratics in fractions: (1/D_n) sum |grad f_i - grad F_n|^2 at two models."""
    exact = random_quadratic(3, n_clients=3, dimension=2, samples=[1, 3, 4])
    problem = exact.as_float()
    for model in (exact.start(), exact.centre):
        truth = []
        for n, size in enumerate(exact.sizes):
            at, who = np.array([model]), np.array([n])
            whole = exact.client_gradients(at, who)[0]
            each = [exact.sample_gradients(at, who, np.array([[i]]))[0] - whole for i in range(size)]
            truth.append(float(sum((g @ g for g in each), Fraction(0)) / int(size)))
        found = variance.variances(CountingProblem(problem), model.astype(float))
        assert found == pytest.approx(truth, abs=1e-12)


def test_the_inexactness_of_a_full_gradient_step_is_known() -> None:
    """F(w) = w^2/2, mu = 1, one full step of 1/4 with the prox: |grad J| / |grad F| = 3/5, without spread.

    From w0 = 1: w1 = (mu w0 eta + w0 - eta w0) / (1 + eta mu) = 4/5, grad J = w1 + (w1 - w0) = 3/5.
    """
    bowl = Quadratic.of([[[1]]], [[0]], sizes=[1], origin=[1]).as_float()
    algorithm = FedProxVR(stepsize="1/4", local_steps=0, prox_weight=1, batch_size=None, returned="last")
    here = make_search_options(bowl, algorithm, 0, 0, 3, 1.0)
    entry = inexactness.measure_inexactness(CountingProblem(bowl), here)

    assert entry.value == pytest.approx(3 / 5)
    assert entry.spread == pytest.approx(0, abs=1e-12)
    assert entry.details["mean"] == pytest.approx(3 / 5)


def test_the_inexactness_approaches_its_exact_expectation() -> None:
    """Two steps on a quadratic: the mean of the squared ratio over all draws lies in the interval given."""
    from fedproof.solvers.exact import expectation, surrogate_gradients

    exact = random_quadratic(1, n_clients=1, dimension=2, samples=3)
    algorithm = FedProxVR(stepsize="1/4", local_steps=2, prox_weight=1)
    start = exact.start()

    def squares(models: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        pulled = surrogate_gradients(exact, models, np.zeros(len(models), dtype=int), start, 1)
        return np.add.reduce(pulled * pulled, axis=1)

    first = exact.client_gradients(start[None], np.array([0]))[0]
    truth = float(expectation(algorithm, exact, start, 0, squares) / (first @ first)) ** 0.5
    problem = exact.as_float()
    here = make_search_options(problem, algorithm, 0, 0, 400, 1.0)
    entry = inexactness.measure_inexactness(CountingProblem(problem), here)

    low, high = entry.details["interval"]
    assert low - (high - low) <= truth <= high + (high - low)
    assert entry.details["mean"] <= entry.value


def test_the_trajectory_is_that_of_a_run() -> None:
    """Models after 0, 1, 2, 4 and the last round are those of one run, bit for bit."""
    problem = random_quadratic(0).as_float()
    algorithm = FedProxVR(stepsize="1/8", local_steps=2, prox_weight=1)
    here = make_search_options(problem, algorithm, 5, 7, 2, 1.0)

    assert here.rounds_at == (0, 1, 2, 4, 5)
    for rounds, model in zip(here.rounds_at, here.models, strict=True):
        assert (run(algorithm, problem, rounds, 7).model == model).all()


def test_a_trajectory_that_diverges_is_cut() -> None:
    """A step size far too large: the points that are finite remain, and theta has no finite value."""
    problem = random_quadratic(0, heterogeneity=2).as_float()
    algorithm = FedProxVR(stepsize=10**60, local_steps=9, prox_weight=0)
    here = make_search_options(problem, algorithm, 9, 0, 2, 1.0)

    assert np.isfinite(here.models).all()
    entry = inexactness.measure_inexactness(CountingProblem(problem), here)
    assert entry.value is None or entry.value > 1
