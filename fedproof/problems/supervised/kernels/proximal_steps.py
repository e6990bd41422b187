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
from fedproof.problems.supervised.kernels.exponential import exponential
from fedproof.problems.supervised.kernels.lanes import (
    WIDTH,
    add,
    at_least,
    divide,
    fetch,
    larger,
    load,
    load_first,
    multiply,
    plus_product,
    plus_products,
    spread,
    store,
    subtract,
    sums_of,
    zero_where_less,
)

_BLOCK = 3 * WIDTH
"""Columns whose sums are in registers together."""

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
    wide = (p + _BLOCK - 1) // _BLOCK * _BLOCK
    ends, points, totals = np.zeros((clients, wide)), np.zeros((clients, wide)), np.zeros((clients, wide))
    pull, sums, z = np.zeros((clients, wide)), np.zeros((1, wide)), np.zeros((1, _whole(count)))
    rows = np.zeros((2, _whole(count)), dtype=np.uint64)  # numba looks for no negative numbers there
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
            _add(features, rows, turn, count, z, sums)
            _advance(
                ends, points, totals, pull, n, sums, 1.0 / count, stepsize, scales[t], decoupled, penalty
            )
    return there, ends[:, :p].copy(), points[:, :p].copy(), totals[:, :p].copy()


@inlined
def _whole(count: int) -> int:
    """`count` rounded up to whole vectors."""
    return (count + WIDTH - 1) // WIDTH * WIDTH


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
    """z = what the model models[n] expects of the rows' labels, less the labels, which stand in z."""
    p = features.shape[1]
    last = (p - 1) // WIDTH * WIDTH
    for i in range(0, count, WIDTH):
        r0, r1, r2, r3 = rows[turn, i], rows[turn, i + 1], rows[turn, i + 2], rows[turn, i + 3]
        r4, r5, r6, r7 = rows[turn, i + 4], rows[turn, i + 5], rows[turn, i + 6], rows[turn, i + 7]
        w, rest = load(models, n, last), p - last
        s0 = multiply(w, load_first(features, r0, last, rest))
        s1 = multiply(w, load_first(features, r1, last, rest))
        s2 = multiply(w, load_first(features, r2, last, rest))
        s3 = multiply(w, load_first(features, r3, last, rest))
        s4 = multiply(w, load_first(features, r4, last, rest))
        s5 = multiply(w, load_first(features, r5, last, rest))
        s6 = multiply(w, load_first(features, r6, last, rest))
        s7 = multiply(w, load_first(features, r7, last, rest))
        for j in range(0, last, WIDTH):
            w = load(models, n, j)
            s0, s1 = plus_products(s0, w, load(features, r0, j)), plus_products(s1, w, load(features, r1, j))
            s2, s3 = plus_products(s2, w, load(features, r2, j)), plus_products(s3, w, load(features, r3, j))
            s4, s5 = plus_products(s4, w, load(features, r4, j)), plus_products(s5, w, load(features, r5, j))
            s6, s7 = plus_products(s6, w, load(features, r6, j)), plus_products(s7, w, load(features, r7, j))
        score = sums_of(s0, s1, s2, s3, s4, s5, s6, s7)
        if logistic:
            power = exponential(subtract(spread(0.0), larger(score, subtract(spread(0.0), score))))
            above = larger(power, zero_where_less(score, 0.0, spread(1.0)))
            score = divide(above, add(spread(1.0), power))
        store(z, 0, i, subtract(score, load(z, 0, i)))


@inlined
def _add(features: Array, rows: Array, turn: int, count: int, z: Array, sums: Array) -> None:
    """sums = z times the rows."""
    p = features.shape[1]
    for j in range(0, p, _BLOCK):
        k, m = j + WIDTH, j + 2 * WIDTH
        s0, s1, s2 = spread(0.0), spread(0.0), spread(0.0)
        for i in range(count):
            row = rows[turn, i]
            s0 = plus_product(s0, z[0, i], load_first(features, row, j, p - j))
            s1 = plus_product(s1, z[0, i], load_first(features, row, k, p - k))
            s2 = plus_product(s2, z[0, i], load_first(features, row, m, p - m))
        store(sums, 0, j, s0)
        store(sums, 0, k, s1)
        store(sums, 0, m, s2)


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
