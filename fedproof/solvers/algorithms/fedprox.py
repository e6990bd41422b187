"""FedProx (Li, Sahu et al., 2020): inexact proximal local solves, then the average."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Local, LocalThenAverage, ModelState
from fedproof.solvers.local_solver import FixedSteps, LocalSolver
from fedproof.solvers.parameters import check_parameters
from fedproof.solvers.randomness import Draws, RandomSource, Uniform
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True, eq=False)
class Iterate:
    """Where a block of clients stands, both of shape (k, d): the server's model, and the local ones."""

    anchor: Array
    point: Array


@dataclass(frozen=True)
class FedProx(LocalThenAverage):
    """Every client lowers F_n(w) + (mu / 2) |w - w_s|^2 from the server's model w_s by its local solver.

    mu is 1 / eta_t in (3) of Yuan and Li (2022, On Convergence of FedProx).

    Arguments:
        prox_weight: mu >= 0, loss / length^2.
        local_solver: what the clients do; one of the files in `solvers/local`.

    >>> from fedproof.solvers.local.gradient_descent import GradientDescent
    >>> FedProx(prox_weight=1, local_solver=GradientDescent(stepsize=0.1)).steps
    20
    """

    name: ClassVar[str] = "fedprox"
    letters: ClassVar[dict[str, str]] = {"mu": "prox_weight"}
    parts: ClassVar[dict[str, str]] = {"local_solver": "stochastic_gradient"}

    begins_stochastic: ClassVar[bool] = False
    returned: ClassVar[str] = "last"

    prox_weight: Any = 0.1
    local_solver: LocalSolver = field(kw_only=True)

    def __post_init__(self) -> None:
        check_parameters(self)
        if not isinstance(self.local_solver, LocalSolver):
            raise InputError(
                "local_solver", self.local_solver, "a local solver", "for example GradientDescent(0.1)"
            )

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """Those of the local solver, if its draws are independent uniform numbers."""
        ranges: Any = getattr(self.local_solver, "ranges", None)
        if ranges is None:
            raise InputError("local_solver", self.local_solver.name, "one with independent uniform draws")
        found: dict[str, Uniform] = ranges(problem, cohort)
        return found

    def draw(self, problem: Problem, cohort: Array, source: RandomSource) -> Draws:
        """All randomness of one round."""
        return self.local_solver.draw(problem, cohort, source)

    def local(self, problem: Problem, state: ModelState, cohort: Array, draws: Draws) -> Local:
        """The local solves of a block of clients."""
        anchor = np.repeat(state.model[None], len(cohort), axis=0)
        return self.local_solver.solve(problem, anchor, problem.number(self.prox_weight), cohort, draws)

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """Samples drawn for each client, or all of its samples in every step; the most it can come to."""
        if not draws:
            steps: int = getattr(
                self.local_solver, "local_steps", getattr(self.local_solver, "most_steps", 1)
            )
            return problem.sizes[cohort] * steps
        drawn: Array = sum(np.reshape(v >= 0, (len(cohort), -1)).sum(axis=1) for v in draws.values())
        return drawn

    @property
    def reports(self) -> tuple[str, ...]:
        """Metrics that its local solver wants to be seen."""
        return tuple(getattr(self.local_solver, "reports", ()))

    @property
    def steps(self) -> int:
        """How many times `step` is applied: the local solver's local_steps."""
        return self._stepwise.local_steps

    @property
    def batch_size(self) -> int | None:
        """That of the local solver."""
        return self._stepwise.batch_size

    def begin(self, problem: Problem, anchor: Array, cohort: Array, batch: Array | None) -> Iterate:
        """Every client starts from the server's model."""
        del problem, cohort, batch
        return Iterate(anchor, anchor)

    def step(self, problem: Problem, at: Iterate, cohort: Array, batch: Array | None) -> Iterate:
        """One step of the local solver on a batch (k, b), or on all samples."""
        mu = problem.number(self.prox_weight)
        return Iterate(at.anchor, self._stepwise.step(problem, at.point, at.anchor, mu, cohort, batch))

    @property
    def _stepwise(self) -> FixedSteps:
        if not isinstance(self.local_solver, FixedSteps):
            raise InputError("local_solver", self.local_solver.name, "one that takes a fixed number of steps",
                             "use gradient_descent or stochastic_gradient")  # fmt: skip
        return self.local_solver
