"""Gradients at two points, in many steps, or with the loss: what a problem may do all at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.separable import Separable

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

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> bowl = Quadratic.of([[[2]]], [[5]], sizes=[1]).as_float()
    >>> step_gradients(bowl, np.array([0]), np.array([[[0], [0]]]))(np.array([[3.0]]), 1)
    array([[11.]])
    """
    if samples is None:
        return lambda models, t: problem.client_gradients(models, clients)

    def one_by_one(clients: Array, samples: Array) -> StepGradients:
        return lambda models, t: problem.sample_gradients(models, clients, samples[:, t])

    return getattr(problem, "step_gradients", one_by_one)(clients, samples)


def batch_gradients(problem: Problem, models: Array, clients: Array, samples: Array | None) -> Array:
    """Mean gradients over samples (k, b), or over all of a client's where there are none."""
    if samples is None:
        return problem.client_gradients(models, clients)
    return problem.sample_gradients(models, clients, samples)


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
    if own is None:
        first, second = problem.sample_gradients(np.stack([here, there]), clients, samples)
    difference: Array = first - second if own is None else own(here, there, clients, samples)
    return difference


def loss_and_gradient(problem: Problem, model: Array) -> tuple[Any, Array] | None:
    """Global loss and gradient at one model (d,), by one look at every row; None where the problem cannot.

    A problem may have a method `loss_and_gradient(model)`. It agrees with `loss` and `gradient` to rounding.
    """
    own: Any = getattr(problem, "loss_and_gradient", None)
    return None if own is None else own(model)


@dataclass(frozen=True, eq=False)
class ProximalSteps:
    """Local steps: before <- base - stepsize (gradient at after + shift), after <- prox of before.

    Arguments:
        stepsize: > 0, length^2 / loss.
        scales: of the proximal point of every step, length^2 / loss.
        decoupled: whether base is `before`, as in composite, Algorithm 1, or `after`.
    """

    stepsize: Any
    scales: Sequence[Any]
    decoupled: bool = True


@dataclass(frozen=True, eq=False)
class LastIterates:
    """Where such steps end, and the sum of their gradients; each of shape (k, d)."""

    before: Array
    after: Array
    total: Array


def proximal_steps(
    problem: Problem, start: Array, shift: Array, clients: Array, samples: Array | None, steps: ProximalSteps
) -> LastIterates | None:
    """All local steps of some clients in one call, where the problem can; None where it cannot.

    A problem may have a method `proximal_steps(start, shift, clients, samples, steps, penalty)`. Problems on
    rows have it, for the compiled kernel, models of one score and penalties that are `Separable`. It agrees
    with `step_gradients` and the penalty's `prox`, one step after the other, to rounding.

    Arguments:
        problem: composite or smooth.
        start: `before` and `after` of every client at first, shape (k, d).
        shift: added to every gradient, shape (k, d), loss / length.
        clients: ids, shape (k,).
        samples: of every step, shape (k, steps, b); None for all of a client's samples.
        steps: what a step is.
    """
    own: Any = getattr(problem, "proximal_steps", None)
    if own is None or samples is None:
        return None
    penalty: Any = getattr(problem, "penalty", None)
    separable: Separable | None = getattr(penalty, "separable", None)
    if penalty is not None and separable is None:
        return None
    found: LastIterates | None = own(start, shift, clients, samples, steps, separable)
    return found
