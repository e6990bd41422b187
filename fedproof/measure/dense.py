"""The global Hessian of a linear model as a matrix."""

from __future__ import annotations

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.linear import Linear
from fedproof.problems.supervised.supervised import Supervised

_CHUNK = 1 << 13


def dense_hessian(problem: Supervised, model: Array) -> Array:
    """The Hessian of the global loss at one model (d,): blocks X^T diag(weights) X, shape (d, d).

    >>> from fedproof.problems.supervised.models.least_squares import LeastSquares
    >>> from fedproof.problems.supervised.partition import Partition
    >>> line = Supervised(LeastSquares(), np.array([[1.0], [2.0]]), np.zeros(2), Partition.of_sizes([2]))
    >>> dense_hessian(line, np.zeros(1))
    array([[2.5]])
    """
    linear = problem.model
    assert isinstance(linear, Linear)
    p, outputs = problem.features.shape[1], linear.outputs
    blocks = np.zeros((outputs, p, outputs, p))
    for first in range(0, len(problem.labels), _CHUNK):
        part = slice(first, first + _CHUNK)
        x, y = problem.features[part], problem.labels[part]
        z = model.reshape(outputs, p) @ x.T
        for c in range(outputs):
            unit = np.zeros_like(z)
            unit[c] = 1
            column = linear.score_products(z, unit, y)
            for a in range(c + 1):
                blocks[a, :, c] += (x * column[a][:, None]).T @ x
    for c in range(outputs):
        for a in range(c):
            blocks[c, :, a] = blocks[a, :, c].T
    matrix = blocks.reshape(outputs * p, -1) / len(problem.labels)
    matrix = (matrix + matrix.T) / 2
    if problem.regulariser is not None:
        matrix[np.diag_indices(len(matrix))] += problem.regulariser.curvature(model)
    return matrix


def flat_directions(problem: Supervised) -> Array:
    """An orthonormal basis (m, d) of directions along which no sample's loss changes, whatever the labels.

    Those of features that are 0 in every sample; for softmax also the same shift of all classes' scores.
    """
    linear = problem.model
    assert isinstance(linear, Linear)
    p, outputs = problem.features.shape[1], linear.outputs
    unseen = ~problem.features.any(axis=0)
    directions = [np.kron(np.eye(outputs), np.eye(p)[unseen])]
    if linear.flat:
        directions.append(np.kron(np.ones((1, outputs)) / np.sqrt(outputs), np.eye(p)[~unseen]))
    return np.concatenate(directions)
