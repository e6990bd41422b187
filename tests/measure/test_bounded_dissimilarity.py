"""zeta^2 and the shifts' error: never below what models show, exact where the clients differ in slopes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.measure.api import measure
from fedproof.measure.bounded_dissimilarity import bounded_dissimilarity
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.least_loss import minimise
from fedproof.measure.start import constants
from fedproof.problems.quadratics.quadratic import Quadratic


def apart(problem: Any, model: Any) -> float:
    """The mean of |grad F_n - grad F|^2 at a model, F the plain mean."""
    ids = np.arange(problem.n_clients)
    every = problem.client_gradients(np.repeat(model[None], len(ids), axis=0), ids)
    return float(np.mean(np.sum((every - every.mean(axis=0)) ** 2, axis=1)))


@pytest.mark.parametrize(
    ("name", "options"),
    [("digits", {"l2": "1"}), ("breast_cancer", {"model": "logistic"}), ("robust", {"model": "cauchy"})],
)
def test_no_model_shows_more_than_the_bound(name: str, options: dict[str, Any]) -> None:
    """Near and far from the start, with a regulariser that grows without bound, which all clients share."""
    problem, rng = fp.problem(name, clients=5, **options), np.random.default_rng(0)
    bound = bounded_dissimilarity(problem)
    models = [size * rng.standard_normal(problem.dimension) for size in (0.0, 0.1, 1.0, 10.0, 1000.0)]
    seen = max(apart(problem, model) for model in models)

    assert bound.kind == "certified"
    assert 0 < seen <= bound.value <= 1e4 * seen


def test_quadratics_that_differ_in_their_slopes_are_exact() -> None:
    """The variance of the slopes, in fractions; without end where the Hessians differ."""
    alike = Quadratic.of([[[2]], [[2]], [[2]]], [[1], [2], [6]], sizes=[1, 1, 1])
    found = bounded_dissimilarity(alike)

    assert (found.value, found.kind) == (Fraction(14, 3), "exact")
    other = bounded_dissimilarity(Quadratic.of([[[2]], [[1]]], [[1], [2]], sizes=[1, 1]))
    assert (other.value, other.kind) == (None, "exact")


def test_convex_losses_have_the_regularisers_modulus() -> None:
    """Whatever the convex model is; a model that is not convex takes its part away, and more than all."""
    from fedproof.measure.smoothness import measure_strong_convexity

    def modulus(model: str) -> Any:
        return measure_strong_convexity(fp.problem("robust", clients=2, model=model, l2="1/10")).lower

    assert modulus("huber") == modulus("absolute") == pytest.approx(0.1)
    assert modulus("cauchy") is None


def test_the_clients_gradients_at_the_minimiser_are_within_the_shifts_error() -> None:
    """What shifts that begin at 0 are off is at least what a Newton solve finds at the minimiser."""
    problem = fp.problem("binary_logistic", clients=4, l2="1/20")
    proved, _ = constants(problem, measure(problem, rounds=2, seeds=2))
    there = minimise(CountingProblem(problem), problem.start(), 4000).model
    ids = np.arange(4)
    every = problem.client_gradients(np.repeat(there[None], 4, axis=0), ids)

    assert 0 < float(np.mean(np.sum(every**2, axis=1))) <= proved["mean_shift_error"]
    assert proved["loss_strong_convexity"] == pytest.approx(1 / 20)


def test_a_loss_by_size_has_no_shifts_error() -> None:
    """Where a small client is steep the plain mean's formula gives 5493, and at the minimiser it is 16500."""
    steep = Quadratic.of([[[20]], *[[[2]]] * 99], [[0], *[[-20]] * 99], sizes=[1, 99]).as_float()
    proved, known = constants(steep, measure(steep, rounds=1, seeds=2))
    least = np.full((2, 1), 198 / 21.8)
    there = steep.client_gradients(least, np.arange(2))

    assert steep.gradient(least[0]) == pytest.approx(0, abs=1e-12)
    assert np.mean(there**2) == pytest.approx(16500, abs=1)
    assert (14.142136 + (2 * proved["smoothness"] * proved["initial_gap"]) ** 0.5) ** 2 < 5600
    assert "mean_shift_error" not in proved | known
