"""Gradient descent on the surrogate until a relative accuracy is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Local
from fedproof.solvers.parameters import STEP_LETTERS, check_parameters
from fedproof.solvers.prox import surrogate_step
from fedproof.solvers.randomness import Draws, NoDraws


@dataclass(frozen=True)
class ToInexactness(NoDraws):
    """Every client descends until |grad J_n(w)| <= theta |grad F_n(w_s)|, or for `most_steps`.

    FedProxVR (11), which holds here without its expectation, with J_n of (6)-(7). It is the
    gamma-inexactness of Li, Sahu et al. (2020, FedProx), |grad h(w; w_s)| <= gamma |grad h(w_s; w_s)|, since
    the surrogate's gradient at the round's start w_s is grad F_n(w_s). A client that is done costs nothing
    more; one that is not after `most_steps` is reported: `Trace.solved`, counted by the metric `unsolved`.

    Arguments:
        inexactness: theta (or gamma), 0 < theta <= 1; 1 does not move.
        stepsize: eta > 0, length^2 / loss; below 2 / (L_n + mu) every step descends.
        most_steps: >= 1.

    >>> ToInexactness(inexactness=0.5, stepsize=0.1).most_steps
    1000
    """

    name: ClassVar[str] = "to_inexactness"
    letters: ClassVar[dict[str, str]] = {"theta": "inexactness", "gamma": "inexactness", **STEP_LETTERS}
    reports: ClassVar[tuple[str, ...]] = ("unsolved",)

    inexactness: Any
    stepsize: Any
    most_steps: int = 1000

    def __post_init__(self) -> None:
        check_parameters(self)

    def solve(self, problem: Problem, anchor: Array, prox_weight: Any, clients: Array, draws: Draws) -> Local:
        """Descent of those clients of a block that are not there yet."""
        del draws
        eta, theta = problem.number(self.stepsize), problem.number(self.inexactness)
        models, passes = anchor.copy(), np.ones(len(clients), dtype=np.int64)
        solved = np.zeros(len(clients), dtype=bool)
        gradient = problem.client_gradients(anchor, clients)
        goal = theta * theta * _squares(gradient)
        going, pull = np.arange(len(clients)), np.zeros_like(anchor)
        for t in range(self.most_steps + 1):
            there = _squares(gradient + pull) <= goal[going]
            solved[going[there]] = True
            going, gradient = going[~there], gradient[~there]
            if t == self.most_steps or not len(going):
                break
            start = anchor[going]
            w = surrogate_step(models[going], gradient, start, eta, prox_weight)
            models[going] = w
            gradient, pull = problem.client_gradients(w, clients[going]), prox_weight * (w - start)
            passes[going] += 1
        return Local(models, passes * problem.sizes[clients], solved)


def _squares(vectors: Array) -> Array:
    total: Array = np.add.reduce(vectors * vectors, axis=1)
    return total
