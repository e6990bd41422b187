"""FedDA, federated dual averaging: gradients are added up, and one proximal step is taken of them all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.steps import step_gradients
from fedproof.solvers.algorithm import Local, Trace
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.composite import ProximalGradients, prox
from fedproof.solvers.randomness import Draws, drawn_samples


@dataclass(frozen=True, eq=False)
class DualState:
    """The server's model, the dual state it is the proximal point of, and how many rounds led there.

    Arguments:
        model: shape (d,).
        dual: z, which is broadcast; shape (d,).
        rounds: a whole number, shape (1,).
    """

    model: Array
    dual: Array
    rounds: Array


@dataclass(frozen=True)
class FedDA(ProximalGradients):
    """FedDualAvg of Yuan, Zaheer and Reddi (2021, Federated Composite Optimization), with h = |.|^2 / 2.

    In round r = 0, 1, ... a client repeats, for k = 0 .. tau - 1 and from the server's dual state z_r,
    w = P_{eta eta_g tau r + eta k}(z), z <- z - eta g(w); with Delta the mean of the movements the server
    takes z_{r+1} = z_r + eta_g Delta, w_{r+1} = P_{eta eta_g tau (r + 1)}(z_{r+1}). That is the authors' code
    (`fed_dual_avg_schedule.py`; its elapsed step size is the weight of the prox), which begins at
    z_0 = w_0; the text of their listing was not at hand, so that no lines are cited. The published code of
    Bao, Crawshaw, Luo and Liu (2022) counts r and k from 1 instead, which is not what is done here.

    Arguments:
        stepsize: eta > 0 (their eta_c), length^2 / loss.
        local_steps: tau >= 1 (their K).
        server_stepsize: eta_g > 0 (their eta_s).
        batch_size: b, samples drawn with replacement per step; None takes all of a client's samples.

    >>> FedDA(stepsize="1/10", local_steps=5, server_stepsize=2).effective_stepsize
    Fraction(1, 1)
    """

    name: ClassVar[str] = "fedda"

    def init(self, problem: Problem, x0: Array) -> DualState:
        """z_0 = w_0 = x0, whose proximal step has length 0."""
        del problem
        return DualState(np.array(x0), np.array(x0), np.zeros(1, dtype=np.int64))

    def local(self, problem: Problem, state: DualState, cohort: Array, draws: Draws) -> Local:
        """Dual averaging steps of a block of clients, which return their dual states."""
        eta, gradients = (
            problem.number(self.stepsize),
            step_gradients(problem, cohort, drawn_samples(draws, self.batch_size)),
        )
        elapsed = self.elapsed(problem, state)
        dual = np.repeat(state.dual[None], len(cohort), axis=0)
        at = np.repeat(state.model[None], len(cohort), axis=0)
        for k in range(self.local_steps):
            if k > 0:
                at = prox(problem, dual, elapsed + problem.number(k) * eta)
            dual = dual - eta * gradients(at, k)
        return Local(dual, self.work(problem, cohort, draws))

    def elapsed(self, problem: Problem, state: DualState) -> Any:
        """eta eta_g tau r, how long the proximal step of the server's model is."""
        return problem.number(self.effective_stepsize) * problem.number(int(state.rounds[0]))

    def aggregate(
        self, problem: Problem, state: DualState, cohort: Cohort, local: Local
    ) -> tuple[DualState, Trace]:
        """The server's dual step; the trace's start is the dual state, as its local models are."""
        dual = self.moved(problem, state.dual, cohort, local)
        after = DualState(state.model, dual, state.rounds + 1)
        model = prox(problem, dual, self.elapsed(problem, after))
        trace = replace(self.trace(problem, state, cohort, local), start=state.dual)
        return replace(after, model=model), trace
