"""How far the gradients of a client's samples lie from their mean: exact sums at the models looked at."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.measured_constant import MeasuredConstant
from fedproof.measure.search_options import SearchOptions
from fedproof.problems.problem import Array
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.supervised import Supervised

_NUMBERS = 1 << 21
"""Entries of gradients held at once."""


def measure_variance(problem: CountingProblem, setting: SearchOptions) -> MeasuredConstant:
    """gradient_variance: the largest over clients and points of the trajectory; proved bounds where known."""
    found = np.stack([variances(problem, model) for model in setting.models])
    means, largest = found @ problem.shares, float(found.max())
    details: dict[str, Any] = {
        "at_start": float(found[0].max()),
        "weighted_mean_at_start": float(means[0]),
        "largest_weighted_mean": float(means.max()),
    }
    upper = _bound(problem)
    how = f"largest over {problem.n_clients} clients, exact sums at {len(found)} models of the trajectory"
    how += ": a lower bound for all models"
    if upper is not None:
        how += f"; at most {upper:.4g}, as no sample's gradient is longer than its features allow"
    spread = largest - float(np.median(found.max(axis=1)))
    return MeasuredConstant(largest, "estimate", how, spread, largest * (1 - 1e-9), upper, details)


def variances(problem: CountingProblem, model: Array) -> Array:
    """(1/D_n) sum_i |grad f_i - grad F_n|^2 of every client at one model, shape (n_clients,).

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> pair = Quadratic.of([[[1]], [[1]]], [[1], [-1]], sizes=[2]).as_float()
    >>> variances(CountingProblem(pair), np.zeros(1))
    array([1.])
    """
    means, _ = problem.at_one(model)
    owner = np.repeat(np.arange(problem.n_clients), problem.sizes)
    offsets = np.concatenate([[0], np.cumsum(problem.sizes)])
    squares = np.empty(problem.rows)
    step = max(1, _NUMBERS // problem.dimension)
    for first in range(0, problem.rows, step):
        rows = np.arange(first, min(first + step, problem.rows))
        clients = owner[rows]
        at = np.repeat(model[None], len(rows), axis=0)
        each = problem.sample_gradients(at, clients, (rows - offsets[clients])[:, None])
        squares[rows] = np.square(each - means[clients]).sum(axis=1)
    found: Array = np.add.reduceat(squares, offsets[:-1]) / problem.sizes
    return found


def _bound(problem: CountingProblem) -> float | None:
    """Softmax and logistic: |grad f_i| <= c |x_i|; a regulariser's part is the same in all samples."""
    inner = problem.inner
    if not isinstance(inner, Supervised) or known_name(inner.model) not in ("softmax", "logistic"):
        return None
    factor = sqrt(2) if known_name(inner.model) == "softmax" else 1.0
    squares = np.square(factor) * np.square(inner.features).sum(axis=1)
    means = np.add.reduceat(squares, inner.partition.offsets[:-1]) / inner.sizes
    return float(means.max()) * (1 + 1e-9) + 1e-300  # squares may vanish
