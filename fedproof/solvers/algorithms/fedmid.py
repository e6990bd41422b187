"""FedMid, federated mirror descent: local proximal steps, then a proximal step at the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.steps import step_gradients
from fedproof.solvers.algorithm import Local, ModelState, Trace
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.composite import ProximalGradients, prox
from fedproof.solvers.randomness import Draws, drawn_samples


@dataclass(frozen=True)
class FedMid(ProximalGradients):
    """FedMid of Yuan, Zaheer and Reddi (2021, Federated Composite Optimization), with h = |.|^2 / 2.

    A client repeats w <- P_eta(w - eta g) from the server's model w_r; with Delta the mean movement of the
    clients the server takes w_{r+1} = P_{eta eta_g tau}(w_r + eta_g Delta). Both formulas are those of the
    authors' code (`fed_avg_schedule.py` with its two mirror maps); the text of their listing was not at hand,
    so that no lines are cited. The two proximal steps add up: even with one client the method does not end
    at the solution; for eta_g = tau = 1, |x - 3|^2 / 2 + |x| in one dimension gives 1 instead of 2.

    Arguments:
        stepsize: eta > 0 (their eta_c), length^2 / loss.
        local_steps: tau >= 1 (their K).
        server_stepsize: eta_g > 0 (their eta_s).
        batch_size: b, samples drawn with replacement per step; None takes all of a client's samples.
        local_prox: "every_step", or "none", the authors' variant without a proximal step at the clients.
        server_prox: "all_steps" (weight eta eta_g tau), or "one_step" (eta eta_g, as the published code of
            Bao, Crawshaw, Luo and Liu, 2022, runs it).

    >>> FedMid(stepsize="1/10", local_steps=5, server_stepsize=2).effective_stepsize
    Fraction(1, 1)
    """

    name: ClassVar[str] = "fedmid"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "local_prox": ("every_step", "none"),
        "server_prox": ("all_steps", "one_step"),
    }

    local_prox: str = "every_step"
    server_prox: str = "all_steps"

    def local(self, problem: Problem, state: ModelState, cohort: Array, draws: Draws) -> Local:
        """Proximal gradient steps of a block of clients."""
        eta, gradients = (
            problem.number(self.stepsize),
            step_gradients(problem, cohort, drawn_samples(draws, self.batch_size)),
        )
        at = np.repeat(state.model[None], len(cohort), axis=0)
        for t in range(self.local_steps):
            at = at - eta * gradients(at, t)
            if self.local_prox == "every_step":
                at = prox(problem, at, eta)
        return Local(at, self.work(problem, cohort, draws))

    def aggregate(
        self, problem: Problem, state: ModelState, cohort: Cohort, local: Local
    ) -> tuple[ModelState, Trace]:
        """The server's proximal step from its model along the mean movement."""
        target = self.moved(problem, state.model, cohort, local)
        steps = self.local_steps if self.server_prox == "all_steps" else 1
        scale = problem.number(self.effective_stepsize / self.local_steps * steps)
        return ModelState(prox(problem, target, scale)), self.trace(problem, state, cohort, local)
