"""The bound on the dissimilarity of separable data is nearly attained, so that no smaller one would do."""

from __future__ import annotations

import numpy as np
import pytest

from fedproof.problems.supervised.margin import dissimilarity_bound, margin_of
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised


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
