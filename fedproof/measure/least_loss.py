"""Delta, the loss at the start minus the least loss: a Newton solve and a proof of how near it came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log1p, nextafter, sqrt
from typing import Any

import numpy as np

from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.measured_constant import MeasuredConstant
from fedproof.measure.newton import Iteration, dense_hessian, flat_directions, newton
from fedproof.measure.rounding import UNIT, gamma, lightest, loss_rounding, rounding
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import as_they_are
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.spectrum import least_above
from fedproof.problems.supervised.linear import Linear, lengths
from fedproof.problems.supervised.margin import margin_of, separate
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.regularisers import parts
from fedproof.problems.supervised.supervised import Supervised

MOST_DENSE = 1500
_NEARLY = 1e-6
"""Separable data: the further the loss falls, the wider the margin."""
_FALLING = -1e100
_SMALL = 1 << 21
_STEEPENING = {"softmax": sqrt(2), "logistic": 1.0, "least_squares": 0.0}
"""c for which |third derivative along v| <= c max|x| |v| times the second, by model."""


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where a solve ended and what is proved there.

    Arguments:
        model: shape (d,); path: all iterates, shape (m, d).
        loss, gradient: F and |grad F| there.
        gap: F(model) - inf F is proved to be at most that, rounding included; None where it is not.
        distance: a minimiser exists within that of the model; None where that is not proved.
        margin: of separable data, where the infimum is 0 and no model attains it; else None.
        how: one clause.
    """

    model: Array
    path: Array
    loss: float
    gradient: float
    gap: float | None
    distance: float | None
    margin: float | None
    how: str


def measure_initial_gap(problem: CountingProblem, minimum: Minimum, start: Array) -> MeasuredConstant:
    """initial_gap: F(x0) - inf F; certified where the solve came with a proof, else from below.

    Losses are computed, so the ends of certified values are moved out by what their rounding is proved to be.
    """
    first = float(problem.loss(start))
    details = {"loss_at_start": first, "loss_found": minimum.loss, "gradient_found": minimum.gradient}
    if minimum.distance is not None:
        details["minimiser_within"] = minimum.distance
    known = problem.constants.get("least_loss")
    if known is not None and known.kind == "exact":
        if known.value is None:
            return MeasuredConstant(None, "exact", f"no finite one exists: {known.how}", details=details)
        if isinstance(problem.inner, Quadratic):
            exact = problem.inner.in_fractions()
            own = np.array_equal(start, problem.start())
            value = exact.loss(exact.start() if own else as_they_are(start)) - known.value
            return MeasuredConstant(value, "exact", f"least loss: {known.how}", None, value, value, details)
    off, there = loss_rounding(problem.inner, start), loss_rounding(problem.inner, minimum.model)
    below = 0.0 if off is None or there is None else _down(first, -off, -minimum.loss, -there)
    if minimum.margin is not None and off is not None:
        how, lower, upper = f"F(x0), as {minimum.how}", _down(first, -off), _up(first, off)
        return MeasuredConstant(upper, "certified", how, upper - lower, max(0.0, lower), upper, details)
    if minimum.gap is not None and off is not None:
        upper = max(0.0, _up(first, off, -minimum.loss, minimum.gap))
        how = f"F(x0) - F* with {minimum.how}"
        return MeasuredConstant(
            upper, "certified", how, upper - max(0.0, below), max(0.0, below), upper, details
        )
    least = None if known is None or known.kind == "estimate" else known.value
    bound = None if least is None or off is None else max(0.0, _up(first, off, -Fraction(least)))
    lower = max(0.0, first - minimum.loss if off is None or there is None else below)
    if bound is not None and known is not None and bound - lower <= 1e-9 * bound:
        how = f"F(x0) less {known.value} ({known.how}), which a Newton solve came near: {minimum.how}"
        return MeasuredConstant(bound, "certified", how, bound - lower, lower, bound, details)
    how = f"F(x0) - F at the end of a Newton solve, a lower bound: {minimum.how}"
    if off is None:
        how += "; their rounding is not bounded"
    return MeasuredConstant(
        lower, "estimate", how, None if bound is None else bound - lower, lower, bound, details
    )


def _up(*terms: Any) -> float:
    """The sum, exactly, then the next float above."""
    return nextafter(float(sum((Fraction(t) for t in terms), Fraction(0))), inf)


def _down(*terms: Any) -> float:
    return -_up(*(-Fraction(t) for t in terms))


def minimise(
    problem: CountingProblem, start: Array, most: int, note: Callable[[str], Any] | None = None
) -> Minimum:
    """Truncated Newton from the start, ended by a proof: of a minimiser nearby, or that data is separable.

    Arguments:
        most: Hessian products of the global loss.
    """
    inner: Any = problem.inner
    bare = isinstance(inner, Supervised) and inner.regulariser is None
    path, last = [], None
    margin: float | None = None
    for last in newton(problem, start, most, lambda w: _inverse(inner, w)):
        path.append(last.model)
        if note is not None and len(path) % 5 == 1:
            note(f"least loss {last.loss:.6g}")
        found = margin_of(inner, last.model) if bare else None
        if found is not None and (margin is None or found > margin):
            margin = found
        if (margin is not None and last.loss < _NEARLY) or last.loss < _FALLING:
            break
    assert last is not None
    norm = float(np.linalg.norm(last.gradient))
    end = (last.model, np.stack(path), last.loss, norm)
    if margin is not None:
        margin = _widest(inner, margin)
        how = f"F* = 0, not attained: the data is separable, margin {margin:.3g} proved"
        off = loss_rounding(inner, last.model)
        return Minimum(*end, None if off is None else _up(last.loss, off), None, margin, how)
    return Minimum(*end, *_proof(inner, last, norm, len(path) - 1))


