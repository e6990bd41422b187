"""Extreme eigenvalues of many symmetric matrices at once, each known by its products with vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fedproof.problems.problem import Array

_MOST_NUMBERS = 1 << 25
"""Entries of the Krylov bases held at once: 256 MiB."""


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
