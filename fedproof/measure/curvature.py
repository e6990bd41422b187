"""Search for the models at which clients' losses are most bent, up or down: all clients at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fedproof.measure.lanczos import lanczos
from fedproof.problems.problem import Array, Problem

Products = Callable[[Array, Array], Array]


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
    steps: int = 12,
    radius: float = 1e6,
) -> ExtremeCurvature:
    """Ascent on the largest eigenvalue of every client's Hessian (sign 1), or descent on the least (-1).

    The derivative of v^T H(w) v in w, v an eigenvector, is that of H(w) v along v, which a central
    difference of two products gives; each client has a step length of its own, doubled after a success and
    halved after a failure.

    Arguments:
        models: where the search begins, shape (k, d).
        clients: ids, shape (k,).
        rounds: of ascent; each takes about `steps` + 2 Hessian products of each client.
        rng: of the first Lanczos vectors.
        steps: of Lanczos.
        radius: no client's search goes farther than that from where it began.
    """

    def products(at: Array, vectors: Array) -> Array:
        return problem.hessian_products(at, vectors, clients)

    at = models.astype(np.float64)
    best, v = _extreme(products, at, rng.standard_normal(at.shape), sign, 2 * steps)
    first, pace, centre = best, 0.1 * (1 + np.linalg.norm(at, axis=1)), at
    for _ in range(rounds):
        uphill = sign * _slope(products, at, v)
        size = np.linalg.norm(uphill, axis=1)
        moved = at + (pace / np.where(size > 0, size, 1))[:, None] * uphill
        # a trace of noise keeps directions that the last eigenvector has none of
        nearby = v + 1e-3 * rng.standard_normal(v.shape) / np.sqrt(v.shape[1])
        value, vector = _extreme(products, moved, nearby, sign, steps)
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
