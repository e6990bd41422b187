"""Many steps on drawn batches: what a problem may do faster than one gradient after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fedproof.problems.problem import Array, Problem

__all__ = ["StepGradients", "step_gradients"]

StepGradients = Callable[[Array, int], Array]
"""Mean gradient over the batches of step t of each client at its model (k, d): a new array."""


def step_gradients(problem: Problem, clients: Array, samples: Array | None) -> StepGradients:
    """The gradients of local steps, which may be asked in any order, best in that of the steps.

    A problem may have a method `step_gradients(clients, samples)`: on rows, those of many steps are gathered
    at once.

    Arguments:
        problem: whose.
        clients: ids, shape (k,).
        samples: of every step, shape (k, steps, b); None for all of a client's samples.

    >>> import numpy as np
    >>> from fedproof.problems.quadratic import Quadratic
    >>> bowl = Quadratic.of([[[2]]], [[5]], sizes=[1]).as_float()
    >>> step_gradients(bowl, np.array([0]), np.array([[[0], [0]]]))(np.array([[3.0]]), 1)
    array([[11.]])
    """
    if samples is None:
        return lambda models, t: problem.client_gradients(models, clients)
    own: Any = getattr(problem, "step_gradients", None)
    if own is not None:
        found: StepGradients = own(clients, samples)
        return found
    return lambda models, t: problem.sample_gradients(models, clients, samples[:, t])
