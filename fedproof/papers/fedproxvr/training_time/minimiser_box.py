"""Where the minimiser of the printed problem is, by strong convexity proved on a small box.

G = log objective is convex in (u, q) on the whole feasible set. If its Hessian on the ball of radius r about
x0 has no eigenvalue below c > 0, and the gradient at x0 is shorter than c r/2, then G exceeds G(x0) on the
sphere, hence outside it too, and the minimiser is within 2 |gradient|/c of x0.
"""

from __future__ import annotations

import numpy as np

from fedproof.algebra.arithmetic import Array, Enclosure, Intervals, Mask
from fedproof.papers.fedproxvr.training_time.problem import Instances, Point, Problem

_BALL = Intervals()
_RADIUS = 5e-7


def enclose_on_box(problem: Problem, case: Instances, point: Point) -> tuple[Array, dict[str, Enclosure]]:
    """Enclose the minimiser of problem (23).

    Arguments:
        problem: SARAH, matched: elsewhere convexity in (u, q) alone is not proved.
        case: instances in units of L, as intervals of shape (n,).
        point: mu - lam and tau near the minimiser, exact, shape (n,).

    Returns: how far log(mu - lam) and log tau can be off, infinite where nothing is proved, and
    enclosures of mu, beta, tau, theta, Theta and the objective at the minimiser, NaN there.
    """
    with np.errstate(all="ignore"):
        far = _distance(problem, case, point)
        ends = _box(point, np.where(np.isfinite(far), far, np.nan))
        values = problem.variables(_BALL, case, *ends, problem.beta(_BALL, case, *ends))
        return far, {n: values[n] for n in ("mu", "beta", "tau", "theta", "Theta", "objective")}


def _distance(problem: Problem, case: Instances, point: Point) -> Array:
    gradient, _ = _derivatives(problem, case, _box(point, np.zeros_like(point.margin)))
    _, ((uu, uq), (_, qq)) = _derivatives(problem, case, _box(point, np.full_like(point.margin, _RADIUS)))
    cross = _BALL.mul(uq, uq)
    det = _BALL.add(_BALL.mul(uu, qq), Enclosure(-cross.hi, -cross.lo))
    trace = _BALL.add(uu, qq)
    least = np.nextafter(det.lo / trace.hi, -np.inf)  # det = least x greatest <= least x trace
    squares = [_BALL.mul(g, g) for g in gradient]
    length = _BALL.root(_BALL.add(*squares), 2).hi
    convex = (uu.lo > 0) & (least > 0) & _inside(problem, case, point)
    far = np.nextafter(2 * np.nextafter(length / least, np.inf), np.inf)
    result: Array = np.where(convex & (far < _RADIUS), far, np.inf)
    return result


def _inside(problem: Problem, case: Instances, point: Point) -> Mask:
    """Whether the whole box is feasible."""
    ends = _box(point, np.full_like(point.margin, _RADIUS))
    values = problem.variables(_BALL, case, *ends, problem.beta(_BALL, case, *ends))
    result: Mask = np.logical_and.reduce([x.lo > 0 for x in problem.inside(_BALL, values)])
    return result


def _box(point: Point, radius: Array) -> tuple[Enclosure, Enclosure]:
    """exp of [log x - r, log x + r]: 1 - r <= exp(-r) and exp(r) <= 1 + 2r for r <= 1."""
    grow = np.nextafter(1 + 2 * radius, np.inf)
    shrink = np.nextafter(1 - radius, -np.inf)
    still = radius == 0
    return tuple(  # type: ignore[return-value]
        Enclosure(
            np.where(still, x, np.nextafter(x * shrink, -np.inf)),
            np.where(still, x, np.nextafter(x * grow, np.inf)),
        )
        for x in (point.margin, point.tau)
    )


def _derivatives(
    problem: Problem, case: Instances, box: tuple[Enclosure, Enclosure]
) -> tuple[list[Enclosure], list[list[Enclosure]]]:
    """Enclosures of the gradient and the Hessian of G over a box."""
    value, *rows = problem.twice(_BALL, case, *box)
    inverse = _BALL.power(value[0], -1)
    gradient = [_BALL.mul(d, inverse) for d in value[1:]]
    hessian = []
    for i, row in enumerate(rows):
        products = [_BALL.mul(gradient[i], g) for g in gradient]
        seconds = [_BALL.mul(d, inverse) for d in row[1:]]
        hessian.append(
            [_BALL.add(s, Enclosure(-p.hi, -p.lo)) for s, p in zip(seconds, products, strict=True)]
        )
    return gradient, hessian
