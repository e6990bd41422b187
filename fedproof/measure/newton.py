"""Truncated Newton by exact Hessian products, a preconditioner, a line search; and linear models' Hessian."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from fedproof.measure.counting_problem import CountingProblem
from fedproof.problems.problem import Array
from fedproof.problems.supervised.linear import Linear
from fedproof.problems.supervised.supervised import Supervised

Solve = Callable[[Array], Array]
_TIRED = 40
"""Products in one solve after which a preconditioner is asked for."""
_CHUNK = 1 << 13
_NEAR = 1e-9
"""Share of the largest eigenvalue below which one may be 0."""
_LARGEST, _SMALL = 1 << 20, 1 << 10
"""Of whole features and of the factors that cancel them: sums of 2^22 products are exact."""


@dataclass(frozen=True, eq=False)
class Iteration:
    """Where the solve stands.

    Arguments:
        model, gradient: shape (d,).
        loss: at the model.
        decrement: g^T H^-1 g of the last step, twice the decrease that its quadratic model promised.
    """

    model: Array
    loss: float
    gradient: Array
    decrement: float = np.inf


def newton(
    problem: CountingProblem, start: Array, most: int, precondition: Callable[[Array], Solve | None]
) -> Iterator[Iteration]:
    """Iterations from the start on, until no step helps or `most` products are used.

    Arguments:
        most: Hessian products of the global loss.
        precondition: an approximate inverse of the Hessian at a model, or None where there is none.
    """
    at = Iteration(start, float(problem.loss(start)), problem.gradient(start))
    solve: Solve | None = None
    used, tired = 0, False
    yield at
    while used < most and np.any(at.gradient):
        if tired:
            solve = precondition(at.model) or solve
        forcing = min(0.1, float(np.linalg.norm(at.gradient)) ** 0.5)
        step, products = _direction(problem, at, forcing, min(most - used, 500), solve)
        used, tired = used + products, products > _TIRED
        nxt = _search(problem, at, step)
        if nxt is None:
            return
        at = nxt
        yield at


def _direction(
    problem: CountingProblem, at: Iteration, forcing: float, most: int, solve: Solve | None
) -> tuple[Array, int]:
    """Preconditioned conjugate gradients for H s = -g, stopped at negative curvature."""
    step, rest = np.zeros_like(at.gradient), -at.gradient
    target = forcing * float(np.linalg.norm(rest))
    z = rest if solve is None else solve(rest)
    p, size = z, float(rest @ z)
    for count in range(1, most + 1):
        bent = problem.hessian_product(at.model, p)
        curvature = float(p @ bent)
        if curvature <= 1e-16 * float(p @ p):
            return (p if count == 1 else step), count
        pace = size / curvature
        step, rest = step + pace * p, rest - pace * bent
        if float(np.linalg.norm(rest)) <= target:
            break
        z = rest if solve is None else solve(rest)
        size, before = float(rest @ z), size
        p = z + size / before * p
    return step, count


def _search(problem: CountingProblem, at: Iteration, step: Array) -> Iteration | None:
    """Halve the step until the loss falls; where its fall drowns in rounding, until the gradient shrinks."""
    slope = float(at.gradient @ step)
    if slope >= 0:
        return None
    norm = float(np.linalg.norm(at.gradient))
    noise = 1e-14 * max(1.0, abs(at.loss))
    for halvings in range(40):
        model = at.model + 0.5**halvings * step
        loss = float(problem.loss(model))
        if loss > at.loss + 1e-4 * 0.5**halvings * slope + noise or not np.isfinite(loss):
            continue
        gradient = problem.gradient(model)
        if -slope > 100 * noise or float(np.linalg.norm(gradient)) < 0.9 * norm:
            return Iteration(model, loss, gradient, -slope)
    return None


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
    """Unit vectors (m, d) along which no sample's loss changes, whatever the labels.

    Those of features that are 0 in every sample, and those that `cancelling` finds; for softmax also the same
    shift of all classes' scores.
    """
    linear = problem.model
    assert isinstance(linear, Linear)
    p, outputs = problem.features.shape[1], linear.outputs
    seen = problem.features.any(axis=0)
    unseen = np.concatenate([np.eye(p)[~seen], cancelling(problem.features)])
    directions = [np.kron(np.eye(outputs), unseen)]
    if linear.flat:
        directions.append(np.kron(np.ones((1, outputs)) / np.sqrt(outputs), np.eye(p)[seen]))
    return np.concatenate(directions)


def cancelling(features: Array) -> Array:
    """Multiples u of whole numbers, |u| = 1, with X u = 0 exactly: a column of text makes one with the bias.

    Only columns of whole numbers are looked at, whose sums are exact in floats; what is found in floats is
    rounded and kept if it cancels in every row.

    >>> cancelling(np.array([[1.0, 0, 1, 0.5], [0, 1, 1, 0.25], [1, 0, 1, 0.1]])).shape
    (1, 4)
    """
    p = features.shape[1]
    whole = [n for n in range(p) if features[:, n].any() and _is_whole(features[:, n])]
    if len(whole) < 2:
        return np.zeros((0, p))
    parts = [features[first : first + _CHUNK, whole] for first in range(0, len(features), _CHUNK)]
    values, vectors = np.linalg.eigh(np.sum([part.T @ part for part in parts], axis=0))
    found = np.rint(_reduced(vectors[:, values <= _NEAR * values[-1]].T))
    found = found[(np.abs(found).max(axis=1, initial=0) <= _SMALL) & found.any(axis=1)]
    found = found[np.array([not any((part @ u).any() for part in parts) for u in found], dtype=bool)]
    out = np.zeros((len(found), p))
    out[:, whole] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return out


def _is_whole(column: Array) -> bool:
    """Whether all are whole numbers of which so many as there are features add up exactly."""
    return bool(np.abs(column).max() <= _LARGEST and (column == np.rint(column)).all())


def _reduced(basis: Array) -> Array:
    """Rows of the same span, each with a 1 in a column where all others have a 0."""
    rows = basis.copy()
    for n in range(len(rows)):
        below, column = divmod(int(np.abs(rows[n:]).argmax()), rows.shape[1])
        rows[[n, n + below]] = rows[[n + below, n]]
        rows[n] /= rows[n, column]
        others = np.arange(len(rows)) != n
        rows[others] -= np.outer(rows[others, column], rows[n])
    return rows
