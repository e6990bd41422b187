"""Dissimilarity, variance and inexactness against exact suprema and sums, and certified bounds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from fedproof.measure import dissimilarity, inexactness, least_loss, smoothness, variance
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.rounding import Clients
from fedproof.measure.search_options import make_search_options
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised.margin import dissimilarity_bound, margin_of
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2
from fedproof.problems.supervised.supervised import Supervised
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.driver import run
from tests.measure.toys import setting, toy


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("heterogeneity", ["1/2", "3"])
def test_the_search_reaches_the_exact_dissimilarity_from_below(seed: int, heterogeneity: str) -> None:
    """On quadratics the supremum over models is known for every client; the search comes within 1e-3."""
    exact = random_quadratic(seed, n_clients=5, dimension=4, heterogeneity=heterogeneity)
    problem = exact.as_float()
    seen = dissimilarity.search(CountingProblem(problem), setting(problem).models, setting(problem))
    truth = np.array([float(c.value) ** 2 for c in exact.divergences])

    assert np.all(seen.each <= truth * (1 + 1e-6))
    assert seen.each == pytest.approx(truth, rel=1e-3, abs=1e-9)
    assert seen.joint <= (problem.sizes @ seen.each) / problem.sizes.sum() * (1 + 1e-12)


def test_the_slope_of_the_ratio_is_its_derivative() -> None:
    """Against central differences, for one client's ratio and for the weighted mean."""
    problem = CountingProblem(toy(4))
    floor = Clients(problem.inner)
    w = np.random.default_rng(1).standard_normal(problem.dimension)
    for weights in (np.array([0.2, 0.3, 0.5]), np.array([0.0, 1.0, 0.0])):
        found: Any = dissimilarity._slope(problem, w, weights, floor)
        h = 1e-6
        slopes = []
        for e in np.eye(len(w)):
            high, low = (dissimilarity.ratios(problem, w + s * h * e, floor) for s in (1, -1))
            assert high is not None
            assert low is not None
            slopes.append(weights @ (high[0] - low[0]) / (2 * h))
        assert found[1] == pytest.approx(slopes, rel=1e-5, abs=1e-6)


def test_separable_data_has_a_finite_bound_above_the_search() -> None:
    """The certificate of separable data is never exceeded by the search."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((30, 2)) + 4 * np.repeat([[1.0, 1.0], [-1.0, -1.0]], 15, axis=0)
    problem = Supervised(Softmax(2), x, np.repeat([0, 1], 15), Partition.of_sizes([10, 20]))
    minimum = least_loss.minimise(CountingProblem(problem), problem.start(), 500)
    entry = dissimilarity.measure_dissimilarity(CountingProblem(problem), setting(problem), minimum, None)

    assert entry.kind == "estimate"
    assert 0 < entry.lower <= entry.upper
    assert "separable" in entry.how


def test_the_sharper_bound_on_separable_data_holds_for_logistic_models_too() -> None:
    """At random models near and far, every client's ratio summed is below the certified bound."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((20, 2)) + 3 * np.repeat([[1.0, 0.0], [-1.0, 0.0]], 10, axis=0)
    problem = Supervised(Logistic(2), x, np.repeat([1, 0], 10), Partition.of_sizes([5, 15]))
    margin = margin_of(problem, np.array([1.0, 0.0]))
    assert margin is not None
    bound = dissimilarity_bound(problem, margin)
    for scale in (0.1, 1, 10):
        for _ in range(50):
            here = CountingProblem(problem)
            found = dissimilarity.ratios(here, scale * rng.standard_normal(2), Clients(problem))
            assert found is None or (problem.sizes @ found[0]) / 20 <= bound


def test_no_finite_sigma_is_proved_where_clients_disagree_at_the_minimiser() -> None:
    """Strongly convex: the value is null, certified, and says why; quadratics say the same exactly."""
    problem = toy(0, Softmax(2), L2("1/10"))
    minimum = least_loss.minimise(CountingProblem(problem), problem.start(), 500)
    smooth = smoothness.clients_bound(problem)
    entry = dissimilarity.measure_dissimilarity(CountingProblem(problem), setting(problem), minimum, smooth)

    assert (entry.value, entry.kind) == (None, "certified")
    assert "no finite one exists" in entry.how
    apart = Quadratic.of([[[1]], [[1]]], [[1], [-1]], sizes=[1, 1]).as_float()
    assert (
        dissimilarity.measure_dissimilarity(CountingProblem(apart), setting(apart), None, None).value is None
    )


def test_equal_clients_are_not_called_dissimilar() -> None:
    """Clients with the same rows: the proof that no sigma is finite must not go through, the ratio is 0."""
    one = toy(0, Softmax(2), L2("1/10"))
    twice = replace(
        one, features=np.tile(one.features, (2, 1)), labels=np.tile(one.labels, 2),
        partition=Partition.of_sizes([40, 40]),
    )  # fmt: skip
    minimum = least_loss.minimise(CountingProblem(twice), twice.start(), 500)
    entry = dissimilarity.measure_dissimilarity(CountingProblem(twice), setting(twice), minimum, 10.0)

    assert entry.value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("sizes", [(1, 1), (3, 1)])
def test_the_bound_is_nearly_attained(sizes: tuple[int, int]) -> None:
    """Two clients whose rows almost coincide: one is fitted, the other is not, and the ratio reaches 1.

    With rows (1, e) and (1, -e) of label 0, scores along (0, -s) misjudge the first client's rows alone. Then
    grad F is the first client's share of its gradient, and |grad F_2 - grad F| / |grad F| = 1.
    """
    e, total = 1e-3, sum(sizes)
    rows = np.array([[1.0, e]] * sizes[0] + [[1.0, -e]] * sizes[1])
    problem = Supervised(Softmax(2), rows, np.zeros(total, dtype=int), Partition.of_sizes(sizes))
    margin = margin_of(problem, np.array([1.0, 0.0, -1.0, 0.0]))
    assert margin is not None

    reached = np.zeros(2)
    for wrong in (-1.0, 1.0):
        w = np.array([0.0, wrong, 0.0, -wrong]) * 40 / e
        each = problem.client_gradients(np.tile(w, (2, 1)), np.arange(2))
        whole = problem.gradient(w)
        reached = np.maximum(reached, np.linalg.norm(each - whole, axis=1) / np.linalg.norm(whole))
    measured = float(np.array(sizes) @ reached**2 / total)

    assert measured <= dissimilarity_bound(problem, margin) <= 1.01 * measured


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
