"""A proven lower bound on the global minimum from the gradient at one exact point.

G = log objective is convex in (u, q, v) = (log(mu - lam), log tau, log of the form's scale), and the
admissible set {v >= r(u, q)} has convex r (`bounds/papers/fedproxvr/convexity.py`, `sharp_convexity.py`). So
for any exact admissible point x0 and any admissible x no worse than x0,

    G(x) >= G(x0) + g_u (u - u0) + g_q (q - q0) + g_v (v - v0),

and where x0 lies on v = r(u, q) and g_v >= 0, g_v (v - v0) >= g_v (r_u (u - u0) + r_q (q - q0)): the slopes
are then those along r. On the printed problem for SARAH, v = r throughout with r affine, and the sign of g_v
does not matter; on the sharpened one G rises with v. The points no worse than x0 lie in a box with
elementary ends, so a small gradient is a small gap, and so is a large one at an end towards which G falls.
All of it is computed in intervals, without exp or log: G's gradient is objective'/objective, and
exp(-x) >= 1 - x.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from fedproof.algebra.arithmetic import Array, Enclosure, Intervals, Jets, Mask
from fedproof.papers.fedproxvr.training_time.problem import Instances, Point, Problem

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
        beta: values above the least one, for the relaxed problem; NaN or None: the least, which it is
            anyway where the least is always best.
        side: which tau compete.

    Returns: lower and upper bounds in units of L.
    """
    with np.errstate(all="ignore"):
        return _certify(problem, case, point, None if problem.joint else beta, side)


def _certify(problem: Problem, case: Instances, point: Point, beta: Array | None, side: Side) -> Bounds:
    at = _first_order(problem, case, point, beta)
    inside = [x.lo > 0 for x in problem.inside(_BALL, at.values)]
    feasible = np.logical_and.reduce(np.broadcast_arrays(*inside, np.isfinite(at.values["objective"].hi)))
    feasible &= (point.margin > 0) & (point.tau > 0)
    wide_u, wide_q, wide_v = _widths(problem, case, point, at.values, side)
    if problem.link == "limit":
        return _bounds(at.values, feasible, feasible, fall(at.alone[0], *wide_u))
    follow = np.full_like(feasible, problem.joint) | (at.by_v.lo >= 0)
    free = at.lifted | ~follow if problem.link == "relaxed" else np.zeros_like(feasible)
    slack = np.zeros_like(point.margin)
    for alone, along, wide in zip(at.alone, at.along, (wide_u, wide_q), strict=True):
        slack = up(slack + np.where(free, fall(alone, *wide), fall(along, *wide)))
    slack = up(slack + np.where(free, fall(at.by_v, wide_v, wide_v), 0.0))
    return _bounds(at.values, feasible, feasible & (free | follow), slack)


def fall(slope: Enclosure, below: Array, above: Array) -> Array:
    """How much a linear function can fall on an interval that reaches so far below and above a point."""
    falls = np.where(slope.hi <= 0, 0.0, up(slope.hi * below))
    return np.maximum(falls, np.where(slope.lo >= 0, 0.0, up(-slope.lo * above)))


def _bounds(values: dict[str, Enclosure], feasible: Mask, known: Mask, slack: Array) -> Bounds:
    lower = np.nextafter(values["objective"].lo * np.nextafter(1.0 - slack, -np.inf), -np.inf)
    sound = known & np.isfinite(slack) & (slack < 1) & (lower > 0)
    return Bounds(np.where(sound, lower, 0.0), np.where(feasible, values["objective"].hi, np.inf))


@dataclass(frozen=True, eq=False)
class _FirstOrder:
    """Values at the points; slopes of G in u and q, alone and with beta at its least value; in v; and
    where beta exceeds its least value."""

    values: dict[str, Enclosure]
    alone: tuple[Enclosure, ...]
    along: tuple[Enclosure, ...]
    by_v: Enclosure
    lifted: Mask


def _first_order(problem: Problem, case: Instances, point: Point, beta: Array | None) -> _FirstOrder:
    zero, one = np.zeros_like(point.margin), _BALL.constant(Fraction(1))
    m, t = Enclosure(point.margin, point.margin), Enclosure(point.tau, point.tau)
    jets = Jets(_BALL, 3)
    fixed = Instances(*(jets.lift(x) for x in (case.lam, case.sigma2, case.gamma)))
    margin, tau = (m, m, None, None), (t, None, t, None)
    known = problem.given(jets, fixed, margin)
    least = problem.formulas["least"].within(jets, known | {"tau": tau})
    given = np.full_like(zero, np.nan) if beta is None else beta
    lifted = given >= least[0].hi
    b = Enclosure(np.where(lifted, given, least[0].lo), np.where(lifted, given, least[0].hi))
    found = problem.variables(jets, fixed, margin, tau, (b, None, None, one))
    inverse, none = _BALL.power(found["objective"][0], -1), Enclosure(zero, zero)
    u, q, by_beta = (none if d is None else _BALL.mul(d, inverse) for d in found["objective"][1:])
    turns = (none if d is None else _BALL.mul(d, by_beta) for d in least[1:3])
    scale = problem.formulas["scale"].within(jets, known | {"beta": (b, None, None, one)})
    return _FirstOrder(
        values={name: jet[0] for name, jet in found.items()},
        alone=(u, q),
        along=tuple(_BALL.add(x, turn) for x, turn in zip((u, q), turns, strict=True)),
        by_v=_BALL.mul(by_beta, _BALL.mul(scale[0], _BALL.power(scale[3], -1))),
        lifted=lifted,
    )


Reach = tuple[Array, Array]


def _widths(
    problem: Problem, case: Instances, point: Point, values: dict[str, Enclosure], side: Side
) -> tuple[Reach, Reach, Array]:
    """How far below and above x0's the u and q, and how far from it the v, of a point no worse can be.

    An admissible point has mu - lam and tau at least the form's; its objective exceeds (1 + gamma tau) mu,
    hence mu - lam, and tau times gamma and the least mu - lam; its beta is bounded by both.
    """
    best = values["objective"].hi
    least_m, least_t = (x.lo for x in problem.ends(_BALL, case))
    most_t = up(best / down(case.gamma.lo * least_m))
    wide_u = log_above(up(point.margin / least_m)), log_above(up(best / point.margin))
    below, above = log_above(up(point.tau / least_t)), log_above(up(most_t / point.tau))
    zero = np.zeros_like(below)
    wide_q = zero if side == "above" else below, zero if side == "below" else above
    if "most_beta" not in problem.formulas:
        return wide_u, wide_q, zero
    if side == "below":
        most_t = np.fmin(most_t, point.tau)
    ends = {"mt": Enclosure(zero, best), "tau": Enclosure(zero, most_t)}
    most_b = problem.formulas["most_beta"].within(_BALL, ends).hi
    return wide_u, wide_q, np.maximum(2 * log_above(values["beta"].hi), 2 * log_above(most_b))


def up(x: Array) -> Array:
    """The next double above."""
    return np.nextafter(x, np.inf)


def down(x: Array) -> Array:
    """The next double below."""
    return np.nextafter(x, -np.inf)


def log_above(x: Array) -> Array:
    """A number above log x, and above 0: log x <= x - 1, and x < 2^e, so log x < e log 2; else infinite."""
    bound = np.minimum(up(np.maximum(x - 1, 0.0)), up(np.maximum(np.frexp(x)[1], 0) * _LN2))
    result: Array = np.where(np.isfinite(x), bound, np.inf)
    return result
