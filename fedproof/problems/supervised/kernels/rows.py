"""Rows read where they lie: scores of eight rows, and sums of rows."""

from __future__ import annotations

from typing import Any

from fedproof.problems.problem import Array
from fedproof.problems.supervised.kernels.cached import inlined
from fedproof.problems.supervised.kernels.lanes import (
    WIDTH,
    load,
    load_first,
    multiply,
    plus_product,
    plus_products,
    spread,
    store,
    sums_of,
)

BLOCK = 3 * WIDTH
"""Columns whose sums are in registers together."""


@inlined
def whole(count: int) -> int:
    """`count` rounded up to whole vectors."""
    return (count + WIDTH - 1) // WIDTH * WIDTH


@inlined
def scores(models: Array, n: int, features: Array, rows: Array, turn: int, i: int) -> Any:
    """The products of models[n] with the rows rows[turn, i : i + 8]."""
    p = features.shape[1]
    last = (p - 1) // WIDTH * WIDTH
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
    return sums_of(s0, s1, s2, s3, s4, s5, s6, s7)


@inlined
def add_rows(features: Array, rows: Array, turn: int, count: int, z: Array, sums: Array) -> None:
    """sums = z times the rows."""
    p = features.shape[1]
    for j in range(0, p, BLOCK):
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
