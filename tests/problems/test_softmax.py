"""Softmax regression: gradients by differences, the certified smoothness, splits and shipped data."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem, problem_names
from fedproof.problems.instances.breast_cancer import build as breast_cancer
from fedproof.problems.instances.digits import build as digits
from fedproof.problems.problem import Array, Problem
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import DataError, UnknownName
from tests.refusals import refused

RNG = np.random.default_rng(0)
TOY = Supervised(
    Softmax(4), RNG.standard_normal((9, 3)), RNG.integers(0, 4, 9), Partition.of_sizes([2, 4, 2, 1])
)


def losses_by_hand(problem: Supervised, w: Array) -> list[float]:
    """Every sample's loss, straight from the definition."""
    scores = np.exp(problem.features @ w.reshape(problem.model.classes, -1).T)
    chosen = scores[np.arange(len(scores)), problem.labels] / scores.sum(axis=1)
    return [float(-np.log(c)) for c in chosen]


def test_losses_are_weighted_means_of_the_samples() -> None:
    """Client and global losses agree with the definition, FedProxVR (1)-(2)."""
    w = RNG.standard_normal(12)
    each = losses_by_hand(TOY, w)
    clients = TOY.client_losses(np.repeat(w[None], 4, axis=0), np.arange(4))

    assert TOY.loss(w) == pytest.approx(np.mean(each), rel=1e-14)
    assert clients[1] == pytest.approx(np.mean(each[2:6]), rel=1e-14)
    assert TOY.sizes @ clients / 9 == pytest.approx(TOY.loss(w), rel=1e-14)


def test_gradients_by_central_differences() -> None:
    """Sample, client and global gradients agree with central differences of the losses to 1e-8."""
    w, h = RNG.standard_normal(12), 1e-5
    numeric = np.array(
        [
            (np.array(losses_by_hand(TOY, w + h * e)) - losses_by_hand(TOY, w - h * e)) / (2 * h)
            for e in np.eye(12)
        ]
    ).T
    models = np.repeat(w[None], 4, axis=0)
    batch = TOY.sample_gradients(models[:2], np.array([1, 2]), np.array([[3, 0], [1, 1]]))

    assert np.allclose(batch, [(numeric[5] + numeric[2]) / 2, numeric[7]], atol=1e-8)
    assert np.allclose(TOY.gradient(w), numeric.mean(axis=0), atol=1e-8)
    parts = [numeric[a:b].mean(axis=0) for a, b in ((0, 2), (2, 6), (6, 8), (8, 9))]
    assert np.allclose(TOY.client_gradients(models, np.arange(4)), parts, atol=1e-8)


def test_two_points_at_once_are_the_two_points() -> None:
    """Stacked models give what separate calls give, up to rounding."""
    models, clients, samples = RNG.standard_normal((2, 4, 12)), np.arange(4), np.zeros((4, 2), int)
    both = TOY.sample_gradients(models, clients, samples)

    apart = [TOY.sample_gradients(m, clients, samples) for m in models]
    full = [TOY.client_gradients(m, clients) for m in models]

    assert np.allclose(both, apart, rtol=1e-14, atol=1e-15)
    assert np.allclose(TOY.client_gradients(models, clients), full, rtol=1e-14, atol=1e-15)


def test_smoothness_is_a_bound_and_nearly_reached() -> None:
    """No sample Hessian exceeds the constant; with two classes and equal odds it is reached."""
    bound = TOY.constants["smoothness_sample"].value
    for _ in range(50):
        w, i = 3 * RNG.standard_normal(12), RNG.integers(9)
        p = np.exp(TOY.features[i] @ w.reshape(4, 3).T)
        p /= p.sum()
        top = np.linalg.eigvalsh(np.diag(p) - np.outer(p, p)).max() * TOY.features[i] @ TOY.features[i]
        assert top <= bound
    reached = Supervised(Softmax(2), np.array([[2.0]]), np.array([0]), Partition.of_sizes([1]))
    slope = [reached.gradient(np.array([h, -h]) / np.sqrt(2))[0] for h in (-1e-4, 1e-4)]

    assert reached.constants["smoothness_sample"].value == 2
    assert (slope[1] - slope[0]) / 2e-4 * np.sqrt(2) == pytest.approx(2, rel=1e-6)


def test_smoothness_is_rounded_up() -> None:
    """The certified constant is not below the exact rational max |x|^2 / 2."""
    exact = max(sum(Fraction(float(v)) ** 2 for v in row) for row in TOY.features) / 2

    assert Fraction(TOY.constants["smoothness_sample"].value) >= exact


def test_large_scores_do_not_overflow() -> None:
    """Models of size 1e4 have a finite loss and gradient, without warnings."""
    w = 1e4 * RNG.standard_normal(12)

    assert np.isfinite(TOY.loss(w))
    assert np.isfinite(TOY.gradient(w)).all()


def test_digits_have_two_labels_per_client() -> None:
    """All 1797 samples are dealt, two labels each, no client empty; the seed alone decides."""
    problem = digits(clients=20, seed=3)
    ends = problem.partition.offsets
    kinds = [len(np.unique(problem.labels[ends[n] : ends[n + 1]])) for n in range(20)]

    assert kinds == [2] * 20
    assert problem.sizes.sum() == 1797
    assert (problem.features == digits(clients=20, seed=3).features).all()
    assert (problem.features != digits(clients=20, seed=4).features).any()
    assert problem.loss(problem.start()) == pytest.approx(np.log(10), rel=1e-12)


def test_breast_cancer_is_two_class() -> None:
    """569 cases in two classes with a bias."""
    problem = breast_cancer()

    assert (problem.partition.total, problem.model.classes, problem.dimension) == (569, 2, 2 * 31)


def test_problems_by_name() -> None:
    """Every named problem builds with three clients and satisfies the protocol."""
    built = [make_problem(name, clients=5) for name in problem_names()]

    assert len(built) >= 4
    assert all(isinstance(p, Problem) and p.n_clients == 5 for p in built)
    refused(UnknownName, "did you mean digits", make_problem, "digit")
    refused(UnknownName, "split", make_problem, "digits", options={"spilt": "iid"})


def test_bad_arrays_are_refused() -> None:
    """A NaN feature and a label outside the range name their row."""
    with pytest.raises(DataError, match="row 1 with a value"):
        Supervised(Softmax(2), np.array([[0.0], [np.nan]]), np.array([0, 1]), Partition.of_sizes([2]))
    with pytest.raises(DataError, match="row 0 with label 2"):
        Supervised(Softmax(2), np.zeros((1, 1)), np.array([2]), Partition.of_sizes([1]))
