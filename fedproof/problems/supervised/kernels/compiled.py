"""Gradients of linear models, compiled by numba: gather, scores, loss and sum in one pass over the rows.

A client's rows are taken up to 32 at a time (a tile), once as they lie, x (rows, p), and once turned,
(p, rows). Scores and derivatives are (outputs, rows): rows innermost, so that every loop runs over whole
vectors whatever the number of classes is, and a tile stays in the first cache. Each client's arithmetic is
its own and in a fixed order: blocks and threads cannot change a bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.kernels.cached import compiled
from fedproof.problems.supervised.kernels.exponential import exponential, minus_size_power, probability
from fedproof.problems.supervised.kernels.lanes import (
    WIDTH,
    add,
    divide,
    fetch,
    larger,
    load,
    multiply,
    plus_product,
    spread,
    store,
    subtract,
    transpose,
)
from fedproof.problems.supervised.kernels.rows import whole

LINKS = {"softmax": 0, "logistic": 1, "identity": 2}
"""What a linear model makes of its scores."""

_TILE = 32


@compiled
def batch_gradients(models: Array, features: Array, labels: Array, rows: Array, link: int) -> Array:
    """Mean gradients over `rows` (k, b) at models (points, k, outputs, p), of their shape."""
    count = rows.shape[1]
    out = np.empty_like(models)
    space = _space(models, count)
    for n in range(models.shape[1]):
        space[-1][:] = 0.0
        if n + 1 < len(rows):
            _fetch_rows(features, rows[n + 1])
        for first in range(0, count, _TILE):
            _add_tile(models, n, features, labels, rows[n, first : min(first + _TILE, count)], link, space)
        _write_means(space[-1], count, n, out)
    return out


@compiled
def batch_differences(here: Array, there: Array, features: Array, rows: Array, link: int) -> Array:
    """Mean gradients over `rows` (k, b) at `here` less those at `there`, both (1, k, outputs, p).

    Labels cancel, and the derivatives are subtracted before they meet the rows.
    """
    count = rows.shape[1]
    out = np.empty_like(here)
    x, turned, _, z, sums = _space(here, count)
    other = np.zeros_like(z)
    for n in range(here.shape[1]):
        sums[:] = 0.0
        if n + 1 < len(rows):
            _fetch_rows(features, rows[n + 1])
        for first in range(0, count, _TILE):
            tile = rows[n, first : min(first + _TILE, count)]
            gather(features, tile, x, turned)
            _expect(here[0, n], turned, link, z)
            _expect(there[0, n], turned, link, other)
            for c in range(z.shape[0]):
                for i in range(0, z.shape[1], WIDTH):
                    store(z, c, i, subtract(load(z, c, i), load(other, c, i)))
            add_product(z, x, len(tile), sums[0])
        _write_means(sums, count, n, out)
    return out


@compiled
def segment_gradients(
    models: Array, features: Array, labels: Array, starts: Array, stops: Array, link: int
) -> Array:
    """Mean gradients over rows starts[n], ..., stops[n] - 1 at models (points, k, outputs, p)."""
    out = np.empty_like(models)
    space = _space(models, _TILE)
    for n in range(models.shape[1]):
        space[-1][:] = 0.0
        for first in range(starts[n], stops[n], _TILE):
            rows = np.arange(first, min(first + _TILE, stops[n]))
            _add_tile(models, n, features, labels, rows, link, space)
        _write_means(space[-1], stops[n] - starts[n], n, out)
    return out


@compiled
def _fetch_rows(features: Array, rows: Array) -> None:
    """Have the next rows fetched from memory, if they are there, while others are computed with."""
    for i in range(min(len(rows), _TILE)):
        for j in range(0, features.shape[1], WIDTH):
            fetch(features, rows[i], j)


@compiled
def _space(models: Array, count: int) -> Any:
    """Memory for one tile: rows, rows turned, labels, scores; and the sums of a client."""
    points, _, outputs, p = models.shape
    tile = min(_TILE, whole(count))
    return (
        np.zeros((tile, whole(p))),
        np.zeros((whole(p), tile)),
        np.zeros(tile),
        np.zeros((outputs, tile)),
        np.zeros((points, outputs, whole(p))),
    )


@compiled
def _add_tile(
    models: Array, n: int, features: Array, labels: Array, rows: Array, link: int, space: Any
) -> None:
    """Add the gradients of a tile's rows at each of models[:, n] to the sums."""
    x, turned, y, z, sums = space
    count = len(rows)
    gather(features, rows, x, turned)
    for i in range(count):
        y[i] = labels[rows[i]]
    for point in range(models.shape[0]):
        _expect(models[point, n], turned, link, z)
        if link == 0:
            for i in range(count):
                z[int(y[i]), i] -= 1.0
        else:
            z[0] -= y
        add_product(z, x, count, sums[point])


