"""Proved bounds on eigenvalues of Gram matrices in floats: residuals, with rounding errors bounded."""

from __future__ import annotations

import numpy as np

from fedproof.problems.problem import Array

_UNIT = 2.0**-53


def greatest_below(features: Array) -> float:
    """A proved upper bound of the largest eigenvalue of (1/b) X^T X, X = `features` (b, p).

    With a computed eigendecomposition (Q, V) of the computed Gram matrix G of the shorter side,
    lambda_max(G) <= max V |Q|^2 + |G - Q V Q^T|, and |Q|^2 <= 1 + |Q^T Q - I|, in Frobenius norms. Every
    product of n terms errs by at most 2 n 2^-53 times the product of the sizes, so the errors of G and of
    both residuals are together below 16 (b + p) 2^-53 times (p or b, the shorter) times the trace.

    >>> bool(1 <= greatest_below(np.eye(3) * np.sqrt(3.0)) <= 1 + 1e-12)
    True
    """
    b, p = features.shape
    gram = (features.T @ features if p <= b else features @ features.T) / b
    values, apart, skew = _residuals(gram)
    rounding = 16 * (b + p) * len(gram) * _UNIT * float(np.trace(gram))
    return float(max(values[-1], 0) * (1 + skew) + apart + rounding)


def least_above(matrix: Array, terms: int, scale: float) -> float:
    """A proved lower bound, at least 0, of the least eigenvalue of a matrix that was summed in floats.

    lambda_min >= min V (1 - |Q^T Q - I|) - |H - Q V Q^T| - rounding, residuals as in `greatest_below`.

    Arguments:
        matrix: shape (d, d), known to be positive semidefinite, whence the 0.
        terms: of the longest sum in an entry.
        scale: Frobenius norm of the matrix with every summand replaced by its size, or more.

    >>> bool(0.999999 <= least_above(np.eye(3), 10, 2) <= 1)
    True
    """
    d = len(matrix)
    values, apart, skew = _residuals(matrix)
    rounding = 8 * _UNIT * ((terms + 16) * scale + d * d * float(np.abs(values).max()))
    return max(0.0, float(values[0] * (1 - skew) - apart - rounding))


def _residuals(matrix: Array) -> tuple[Array, float, float]:
    """Computed eigenvalues V, and with their vectors Q the norms |H - Q V Q^T| and |Q^T Q - I|."""
    values, vectors = np.linalg.eigh(matrix)
    apart = np.linalg.norm(matrix - (vectors * values) @ vectors.T)
    return values, float(apart), float(np.linalg.norm(vectors.T @ vectors - np.eye(len(matrix))))
