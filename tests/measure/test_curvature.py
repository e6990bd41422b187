"""Lanczos and the search for curvature against dense matrices and exact quadratics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fedproof.measure import smoothness, variance
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.curvature import extreme_curvature, lanczos
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.quadratics.spectrum import greatest_below, least_above
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2, Nonconvex
from fedproof.problems.supervised.supervised import Supervised
from tests.measure.toys import brute_clients, setting, toy


def test_lanczos_finds_both_ends_of_every_matrix() -> None:
    """The extreme eigenvalues and vectors of many random matrices are those of a dense solver."""
    rng = np.random.default_rng(0)
    matrices = rng.standard_normal((6, 9, 9))
    matrices = matrices + np.swapaxes(matrices, 1, 2)
    found = lanczos(lambda v: np.einsum("kij,kj->ki", matrices, v), rng.standard_normal((6, 9)), 9)
    values = np.linalg.eigvalsh(matrices)

    assert found.least == pytest.approx(values[:, 0], abs=1e-10)
    assert found.greatest == pytest.approx(values[:, -1], abs=1e-10)
    bent = np.einsum("kij,kj->ki", matrices, found.greatest_vectors)
    assert bent == pytest.approx(found.greatest[:, None] * found.greatest_vectors, abs=1e-8)


def test_lanczos_stays_inside_the_spectrum_when_it_stops_early() -> None:
    """Matrices with few different eigenvalues end the iteration early, and no Ritz value is made up."""
    diagonals = np.array([[2.0, 2, 2, 2, 2], [3, 3, 5, 5, 5], [-1, -1, -1, -4, -4], [1, 2, 3, 4, 5]])
    found = lanczos(lambda v: diagonals * v, np.ones((4, 5)), 5)

    assert found.least == pytest.approx([2, 3, -4, 1])
    assert found.greatest == pytest.approx([2, 5, -1, 5])


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_few_steps_give_bounds_from_inside(steps: int) -> None:
    """However few the steps, Ritz values lie between the extreme eigenvalues."""
    diagonal = np.linspace(-2, 7, 30)[None]
    found = lanczos(lambda v: diagonal * v, np.random.default_rng(1).standard_normal((1, 30)), steps)

    assert -2 <= found.least[0] <= found.greatest[0] <= 7


@pytest.mark.parametrize("seed", range(4))
def test_lanczos_on_quadratics_gives_their_exact_constants(seed: int) -> None:
    """The largest |eigenvalue| and the most negative one are L_n and lambda, exactly known."""
    exact = random_quadratic(seed, n_clients=6, dimension=5, heterogeneity=3)
    problem, clients = exact.as_float(), np.arange(6)
    at = np.zeros((6, 5))
    start = np.random.default_rng(seed).standard_normal((6, 5))
    found = lanczos(lambda v: problem.hessian_products(at, v, clients), start, 5)
    smooth, weak = (float(exact.constants[n].value) for n in ("smoothness", "weak_convexity"))

    assert max(-found.least.min(), found.greatest.max()) == pytest.approx(smooth, rel=1e-12)
    assert max(0.0, -found.least.min()) == pytest.approx(weak, rel=1e-12)


@pytest.mark.parametrize("model", [Softmax(2), Logistic(2)])
def test_curvature_at_a_model_is_that_of_the_dense_hessian(model: Any) -> None:
    """Lanczos on every client, all at once, against finite differences of each client's own gradient."""
    problem = toy(1, model, Nonconvex("1/2"))
    w = np.random.default_rng(2).standard_normal(problem.dimension)
    at, rng = np.repeat(w[None], 3, axis=0), np.random.default_rng(3)
    dense = [np.linalg.eigvalsh(h) for h in brute_clients(problem, w)]

    up = extreme_curvature(problem, at, np.arange(3), 1, 0, rng)
    down = extreme_curvature(problem, at, np.arange(3), -1, 0, rng)
    assert up.values == pytest.approx([v[-1] for v in dense], abs=1e-7)
    assert down.values == pytest.approx([v[0] for v in dense], abs=1e-7)


