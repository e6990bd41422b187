"""zeta^2: how far the clients' gradients lie from their mean at any model, where that has a bound."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import nextafter

import numpy as np

from fedproof.problems.problem import Constant, Problem
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.supervised.linear import Linear, lengths, stated
from fedproof.problems.supervised.supervised import Supervised

_GROWS = "none exists: the clients' Hessians differ, so that it grows with the model"


def bounded_dissimilarity(problem: Problem) -> Constant:
    """zeta^2 with (1/N) sum_n |grad F_n(w) - grad F(w)|^2 <= zeta^2 at all models w, F the plain mean.

    Exact for quadratics of equally large clients. Of losses of bounded slope the gradient of F_n, the
    regulariser's apart, which all clients share, is at most G_n long, the mean over its samples of what
    their features allow: a mean of squares about the mean is at most the mean of squares, zeta^2 the mean
    of the G_n^2.
    Source: FLECS-CGD, Assumption 5, eq. (29).

    Arguments:
        problem: supervised or quadratic; of others nothing is known.

    >>> pair = Quadratic.of([[[1]], [[1]]], [[1], [-1]], sizes=[1, 1])
    >>> bounded_dissimilarity(pair).value
    Fraction(1, 1)
    """
    if isinstance(problem, Quadratic):
        return _of_quadratic(problem.in_fractions())
    if not isinstance(problem, Supervised):
        return Constant(None, "estimate", "none is known")
    if isinstance(problem.model, Linear) and (square := stated(problem.model, "slope_square")) is not None:
        return _of_slopes(problem, Fraction(square))
    slope = replace(problem, regulariser=None).constants.get("lipschitz_sample")
    if slope is None or slope.value is None:
        why = "the slope of its model has no known bound" if slope is None else slope.how
        return Constant(None, "estimate", f"none is known: {why}")
    how = f"the square of a sample's slope without a regulariser: {slope.how}"
    return Constant(nextafter(float(Fraction(slope.value) ** 2), np.inf), slope.kind, how)


def _of_quadratic(exact: Quadratic) -> Constant:
    """The slopes' variance, where all Hessians are one."""
    if (exact.client_matrices != exact.mean_matrix).any():
        return Constant(None, "exact", _GROWS)
    if len(set(exact.sizes.tolist())) > 1:
        return Constant(None, "estimate", "clients of different sizes: the plain mean is another loss")
    apart = exact.client_slopes - exact.mean_slope
    return Constant(
        np.sum(apart * apart) / exact.n_clients, "exact", "the clients differ in their slopes alone"
    )


def _of_slopes(problem: Supervised, square: Fraction) -> Constant:
    """The mean over clients of the squared mean length of their rows, times the largest slope in scores."""
    offsets, rows = problem.partition.offsets, lengths(problem.features)
    means = np.add.reduceat(rows, offsets[:-1]) / problem.sizes
    room = 1 + 2.0**-50 * (problem.features.shape[1] + int(problem.sizes.max()) + problem.n_clients + 64)
    value = float(np.mean(means * means)) * float(square) * room
    how = f"mean over clients of (mean |x_i|)^2, times {square}, the squared slope in the scores"
    return Constant(value, "certified", how) if np.isfinite(value) else Constant(None, "estimate", how)
