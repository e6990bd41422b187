"""Delta, the loss at the start minus the least loss: a Newton solve and a proof of how near it came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log1p, sqrt
from typing import Any

import numpy as np

from fedproof.problems.linear import Linear
from fedproof.problems.problem import Array
from fedproof.problems.quadratic import Quadratic
from fedproof.problems.separation import Margin, margin_of, separate
from fedproof.problems.supervised import Supervised
from fedproof.tuning.measured.dense import dense_hessian, flat_directions
from fedproof.tuning.measured.entry import Entry
from fedproof.tuning.measured.meter import Meter
from fedproof.tuning.measured.newton import Iteration, newton
from fedproof.tuning.measured.spectrum import least_above

__all__ = ["Minimum", "excess", "measure_initial_gap", "minimise"]

MOST_DENSE = 1500
_NEARLY = 1e-6
"""Separable data: the further the loss falls, the wider the margin."""
_FALLING = -1e100
_SMALL = 1 << 21
_UNIT = 2.0**-53
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
    margin: Margin | None
    how: str


def measure_initial_gap(problem: Meter, minimum: Minimum, start: Array) -> Entry:
    """initial_gap: F(x0) - inf F; certified where the solve came with a proof, else from below."""
    first = float(problem.loss(start))
    details = {"loss_at_start": first, "loss_found": minimum.loss, "gradient_found": minimum.gradient}
    exact = problem.constants.get("least_loss")
    original: Any = problem.inner
    if exact is not None and exact.kind == "exact":
        if exact.value is None:
            return Entry(None, "exact", f"no finite one exists: {exact.how}", details=details)
        if isinstance(original, Quadratic) and original.original is not None:
            original = original.original
        if isinstance(original, Quadratic) and np.array_equal(start, problem.start()):
            value = original.loss(original.start()) - exact.value
            return Entry(
                value, "exact", f"least loss: {exact.how}", lower=value, upper=value, details=details
            )
    if minimum.margin is not None:
        return Entry(first, "exact", f"F(x0), as {minimum.how}", lower=first, upper=first, details=details)
    if minimum.gap is not None:
        lower, upper = first - minimum.loss, first - minimum.loss + minimum.gap
        how = f"F(x0) - F* with {minimum.how}"
        return Entry(upper, "certified", how, minimum.gap, lower, upper, details)
    lower = max(0.0, first - minimum.loss)
    bound = None if exact is None or exact.value is None else first - float(exact.value)
    if bound is not None and exact is not None and bound - lower <= 1e-9 * bound:
        how = f"F(x0) less {exact.value} ({exact.how}), which a Newton solve came near: {minimum.how}"
        return Entry(bound, "certified", how, bound - lower, lower, bound, details)
    how = f"F(x0) - F at the end of a Newton solve, a lower bound: {minimum.how}"
    return Entry(lower, "estimate", how, None if bound is None else bound - lower, lower, bound, details)


def minimise(problem: Meter, start: Array, most: int, note: Callable[[str], Any] | None = None) -> Minimum:
    """Truncated Newton from the start, ended by a proof: of a minimiser nearby, or that data is separable.

    Arguments:
        most: Hessian products of the global loss.
    """
    inner: Any = problem.inner
    path, last = [], None
    margin: Margin | None = None
    for last in newton(problem, start, most, lambda w: _inverse(inner, w)):
        path.append(last.model)
        if note is not None and len(path) % 5 == 1:
            note(f"least loss {last.loss:.6g}")
        found = margin_of(inner, last.model) if _bare(inner) else None
        if found is not None and (margin is None or found.least > margin.least):
            margin = found
        if (margin is not None and last.loss < _NEARLY) or last.loss < _FALLING:
            break
    assert last is not None
    norm = float(np.linalg.norm(last.gradient))
    end = (last.model, np.stack(path), last.loss, norm)
    if margin is not None:
        margin = _widest(inner, margin)
        how = f"F* = 0, not attained: the data is separable, margin {margin.least:.3g} proved"
        return Minimum(*end, last.loss, None, margin, how)
    return Minimum(*end, *_proof(inner, last, norm, len(path) - 1))


def excess(gradient: float, strength: float, steepening: float) -> tuple[float, float] | None:
    """Bounds on F(w) - inf F and on the distance to a minimiser, for a convex F; None if none follows.

    With |F'''| <= R F'' along every unit direction and H(w) >= m I (Bach 2010, Self-concordant analysis for
    logistic regression), F''(w + t v) >= m exp(-R t), so that F(w + t v) >= F(w) - g t
    + (m / R^2) (exp(-R t) + R t - 1). If r = g R / m < 1 that is above F(w) from some t on: the minimum lies
    at t <= -log(1 - r) / R, and F(w) - inf F <= (m / R^2) (r + (1 - r) log(1 - r)).

    Arguments:
        gradient, strength, steepening: g, m, R; R = 0 is strong convexity.

    >>> excess(1e-3, 1.0, 0.0), excess(1.0, 1.0, 1.0)
    ((5e-07, 0.001), None)
    """
    if strength <= 0:
        return None
    r = gradient * steepening / strength
    if r >= 1:
        return None
    if r < 1e-6:  # r^2 / 2 <= r + (1 - r) log(1 - r) <= r^2 / (2 (1 - r)), and -log(1 - r) <= r / (1 - r)
        return gradient**2 / (2 * strength) / (1 - r), gradient / strength / (1 - r)
    gap = strength / steepening**2 * (r + (1 - r) * log1p(-r))
    return gap * (1 + 1e-9), -log1p(-r) / steepening * (1 + 1e-9)


def _widest(inner: Any, margin: Margin) -> Margin:
    """The margin, or a wider one that gradient steps find on small softmax problems."""
    if inner.model.name != "softmax" or inner.features.size * inner.model.outputs > _SMALL:
        return margin
    other = separate(inner, 2000)
    return margin if other is None or other.least < margin.least else other


def _bare(inner: Any) -> bool:
    return isinstance(inner, Supervised) and inner.regulariser is None


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
    steepening, blur, noise = _scales(inner, end)
    if "modulus" in why:
        steepening = 0.0
    found = excess(norm + blur, strength, steepening)
    if found is None:
        return None, None, None, f"{said}; no minimiser is proved to exist ({why})"
    gap = found[0] + noise
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
    if inner.model.name not in _STEEPENING or len(model) > MOST_DENSE:
        return None, f"{len(model)} parameters are too many for a proof by the dense Hessian"
    flat = flat_directions(inner)
    rows, p = inner.features.shape
    squares = np.square(inner.features).sum(axis=1)
    shift = float(squares.mean())
    shifted = dense_hessian(inner, model) + shift * flat.T @ flat
    # scores err by p 2^-53 |W| |x|, and the weights in the Hessian by as much, relatively
    terms = rows + int(8 * (p + 2) * np.linalg.norm(model) * np.sqrt(squares.max()))
    strength = least_above(shifted, terms, 3 * shift * (1 + sqrt(len(flat))))
    if strength <= 0:
        return (
            None,
            "the Hessian has no proved least eigenvalue > 0: the infimum may be lower or not attained",
        )
    return min(strength, shift), f"self-concordance, least Hessian eigenvalue {strength:.2g}"


def _scales(inner: Supervised, end: Iteration) -> tuple[float, float, float]:
    """R, and bounds on the rounding errors of the computed gradient's norm and of the loss."""
    rows, p = inner.features.shape
    lengths = np.sqrt(np.square(inner.features).sum(axis=1))
    size = float(np.linalg.norm(end.model))
    mean = float(lengths.mean())
    pulls = mean * (sqrt(2) if inner.model.name != "least_squares" else sqrt(2 * end.loss) + 1)
    scores = 2 * (p + 16) * size * float(np.square(lengths).mean())
    blur = 4 * _UNIT * ((rows + p + 16) * (pulls + _regularised(inner, end.model)) + scores)
    noise = 4 * _UNIT * ((rows + 16) * abs(end.loss) + 4 * (p + 16) * size * mean)
    return _STEEPENING.get(inner.model.name, inf) * float(lengths.max()), blur, noise


def _regularised(inner: Supervised, model: Array) -> float:
    return float(np.linalg.norm(inner.regulariser.gradient(model))) if inner.regulariser else 0.0
