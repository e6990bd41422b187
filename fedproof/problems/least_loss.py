"""An estimate of the least loss of a convex problem by a quasi-Newton solve."""

from __future__ import annotations

import numpy as np

from fedproof.problems.problem import Array, Constant, Problem
from fedproof.vocabulary.errors import InputError

__all__ = ["estimated_least_loss"]


def estimated_least_loss(problem: Problem, iterations: int = 2000, tolerance: float = 1e-10) -> Constant:
    """The loss that L-BFGS reaches from the problem's start.

    It is an upper bound of the least loss, which need not be attained: on separable data a softmax loss
    falls towards 0 for ever. `spread` is its distance to the problem's own certified lower bound, if any.

    Arguments:
        problem: in floats, convex for the estimate to be of the global minimum.
        iterations: at most so many steps.
        tolerance: largest gradient entry at which the solve stops, loss / length.

    >>> from fedproof.problems.random_quadratic import random_quadratic
    >>> estimated_least_loss(random_quadratic(1).as_float()).value < 1e-15
    True
    """
    from scipy.optimize import minimize

    if problem.start().dtype == object:
        raise InputError("problem", "fractions", "a problem in floats", "use as_float()")

    def both(model: Array) -> tuple[float, Array]:
        return float(problem.loss(model)), problem.gradient(model)

    options = {"maxiter": iterations, "maxfun": 2 * iterations, "gtol": tolerance, "ftol": 0.0}
    with np.errstate(all="ignore"):
        found = minimize(both, problem.start(), jac=True, method="L-BFGS-B", options=options)
    size = float(np.linalg.norm(problem.gradient(found.x)))
    bound = problem.constants.get("least_loss")
    spread = None if bound is None or bound.value is None else max(0.0, float(found.fun) - float(bound.value))
    how = f"loss after {found.nit} steps of L-BFGS, gradient norm {size:.1e}"
    return Constant(float(found.fun), "estimate", how, spread)
