"""Exact moments of a round for all starts, against enumeration, the algorithm's own steps, and runs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fedproof.papers.fedproxvr.checks._family import clients_family, facing, federated_family, skew, two_point
from fedproof.papers.fedproxvr.checks._quadratic_forms import LocalForms, RoundForms, client_samples
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.moments import Moments, local_moments, run_moments
from fedproof.vocabulary.errors import InputError

PROBLEM = random_quadratic(3, 2, 2, [2, 3], heterogeneity=Fraction(3, 2), sample_spread=2, noise=0)
ESTIMATORS = ("sarah", "svrg")


def algorithm(estimator: str, tau: int = 4) -> FedProxVR:
    """A round with steps large enough for the samples to matter."""
    return FedProxVR(Fraction(1, 3), tau, Fraction(2, 3), estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("tau", [0, 1, 9])
def test_forms_are_the_moments_at_any_start(estimator: str, tau: int) -> None:
    """At three starts, mean and second moment of a client's move equal those of `solvers.moments`."""
    run, problem = algorithm(estimator, tau), PROBLEM.as_float()
    forms = LocalForms(client_samples(problem), run)
    every = np.array([[[1, 0], [0, 0]], [[0, 1], [1, 0]], [[0, 0], [0, 1]]], dtype=float)
    for x in np.random.default_rng(6).standard_normal((3, 2)):
        for client in range(2):
            found = local_moments(run, problem, client, Moments.at(x))
            g = problem.client_gradients(x[None], np.array([client]))[0]
            u = np.concatenate([np.eye(2), -np.eye(2), np.zeros((2, 1))], axis=1)  # from (w, x, 1)
            second = u @ found.second @ u.T
            squares = [g @ form @ g for form in forms.quadratic(every)[client]]

            assert forms.mean[client] @ g == pytest.approx(found.map @ [*x, 1] - x, rel=1e-9, abs=1e-12)
            assert squares == pytest.approx(np.einsum("kab,ab->k", every, second), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_rounds_are_those_of_the_algorithms_own_steps(estimator: str) -> None:
    """Expected loss and squared gradient over six rounds agree with moments read off the algorithm."""
    run, problem = algorithm(estimator, 7), PROBLEM.as_float()
    forms = RoundForms(problem, run)
    x = problem.start() - problem.centre
    path = run_moments(run, problem, 6)
    squares = [x @ form @ x for form in forms.squared_gradients(6)]

    assert squares == pytest.approx([m.expected_squared_gradient(problem) for m in path], rel=1e-10)
    drop = path[0].expected_loss(problem) - path[1].expected_loss(problem)
    assert x @ forms.descent @ x == pytest.approx(drop, rel=1e-10)


def test_zero_steps_do_not_move() -> None:
    """With tau = 0 the surrogate's gradient is the start's, and a round does not descend."""
    still = algorithm("sarah", 0)

    assert np.allclose(LocalForms(client_samples(PROBLEM), still).inexactness, np.eye(2))
    assert np.allclose(RoundForms(PROBLEM.as_float(), still).descent, 0)


@pytest.mark.parametrize(
    "other", [{"batch_size": 2}, {"first_step": "stochastic"}, {"returned": "last"}, {"estimator": "sgd"}]
)
def test_other_variants_are_refused(other: dict[str, object]) -> None:
    """The recursion is that of the printed algorithm and says so for others."""
    with pytest.raises(InputError):
        LocalForms(client_samples(PROBLEM), replace(algorithm("sarah"), **other))


def test_families_stay_within_their_constants() -> None:
    """Every sample has curvature within [-1, 1], every client at least `least`, and F_n a common minimum."""
    for least in (Fraction(0), Fraction(-1, 2)):
        problems = clients_family(least)
        for p in problems:
            samples = np.linalg.eigvalsh(p.matrices.astype(float))
            clients = np.linalg.eigvalsh(p.client_matrices.astype(float))

            assert np.abs(samples).max() <= 1 + 1e-12
            assert clients.min() >= float(least) - 1e-12
        assert {p.dimension for p in problems} >= {1, 2}
    found = federated_family()
    assert all(not p.gradient(p.centre).any() and not p.mean_slope.any() for p in found)
    assert max(p.constants["weak_convexity"].value for p in found) > Fraction(1, 10)
    assert {float(p.constants["dissimilarity"].value) > 1 for p in found} == {True, False}


def test_two_point_clients_reach_the_extremes() -> None:
    """Sizes 2 and 4 with mean curvature at least -1/2: 0 and 1 of 2, then -1/2, 0, 1/2 and 1."""
    problem = two_point((2, 4), Fraction(-1, 2))
    means = sorted(problem.client_matrices[:, 0, 0])

    assert means == [Fraction(-1, 2), 0, 0, Fraction(1, 2), 1, 1]
    assert problem.constants["smoothness_sample"].kind == "exact"


def test_facing_sets_every_clients_gradient_at_the_start() -> None:
    """The start gradient of all clients is the one asked for, the matrices stay."""
    problem = facing(skew(0, 2), np.array([0.6, -0.8]))
    gradients = problem.client_gradients(np.repeat(problem.start()[None], 4, axis=0), np.arange(4))

    assert (gradients == np.array([Fraction("0.6"), Fraction("-0.8")])).all()
    assert isinstance(problem, Quadratic)
