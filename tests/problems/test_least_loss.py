"""The estimate of the least loss."""

from __future__ import annotations

import numpy as np
import pytest

from fedproof.problems.instances.breast_cancer import build as breast_cancer
from fedproof.problems.least_loss import estimated_least_loss
from fedproof.problems.models.softmax import Softmax
from fedproof.problems.random_quadratic import random_quadratic
from fedproof.problems.rows import Partition
from fedproof.problems.supervised import Supervised
from fedproof.vocabulary.errors import InputError


def test_a_softmax_with_a_known_minimum() -> None:
    """One feature, labels 0, 0, 1: the best odds are 2 to 1, the least loss is log 3 - (2/3) log 2."""
    problem = Supervised(Softmax(2), np.ones((3, 1)), np.array([0, 0, 1]), Partition.of_sizes([3]))
    found = estimated_least_loss(problem)

    assert found.kind == "estimate"
    assert found.value == pytest.approx(np.log(3) - 2 / 3 * np.log(2), abs=1e-12)
    assert found.spread == found.value


def test_below_every_loss_seen() -> None:
    """The estimate on real data lies between the certified bound 0 and the loss at the start."""
    problem = breast_cancer()
    found = estimated_least_loss(problem, iterations=50)

    assert 0 <= found.value < problem.loss(problem.start()) / 5


def test_fractions_are_refused() -> None:
    """The solve is in floats and says so."""
    with pytest.raises(InputError, match="as_float"):
        estimated_least_loss(random_quadratic(0))
