"""Constants of quadratics: exact where the spectra are known, otherwise enclosures proved in fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import floor, frexp, isfinite, ldexp
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.problems.quadratics.exact_linear_algebra import (
    fractions,
    positive_semidefinite,
    solve,
    solve_any,
)

_BY_SPECTRA = "eigenvalues by construction"
_BY_TEST = "smallest bound found semidefinite in exact arithmetic"


def constants_of(exact: Any) -> Mapping[str, Constant]:
    """Constants by canonical word.

    FedProxVR, (3)-(5): smoothness_sample is L of every f_i, smoothness that of every F_n, weak_convexity is
    lambda, dissimilarity the weighted mean of the sigma_n^2, least_loss the minimum of the global loss.

    Arguments:
        exact: a `Quadratic` in fractions.
    """
    samples, clients = exact.matrices, exact.client_matrices
    if exact.eigenvalues is not None:
        sample_values, client_values = exact.eigenvalues
        smooth_sample = Constant(np.abs(sample_values).max(), "exact", _BY_SPECTRA)
        smooth = Constant(np.abs(client_values).max(), "exact", _BY_SPECTRA)
        weak = Constant(max(Fraction(0), -client_values.min()), "exact", _BY_SPECTRA)
    else:
        smooth_sample, smooth = _largest(samples), _largest(clients)
        weak = _least_shift(clients)
    return {
        "smoothness_sample": smooth_sample,
        "smoothness": smooth,
        "weak_convexity": weak,
        "dissimilarity": _dissimilarity(exact),
        "least_loss": _least_loss(exact),
    }


def least_curvature(matrices: Array, values: Array | None = None) -> Constant:
    """The least eigenvalue of all matrices in fractions, or a proved lower bound.

    Arguments:
        values: all eigenvalues, where they are known.
    """
    if values is not None:
        return Constant(values.min(), "exact", _BY_SPECTRA)
    shift, eye = _least_shift(matrices), fractions(np.eye(matrices.shape[-1], dtype=int))
    if shift.value:
        return replace(shift, value=-shift.value)
    guess = max(0.0, float(np.linalg.eigvalsh(matrices.astype(float)).min()))
    low = Fraction(guess) * Fraction(999_999_999, 1_000_000_000)
    if not all(positive_semidefinite(m - low * eye) for m in matrices):
        low = Fraction(0)
    return Constant(low, "certified", _BY_TEST)


def divergences_of(exact: Any) -> tuple[Constant, ...]:
    """sigma_n of FedProxVR (5) for every client.

    With a point x where every F_n is stationary, grad F_n(w) - grad F(w) = (A_n - A)(w - x) and
    grad F(w) = A (w - x), so that (5) holds for all w if and only if sigma_n^2 A^2 - (A_n - A)^2 is positive
    semidefinite. With common eigenvectors that is sigma_n = max_j |a_nj - a_j| / |a_j|. Without such a
    point, and with A invertible, (5) fails where the global gradient vanishes and no sigma_n is finite.
    """
    if _common_stationary_point(exact) is None:
        if solve(exact.mean_matrix, exact.mean_slope) is None:
            none = Constant(None, "estimate", "not computed: the global matrix is singular")
        else:
            none = Constant(
                None, "exact", "a client's gradient is not 0 where the global one is: none is finite"
            )
        return (none,) * len(exact.sizes)
    if exact.eigenvalues is not None:
        clients, mean = exact.eigenvalues[1], np.mean(exact.eigenvalues[0], axis=0)
        return tuple(
            Constant(max(abs((a - m) / m) for a, m in zip(row, mean, strict=True)), "exact", _BY_SPECTRA)
            for row in clients
        )
    return tuple(
        _divergence(matrix - exact.mean_matrix, exact.mean_matrix) for matrix in exact.client_matrices
    )


def _common_stationary_point(problem: Any) -> Array | None:
    """The common stationary point, relative to the centre, if there is one and A is regular."""
    point = solve(problem.mean_matrix, -problem.mean_slope)
    if point is None:
        return None
    residues = np.matmul(problem.client_matrices, point[:, None])[..., 0] + problem.client_slopes
    return point if not residues.any() else None


def _largest(matrices: Array) -> Constant:
    """The largest spectral radius."""
    eye = fractions(np.eye(matrices.shape[-1], dtype=int))
    guess = float(np.abs(np.linalg.eigvalsh(matrices.astype(float))).max())
    return _enclose(
        guess,
        lambda r: all(
            positive_semidefinite(r * eye - m) and positive_semidefinite(r * eye + m) for m in matrices
        ),
    )


def _least_shift(matrices: Array) -> Constant:
    """The least lambda >= 0 that makes every matrix + lambda I positive semidefinite."""
    eye = fractions(np.eye(matrices.shape[-1], dtype=int))
    guess = float(-np.linalg.eigvalsh(matrices.astype(float)).min())
    return _enclose(guess, lambda r: all(positive_semidefinite(m + r * eye) for m in matrices))


def _divergence(difference: Array, mean: Array) -> Constant:
    square, base = difference @ difference, mean @ mean
    guess = float(np.linalg.norm(np.linalg.solve(mean.astype(float), difference.astype(float)), 2))
    return _enclose(guess, lambda r: positive_semidefinite(r * r * base - square))


def _enclose(guess: float, holds: Callable[[Fraction], bool]) -> Constant:
    """The least r >= 0 with an increasing property, from above, with the width of the enclosure."""
    if holds(Fraction(0)):
        return Constant(Fraction(0), "exact", _BY_TEST)
    high = _rounded(max(guess, 1e-300) * (1 + 1e-9))
    while not holds(high):
        high *= 2
    low = high * Fraction(999_999_997, 1_000_000_000)
    while holds(low):
        high, low = low, low / 2
    return Constant(high, "certified", _BY_TEST, spread=high - low)


def _rounded(value: float) -> Fraction:
    """A fraction of at most 40 binary digits, at least `value`."""
    if not isfinite(value):
        raise OverflowError(value)
    mantissa, exponent = frexp(value)
    return Fraction(floor(ldexp(mantissa, 40)) + 1) * Fraction(2) ** (exponent - 40)


def _dissimilarity(problem: Any) -> Constant:
    """The weighted mean of the sigma_n^2."""
    each = divergences_of(problem)
    if any(c.value is None for c in each):
        return each[0]
    weights = fractions(problem.sizes) / Fraction(int(problem.sizes.sum()))
    mean = weights @ np.array([c.value**2 for c in each])
    if all(c.kind == "exact" for c in each):
        return Constant(mean, "exact", "weighted mean of the exact sigma_n^2")
    low = weights @ np.array([(c.value - (c.spread or 0)) ** 2 for c in each])
    return Constant(
        mean, "certified", f"weighted mean of the sigma_n^2, each the {_BY_TEST}", spread=mean - low
    )


def _least_loss(problem: Any) -> Constant:
    """The minimum of the global loss: its value where the gradient vanishes, if it is convex and does.

    A convex quadratic whose gradient vanishes nowhere falls without end along a null vector of its matrix.
    """
    if not positive_semidefinite(problem.mean_matrix):
        return Constant(None, "exact", "the global loss is unbounded below")
    point = solve_any(problem.mean_matrix, -problem.mean_slope)
    if point is None:
        return Constant(None, "exact", "the global loss is unbounded below: its gradient vanishes nowhere")
    return Constant(problem.loss(problem.centre + point), "exact", "value at a stationary point")
