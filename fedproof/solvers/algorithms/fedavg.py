"""FedAvg: local stochastic gradient steps, then the weighted average (McMahan et al., 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Local, LocalThenAverage, ModelState
from fedproof.solvers.parameters import check_parameters
from fedproof.solvers.randomness import Draws, Uniform

__all__ = ["FedAvg"]


@dataclass(frozen=True)
class FedAvg(LocalThenAverage):
    """Every client takes `local_steps` stochastic gradient steps from the server's model.

    Arguments:
        stepsize: > 0, length^2 / loss.
        local_steps: >= 0; 0 does not move.
        batch_size: samples drawn with replacement per step; None takes all of a client's samples.

    >>> FedAvg(stepsize=0.1, local_steps=5).batch_size
    1
    """

    name: ClassVar[str] = "fedavg"
    letters: ClassVar[dict[str, str]] = {
        "eta": "stepsize",
        "beta": "inverse_stepsize",
        "L": "smoothness_sample",
        "tau": "local_steps",
    }

    stepsize: Any
    local_steps: int = 20
    batch_size: int | None = 1

    def __post_init__(self) -> None:
        check_parameters(self)

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """One batch of sample numbers per local step."""
        if self.batch_size is None:
            return {}
        return {"samples": Uniform(problem.sizes[cohort], (self.local_steps, self.batch_size))}

    def local(self, problem: Problem, state: ModelState, cohort: Array, draws: Draws) -> Local:
        """The local steps of a block of clients."""
        eta = problem.number(self.stepsize)
        w = np.repeat(state.model[None], len(cohort), axis=0)
        for t in range(self.local_steps):
            if self.batch_size is None:
                w = w - eta * problem.client_gradients(w, cohort)
            else:
                w = w - eta * problem.sample_gradients(w, cohort, draws["samples"][:, t])
        each = problem.sizes[cohort] if self.batch_size is None else np.full(len(cohort), self.batch_size)
        return Local(w, each * self.local_steps)
