"""FedProxVR (Dinh et al., 2020), Algorithm 1: proximal local solves with SARAH, SVRG or plain SGD."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Local, LocalThenAverage, ModelState
from fedproof.solvers.parameters import check_parameters
from fedproof.solvers.prox import prox_to_anchor
from fedproof.solvers.randomness import Draws, Uniform

__all__ = ["FedProxVR"]


@dataclass(frozen=True)
class FedProxVR(LocalThenAverage):
    """Algorithm 1 of FedProxVR; "line" below means a line of its listing.

    The listing's line 10 sets the local model to the iterate numbered tau "where t' is chosen uniformly at
    random": `returned="random"` takes iterate t', `returned="last"` takes iterate tau + 1.

    Arguments:
        stepsize: eta = 1 / (beta L) > 0, length^2 / loss.
        local_steps: tau >= 0.
        prox_weight: mu >= 0, loss / length^2.
        estimator: "sarah" (8a), "svrg" (8b) or "sgd" (below (8)).
        batch_size: samples per step, drawn with replacement (printed: 1); None takes all.
        first_step: "full" (line 4) or "stochastic" (v^(0) is a stochastic gradient).
        returned: "random" (line 10, t' uniform on 0..tau) or "last" (w^(tau + 1)).

    >>> FedProxVR(stepsize=0.1, local_steps=5, prox_weight=1).estimator
    'sarah'
    """

    name: ClassVar[str] = "fedproxvr"
    letters: ClassVar[dict[str, str]] = {
        "eta": "stepsize",
        "beta": "inverse_stepsize",
        "L": "smoothness_sample",
        "tau": "local_steps",
        "mu": "prox_weight",
    }
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "estimator": ("sarah", "svrg", "sgd"),
        "first_step": ("full", "stochastic"),
        "returned": ("random", "last"),
    }

    stepsize: Any
    local_steps: int = 20
    prox_weight: Any = 0.1
    estimator: str = "sarah"
    batch_size: int | None = 1
    first_step: str = "full"
    returned: str = "random"

    def __post_init__(self) -> None:
        check_parameters(self)

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """Batches of the stochastic steps (line 6, and line 4 if stochastic), and t' (line 10)."""
        sizes, ranges = problem.sizes[cohort], {}
        steps = self.local_steps + (self.first_step == "stochastic")
        if self.batch_size is not None:
            ranges["samples"] = Uniform(sizes, (steps, self.batch_size))
        if self.returned == "random":
            ranges["returned"] = Uniform(np.full(len(cohort), self.local_steps + 1))
        return ranges

    def local(self, problem: Problem, state: ModelState, cohort: Array, draws: Draws) -> Local:
        """Lines 3-11 for a block of clients."""
        eta, mu = problem.number(self.stepsize), problem.number(self.prox_weight)
        anchor, shift = state.model, int(self.first_step == "stochastic")
        stop = draws["returned"] if self.returned == "random" else np.full(len(cohort), self.local_steps + 1)

        w = np.repeat(anchor[None], len(cohort), axis=0)  # line 4: w^(0)
        v = self._gradients(problem, w, cohort, draws, 0 if shift else None)  # line 4: v^(0)
        first, previous, kept = (w, v), w, w.copy()
        w = prox_to_anchor(w - eta * v, anchor, eta, mu)  # line 4: w^(1)
        for t in range(1, self.local_steps + 1):  # line 5
            kept[stop == t] = w[stop == t]
            v = self._estimate(problem, w, previous, v, first, cohort, draws, t - 1 + shift)  # lines 6, 7
            w, previous = prox_to_anchor(w - eta * v, anchor, eta, mu), w  # line 8
        last = self.local_steps + 1
        kept[stop == last] = w[stop == last]
        return Local(kept, self._evaluations(problem, cohort))  # line 10

    def _gradients(self, problem: Problem, w: Array, cohort: Array, draws: Draws, step: int | None) -> Array:
        """Mean gradients over one step's batch; over all samples if step is None or there is no batch."""
        if step is None or self.batch_size is None:
            return problem.client_gradients(w, cohort)
        return problem.sample_gradients(w, cohort, draws["samples"][:, step])

    def _estimate(
        self,
        problem: Problem,
        w: Array,
        previous: Array,
        v: Array,
        first: tuple[Array, Array],
        cohort: Array,
        draws: Draws,
        step: int,
    ) -> Array:
        """v^(t): (8a), (8b) or plain SGD, both points of a difference on the same samples."""
        if self.estimator == "sgd":
            return self._gradients(problem, w, cohort, draws, step)
        point, base = (previous, v) if self.estimator == "sarah" else first
        here, there = self._gradients(problem, np.stack([w, point]), cohort, draws, step)
        estimate: Array = here - there + base
        return estimate

    def _evaluations(self, problem: Problem, cohort: Array) -> Array:
        """Sample gradients evaluated per client: two points per step, except for SGD."""
        sizes = problem.sizes[cohort]
        batch = sizes if self.batch_size is None else np.full(len(cohort), self.batch_size)
        begin = sizes if self.first_step == "full" else batch
        evaluations: Array = begin + self.local_steps * batch * (1 if self.estimator == "sgd" else 2)
        return evaluations
