"""Problems whose clients are minibatches: what a local solver runs on where each client has drawn one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fedproof.problems.problem import Array, Constant, Problem
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True, eq=False)
class Minibatches:
    """A problem whose client j has minibatch j for its data; R_B of Yuan and Li (2022, FedProx), (7).

    Arguments:
        drawn: the problem that the drawn samples make, one client a minibatch.
        constants: smoothness and weak convexity of every minibatch that could be drawn, so that which were
            drawn together changes no step.
        least_curvature: likewise, the least eigenvalue of their Hessians, from below.
    """

    drawn: Any
    constants: Mapping[str, Constant]
    least_curvature: Constant

    def __getattr__(self, name: str) -> Any:
        return getattr(self.drawn, name)


def minibatches(problem: Problem, clients: Array, samples: Array) -> Any:
    """The problem of k clients whose client j has samples (b,) of clients[j].

    Arguments:
        clients: ids, shape (k,); they may repeat.
        samples: sample numbers, shape (k, b); they may repeat too, and then count as often.

    Raises: InputError for a problem whose samples cannot be had one by one.

    >>> import numpy as np
    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> two = Quadratic.of([[[1]], [[3]]], [[0], [1]], sizes=[2])
    >>> drawn = minibatches(two, np.array([0, 0]), np.array([[1, 1], [0, 1]]))
    >>> drawn.client_gradients(drawn.start()[None] + np.array([[1], [1]]), np.arange(2)).tolist()
    [[Fraction(4, 1)], [Fraction(5, 2)]]
    """
    own: Any = getattr(problem, "minibatches", None)
    if own is None:
        raise InputError("problem", problem.name, "one that has minibatches", "use fedprox")
    return own(clients, samples)
