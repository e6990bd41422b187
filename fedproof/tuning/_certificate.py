"""A proven lower bound on the global minimum from the gradient at one exact point.

G = log objective is convex in (u, q, v) = (log(mu - lam), log tau, log of the right side of (13)), and the
admissible set {v >= r(q)} has convex r (`bounds/papers/fedproxvr/convexity.py`). So for any exact
admissible point x0 and any admissible x no worse than x0,

    G(x) >= G(x0) + g_u (u - u0) + g_q (q - q0) + g_v (v - v0),

and where x0 lies on v = r(q) and g_v >= 0, g_v (v - v0) >= g_v r'(q0) (q - q0). On the printed problem,
v = r(q) throughout with r affine, and the sign of g_v does not matter. The points no worse than x0 lie in
a box with elementary ends, so a small gradient is a small gap. All of it is computed in intervals, without
exp or log: G's gradient is objective'/objective, and exp(-x) >= 1 - x.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from fedproof.tuning._arithmetic import Array, Enclosure, Intervals, Jets, Mask
from fedproof.tuning._problem import Instances, Point, Problem

__all__ = ["Bounds", "Side", "certify"]

#: Which tau compete: all, those at most the point's, or those at least the point's.
Side = Literal["all", "below", "above"]
_BALL = Intervals()
_LN2 = 0.6931471805599454  # rounded up


@dataclass(frozen=True, eq=False)
class Bounds:
    """What is proved at the points: the infimum over the competitors lies in [lower, upper].

    lower is 0 where nothing is proved, upper is infinite where the point is not proved feasible.
    """

    lower: Array
    upper: Array


def certify(
    problem: Problem, case: Instances, point: Point, beta: Array | None = None, side: Side = "all"
) -> Bounds:
    """Bound the infimum of the problem from its values and gradient at exact points.

    Arguments:
        problem: estimator and link.
        case: instances in units of L, as intervals of shape (n,).
        point: mu - lam and tau, exact, shape (n,).
        beta: values above the least one, for the relaxed problem; NaN or None: the least.
        side: which tau compete.

    Returns: lower and upper bounds in units of L.
    """
    with np.errstate(all="ignore"):
        return _certify(problem, case, point, beta, side)


def _certify(problem: Problem, case: Instances, point: Point, beta: Array | None, side: Side) -> Bounds:
    values, slopes, growth, lifted = _first_order(problem, case, point, beta)
    feasible = (values["descent"].lo > 0) & (point.margin > 0) & np.isfinite(values["objective"].hi)
    wide_u, wide_q, wide_v = _widths(case, point, values, side)
    if problem.link == "limit":
        return _bounds(values, feasible, feasible, _up(slopes[0].magnitude * wide_u))
    feasible &= (values["beta"].lo > 3) & (point.tau > 0)
    follow = (problem.link == "matched" and problem.estimator == "sarah") | (slopes[2].lo >= 0)
    free = lifted | ~follow if problem.link == "relaxed" else np.zeros_like(feasible)
    total = _BALL.add(slopes[1], _BALL.mul(slopes[2], growth))
    turn = Enclosure(np.where(free, slopes[1].lo, total.lo), np.where(free, slopes[1].hi, total.hi))
    outward = {"all": turn.magnitude, "below": np.maximum(turn.hi, 0.0), "above": np.maximum(-turn.lo, 0.0)}
    slack = _up(_up(slopes[0].magnitude * wide_u) + _up(outward[side] * wide_q))
    slack = _up(slack + _up(np.where(free, slopes[2].magnitude * wide_v, 0.0)))
    return _bounds(values, feasible, feasible & (free | follow), slack)


def _bounds(values: dict[str, Enclosure], feasible: Mask, known: Mask, slack: Array) -> Bounds:
    lower = np.nextafter(values["objective"].lo * np.nextafter(1.0 - slack, -np.inf), -np.inf)
    sound = known & np.isfinite(slack) & (slack < 1) & (lower > 0)
    return Bounds(np.where(sound, lower, 0.0), np.where(feasible, values["objective"].hi, np.inf))


def _first_order(
    problem: Problem, case: Instances, point: Point, beta: Array | None
) -> tuple[dict[str, Enclosure], tuple[Enclosure, ...], Enclosure, Mask]:
    """Values at the point, the gradient of G in (u, q, v), r'(q), and where beta exceeds its least value."""
    zero = np.zeros_like(point.margin)
    m, t = Enclosure(point.margin, point.margin), Enclosure(point.tau, point.tau)
    least = problem.programs["least"](Jets(_BALL, 1), {"tau": (t, t)})
    curve = problem.programs["scale"](Jets(_BALL, 1), {"beta": least})
    growth = _BALL.mul(curve[1], _BALL.power(curve[0], -1))
    given = np.full_like(zero, np.nan) if beta is None else beta
    lifted = given >= least[0].hi
    b = Enclosure(np.where(lifted, given, least[0].lo), np.where(lifted, given, least[0].hi))
    scale = problem.programs["scale"](Jets(_BALL, 1), {"beta": (b, _BALL.constant(Fraction(1)))})
    b_v = _BALL.mul(scale[0], _BALL.power(scale[1], -1))
    jets = Jets(_BALL, 3)
    fixed = Instances(*(jets.lift(x) for x in (case.lam, case.sigma2, case.gamma)))
    found = problem.variables(jets, fixed, (m, m, None, None), (t, None, t, None), (b, None, None, b_v))
    values = {name: jet[0] for name, jet in found.items()}
    inverse = _BALL.power(values["objective"], -1)
    none = Enclosure(zero, zero)
    slopes = tuple(none if d is None else _BALL.mul(d, inverse) for d in found["objective"][1:])
    return values, slopes, growth, lifted


def _widths(
    case: Instances, point: Point, values: dict[str, Enclosure], side: Side
) -> tuple[Array, Array, Array]:
    """How far u, q, v of a point no worse than x0 can be from x0's.

    Where Theta > 0: objective > mu >= mu - lam > 2 sqrt(1 + sigma2); gamma tau mu < objective;
    6/tau < theta^2 < 1/(2 (1 + sigma2)); and 3 beta^2/((mu - lam)(beta - 3) tau) <= theta^2 < 1/2.
    """
    best = values["objective"].hi
    spread = _BALL.add(case.sigma2, _BALL.constant(Fraction(1)))
    least_m = _BALL.mul(_BALL.constant(Fraction(2)), _BALL.sqrt(spread)).lo
    least_t = _BALL.mul(_BALL.constant(Fraction(12)), spread).lo
    most_t = _up(best / _down(case.gamma.lo * least_m))
    if side == "below":
        most_t = np.fmin(most_t, point.tau)
    wide_u = np.maximum(_log_above(_up(point.margin / least_m)), _log_above(_up(best / point.margin)))
    wide_q = np.maximum(_log_above(_up(point.tau / least_t)), _log_above(_up(most_t / point.tau)))
    most_b = _up(_up(best * most_t) / 6.0)
    wide_v = np.maximum(2 * _log_above(values["beta"].hi), 2 * _log_above(most_b))
    return wide_u, np.where(np.isfinite(most_t), wide_q, np.nan), wide_v


def _up(x: Array) -> Array:
    return np.nextafter(x, np.inf)


def _down(x: Array) -> Array:
    return np.nextafter(x, -np.inf)


def _log_above(x: Array) -> Array:
    """A number above log x, and above 0: x < 2^e, so log x < e log 2; infinite where x is not finite."""
    bound = _up(np.maximum(np.frexp(x)[1], 0) * _LN2)
    result: Array = np.where(np.isfinite(x), bound, np.inf)
    return result
