"""Damped Newton's method on the convex form of the training-time problem, all instances at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fedproof.tuning._arithmetic import Array, Mask
from fedproof.tuning._problem import Instances, Point, Problem

__all__ = ["Newton", "descend", "start"]


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
    near = 2 * spread + np.sqrt(2 * case.lam * spread)
    margin = np.geomspace(near, 128 * (near + case.lam), shape[0])[:, None]
    rate = np.where(case.gamma > 0, case.gamma, 1.0)
    most = 1e4 * spread * (1 + case.lam) ** 2 * (1 + 1 / rate)
    tau = np.geomspace(12 * spread, most, shape[1])[None]
    if problem.link == "limit":
        tau = np.ones((1, 1, len(spread)))
    value = _objective(problem, case, Point(margin, tau)).reshape(-1, len(spread))
    i, j = np.divmod(np.argmin(value, axis=0), tau.shape[1])
    each = np.arange(len(spread))
    return Point(margin[i, 0, each], tau[0, j, each])


def descend(problem: Problem, case: Instances, point: Point, rule: Newton, free_tau: bool = True) -> Point:
    """Newton's method with backtracking in (log(mu - lam), log tau), or with tau held fixed.

    Returns: the last points; nothing is promised of them, which is what the certificate is for.
    """
    value = np.log(_objective(problem, case, point))
    for _ in range(rule.iterations):
        gradient, hessian = problem.quadratic(case, point)
        step = _direction(gradient, hessian, free_tau)
        slope = np.sum(gradient * step, axis=0)
        point, value, moved = _backtrack(problem, case, point, value, step, slope, rule.halvings)
        longest = np.max(np.abs(step), axis=0)
        if not np.any(moved & (longest > rule.step) & (-slope > rule.decrement)):
            break
    return point


def _direction(gradient: Array, hessian: Array, free_tau: bool) -> Array:
    """Newton's direction where the Hessian is positive definite, a scaled gradient elsewhere."""
    (gu, gq), ((uu, uq), (_, qq)) = gradient, hessian
    if not free_tau:
        newton = np.array([-gu / np.where(uu > 0, uu, 1.0), np.zeros_like(gu)])
    else:
        det = uu * qq - uq * uq
        convex = (det > 1e-14 * np.abs(uu * qq)) & (uu > 0)
        safe = np.where(convex, det, 1.0)
        newton = np.where(convex, np.array([uq * gq - qq * gu, uq * gu - uu * gq]) / safe, -gradient)
    longest = np.max(np.abs(newton), axis=0)
    result: Array = newton / np.maximum(longest / 3.0, 1.0)
    return result


def _backtrack(
    problem: Problem, case: Instances, point: Point, value: Array, step: Array, slope: Array, halvings: int
) -> tuple[Point, Array, Mask]:
    """The first halving that decreases enough; a full step where rounding hides the decrease."""
    length = np.ones_like(value)
    tiny = np.abs(slope) < 1e-10
    for _ in range(halvings):
        trial = replace(
            point,
            margin=point.margin * np.exp(length * step[0]),
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
    feasible = (values["descent"] > 0) & np.isfinite(values["objective"])
    if problem.link != "limit":
        feasible &= values["beta"] > 3
    result: Array = np.where(feasible, values["objective"], np.inf)
    return result
