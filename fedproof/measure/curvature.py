"""Where clients' losses are most bent, up or down, and how: all clients at once, by products with vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fedproof.problems.problem import Array, Problem

Products = Callable[[Array, Array], Array]
_STEPS = 12
"""Of Lanczos."""
_MOST_NUMBERS = 1 << 25
"""Entries of the Krylov bases held at once: 256 MiB."""


@dataclass(frozen=True, eq=False)
class ExtremeCurvature:
    """The most extreme curvature found for each client.

    Arguments:
        values: eigenvalues, from inside the spectrum, shape (k,).
        first: those at the models that the search began with, shape (k,).
        models: where, shape (k, d).
    """

    values: Array
    first: Array
    models: Array


def extreme_curvature(
    problem: Problem,
    models: Array,
    clients: Array,
    sign: int,
    rounds: int,
    rng: np.random.Generator,
    radius: float = 1e6,
) -> ExtremeCurvature:
    """Ascent on the largest eigenvalue of every client's Hessian (sign 1), or descent on the least (-1).

    The derivative of v^T H(w) v in w, v an eigenvector, is that of H(w) v along v, which a central
    difference of two products gives; each client has a step length of its own, doubled after a success and
    halved after a failure.

    Arguments:
        models: where the search begins, shape (k, d).
        clients: ids, shape (k,).
        rounds: of ascent; each takes about 14 Hessian products of each client.
        rng: of the first Lanczos vectors.
        radius: no client's search goes farther than that from where it began.
    """

    def products(at: Array, vectors: Array) -> Array:
        return problem.hessian_products(at, vectors, clients)

    at = models.astype(np.float64)
    best, v = _extreme(products, at, rng.standard_normal(at.shape), sign, 2 * _STEPS)
    first, pace, centre = best, 0.1 * (1 + np.linalg.norm(at, axis=1)), at
    for _ in range(rounds):
        uphill = sign * _slope(products, at, v)
        size = np.linalg.norm(uphill, axis=1)
        moved = at + (pace / np.where(size > 0, size, 1))[:, None] * uphill
        # a trace of noise keeps directions that the last eigenvector has none of
        nearby = v + 1e-3 * rng.standard_normal(v.shape) / np.sqrt(v.shape[1])
        value, vector = _extreme(products, moved, nearby, sign, _STEPS)
        far = np.linalg.norm(moved - centre, axis=1) > radius
        better = np.isfinite(value) & (sign * value > sign * best) & ~far & (size > 0)
        at, v = np.where(better[:, None], moved, at), np.where(better[:, None], vector, v)
        best, pace = np.where(better, value, best), np.where(better, 2 * pace, pace / 2)
    return ExtremeCurvature(best, first, at)


def _extreme(products: Products, at: Array, start: Array, sign: int, steps: int) -> tuple[Array, Array]:
    found = lanczos(lambda v: products(at, v), start, steps)
    if sign > 0:
        return found.greatest, found.greatest_vectors
    return found.least, found.least_vectors


def _slope(products: Products, at: Array, v: Array) -> Array:
    """d/dw of v^T H(w) v: the derivative of H(w) v along v."""
    width = 1e-4 * (1 + np.linalg.norm(at, axis=1))[:, None]
    slope: Array = (products(at + width * v, v) - products(at - width * v, v)) / (2 * width)
    return slope


@dataclass(frozen=True, eq=False)
class Ritz:
    """Ends of the spectrum, from inside: no Ritz value lies outside the spectrum.

    Arguments:
        least, greatest: Ritz values, shape (k,).
        least_vectors, greatest_vectors: of length 1, shape (k, d).
    """

    least: Array
    greatest: Array
    least_vectors: Array
    greatest_vectors: Array


def lanczos(apply: Callable[[Array], Array], start: Array, steps: int) -> Ritz:
    """Lanczos with full reorthogonalisation on k symmetric matrices.

    Arguments:
        apply: the matrices times vectors, one each, from (k, d) to (k, d).
        start: a vector for each, not 0, shape (k, d).
        steps: products; at most d are needed.

    >>> found = lanczos(lambda v: v * np.array([[1.0, -3.0, 2.0]]), np.ones((1, 3)), steps=3)
    >>> np.round([found.least[0], found.greatest[0]], 12)
    array([-3.,  2.])
    """
    k, d = start.shape
    steps = max(1, min(steps, d, _MOST_NUMBERS // (k * d)))
    basis = np.zeros((steps, k, d))
    diagonal, beside = np.zeros((steps, k)), np.zeros((steps, k))
    v, scale = start / np.linalg.norm(start, axis=1)[:, None], np.zeros(k)
    for j in range(steps):
        basis[j] = v
        w = apply(v)
        diagonal[j] = np.einsum("kd,kd->k", v, w)
        scale = np.maximum(scale, np.linalg.norm(w, axis=1))
        for _ in range(2):
            w = w - np.einsum("mkd,mk->kd", basis[: j + 1], np.einsum("mkd,kd->mk", basis[: j + 1], w))
        size = np.linalg.norm(w, axis=1)
        going = size > 1e-12 * scale
        beside[j] = np.where(going, size, 0)
        v = np.where(going[:, None], w / np.where(going, size, 1)[:, None], 0)
        if not going.any():
            steps = j + 1
            break
    return _ends(basis[:steps], diagonal[:steps], beside[: steps - 1])


def _ends(basis: Array, diagonal: Array, beside: Array) -> Ritz:
    """Extreme Ritz pairs; where the iteration stopped early, zero vectors of the basis count for nothing."""
    m, k = diagonal.shape
    used = np.einsum("mkd,mkd->mk", basis, basis) > 0.5
    diagonal = np.where(used, diagonal, diagonal[0])
    inner = np.zeros((k, m, m))
    index = np.arange(m)
    inner[:, index, index] = diagonal.T
    inner[:, index[1:], index[:-1]] = beside.T
    values, vectors = np.linalg.eigh(inner)
    ends = []
    for column in (0, -1):
        full = np.einsum("km,mkd->kd", vectors[:, :, column], basis)
        size = np.linalg.norm(full, axis=1)[:, None]
        ends.append(np.where(size > 0.5, full / np.where(size > 0, size, 1), basis[0]))
    return Ritz(values[:, 0], values[:, -1], ends[0], ends[1])
