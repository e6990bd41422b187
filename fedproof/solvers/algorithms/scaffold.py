"""SCAFFOLD: local steps corrected by control variates, which travel beside the models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.steps import batch_gradients, step_gradients
from fedproof.solvers.algorithm import Local, Trace, weighted_average
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.composite import ServerSteps
from fedproof.solvers.randomness import Draws, Uniform, drawn_samples


@dataclass(frozen=True, eq=False)
class VariateState:
    """The server's model and control variate, and the clients' own.

    Arguments:
        model: x, shape (d,).
        variate: c, shape (d,).
        variates: c_i, shape (n_clients, d).
    """

    model: Array
    variate: Array
    variates: Array


@dataclass(frozen=True)
class Scaffold(ServerSteps):
    """Algorithm 1 of Karimireddy et al. (2020, SCAFFOLD); "line" below means a line of its listing.

    For smooth losses. Clients weigh D_n / D, so that c stays the weighted mean of the c_i. All start at 0.
    With option "two" and all clients in every round, c - c_i is the correction of FedComposite without a
    penalty, and the models are equal.

    Arguments:
        stepsize: eta_l > 0, length^2 / loss.
        local_steps: K >= 1.
        server_stepsize: eta_g > 0.
        batch_size: b, samples drawn with replacement per step; None takes all of a client's samples.
        option: of line 12: "two" (from the steps taken) or "one" (a gradient at x, of one more batch).

    >>> Scaffold(stepsize="1/10", local_steps=5).option
    'two'
    """

    name: ClassVar[str] = "scaffold"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"option": ("two", "one")}
    vectors: ClassVar[int] = 2

    option: str = "two"

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """One batch of sample numbers per local step, and one more for option "one"."""
        found = super().ranges(problem, cohort)
        if self.option == "one" and self.batch_size is not None:
            found["variate"] = Uniform(problem.sizes[cohort], (self.batch_size,))
        return found

    def init(self, problem: Problem, x0: Array) -> VariateState:
        """All control variates are 0."""
        start = np.array(x0)
        zeros = np.repeat(start[None] * 0, problem.n_clients, axis=0)
        return VariateState(start, start * 0, zeros)

    def local(self, problem: Problem, state: VariateState, cohort: Array, draws: Draws) -> Local:
        """Lines 7-14 for a block of clients; what they keep are their new control variates."""
        eta, own = problem.number(self.stepsize), state.variates[cohort]
        gradients = step_gradients(problem, cohort, drawn_samples(draws, self.batch_size))
        start = np.repeat(state.model[None], len(cohort), axis=0)
        at = start  # line 7
        for k in range(self.local_steps):  # line 8
            gradient = gradients(at, k)  # line 9
            at = at - eta * (gradient - own + state.variate)  # line 10
        if self.option == "two":  # line 12
            fresh = own - state.variate + (start - at) / (problem.number(self.local_steps) * eta)
        else:
            fresh = batch_gradients(problem, start, cohort, draws["variate"] if self.batch_size else None)
        return Local(at, self.work(problem, cohort, draws), memory=fresh)

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """Sample gradients evaluated per client, those of line 12 included."""
        steps = super().work(problem, cohort, draws)
        return steps + steps // self.local_steps if self.option == "one" else steps

    def aggregate(
        self, problem: Problem, state: VariateState, cohort: Cohort, local: Local
    ) -> tuple[VariateState, Trace]:
        """Lines 16-17; c moves by the change of the c_i, each weighted by its share of all samples."""
        assert local.memory is not None
        model = self.moved(problem, state.model, cohort, local)
        sizes, total = problem.sizes[cohort.clients], int(problem.sizes.sum())
        shares = np.array([problem.number(int(s)) / problem.number(total) for s in sizes])
        variate = state.variate + weighted_average(shares, local.memory - state.variates[cohort.clients])
        variates = state.variates.copy()
        variates[cohort.clients] = local.memory
        return VariateState(model, variate, variates), self.trace(problem, state, cohort, local)
