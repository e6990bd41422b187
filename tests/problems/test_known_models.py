"""What is proved of our models is not claimed of a model that only bears their name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import fedproof as fp
from fedproof.problems.problem import Array
from fedproof.problems.supervised.kernels.kernel import make_kernel
from fedproof.problems.supervised.margin import margin_of
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised


class Steeper(Logistic):
    """Ten times the logistic loss, under its name."""

    def score_losses(self, z: Array, y: Array) -> Array:
        """Ten times as much."""
        losses: Array = 10 * super().score_losses(z, y)
        return losses

    def score_gradients(self, z: Array, y: Array) -> Array:
        """Ten times as much."""
        gradients: Array = 10 * super().score_gradients(z, y)
        return gradients


ROWS = np.array([[1.0, 2.0], [-2.0, -1.0], [3.0, 1.0], [-1.0, -1.0]])
OURS = Supervised(Logistic(), ROWS, np.array([1, 0, 1, 0]), Partition.of_sizes([2, 2]))
THEIRS = replace(OURS, model=Steeper())


def test_a_compiled_loss_is_not_used_for_another() -> None:
    """The compiled kernel knows our losses by class: a subclass runs on NumPy and gets its own gradient."""
    kernel = make_kernel("auto", THEIRS.model, THEIRS.features, THEIRS.labels, THEIRS.partition)
    w = np.full((2, 2), 0.1)

    assert kernel.name == "numpy"
    assert np.allclose(THEIRS.client_gradients(w, np.arange(2)), 10 * OURS.client_gradients(w, np.arange(2)))


def test_a_margin_is_claimed_for_our_losses_only() -> None:
    """The separating direction is proved for logistic regression, and nothing for what bears its name."""
    direction = np.array([1.0, 1.0])
    assert margin_of(OURS, direction) is not None
    assert margin_of(THEIRS, direction) is None


def test_no_bound_of_ours_is_measured_for_another_loss() -> None:
    """A subclass that changes the loss gets no proved gradient variance and no certified gap."""
    known, other = (
        fp.measure(problem, stepsize="0.01", tau=2, mu=1, rounds=1, seeds=2, effort="0.02").constants
        for problem in (OURS, THEIRS)
    )

    assert known["gradient_variance"].upper is not None
    assert other["gradient_variance"].upper is None
    assert other["initial_gap"].kind == "estimate"
