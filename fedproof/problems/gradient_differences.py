"""Gradients of the same samples at two points, subtracted: what variance reduction asks for."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem


def sample_differences(problem: Problem, here: Array, there: Array, clients: Array, samples: Array) -> Array:
    """Mean gradient over samples (k, b) at `here` less that at `there`, both (k, d), for each client.

    A problem may have a method `sample_differences(here, there, clients, samples)` that is faster than two
    gradients: of a linear model one product with the features is saved.

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> bowl = Quadratic.of([[[2]]], [[5]], sizes=[1]).as_float()
    >>> sample_differences(bowl, np.array([[3.0]]), np.array([[1.0]]), np.array([0]), np.array([[0]]))
    array([[4.]])
    """
    own: Any = getattr(problem, "sample_differences", None)
    if own is not None:
        found: Array = own(here, there, clients, samples)
        return found
    first, second = problem.sample_gradients(np.stack([here, there]), clients, samples)
    difference: Array = first - second
    return difference
