"""Quadratics: gradients by other routes, constants against definitions and floating-point eigenvalues."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fedproof.problems.quadratics.exact_linear_algebra import fractions, positive_semidefinite, solve
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.vocabulary.errors import DataError, InputError
from tests.refusals import refused

FAMILY = [
    random_quadratic(seed, n, d, samples, heterogeneity=h, rotations=r)
    for seed, n, d, samples, h, r in [
        (0, 3, 2, [1, 3, 2], Fraction(1, 2), 1),
        (1, 4, 3, 2, 2, 2),
        (2, 2, 1, 3, Fraction(5, 2), 0),
        (3, 5, 4, 3, 0, 1),
    ]
]
family = pytest.mark.parametrize("problem", FAMILY, ids=lambda p: p.name)


@family
def test_gradients_are_symmetric_differences_of_the_losses(problem: Quadratic) -> None:
    """On a quadratic (F(w + u) - F(w - u)) / 2 is the derivative along u, at every client and globally."""
    w, clients = problem.start(), np.arange(problem.n_clients)
    models = np.repeat(w[None], problem.n_clients, axis=0)
    slopes = problem.client_gradients(models, clients)
    for j in range(problem.dimension):
        u = fractions(np.eye(problem.dimension, dtype=int)[j])
        ups, downs = problem.client_losses(models + u, clients), problem.client_losses(models - u, clients)

        assert (slopes[:, j] == (ups - downs) / 2).all()
        assert problem.gradient(w)[j] == (problem.loss(w + u) - problem.loss(w - u)) / 2


@family
def test_client_and_global_gradients_are_weighted_means(problem: Quadratic) -> None:
    """F_n averages its samples and the global loss weights clients by size, FedProxVR (1)-(2)."""
    w, total = problem.start(), Fraction(problem.partition.total)
    overall = 0 * w
    for n, size in enumerate(int(s) for s in problem.sizes):
        cohort, model = np.array([n]), w[None]
        singles = [problem.sample_gradients(model, cohort, np.array([[i]]))[0] for i in range(size)]
        client = problem.client_gradients(model, cohort)[0]
        batch = problem.sample_gradients(model, cohort, np.array([[0, size - 1, 0]]))[0]
        overall = overall + Fraction(size) / total * client

        assert (client == sum(singles) / size).all()
        assert (batch == (2 * singles[0] + singles[-1]) / 3).all()

    assert (problem.gradient(w) == overall).all()


@family
def test_constants_bound_and_are_reached(problem: Quadratic) -> None:
    """L, lambda agree with float eigenvalues and sigma_n with the spectral norm of (A_n - A) A^-1."""
    value = {name: float(c.value) for name, c in problem.constants.items()}
    eig = np.linalg.eigvalsh
    samples, clients = problem.matrices.astype(float), problem.client_matrices.astype(float)
    mean = problem.mean_matrix.astype(float)
    sigma = [np.linalg.norm((a - mean) @ np.linalg.inv(mean), 2) for a in clients]

    assert value["smoothness_sample"] == pytest.approx(np.abs(eig(samples)).max(), rel=1e-12)
    assert value["smoothness"] == pytest.approx(np.abs(eig(clients)).max(), rel=1e-12)
    assert value["weak_convexity"] == pytest.approx(max(0, -eig(clients).min()), abs=1e-12)
    assert [float(c.value) for c in problem.divergences] == pytest.approx(sigma, abs=1e-10)
    weights = problem.sizes / problem.sizes.sum()
    assert value["dissimilarity"] == pytest.approx(weights @ np.square(sigma), abs=1e-10)
    assert {c.kind for c in problem.constants.values()} == {"exact"}


@family
def test_enclosures_without_the_spectra_contain_the_exact_constants(problem: Quadratic) -> None:
    """Forgetting the eigenvectors gives certified upper bounds within their spread of the exact values."""
    blind = replace(problem, spectra=None)
    pairs = [
        (blind.constants[n], problem.constants[n])
        for n in ("smoothness_sample", "smoothness", "weak_convexity")
    ]
    pairs += list(zip(blind.divergences, problem.divergences, strict=True))
    for enclosed, exact in pairs:
        assert enclosed.kind == ("certified" if exact.value else "exact")
        assert enclosed.value - (enclosed.spread or 0) <= exact.value <= enclosed.value
        assert (enclosed.spread or 0) <= Fraction(1, 10**7) * enclosed.value


@family
def test_assumption_5_holds_at_random_points(problem: Quadratic) -> None:
    """|grad F_n - grad F| <= sigma_n |grad F| in exact arithmetic, with equality along some eigenvector."""
    rng = np.random.default_rng(0)
    points = [problem.centre + fractions(rng.integers(-9, 10, problem.dimension)) for _ in range(5)]
    assert problem.spectra is not None
    along = [problem.centre + v for v in problem.spectra.basis.T]
    for n, sigma in enumerate(problem.divergences):
        ratios = []
        for w in [*points, *along]:
            whole, own = problem.gradient(w), problem.client_gradients(w[None], np.array([n]))[0]
            if whole.any():
                ratios.append(((own - whole) @ (own - whole)) / (whole @ whole))

        assert max(ratios) == sigma.value**2


@family
def test_least_loss_is_the_minimum(problem: Quadratic) -> None:
    """The gradient vanishes at the centre of every client, the loss there is the least one: 0."""
    centre = problem.centre
    models = np.repeat(centre[None], problem.n_clients, axis=0)

    assert not problem.client_gradients(models, np.arange(problem.n_clients)).any()
    assert problem.loss(centre) == problem.constants["least_loss"].value == 0
    assert problem.loss(problem.start()) > 0


def test_samples_of_a_client_differ_at_the_stationary_point() -> None:
    """Sample gradients do not vanish at the centre, so that stochastic estimators are exercised."""
    problem = FAMILY[0]
    rows = problem.sample_gradients(problem.centre[None], np.array([1]), np.array([[0]]))

    assert rows.any()


def test_no_common_stationary_point_has_no_finite_divergence() -> None:
    """Two parabolas with different minimisers: the client gradients do not vanish with the global one."""
    problem = Quadratic.of([[[1]], [[1]]], [[1], [-1]], sizes=[1, 1])

    assert [c.value for c in problem.divergences] == [None, None]
    assert problem.constants["dissimilarity"].value is None


@pytest.mark.parametrize(("rows", "semidefinite"), [
    ([[1, 2], [2, 4]], True),
    ([[1, 2], [2, 3]], False),
    ([[0, 0], [0, 0]], True),
    ([[0, 1], [1, 9]], False),
])  # fmt: skip
def test_semidefiniteness(rows: list[list[int]], semidefinite: bool) -> None:
    """Singular and indefinite cases by hand: determinants 0, -1, 0, -1."""
    assert positive_semidefinite(fractions(rows)) is semidefinite


def test_solving_singular_and_regular_systems() -> None:
    """A regular system has its solution, with a row exchange; a singular one None."""
    solution = solve(fractions([[0, 2], [1, 1]]), fractions([2, 3]))

    assert solution is not None
    assert solution.tolist() == [2, 1]
    assert solve(fractions([[1, 1], [1, 1]]), fractions([0, 0])) is None


def test_bad_quadratics_are_refused() -> None:
    """Wrong shapes, asymmetric matrices, empty clients and negative levels are errors that say so."""
    refused(DataError, "rows", Quadratic.of, [[[1]]], [[0]], sizes=[2])
    refused(DataError, "symmetric", Quadratic.of, [[[1, 1], [0, 1]]], [[0, 0]], sizes=[1])
    refused(DataError, "client 1 without samples", Quadratic.of, [[[1]]], [[0]], sizes=[1, 0])
    refused(InputError, "heterogeneity", random_quadratic, 0, heterogeneity=-1)
    refused(InputError, "condition", random_quadratic, 0, condition="1/2")
