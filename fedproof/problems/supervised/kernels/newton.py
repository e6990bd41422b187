"""Newton systems of linear models of one score, compiled: Hessians are made and solved in the first cache."""

from __future__ import annotations

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.kernels.cached import compiled
from fedproof.problems.supervised.kernels.compiled import add_product, gather
from fedproof.problems.supervised.kernels.exponential import minus_size_power
from fedproof.problems.supervised.kernels.lanes import (
    WIDTH,
    add,
    divide,
    load,
    multiply,
    plus_product,
    spread,
    store,
)
from fedproof.problems.supervised.kernels.rows import whole

_TILE = 32
_ROWS = 4
"""Rows of a Hessian whose sums are in registers together."""


@compiled
def hessian_solutions(
    models: Array, right: Array, diagonal: Array, features: Array, starts: Array, stops: Array, logistic: bool
) -> Array:
    """v_n with (H_n + diag(diagonal_n)) v_n = right_n, all of shape (k, p); 0 where that is not positive.

    H_n is the mean of h x x^T over rows starts[n], ..., stops[n] - 1, with h = q (1 - q) for the probability
    q of a logistic score at models[n], else 1. Of H_n what stands on and above the diagonal is made.
    """
    k, p = models.shape
    wide = whole(p)
    x, turned = np.zeros((_TILE, wide)), np.zeros((wide, _TILE))
    z, total = np.zeros((1, _TILE)), np.zeros((wide, wide))
    out = np.empty_like(models)
    for n in range(k):
        total[:] = 0.0
        for first in range(starts[n], stops[n], _TILE):
            rows = np.arange(first, min(first + _TILE, stops[n]))
            gather(features, rows, x, turned)
            if logistic:
                z[:] = 0.0
                add_product(models[n : n + 1], turned, p, z)
                _bend(z, x, len(rows))
            _add_upper(turned, x, len(rows), total)
        share = 1.0 / (stops[n] - starts[n])
        for i in range(p):
            for j in range(i, p):
                total[i, j] *= share
            total[i, i] += diagonal[n, i]
        out[n] = right[n]
        if not _solve(total, p, out[n]):
            out[n] = 0.0
    return out


@compiled
def _bend(z: Array, x: Array, count: int) -> None:
    """Rows of x times q (1 - q) = e / (1 + e)^2, e = exp(-|z|), z (1, tile) their scores, which are lost."""
    one = spread(1.0)
    for i in range(0, z.shape[1], WIDTH):
        power = minus_size_power(load(z, 0, i))
        more = add(one, power)
        store(z, 0, i, divide(divide(power, more), more))
    for i in range(count):
        for j in range(0, x.shape[1], WIDTH):
            store(x, i, j, multiply(spread(z[0, i]), load(x, i, j)))


@compiled
def _add_upper(a: Array, b: Array, depth: int, c: Array) -> None:
    """c += a[:, :depth] b[:depth] on and right of the diagonal, and on some entries left of it."""
    for r in range(0, c.shape[0], _ROWS):
        for j in range(r // WIDTH * WIDTH, c.shape[1], WIDTH):
            s0, s1, s2, s3 = load(c, r, j), load(c, r + 1, j), load(c, r + 2, j), load(c, r + 3, j)
            for i in range(depth):
                row = load(b, i, j)
                s0, s1 = plus_product(s0, a[r, i], row), plus_product(s1, a[r + 1, i], row)
                s2, s3 = plus_product(s2, a[r + 2, i], row), plus_product(s3, a[r + 3, i], row)
            store(c, r, j, s0)
            store(c, r + 1, j, s1)
            store(c, r + 2, j, s2)
            store(c, r + 3, j, s3)


@compiled
def _solve(matrix: Array, p: int, v: Array) -> bool:
    """v = matrix^-1 v by elimination on and above the diagonal; whether the matrix is positive definite."""
    for j in range(p):
        if not matrix[j, j] > 0.0:
            return False
        share = 1.0 / matrix[j, j]
        for i in range(j + 1, p):
            factor = -share * matrix[j, i]
            v[i] += factor * v[j]
            for c in range(i // WIDTH * WIDTH, p, WIDTH):
                store(matrix, i, c, plus_product(load(matrix, i, c), factor, load(matrix, j, c)))
    for j in range(p - 1, -1, -1):
        for i in range(j + 1, p):
            v[j] -= matrix[j, i] * v[i]
        v[j] /= matrix[j, j]
    return True