@compiled
def gather(features: Array, rows: Array, x: Array, turned: Array) -> None:
    """Copy rows to x (tile, padded p) and, turned over, to `turned` (padded p, tile)."""
    p = features.shape[1]
    for i in range(len(rows)):
        if not 0 <= rows[i] < len(features):
            raise IndexError("a row that is not there")
        source, target = features[rows[i]], x[i]
        for j in range(p):
            target[j] = source[j]
    for i in range(0, x.shape[0], WIDTH):
        for j in range(0, p, WIDTH):
            transpose(x, i, j, turned)


@compiled
def _expect(model: Array, turned: Array, link: int, z: Array) -> None:
    """z (outputs, tile) = what a model (outputs, p) expects of the labels: probabilities, or a value."""
    z[:] = 0.0
    add_product(model, turned, model.shape[1], z)
    if link == 0:
        _softmax(z)
    elif link == 1:
        for i in range(0, z.shape[1], WIDTH):
            score = load(z, 0, i)
            store(z, 0, i, probability(score, minus_size_power(score)))


@compiled
def _write_means(sums: Array, count: int, n: int, out: Array) -> None:
    """out[:, n] = sums (points, outputs, padded p) / count."""
    share = 1.0 / count
    for point in range(out.shape[0]):
        for c in range(out.shape[2]):
            source, target = sums[point, c], out[point, n, c]
            for j in range(len(target)):
                target[j] = share * source[j]


@compiled
def _softmax(z: Array) -> None:
    """Scores (classes, rows) to probabilities, in place."""
    for j in range(0, z.shape[1], WIDTH):
        top = load(z, 0, j)
        for c in range(1, z.shape[0]):
            top = larger(top, load(z, c, j))
        total = spread(0.0)
        for c in range(z.shape[0]):
            power = exponential(subtract(load(z, c, j), top))
            total = add(total, power)
            store(z, c, j, power)
        scale = divide(spread(1.0), total)
        for c in range(z.shape[0]):
            store(z, c, j, multiply(load(z, c, j), scale))


@compiled
def add_product(a: Array, b: Array, depth: int, c: Array) -> None:
    """c (m, n) += a[:, :depth] b[:depth]; n is whole vectors.

    Two rows and up to four vectors at a time keep eight sums in registers: two operands are loaded per four
    products. A last odd row is computed twice.
    """
    m, n = c.shape
    for r in range(0, m, 2):
        s = min(r + 1, m - 1)
        j = 0
        while j + 4 * WIDTH <= n:
            r0, r1 = load(c, r, j), load(c, r, j + WIDTH)
            r2, r3 = load(c, r, j + 2 * WIDTH), load(c, r, j + 3 * WIDTH)
            s0, s1 = load(c, s, j), load(c, s, j + WIDTH)
            s2, s3 = load(c, s, j + 2 * WIDTH), load(c, s, j + 3 * WIDTH)
            for i in range(depth):
                b0, b1 = load(b, i, j), load(b, i, j + WIDTH)
                b2, b3 = load(b, i, j + 2 * WIDTH), load(b, i, j + 3 * WIDTH)
                r0, r1 = plus_product(r0, a[r, i], b0), plus_product(r1, a[r, i], b1)
                r2, r3 = plus_product(r2, a[r, i], b2), plus_product(r3, a[r, i], b3)
                s0, s1 = plus_product(s0, a[s, i], b0), plus_product(s1, a[s, i], b1)
                s2, s3 = plus_product(s2, a[s, i], b2), plus_product(s3, a[s, i], b3)
            store(c, r, j, r0)
            store(c, r, j + WIDTH, r1)
            store(c, r, j + 2 * WIDTH, r2)
            store(c, r, j + 3 * WIDTH, r3)
            store(c, s, j, s0)
            store(c, s, j + WIDTH, s1)
            store(c, s, j + 2 * WIDTH, s2)
            store(c, s, j + 3 * WIDTH, s3)
            j += 4 * WIDTH
        while j < n:
            r0, s0 = load(c, r, j), load(c, s, j)
            for i in range(depth):
                b0 = load(b, i, j)
                r0, s0 = plus_product(r0, a[r, i], b0), plus_product(s0, a[s, i], b0)
            store(c, r, j, r0)
            store(c, s, j, s0)
            j += WIDTH
