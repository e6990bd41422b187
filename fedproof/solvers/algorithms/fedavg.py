"""FedAvg: local stochastic gradient steps, then the weighted average (McMahan et al., 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.steps import batch_gradients
from fedproof.solvers.algorithm import Local, LocalThenAverage, ModelState
from fedproof.solvers.parameters import STEP_LETTERS, check_parameters
from fedproof.solvers.randomness import BatchSteps, Draws, drawn_samples


@dataclass(frozen=True, eq=False)
class Iterate:
    """The local models of a block of clients, shape (k, d)."""

    point: Array


@dataclass(frozen=True)
class FedAvg(BatchSteps, LocalThenAverage):
    """Every client takes `local_steps` stochastic gradient steps from the server's model.

    Arguments:
        stepsize: > 0, length^2 / loss.
        local_steps: >= 0; 0 does not move.
        batch_size: samples drawn with replacement per step; None takes all of a client's samples.

    >>> FedAvg(stepsize=0.1, local_steps=5).batch_size
    1
    """

    name: ClassVar[str] = "fedavg"
    letters: ClassVar[dict[str, str]] = {**STEP_LETTERS, "tau": "local_steps"}

    begins_stochastic: ClassVar[bool] = False
    returned: ClassVar[str] = "last"

    stepsize: Any
    local_steps: int = 20
    batch_size: int | None = 1

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def steps(self) -> int:
        """How many times `step` is applied."""
        return self.local_steps

    def local(self, problem: Problem, state: ModelState, cohort: Array, draws: Draws) -> Local:
        """The local steps of a block of clients."""
        batches = drawn_samples(draws, self.batch_size)
        at = self.begin(problem, np.repeat(state.model[None], len(cohort), axis=0), cohort, None)
        for t in range(self.local_steps):
            at = self.step(problem, at, cohort, None if batches is None else batches[:, t])
        return Local(at.point, self.work(problem, cohort, draws))

    def begin(self, problem: Problem, anchor: Array, cohort: Array, batch: Array | None) -> Iterate:
        """Every client starts from the server's model."""
        del problem, cohort, batch
        return Iterate(anchor)

    def step(self, problem: Problem, at: Iterate, cohort: Array, batch: Array | None) -> Iterate:
        """One local step on a batch (k, b), or on all samples."""
        gradient = batch_gradients(problem, at.point, cohort, batch)
        move = np.multiply(problem.number(self.stepsize), gradient)  # the problem's array stays as it is
        return Iterate(np.subtract(at.point, move, out=move))
