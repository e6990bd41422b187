"""FLECS-CGD: FLECS whose clients send compressed differences of gradients too."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithms.flecs import Flecs, State
from fedproof.solvers.compressor import Compressor
from fedproof.solvers.gradient_differences import check_compressor, compressed, moved_shifts, rows_at
from fedproof.solvers.randomness import Draws, Uniform


@dataclass(frozen=True)
class FlecsCgd(Flecs):
    """Algorithm 1 of FLECS-CGD (Agafonov, Erraji, Takac, 2022).

    Arguments:
        shift_stepsize: gamma > 0 of line 7; Theorem 4 asks for gamma <= 1 / (omega + 1).
        gradient_compressor: Q of line 6.

    >>> from fedproof.solvers.compressors.natural import Natural
    >>> FlecsCgd(gradient_compressor=Natural(), hessian_compressor=Natural()).shift_stepsize
    1
    """

    name: ClassVar[str] = "flecs_cgd"
    letters: ClassVar[dict[str, str]] = {**Flecs.letters, "gamma": "shift_stepsize"}
    parts: ClassVar[dict[str, str]] = {"gradient_compressor": "natural", **Flecs.parts}

    shift_stepsize: Any = 1
    gradient_compressor: Compressor = field(kw_only=True)

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """Those of FLECS, and what the gradients' compressor draws."""
        own = self.gradient_compressor.uniform(problem.dimension, len(cohort))
        return super().ranges(problem, cohort) | {"gradient_compressor": own}

    def _shifted(self, clients: int) -> int:
        return clients

    def _check_messages(self, dimension: int) -> None:
        super()._check_messages(dimension)
        check_compressor("gradient_compressor", self.gradient_compressor, dimension)

    def _message(self, state: State, gradient: Array, cohort: Array, draws: Draws) -> Array:
        """c_i = Q(g_i - h_i)."""
        return compressed(
            self.gradient_compressor, gradient - state.shifts[rows_at(cohort)], draws["gradient_compressor"]
        )

    def _gradients(
        self, problem: Problem, state: State, cohort: Array, message: Array
    ) -> tuple[Array, Array]:
        """c_i + h_i, and h_i + gamma c_i."""
        shifts = moved_shifts(state.shifts, cohort, problem.number(self.shift_stepsize), message)
        return message + state.shifts[rows_at(cohort)], shifts

    def _gradient_bits(self, dimension: int) -> int:
        return self.gradient_compressor.bits(dimension)
