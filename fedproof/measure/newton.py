"""Truncated Newton: conjugate gradients on exact Hessian products, a preconditioner, a line search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from fedproof.measure.counting_problem import CountingProblem
from fedproof.problems.problem import Array

Solve = Callable[[Array], Array]
_TIRED = 40
"""Products in one solve after which a preconditioner is asked for."""


@dataclass(frozen=True, eq=False)
class Iteration:
    """Where the solve stands.

    Arguments:
        model, gradient: shape (d,).
        loss: at the model.
        decrement: g^T H^-1 g of the last step, twice the decrease that its quadratic model promised.
    """

    model: Array
    loss: float
    gradient: Array
    decrement: float = np.inf


def newton(
    problem: CountingProblem, start: Array, most: int, precondition: Callable[[Array], Solve | None]
) -> Iterator[Iteration]:
    """Iterations from the start on, until no step helps or `most` products are used.

    Arguments:
        most: Hessian products of the global loss.
        precondition: an approximate inverse of the Hessian at a model, or None where there is none.
    """
    at = Iteration(start, float(problem.loss(start)), problem.gradient(start))
    solve: Solve | None = None
    used, tired = 0, False
    yield at
    while used < most and np.any(at.gradient):
        if tired:
            solve = precondition(at.model) or solve
        forcing = min(0.1, float(np.linalg.norm(at.gradient)) ** 0.5)
        step, products = _direction(problem, at, forcing, min(most - used, 500), solve)
        used, tired = used + products, products > _TIRED
        nxt = _search(problem, at, step)
        if nxt is None:
            return
        at = nxt
        yield at


def _direction(
    problem: CountingProblem, at: Iteration, forcing: float, most: int, solve: Solve | None
) -> tuple[Array, int]:
    """Preconditioned conjugate gradients for H s = -g, stopped at negative curvature."""
    step, rest = np.zeros_like(at.gradient), -at.gradient
    target = forcing * float(np.linalg.norm(rest))
    z = rest if solve is None else solve(rest)
    p, size = z, float(rest @ z)
    for count in range(1, most + 1):
        bent = problem.hessian_product(at.model, p)
        curvature = float(p @ bent)
        if curvature <= 1e-16 * float(p @ p):
            return (p if count == 1 else step), count
        pace = size / curvature
        step, rest = step + pace * p, rest - pace * bent
        if float(np.linalg.norm(rest)) <= target:
            break
        z = rest if solve is None else solve(rest)
        size, before = float(rest @ z), size
        p = z + size / before * p
    return step, count


def _search(problem: CountingProblem, at: Iteration, step: Array) -> Iteration | None:
    """Halve the step until the loss falls; where its fall drowns in rounding, until the gradient shrinks."""
    slope = float(at.gradient @ step)
    if slope >= 0:
        return None
    norm = float(np.linalg.norm(at.gradient))
    noise = 1e-14 * max(1.0, abs(at.loss))
    for halvings in range(40):
        model = at.model + 0.5**halvings * step
        loss = float(problem.loss(model))
        if loss > at.loss + 1e-4 * 0.5**halvings * slope + noise or not np.isfinite(loss):
            continue
        gradient = problem.gradient(model)
        if -slope > 100 * noise or float(np.linalg.norm(gradient)) < 0.9 * norm:
            return Iteration(model, loss, gradient, -slope)
    return None
