"""Damped Newton's method on the convex form of the training-time problem, all instances at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fedproof.algebra.arithmetic import Array, Mask, Reals
from fedproof.papers.fedproxvr.training_time.problem import Instances, Point, Problem


@dataclass(frozen=True)
class Newton:
    """When to stop: most iterations and halvings; the step and the decrement that count as converged."""

    iterations: int = 80
    halvings: int = 40
    step: float = 1e-9
    decrement: float = 1e-28


def start(problem: Problem, case: Instances, shape: tuple[int, int] = (12, 16)) -> Point:
    """The best point of a coarse logarithmic grid that covers where Theta > 0 can hold.

    Arguments:
        case: instances in units of L, arrays of shape (n,).
        shape: number of values of mu - lam and of tau.

    Returns: one point an instance; where none of the grid is feasible, its objective is not finite.
    """
    spread = 1 + case.sigma2
    least_margin, least_tau = (x + np.zeros_like(spread) for x in problem.ends(Reals(), case))
    low = np.maximum(least_margin, problem.floor(case))
    high = 128 * (2 * spread + np.sqrt(spread) * case.lam)
    margin = np.geomspace(low, high, shape[0])[:, None]
    rate = np.where(case.gamma > 0, case.gamma, 1.0)
    most = 1e4 * spread * (1 + case.lam) ** 2 * (1 + 1 / rate)
    tau = np.geomspace(least_tau, most, shape[1])[None]
    if problem.link == "limit":
        tau = np.ones((1, 1, len(spread)))
    value = _objective(problem, case, Point(margin, tau)).reshape(-1, len(spread))
    i, j = np.divmod(np.argmin(value, axis=0), tau.shape[1])
    each = np.arange(len(spread))
    return Point(margin[i, 0, each], tau[0, j, each])


def descend(problem: Problem, case: Instances, point: Point, rule: Newton, free_tau: bool = True) -> Point:
    """Newton's method with backtracking in (log(mu - lam), log tau), or with tau held fixed.

    mu - lam stays at its floor as long as the gradient or the step points below it.

    Returns: the last points; nothing is promised of them, which is what the certificate is for.
    """
    floor = problem.floor(case)
    value = np.log(_objective(problem, case, point))
    for _ in range(rule.iterations):
        gradient, hessian = problem.quadratic(case, point)
        step = _direction(gradient, hessian, point.margin <= floor, free_tau)
        slope = np.sum(gradient * step, axis=0)
        point, value, moved = _backtrack(problem, case, point, value, step, slope, floor, rule.halvings)
        longest = np.max(np.abs(step), axis=0)
        if not np.any(moved & (longest > rule.step) & (-slope > rule.decrement)):
            break
    return point


def _direction(gradient: Array, hessian: Array, low: Mask, free_tau: bool) -> Array:
    """Newton's direction where the Hessian is positive definite, a scaled gradient elsewhere.

    Where mu - lam is as low as it may be and would go lower, it stays and tau moves alone.
    """
    (gu, gq), ((uu, uq), (_, qq)) = gradient, hessian
    zero = np.zeros_like(gu)
    if free_tau:
        det = uu * qq - uq * uq
        convex = (det > 1e-14 * np.abs(uu * qq)) & (uu > 0)
        safe = np.where(convex, det, 1.0)
        newton = np.where(convex, np.array([uq * gq - qq * gu, uq * gu - uu * gq]) / safe, -gradient)
        alone = np.array([zero, -gq / np.where(qq > 0, qq, 1.0)])
    else:
        newton = np.array([-gu / np.where(uu > 0, uu, 1.0), zero])
        alone = np.array([zero, zero])
    newton = np.where(low & ((gu > 0) | (newton[0] < 0)), alone, newton)
    longest = np.max(np.abs(newton), axis=0)
    result: Array = newton / np.maximum(longest / 3.0, 1.0)
    return result


def _backtrack(
    problem: Problem,
    case: Instances,
    point: Point,
    value: Array,
    step: Array,
    slope: Array,
    floor: Array,
    halvings: int,
) -> tuple[Point, Array, Mask]:
    """The first halving that decreases enough; a full step where rounding hides the decrease."""
    length = np.ones_like(value)
    tiny = np.abs(slope) < 1e-10
    for _ in range(halvings):
        trial = replace(
            point,
            margin=np.maximum(point.margin * np.exp(length * step[0]), floor),
            tau=point.tau * np.exp(length * step[1]),
        )
        found = np.log(_objective(problem, case, trial))
        good = (found <= value + 1e-4 * length * slope) | (tiny & (found <= value + 1e-12))
        if np.all(good):
            break
        length = np.where(good, length, length / 2)
    moved = good
    return (
        Point(np.where(moved, trial.margin, point.margin), np.where(moved, trial.tau, point.tau)),
        np.where(moved, found, value),
        moved,
    )


def _objective(problem: Problem, case: Instances, point: Point) -> Array:
    """The objective, infinite where the point is not feasible."""
    values = problem.at(case, point)
    admissible = [x > 0 for x in problem.inside(Reals(), values)]
    feasible = np.logical_and.reduce(np.broadcast_arrays(*admissible, np.isfinite(values["objective"])))
    result: Array = np.where(feasible, values["objective"], np.inf)
    return result
