"""Where the minimiser of the printed problem is, by strong convexity proved on a small box.

G = log objective is convex in (u, q) on the whole feasible set. If its Hessian on the ball of radius r about
x0 has no eigenvalue below c > 0, and the gradient at x0 is shorter than c r/2, then G exceeds G(x0) on the
sphere, hence outside it too, and the minimiser is within 2 |gradient|/c of x0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fedproof.algebra.arithmetic import Array, Enclosure, Intervals, Mask, enclose
from fedproof.papers.fedproxvr.training_time.minimise import enclosed, flat, ratio_of
from fedproof.papers.fedproxvr.training_time.newton import Newton, descend, start
from fedproof.papers.fedproxvr.training_time.problem import Instances, Point, Problem
from fedproof.vocabulary.errors import InputError

_BALL = Intervals()
_RADIUS = 5e-7
#: lower and upper ends, arrays of the inputs' common shape
Ends = tuple[Array, Array]


def enclose_minimiser(
    smoothness_sample: ArrayLike,
    weak_convexity: ArrayLike,
    dissimilarity: ArrayLike,
    delay_ratio: ArrayLike,
    *,
    rule: Newton = Newton(),  # noqa: B008 - frozen
) -> dict[str, Ends]:
    """Enclose the one minimiser of problem (23) as printed, for SARAH and real tau.

    Source: FedProxVR, problem (23)-(24); the discussion of Fig. 1 is about these coordinates.

    Arguments:
        smoothness_sample, weak_convexity, dissimilarity, delay_ratio: as `minimise` takes them, with
            delay_ratio > 0, since without it there is no minimiser.
        rule: when Newton's method stops.

    Returns: by letter the ends between which mu, beta, tau, theta, Theta and the least objective are proved
        to lie, NaN where nothing is proved.
    Raises: InputError for a value outside its domain.

    >>> low, high = enclose_minimiser(1.0, 0.5, 1.0, [0.01, 0.02])["mu"]
    >>> bool(high[0] < low[1])  # mu grows with gamma
    True
    """
    shape, (unit, lam, sigma2, gamma) = flat(smoothness_sample, weak_convexity, dissimilarity, delay_ratio)
    if np.any(gamma == 0):
        raise InputError("delay_ratio", 0, "a number > 0", "at 0 the infimum is not attained")
    problem = Problem("sarah")  # matched: elsewhere convexity in (u, q) alone is not proved
    with np.errstate(all="ignore"):
        case = Instances(lam / unit, sigma2, gamma)
        point = descend(problem, case, start(problem, case), rule)
        found = _on_box(problem, enclosed(case, ratio_of(lam, unit)), point)
        scale = enclose(unit)
        found |= {name: _BALL.mul(found[name], scale) for name in ("mu", "objective")}
        found["Theta"] = _BALL.mul(found["Theta"], _BALL.power(scale, -1))
    return {name: (at.lo.reshape(shape), at.hi.reshape(shape)) for name, at in found.items()}


def _on_box(problem: Problem, case: Instances, point: Point) -> dict[str, Enclosure]:
    """Enclosures in units of L around a point near the minimiser, NaN where nothing is proved."""
    far = _distance(problem, case, point)
    ends = _box(point, np.where(np.isfinite(far), far, np.nan))
    values = problem.variables(_BALL, case, *ends, problem.beta(_BALL, case, *ends))
    return {n: values[n] for n in ("mu", "beta", "tau", "theta", "Theta", "objective")}


def _distance(problem: Problem, case: Instances, point: Point) -> Array:
    """How far log(mu - lam) and log tau can be off, infinite where nothing is proved."""
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