def excess(gradient: float, strength: float, steepening: float) -> tuple[float, float] | None:
    """Bounds on F(w) - inf F and on the distance to a minimiser, for a convex F; None if none follows.

    With |F'''| <= R F'' along every unit direction and H(w) >= m I (Bach 2010, Self-concordant analysis for
    logistic regression), F''(w + t v) >= m exp(-R t), so that F(w + t v) >= F(w) - g t
    + (m / R^2) (exp(-R t) + R t - 1). If r = g R / m < 1 that is above F(w) from some t on: the minimum lies
    at t <= -log(1 - r) / R, and F(w) - inf F <= (m / R^2) (r + (1 - r) log(1 - r)).

    Arguments:
        gradient, strength, steepening: g, m, R; R = 0 is strong convexity.

    >>> [round(bound, 12) for bound in excess(1e-3, 1.0, 0.0)], excess(1.0, 1.0, 1.0)
    ([5e-07, 0.001], None)
    """
    if strength <= 0:
        return None
    r = gradient * steepening / strength * (1 + 1e-15)
    if r >= 1 - 1e-6:  # nearer to 1 the rounding of 1 - r shows
        return None
    if r < 1e-6:  # r^2 / 2 <= r + (1 - r) log(1 - r) <= r^2 / (2 (1 - r)), and -log(1 - r) <= r / (1 - r)
        above = (1 + 1e-15) / (1 - r)
        return gradient**2 / (2 * strength) * above, gradient / strength * above
    gap = strength / steepening**2 * (r + (1 - r) * log1p(-r))
    return gap * (1 + 1e-9), -log1p(-r) / steepening * (1 + 1e-9)


def _widest(inner: Any, margin: float) -> float:
    """The margin, or a wider one that gradient steps find on small softmax problems."""
    if known_name(inner.model) != "softmax" or inner.features.size * inner.model.outputs > _SMALL:
        return margin
    other = separate(inner, 2000)
    return margin if other is None or other < margin else other


def _inverse(inner: Any, model: Array) -> Callable[[Array], Array] | None:
    """A Cholesky factor of the dense Hessian, for linear models of up to 1500 parameters."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    if not isinstance(inner, Supervised) or not isinstance(inner.model, Linear) or len(model) > MOST_DENSE:
        return None
    matrix = dense_hessian(inner, model)
    matrix[np.diag_indices(len(matrix))] += 1e-12 * np.trace(matrix)
    try:
        factor = cho_factor(matrix)
    except LinAlgError:
        return None
    return lambda v: np.asarray(cho_solve(factor, v))


def _proof(
    inner: Any, end: Iteration, norm: float, steps: int
) -> tuple[float | None, float | None, None, str]:
    """Gap, distance, no margin, and how."""
    said = f"{steps} Newton steps, |grad F| = {norm:.1e}"
    strength, why = _strength(inner, end.model)
    if strength is None:
        return None, None, None, f"{said}; {why}"
    off = rounding(inner, end.model)
    if off is None:
        return None, None, None, f"{said}; the rounding of its loss is not bounded"
    c, p = _STEEPENING.get(known_name(inner.model), inf), inner.features.shape[1]
    steepening = c * float(lengths(inner.features).max()) * (1 + 2 * gamma(p + 8))
    if "modulus" in why:
        steepening = 0.0
    longest = norm * (1 + 2 * gamma(len(end.model) + 4)) + off.gradient
    found = excess(longest * (1 + 1e-15), strength, steepening)
    if found is None:
        return None, None, None, f"{said}; no minimiser is proved to exist ({why})"
    gap = _up(found[0], off.loss)
    return gap, found[1], None, f"F(w) - F* <= {gap:.1e} proved after {said} by {why}"


def _strength(inner: Any, model: Array) -> tuple[float | None, str]:
    """A proved m with H(w) >= m I on the directions that matter, or why there is none."""
    if isinstance(inner, Quadratic):
        return None, "its exact constants say more"
    if not isinstance(inner, Supervised) or not isinstance(inner.model, Linear):
        return None, "the loss is not known to be convex: the least loss may be lower"
    least = inner.regulariser.least_curvature if inner.regulariser else 0
    if least > 0:
        return float(least) * (1 - 1e-12), f"the modulus {float(least):.3g} of strong convexity"
    if least < 0:
        return None, "the loss is not convex: the least loss may be lower"
    weights = parts(inner.regulariser)
    if weights is None or any(part.exact for part in weights):
        return None, "the regulariser leaves no modulus of strong convexity: no proof is known"
    if known_name(inner.model) not in _STEEPENING or len(model) > MOST_DENSE:
        return None, f"{len(model)} parameters are too many for a proof by the dense Hessian"
    flat = flat_directions(inner)
    rows, p = inner.features.shape
    squares = np.square(inner.features).sum(axis=1)
    shift = float(squares.mean())
    shifted = dense_hessian(inner, model) + shift * flat.T @ flat
    off = rounding(inner, model)
    if off is None or not off.scores < 1e-3:
        return None, "the rounding of its scores is not bounded"
    # class weights in the Hessian err by 4 times the scores' errors, relatively, and by their own sums
    terms = rows + p + 4 * inner.model.outputs + 64 + int(8 * off.scores / UNIT)
    apart = float(np.linalg.norm(np.abs(flat).T @ np.abs(flat)))
    strength = least_above(shifted, terms, 3 * shift * (1 + apart))
    if strength <= 0:
        why = "the Hessian has no proved least eigenvalue > 0: the infimum may be lower or not attained"
        return None, why
    # every sample weighs at least so much of what it does where all weigh the same, and so does its Hessian
    strength = min(strength, shift) * lightest(inner)
    return strength, f"self-concordance, least Hessian eigenvalue {strength:.2g}"
