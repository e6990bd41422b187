"""The global loss and its gradient in one pass over all rows, compiled, for models of one score."""

from __future__ import annotations

from math import log1p
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.kernels.cached import compiled, inlined
from fedproof.problems.supervised.kernels.exponential import minus_size_power, probability
from fedproof.problems.supervised.kernels.lanes import (
    WIDTH,
    add,
    larger,
    load,
    multiply,
    plus_products,
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

_TILE = 128
"""Rows whose sums are taken by themselves: they stay in the first cache, and few numbers err little."""


@compiled
def loss_and_gradient(model: Array, features: Array, labels: Array, logistic: bool) -> Any:
    """Sums over all rows of the losses and of the gradients (p,) at a model (p,).

    Logistic losses are log(1 + exp(-|s|)) + max(-s, 0), s the score times 1 or -1. The logarithms of a tile
    are one: of the product of its 1 + e, kept as q = product - 1, so that small losses keep their digits.

    Arguments:
        features, labels: shapes (rows, p) and (rows, 1).
        logistic: whether a score means the probability of label 1, else the label itself.
    """
    p, wide = len(model), (len(model) + BLOCK - 1) // BLOCK * BLOCK
    w, sums, gradient = np.zeros((1, wide)), np.zeros((1, wide)), np.zeros((1, wide))
    z, power = np.zeros((2, _TILE)), np.zeros((1, _TILE))
    rows = np.zeros((1, _TILE), dtype=np.uint64)
    w[0, :p] = model
    loss, even = 0.0, len(features) // _TILE * _TILE
    for first in range(0, even, _TILE):  # the compiler knows how many rows there are
        loss += _tile(w, features, labels, first, _TILE, logistic, rows, z, power, sums, gradient)
    if even < len(features):
        left = len(features) - even
        loss += _tile(w, features, labels, even, left, logistic, rows, z, power, sums, gradient)
    return loss, gradient[0, :p].copy()


@inlined
def _tile(
    w: Array, features: Array, labels: Array, first: int, count: int, logistic: bool,
    rows: Array, z: Array, power: Array, sums: Array, gradient: Array,
) -> float:  # fmt: skip
    """The loss of `count` rows from the first on; their gradient is added to `gradient`."""
    for i in range(count):
        rows[0, i] = first + i
        z[0, i] = labels[first + i, 0]
    for i in range(count, whole(count)):
        rows[0, i] = first
    for i in range(0, count, WIDTH):
        store(z, 1, i, scores(w, 0, features, rows, 0, i))
    part: float = _lose(z, power, count) if logistic else _err(z, count)
    add_rows(features, rows, 0, count, z, sums)
    for j in range(0, sums.shape[1], WIDTH):
        store(gradient, 0, j, add(load(gradient, 0, j), load(sums, 0, j)))
    return part


@inlined
def _err(z: Array, count: int) -> float:
    """z[0] = scores z[1] less labels z[0]; half the sum of their squares."""
    total = spread(0.0)
    for i in range(count, whole(count)):
        z[0, i], z[1, i] = 0.0, 0.0
    for i in range(0, count, WIDTH):
        error = subtract(load(z, 1, i), load(z, 0, i))
        store(z, 0, i, error)
        total = plus_products(total, error, error)
    store(z, 1, 0, total)
    part = 0.0
    for i in range(WIDTH):
        part += z[1, i]
    return part / 2


@inlined
def _lose(z: Array, power: Array, count: int) -> float:
    """z[0] = probabilities at scores z[1], less labels z[0]; the sum of the losses."""
    beside, q = spread(0.0), spread(0.0)
    for i in range(count, whole(count)):  # no rows: exp(-|s|) is 0
        z[0, i], z[1, i] = 0.0, -1e300
    for i in range(0, count, WIDTH):
        score, label = load(z, 1, i), load(z, 0, i)
        e = minus_size_power(score)
        beside = add(beside, subtract(larger(score, spread(0.0)), multiply(label, score)))
        store(power, 0, i, e)
        store(z, 0, i, subtract(probability(score, e), label))
    for i in range(0, count, WIDTH):
        e = load(power, 0, i)
        q = plus_products(add(q, e), q, e)
    store(power, 0, 0, q)
    store(z, 1, 0, beside)
    product, part = 0.0, 0.0
    for i in range(WIDTH):
        product += power[0, i] + product * power[0, i]
        part += z[1, i]
    return log1p(product) + part
