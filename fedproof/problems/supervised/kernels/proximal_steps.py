"""All local steps of a block of clients, compiled, for models of one score: gradient, step, proximal point.

A client's models stay in the first cache from its first step to its last, and the rows of its next step are
fetched while the present one is computed with. Rows are read where they lie.
Each client's arithmetic is its own and in a fixed order: blocks and threads cannot change a bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.kernels.cached import compiled, inlined
from fedproof.problems.supervised.kernels.exponential import minus_size_power, probability
from fedproof.problems.supervised.kernels.lanes import (
    WIDTH,
    add,
    at_least,
    fetch,
    load,
    multiply,
    spread,
    store,
    subtract,
)
from fedproof.problems.supervised.kernels.rows import (
    BLOCK,
    add_rows,
    scores,
    whole,
)

_NEAR = 1 << 14
"""Numbers of a batch that are fetched ahead, 128 KiB: more would push out what is needed now."""


@compiled
def proximal_steps(
    start: Array, shift: Array, features: Array, labels: Array, firsts: Array, samples: Array, logistic: bool,
    stepsize: float, scales: Array, decoupled: bool, penalty: Any,
) -> Any:  # fmt: skip
    """Whether all rows are there; models before and after the last proximal point, sums of gradients: (k, p).

    Arguments:
        start, shift: shape (k, p); `problems.steps.ProximalSteps` says what the rest is.
        features, labels: shapes (all rows, p) and (all rows, 1).
        firsts: the first row of every client, shape (k,).
        samples: of every step, shape (k, steps, b), each counted from its client's first row.
        logistic: whether a score means the probability of label 1, else the label itself.
        penalty: (weight, curvature, low, high) of `Separable`.
    """
    clients, p = start.shape
    steps, count = samples.shape[1:]
    wide = (p + BLOCK - 1) // BLOCK * BLOCK
    ends, points, totals = np.zeros((clients, wide)), np.zeros((clients, wide)), np.zeros((clients, wide))
    pull, sums, z = np.zeros((clients, wide)), np.zeros((1, wide)), np.zeros((2, whole(count)))
    rows = np.zeros((2, whole(count)), dtype=np.uint64)  # numba looks for no negative numbers there
    ends[:, :p] = start
    points[:, :p] = start
    pull[:, :p] = shift
    there = clients * steps == 0 or _find(features, labels, firsts[0], samples, 0, 0, rows, 0)
    for n in range(clients):
        for t in range(steps):
            turn = (n * steps + t) % 2
            last = t + 1 == steps
            m, u = n + last, 0 if last else t + 1
            if m < clients:
                there &= _find(features, labels, firsts[m], samples, m, u, rows, 1 - turn)
            for i in range(count):
                z[0, i] = labels[rows[turn, i], 0]
            _pull(points, n, features, rows, turn, count, logistic, z)
            add_rows(features, rows, turn, count, z, sums)
            _advance(
                ends, points, totals, pull, n, sums, 1.0 / count, stepsize, scales[t], decoupled, penalty
            )
    return there, ends[:, :p].copy(), points[:, :p].copy(), totals[:, :p].copy()


@inlined
def _find(
    features: Array, labels: Array, first: int, samples: Array, n: int, t: int, rows: Array, turn: int
) -> bool:
    """rows[turn] = the rows of a step, which are fetched from memory; whether all are there."""
    there, near = True, samples.shape[2] * features.shape[1] <= _NEAR
    for i in range(samples.shape[2]):
        row = first + samples[n, t, i]
        if not 0 <= row < len(features):
            there, row = False, 0
        rows[turn, i] = row
        fetch(labels, row, 0)
        for j in range(0, features.shape[1] if near else 0, WIDTH):
            fetch(features, row, j)
    for i in range(samples.shape[2], rows.shape[1]):
        rows[turn, i] = rows[turn, 0]
    return there


@inlined
def _pull(
    models: Array, n: int, features: Array, rows: Array, turn: int, count: int, logistic: bool, z: Array
) -> None:
    """z[0] = what the model models[n] expects of the rows' labels, less the labels, which stand in z[0]."""
    # in two loops: the chains of an exponential then run beside each other
    for i in range(0, count, WIDTH):
        store(z, 1, i, scores(models, n, features, rows, turn, i))
    for i in range(0, count, WIDTH):
        score = load(z, 1, i)
        expected = probability(score, minus_size_power(score)) if logistic else score
        store(z, 0, i, subtract(expected, load(z, 0, i)))


@inlined
def _advance(
    ends: Array, points: Array, totals: Array, pull: Array, n: int, sums: Array,
    share: float, stepsize: float, scale: float, decoupled: bool, penalty: Any,
) -> None:  # fmt: skip
    """One step of client n and its proximal point, in place."""
    weight, curvature, low, high = penalty
    reach, shrink = scale * weight, 1.0 / (1.0 + scale * curvature)
    for j in range(0, sums.shape[1], WIDTH):
        gradient = multiply(spread(share), load(sums, 0, j))
        store(totals, n, j, add(load(totals, n, j), gradient))
        base = load(ends, n, j) if decoupled else load(points, n, j)
        u = subtract(base, multiply(spread(stepsize), add(gradient, load(pull, n, j))))
        store(ends, n, j, u)
        near = subtract(spread(0.0), at_least(subtract(spread(0.0), at_least(u, -reach)), -reach))
        u = multiply(subtract(u, near), spread(shrink))
        u = subtract(spread(0.0), at_least(subtract(spread(0.0), at_least(u, low)), -high))
        store(points, n, j, u)
