"""Measured constants of a model that bears the name of ours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import fedproof as fp
from fedproof.problems.problem import Array
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


def test_no_bound_of_ours_is_claimed_for_another_loss() -> None:
    """A subclass that changes the loss gets no proved gradient variance and no certified gap."""
    rows = np.array([[1.0, 2.0], [2.0, -1.0], [3.0, 1.0], [-1.0, -1.0]])
    ours = Supervised(Logistic(), rows, np.array([1, 0, 0, 1]), Partition.of_sizes([2, 2]))
    kinds = [
        fp.measure(problem, stepsize="0.01", tau=2, mu=1, rounds=1, seeds=2).constants
        for problem in (ours, replace(ours, model=Steeper()))
    ]

    assert kinds[0]["gradient_variance"].upper is not None
    assert kinds[1]["gradient_variance"].upper is None
    assert kinds[1]["initial_gap"].kind == "estimate"
