"""Convex quadratics plus a separable penalty: the minimum in floats, then in fractions."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions, solve_any
from fedproof.problems.separable import Separable

_SWEEPS, _ENOUGH, _MOST_SWITCHES = 6, 300, 40


@dataclass(frozen=True, eq=False)
class Pieces:
    """Which linear piece of the optimality condition every coordinate lies on.

    Arguments:
        free: whether the coordinate solves an equation, shape (d,).
        sign: of the free coordinates, 1 or -1 where the weight counts and 0 where it is 0, shape (d,).
        at: where the others are fixed, shape (d,); 0, low or high.
    """

    free: Array
    sign: Array
    at: Array


def subdifferential(form: Separable, x: Array) -> tuple[Array, Array]:
    """The ends of the interval of subgradients of phi at every entry; infinite at an end of the domain.

    >>> from fractions import Fraction
    >>> subdifferential(Separable(Fraction(2)), np.array([0.0, 3.0]))
    (array([-2.,  2.]), array([2., 2.]))
    """
    weight, curvature, low, high = form.numbers(x.dtype == object)
    least = np.where(x > 0, weight, -weight) + curvature * x
    most = np.where(x < 0, -weight, weight) + curvature * x
    if form.low is not None:
        least = np.where(x <= low, -inf, least)
    if form.high is not None:
        most = np.where(x >= high, inf, most)
    return least, most


def descend(matrix: Array, slope: Array, form: Separable, start: Array) -> Array:
    """Near the minimiser of x A x / 2 + q x + g(x) for a positive semidefinite A, in floats.

    Coordinate descent, and every so often a solve on the pieces that it has reached, kept where it is
    optimal to rounding.

    Arguments:
        matrix: A, shape (d, d).
        slope: q, shape (d,).
        form: g.
        start: shape (d,), in the domain of g.

    >>> from fractions import Fraction
    >>> descend(np.eye(2), np.array([-3.0, 0.5]), Separable(Fraction(1)), np.zeros(2))
    array([2., 0.])
    """
    x, d = np.array(start), len(slope)
    curved = np.maximum(np.diagonal(matrix), 1e-300)
    steps = [form_of(form, 1 / float(c)) for c in curved]
    residue = matrix @ x + slope
    for _ in range(_ENOUGH):
        for _ in range(_SWEEPS):
            most = 0.0
            for j in range(d):
                new = steps[j](x[j] - residue[j] / curved[j])
                change = new - x[j]
                if change:
                    residue += matrix[j] * change
                    x[j] = new
                    most = max(most, abs(change))
            if most <= 1e-15 * float(np.abs(x).max(initial=0)):
                break
        found = _solved(matrix, slope, form, pieces_of(form, x))
        if found is not None and _nearly(matrix, slope, form, found):
            return found
        if most <= 1e-15 * float(np.abs(x).max(initial=0)):
            break
        residue = matrix @ x + slope
    return x


def form_of(form: Separable, scale: float) -> Any:
    """The proximal operator of one coordinate, on plain floats."""
    weight, curvature, low, high = form.numbers(exact=False)
    reach, shrink = scale * weight, 1 + scale * curvature

    def prox(u: float) -> float:
        chosen = u - min(max(u, -reach), reach)
        found: float = min(max(chosen / shrink, low), high)
        return found

    return prox


def pieces_of(form: Separable, x: Array) -> Pieces:
    """The pieces that a point lies on: fixed where it is at an end, or at 0 and 0 is a kink."""
    weight, _, low, high = form.numbers(x.dtype == object)
    fixed = (x <= low) | (x >= high)
    if weight:
        fixed = fixed | (x == 0)
    sign = np.where(x > 0, 1, -1) if weight else np.zeros(len(x), dtype=int)
    return Pieces(~fixed.astype(bool), sign, np.where(fixed, x, x * 0))


def _solved(matrix: Array, slope: Array, form: Separable, pieces: Pieces) -> Array | None:
    """The point on these pieces, in floats or in fractions; None where the equations have no solution."""
    weight, curvature, _, _ = form.numbers(matrix.dtype == object)
    free, x = np.flatnonzero(pieces.free), np.array(pieces.at)
    if not len(free):
        return x
    inner = matrix[np.ix_(free, free)].copy()
    inner[np.diag_indices(len(free))] += curvature
    right = -(slope[free] + matrix[free] @ pieces.at + weight * pieces.sign[free])
    if matrix.dtype == object:
        solution = solve_any(inner, right)
        if solution is None:
            return None
    else:
        solution = np.linalg.lstsq(inner, right, rcond=None)[0]
        solution = solution + np.linalg.lstsq(inner, right - inner @ solution, rcond=None)[0]
    x[free] = solution
    return x


def _outside(matrix: Array, slope: Array, form: Separable, x: Array) -> tuple[Array, Array]:
    """How far -(A x + q) lies below and above the subgradients of every entry, 0 where it lies among them."""
    pull = -(matrix @ x + slope)
    least, most = subdifferential(form, x)
    zero = pull * 0
    return np.maximum(least - pull, zero), np.maximum(pull - most, zero)


def _nearly(matrix: Array, slope: Array, form: Separable, x: Array) -> bool:
    """Whether x is in the domain, and -(A x + q) as near to the subgradients as rounding lets it be."""
    _, _, low, high = form.numbers(exact=False)
    rounding = 1e-15 * len(x) * float((np.abs(matrix) @ np.abs(x) + np.abs(slope)).max(initial=0))
    off = np.maximum(*_outside(matrix, slope, form, x)).max(initial=0)
    return bool(((x >= low) & (x <= high)).all() and off <= rounding)


def exact_minimiser(matrix: Array, slope: Array, form: Separable) -> Array | None:
    """A minimiser of x A x / 2 + q x + g(x) in fractions, proved to be one; None if none is found.

    The pieces are those of a solution in floats; the equations on them are solved in fractions, and the
    condition -(A x + q) in dg(x), which is sufficient as A is positive semidefinite, is decided exactly. If
    it fails, the first coordinate that violates it changes its piece, a bounded number of times.

    Arguments:
        matrix: A, symmetric positive semidefinite fractions, shape (d, d).
        slope: q, fractions, shape (d,).
        form: g.

    >>> from fractions import Fraction
    >>> exact_minimiser(fractions([[3]]), fractions([-2]), Separable(Fraction(1)))
    array([Fraction(1, 3)], dtype=object)
    """
    start = np.zeros(len(slope))
    low, high = form.numbers(exact=False)[2:]
    start = np.minimum(np.maximum(start, low), high)
    near = descend(matrix.astype(float), slope.astype(float), form, start)
    pieces = _snapped(form, near)
    for _ in range(_MOST_SWITCHES + 2 * len(slope)):
        x = _solved(matrix, slope, form, pieces)
        switched = None if x is None else _switched(matrix, slope, form, pieces, x)
        if switched is None:
            return x
        pieces = switched
    return None


def _snapped(form: Separable, near: Array) -> Pieces:
    """The pieces of a point in floats, with the ends as fractions."""
    found = pieces_of(form, near)
    at = fractions(np.zeros(len(near), dtype=int))
    for end in (form.low, form.high):
        if end is not None:
            at[~found.free & (near == float(end))] = end
    return Pieces(found.free, found.sign, at)


def _switched(matrix: Array, slope: Array, form: Separable, pieces: Pieces, x: Array) -> Pieces | None:
    """The pieces with the first violated coordinate on a neighbouring one; None at a minimiser."""
    zero = x[0] * 0
    below, above = _outside(matrix, slope, form, x)
    for j, u in enumerate(x):
        free, sign, at = pieces.free.copy(), pieces.sign.copy(), pieces.at.copy()
        if free[j]:
            wrong = sign[j] * u < 0
            under = form.low is not None and u < form.low
            if not (wrong or under or (form.high is not None and u > form.high)):
                continue
            free[j], at[j] = False, zero if wrong else form.low if under else form.high
        elif below[j] or above[j]:
            # the entry wants to grow where -(A x + q) lies above its subgradients, else to fall
            free[j], at[j] = True, zero
            grows = pieces.at[j] > 0 if pieces.at[j] else above[j]
            sign[j] = 0 if not form.weight else 1 if grows else -1
        else:
            continue
        return Pieces(free, sign, at)
    return None