def test_ascent_reaches_the_supremum_of_the_curvature() -> None:
    """One sample, |x|^2 = 5: softmax bends at most by 5/2, in the limit of three classes with two alike."""
    one = Supervised(Softmax(3), np.array([[1.0, 2.0]]), np.array([0]), Partition.of_sizes([1]))
    found = extreme_curvature(one, np.zeros((1, 6)), np.array([0]), 1, 60, np.random.default_rng(0))

    assert found.first[0] == pytest.approx(5 / 3, rel=1e-9)
    assert 2.45 < found.values[0] <= 2.5


def test_descent_finds_the_least_curvature_of_the_regulariser() -> None:
    """weight/2 is lambda of weight sum w^2/(1 + w^2): reached at w = 1, from a convex start."""
    flat = Supervised(
        Softmax(2), np.zeros((1, 1)), np.array([0]), Partition.of_sizes([1]), "flat", Nonconvex(4)
    )
    found = extreme_curvature(flat, np.full((1, 2), 0.2), np.array([0]), -1, 60, np.random.default_rng(0))

    assert found.first[0] > 0
    assert found.values[0] == pytest.approx(-2, rel=1e-4)
    assert found.values[0] >= -2 - 1e-9


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("model", [Softmax(2), Logistic(2)])
def test_no_estimate_exceeds_a_certified_bound(seed: int, model: Any) -> None:
    """What a search found lies below what is proved, for L, L_n, lambda and the variance."""
    problem = toy(seed, model, Nonconvex("1/4"))
    meter, here = CountingProblem(problem), replace(setting(problem), effort=0.1)
    entries = [
        smoothness.measure_samples(meter, here),
        smoothness.measure_clients(meter, here),
        variance.measure_variance(meter, here),
    ]
    for entry in entries:
        assert 0 < entry.lower <= entry.upper
        assert entry.lower >= entry.upper / 20
    assert smoothness.most_negative(meter, here)[1] <= 1 / 8 + 1e-9


def test_lambda_is_searched_where_it_is_not_exact() -> None:
    """Logistic with the non-convex regulariser: certified above, and the search comes near it."""
    problem = toy(0, Logistic(2), Nonconvex(2))
    entry = smoothness.measure_weak_convexity(CountingProblem(problem), setting(problem))

    assert (entry.kind, float(entry.value)) == ("certified", 1.0)
    assert 0.5 < entry.lower <= 1.0


def test_the_bound_of_clients_is_above_every_dense_hessian_and_below_the_mean_square() -> None:
    """bend lambda_max((1/D_n) X_n^T X_n) against the curvature at random models and the model's own bound."""
    problem = toy(5, Softmax(2), L2("1/3"), features=5)
    bound = smoothness.clients_bound(problem)
    rng = np.random.default_rng(0)
    seen = [
        np.linalg.eigvalsh(h)[-1]
        for scale in (0, 1, 5)
        for h in brute_clients(problem, scale * rng.standard_normal(problem.dimension))
    ]
    spectra = [
        np.linalg.svd(problem.features[a:b], compute_uv=False)[0] ** 2 / (b - a)
        for a, b in ((0, 8), (8, 20), (20, 40))
    ]

    assert max(seen) <= bound <= float(problem.constants["smoothness"].value)
    assert bound == pytest.approx(max(spectra) / 2 + 1 / 3, rel=1e-9)


@pytest.mark.parametrize("shape", [(5, 9), (9, 5), (30, 30)])
def test_proved_bounds_on_eigenvalues(shape: tuple[int, int]) -> None:
    """The bounds enclose the dense values from outside and are tight."""
    x = np.random.default_rng(0).standard_normal(shape)
    top = np.linalg.svd(x, compute_uv=False)[0] ** 2 / shape[0]

    assert top <= greatest_below(x) <= top * (1 + 1e-9)
    matrix = x.T @ x / shape[0] + np.eye(shape[1])
    least = np.linalg.eigvalsh(matrix)[0]
    assert least * (1 - 1e-9) <= least_above(matrix, shape[0], 2 * float(np.trace(matrix))) <= least
