"""The least value of a linear model's loss plus a separable penalty, enclosed by duality.

For f(x) = (1/D) sum_l phi_l(a_l x) and a convex g, weak duality says that for every v

    F* >= -(1/D) sum_l phi_l*(v_l) - g*(-(1/D) sum_l v_l a_l),

with equality at v_l = phi_l'(a_l x*). A model gives an upper end, and its v, scaled into the domain of g*, a
lower end, both with their rounding errors bounded. phi*(v) is q log q + (1 - q) log(1 - q), q = v + y, for
logistic regression, and v^2 / 2 + y v for least squares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import fsum, inf, nextafter
from typing import Any

import numpy as np

from fedproof.problems.composite.sparse_optimum import descend
from fedproof.problems.problem import Array, Constant, Solution
from fedproof.problems.separable import Separable
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.regularisers import l2_weight
from fedproof.problems.supervised.supervised import Supervised

_UNIT = 2.0**-53
_TINY = 1e-300
_BLOCK = 64
_STEPS, _SHRINKS = 100, 60
MOST_DENSE, MOST_PRODUCTS = 64, 10**9
"""Of the length of a model, and of rows x d^2: beyond that no solve is tried."""


@dataclass(frozen=True)
class Enclosure:
    """low <= F* <= F(model) <= high, proved."""

    low: float
    high: float


def merged(smooth: Supervised, form: Separable) -> Separable | None:
    """The penalty with the weight of an L2 regulariser as curvature; None beside another regulariser.

    >>> from fedproof.problems.supervised.models.logistic import Logistic
    >>> from fedproof.problems.supervised.partition import Partition
    >>> from fedproof.problems.supervised.regularisers import L2
    >>> rows = Supervised(Logistic(), np.eye(2), np.array([0, 1]), Partition.of_sizes([2]), regulariser=L2(3))
    >>> merged(rows, Separable()).curvature
    Fraction(3, 1)
    """
    extra = l2_weight(smooth.regulariser)
    return None if extra is None else replace(form, curvature=form.curvature + extra)


def solve_linear(smooth: Supervised, form: Separable) -> Solution | None:
    """A minimiser of logistic regression or least squares plus g, and an enclosure of F* by its duality gap.

    Proximal Newton steps: a quadratic model of f plus g is minimised to rounding, with a line search. The
    steps end when the enclosure stops shrinking.

    Returns: None for other models, and for those too large to be solved here.

    >>> from fedproof.problems.supervised.models.logistic import Logistic
    >>> from fedproof.problems.supervised.partition import Partition
    >>> rows = Supervised(Logistic(), np.array([[2.0], [1.0]]), np.array([1, 0]), Partition.of_sizes([2]))
    >>> found = solve_linear(rows, Separable(Fraction(1, 10)))
    >>> float(found.least_loss.spread) < 1e-13
    True
    """
    whole = merged(smooth, form)
    d, rows = smooth.dimension, len(smooth.labels)
    large = d > MOST_DENSE or rows * d * d > MOST_PRODUCTS
    if whole is None or known_name(smooth.model) not in _CONJUGATES or large:
        return None
    x = model = whole.prox(np.zeros(d), 1.0)
    ends, failures = Enclosure(-inf, inf), -1
    for _ in range(_STEPS):
        x = _newton_step(smooth, form, whole, x)
        found = enclose(smooth, whole, x)
        failures += 1
        if found.high - found.low < ends.high - ends.low:
            ends, model, failures = found, x, 0
        if failures >= 3:
            break
    if not ends.low > -inf:
        return None
    width = nextafter(ends.high - ends.low, inf)
    how = f"F* lies in [{ends.low!r}, {ends.high!r}], by a duality gap with its rounding bounded"
    return Solution(model, Constant(ends.low, "certified", how, spread=width), exact=False)


def _newton_step(smooth: Supervised, form: Separable, whole: Separable, x: Array) -> Array:
    """One proximal Newton step with a line search on F; x itself where none helps."""
    gradient = smooth.gradient(x)
    a, y = smooth.features, smooth.labels
    z = (a @ x)[None]
    model: Any = smooth.model
    bends = model.score_products(z, np.ones_like(z), y)[0]
    hessian = (a * bends[:, None]).T @ a / len(y)
    extra = float(whole.curvature - form.curvature)
    hessian[np.diag_indices(len(x))] += extra + 1e-14 * np.trace(hessian)
    target = descend(hessian, gradient - hessian @ x, form, x)
    here, direction = smooth.loss(x) + form.value(x), target - x
    promised = min(0.0, float(gradient @ direction + form.value(target) - form.value(x)))
    for halvings in range(20):
        step = 0.5**halvings
        there = x + step * direction if halvings else target
        if smooth.loss(there) + form.value(there) <= here + 1e-4 * step * promised + 4e-16 * abs(here):
            return there
    return x


def enclose(smooth: Supervised, whole: Separable, model: Array) -> Enclosure:
    """Proved ends of F*, given a model in the domain of g; -inf below where its v cannot be made feasible.

    Arguments:
        smooth: logistic regression or least squares; its regulariser is part of `whole`.
        whole: g with the regulariser's curvature.
        model: shape (d,).
    """
    a, y = smooth.features, smooth.labels.astype(np.float64)
    losses, dual = _CONJUGATES[known_name(smooth.model)]
    z = a @ model
    # one unit more for a model whose entries at an end, a fraction, were rounded out of the domain
    off = (a.shape[1] + 4) * _UNIT * 1.01 * (np.abs(a) @ np.abs(model)) + _TINY
    upper, errors = losses(z, y, off)
    penalty = whole.value(_inside(whole, model))
    if penalty == inf:
        return Enclosure(-inf, inf)
    rows = len(y)
    total = fsum(upper) + fsum(errors) * (1 + 1e-12)
    high = Fraction(total) * (1 + Fraction(1, 1 << 50)) / rows + penalty
    low, scale = -inf, 1.0
    for _ in range(_SHRINKS):
        v, lower, lower_off = dual(z, y, scale)
        pull, radius = _pull(a, v)
        conjugate = max_conjugate(whole, -pull, radius)
        if conjugate is not None:
            found = -Fraction(fsum(lower)) - Fraction(fsum(lower_off)) * 2
            found -= Fraction(_UNIT) * 4 * abs(found)
            low = nextafter(float(found / rows - conjugate), -inf)
            break
        smaller = _shrunk(whole, pull, radius, scale)
        if not 0 < smaller < scale:
            break
        scale = smaller
    return Enclosure(low, nextafter(float(high), inf))


def _inside(whole: Separable, model: Array) -> Array:
    """The model in fractions, with entries that are the nearest float of an end moved to that end."""
    exact = np.array([Fraction(float(v)) for v in model], dtype=object)
    for end in (whole.low, whole.high):
        if end is not None:
            exact[model == float(end)] = end
    return exact


def _pull(a: Array, v: Array) -> tuple[Array, Array]:
    """(1/D) sum_l v_l a_l and bounds on its errors, (d,) each: products of blocks, then an exact sum."""
    rows, p = a.shape
    found, sizes = [], []
    whole = rows // _BLOCK * _BLOCK
    for first, last in ((0, whole), (whole, rows)):
        if first == last:
            continue
        block = min(_BLOCK, last - first)
        x, u = a[first:last].reshape(-1, block, p), v[first:last].reshape(-1, 1, block)
        found.append(np.matmul(u, x)[:, 0])
        sizes.append(np.matmul(np.abs(u), np.abs(x))[:, 0].sum(axis=0))
    sums = np.concatenate(found)
    total = np.array([fsum(column) for column in sums.T])
    radius = (sum(sizes) * (_BLOCK + 4) + np.abs(total) * 4) * _UNIT * 1.001 / rows + _TINY
    return total / rows, radius + _TINY


def max_conjugate(whole: Separable, c: Array, radius: Array) -> Fraction | None:
    """The largest g*(c') over |c' - c| <= radius: at the ends, as g* is convex; None where infinite."""
    total = Fraction(0)
    for centre, reach in zip(c, radius, strict=True):
        ends = [Fraction(float(centre)) + side * Fraction(float(reach)) for side in (-1, 1)]
        values = [whole.conjugate(np.array([end], dtype=object)) for end in ends]
        if any(v == inf for v in values):
            return None
        total += max(values)
    return total


def _shrunk(whole: Separable, pull: Array, radius: Array, scale: float) -> float:
    """The factor of v that brings its pull into the weight's reach; 0 where no factor does."""
    if not whole.weight or whole.curvature:
        return 0.0
    reach = float((np.abs(pull) + 2 * radius).max())
    wanted = scale * min(float(whole.weight) / reach, 1.0) * (1 - 4 * _UNIT)
    return min(wanted, scale * (1 - 8 * _UNIT))


def _logistic_losses(z: Array, y: Array, off: Array) -> tuple[Array, Array]:
    """log(1 + exp(z)) - y z, and bounds on their errors given those of z: its slope is at most 1."""
    value = np.logaddexp(0, np.where(y == 1, -z, z))
    return value, off + 32 * _UNIT * value + _TINY


def _logistic_dual(z: Array, y: Array, scale: float) -> tuple[Array, Array, Array]:
    """v = scale (sigmoid(z) - y), exact as a float, and phi*(v) with its error.

    Its size is the probability of the wrong label, so that q = y + v and 1 - q are that and the rest.
    """
    right = np.where(y == 1, z, -z)
    with np.errstate(over="ignore", under="ignore"):
        wrong = scale / (1 + np.exp(right))
    v = np.where(y == 1, -wrong, wrong)
    inner = np.where(wrong > 0, wrong * np.log(np.maximum(wrong, _TINY)), 0.0)
    outer = np.where(wrong < 1, (1 - wrong) * np.log1p(-np.minimum(wrong, 1 - _UNIT)), 0.0)
    return v, inner + outer, 32 * _UNIT * (np.abs(inner) + np.abs(outer)) + _TINY


def _square_losses(z: Array, y: Array, off: Array) -> tuple[Array, Array]:
    """(z - y)^2 / 2, and bounds on their errors."""
    apart = np.abs(z - y)
    near = off + _UNIT * apart
    value = np.square(z - y) / 2
    return value, apart * near + np.square(near) + 4 * _UNIT * value + _TINY


def _square_dual(z: Array, y: Array, scale: float) -> tuple[Array, Array, Array]:
    """v = scale (z - y), exact as a float, and v^2 / 2 + y v with its error."""
    v = scale * (z - y)
    square, line = np.square(v) / 2, y * v
    return v, square + line, 8 * _UNIT * (square + np.abs(line)) + _TINY


_Losses = Callable[[Array, Array, Array], tuple[Array, Array]]
_Dual = Callable[[Array, Array, float], tuple[Array, Array, Array]]
_CONJUGATES: dict[str, tuple[_Losses, _Dual]] = {
    "logistic": (_logistic_losses, _logistic_dual),
    "least_squares": (_square_losses, _square_dual),
}
