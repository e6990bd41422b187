"""Symmetric matrices of low rank: pseudo-inverse, truncation, and the inverse of what is truncated."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import InputError

_MOST = 1e250


def pseudo_inverse(matrices: Array) -> Array:
    """The Moore-Penrose inverse of the symmetric part of each matrix (..., m, m).

    Eigenvalues that are rounding beside the largest, up to m eps of its size, are taken as 0. Fractions are
    inverted for m = 1.

    >>> pseudo_inverse(np.array([[4.0, 0.0], [0.0, 0.0]])).tolist()
    [[0.25, 0.0], [0.0, 0.0]]
    """
    return _of_eigenvalues(matrices, _reciprocal_beyond_rounding)


def truncated_inverse(matrices: Array, least: Any) -> Array:
    """U [1 / L] U^T of the symmetric part U L U^T of each matrix (..., m, m).

    FLECS-CGD, Algorithm 2, lines 3-4. The paper does not define [.]_omega; here 1 / L_jj is kept where
    |L_jj| >= omega and is 0 elsewhere, as an SR1 update is skipped where its denominator is small.

    Arguments:
        least: omega > 0.

    >>> truncated_inverse(np.array([[4.0, 0.0], [0.0, 1e-9]]), 1e-5).tolist()
    [[0.25, 0.0], [0.0, 0.0]]
    """
    return _of_eigenvalues(matrices, lambda values: _reciprocal(values, abs(values) >= least))


def truncated_solution(columns: Array, core: Array, right: Array, least: Any, most: Any, rest: Any) -> Array:
    """|Z K Z^T|_least^most on the range of Z, inverted and applied, and `rest` times what is orthogonal.

    FLECS-CGD, Definition 7: every eigenvalue is replaced by its absolute value, and that by the nearest
    number in [least, most]. With Z = Q R this is Algorithm 5, lines 3-8, without the sign; where columns
    depend on each other only directions in their span count as the range.

    Arguments:
        columns: Z, shape (d, c).
        core: K, symmetric but for rounding, shape (c, c).
        right: the vector, shape (d,).
        least, most: 0 < least <= most.
        rest: factor of the part orthogonal to the range.

    Returns: shape (d,); NaN where an argument is not finite.
    Raises: InputError for fractions and more than one column, whose eigenvalues are irrational.

    >>> z, k = np.array([[2.0], [0.0]]), np.array([[-1.0]])
    >>> truncated_solution(z, k, np.array([8.0, 3.0]), 1, 100, 5).tolist()
    [2.0, 15.0]
    """
    if columns.shape[1] == 1:
        return _along_one(columns[:, 0], core[0, 0], right, least, most, rest)
    if columns.dtype == object:
        raise InputError("problem", f"fractions and {columns.shape[1]} directions", "float64",
                         "use direction=fedsonia with memory=1, or a problem in floats")  # fmt: skip
    if not _finite(columns, core, right):
        return np.full(len(right), np.nan)
    size = max(abs(columns).max(initial=0), np.finfo(float).tiny)
    columns, core = columns / size, _bounded(core * size * size)  # so that no square over- or underflows
    frame, triangle = np.linalg.qr(columns)
    u, sizes, v = np.linalg.svd(triangle)
    kept = sizes > max(columns.shape) * np.finfo(float).eps * sizes.max(initial=0)
    factor = sizes[kept, None] * v[kept]
    values, vectors = np.linalg.eigh(_symmetric(factor @ core @ factor.T))
    axes = frame @ (u[:, kept] @ vectors)
    parts = axes.T @ right
    found: Array = axes @ (parts / np.clip(abs(values), least, most)) + rest * (right - axes @ parts)
    return found


def truncated_dense_solution(matrix: Array, right: Array, least: Any, most: Any) -> Array:
    """The same of a symmetric matrix (d, d), whose range is all: FLECS-CGD, Algorithm 4 without the sign.

    >>> truncated_dense_solution(np.diag([-2.0, 0.0]), np.array([8.0, 3.0]), 0.5, 100).tolist()
    [4.0, 6.0]
    """
    if len(matrix) == 1:
        return truncated_solution(matrix * 0 + 1, matrix, right, least, most, right[0] * 0)
    if matrix.dtype == object:
        raise InputError("problem", "fractions", "float64", "use direction=fedsonia with memory=1")
    if not _finite(matrix, right):
        return np.full(len(right), np.nan)
    values, vectors = np.linalg.eigh(_symmetric(matrix))
    solved: Array = vectors @ ((right @ vectors) / np.clip(abs(values), least, most))
    return solved


def _along_one(y: Array, core: Any, right: Array, least: Any, most: Any, rest: Any) -> Array:
    """`truncated_solution` of one column y: an eigenvalue K |y|^2, and no root."""
    size = abs(y).max()
    outside: Array = rest * right
    if not size:
        return outside
    unit = y / size
    square = np.add.reduce(unit * unit)
    value = min(max(abs(core * square * size * size), least), most)
    along = unit * (np.add.reduce(unit * right) / square)
    found: Array = along / value + rest * (right - along)
    return found


def _of_eigenvalues(matrices: Array, function: Any) -> Array:
    if matrices.shape[-1] == 1:
        found: Array = function(matrices)
        return found
    if matrices.dtype == object:
        raise InputError("memory", f"{matrices.shape[-1]} with fractions", "1", "use a problem in floats")
    if not _finite(matrices):
        return np.full(matrices.shape, np.nan)
    values, vectors = np.linalg.eigh(_symmetric(matrices))
    whole: Array = (vectors * function(values)[..., None, :]) @ np.swapaxes(vectors, -1, -2)
    return whole


def _reciprocal_beyond_rounding(values: Array) -> Array:
    sizes = abs(values)
    if values.dtype == object:
        return _reciprocal(values, sizes != 0)
    most = sizes.max(axis=-1, keepdims=True)
    return _reciprocal(values, sizes > values.shape[-1] * np.finfo(float).eps * most)


def _reciprocal(values: Array, kept: Array) -> Array:
    """1 / values where they are kept, else 0; no number is divided by 0."""
    found: Array = np.where(kept, 1 / np.where(kept, values, values * 0 + 1), values * 0)
    return found if found.dtype == object else _bounded(found)


def _bounded(values: Array) -> Array:
    """Floats no larger than 1e250, so that no product of a few of them is infinite."""
    found: Array = np.clip(values, -_MOST, _MOST)
    return found


def _symmetric(matrices: Array) -> Array:
    half = matrices / 2  # first, so that no sum of floats overflows
    found: Array = half + np.swapaxes(half, -1, -2)
    return found


def _finite(*arrays: Array) -> bool:
    return all(bool(np.isfinite(array).all()) for array in arrays)
