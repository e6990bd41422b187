"""Softmax regression: gradients by differences, the certified smoothness, splits and shipped data."""

from __future__ import annotations

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
