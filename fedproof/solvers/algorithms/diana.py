"""DIANA: gradient steps from compressed differences of gradients."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import BITS, ClientsThenServer, Trace, weighted_average
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.compressor import Compressor
from fedproof.solvers.gradient_differences import (
    check_compressor,
    compressed,
    evaluated,
    gradients_at,
    moved_shifts,
    oracle_ranges,
    rows_at,
)
from fedproof.solvers.parameters import STEP_LETTERS, check_parameters
from fedproof.solvers.randomness import Draws, Uniform


@dataclass(frozen=True, eq=False)
class ShiftState:
    """The server's model, shape (d,), and the clients' shifts h_i, shape (n, d)."""

    model: Array
    shifts: Array


@dataclass(frozen=True, eq=False)
class Messages:
    """What a block of clients sends, shape (k, d), and the sample gradients they evaluated, shape (k,)."""

    differences: Array
    gradients: Array


@dataclass(frozen=True)
class Diana(ClientsThenServer):
    """DIANA of Mishchenko, Gorbunov, Takac and Richtarik (2019), without momentum and regulariser.

    Client i sends c_i = Q(g_i - h_i); the server steps by the mean of c_i + h_i, and h_i moves by gamma c_i.
    It is FLECS-CGD whose direction is minus the gradient. The mean of the h_i, which the server alone needs,
    is taken of the h_i themselves, weighted as the cohort is. All start at 0.

    Arguments:
        stepsize: their gamma > 0, length^2 / loss.
        shift_stepsize: their alpha > 0.
        batch_size: samples drawn with replacement; None takes all of a client's.
        gradient_compressor: Q.

    >>> from fedproof.solvers.compressors.natural import Natural
    >>> Diana(stepsize="1/2", gradient_compressor=Natural()).shift_stepsize
    1
    """

    name: ClassVar[str] = "diana"
    letters: ClassVar[dict[str, str]] = {**STEP_LETTERS, "alpha": "shift_stepsize", "b": "batch_size"}
    parts: ClassVar[dict[str, str]] = {"gradient_compressor": "natural"}

    stepsize: Any
    shift_stepsize: Any = 1
    batch_size: int | None = None
    gradient_compressor: Compressor = field(kw_only=True)

    def __post_init__(self) -> None:
        check_parameters(self)
        check_compressor("gradient_compressor", self.gradient_compressor, 0)

    @property
    def exact(self) -> bool:
        """Whether it also runs on fractions."""
        return self.gradient_compressor.exact

    def init(self, problem: Problem, x0: Array) -> ShiftState:
        """All shifts are 0."""
        check_compressor("gradient_compressor", self.gradient_compressor, problem.dimension)
        start = np.array(x0)
        return ShiftState(start, np.repeat(start[None] * 0, problem.n_clients, axis=0))

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """The batches, and what the compressor draws."""
        own = self.gradient_compressor.uniform(problem.dimension, len(cohort))
        return oracle_ranges(problem, cohort, "samples", self.batch_size) | {"gradient_compressor": own}

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """One gradient of each client."""
        del draws
        return evaluated(problem, cohort, self.batch_size)

    def local(self, problem: Problem, state: ShiftState, cohort: Array, draws: Draws) -> Messages:
        """c_i of a block of clients."""
        gradient = gradients_at(problem, state.model, cohort, draws, self.batch_size)
        gap = gradient - state.shifts[rows_at(cohort)]
        sent = compressed(self.gradient_compressor, gap, draws["gradient_compressor"])
        return Messages(sent, self.work(problem, cohort, draws))

    def aggregate(
        self, problem: Problem, state: ShiftState, cohort: Cohort, local: Messages
    ) -> tuple[ShiftState, Trace]:
        """The server's step, and the shifts, which server and workers move alike."""
        d, ids = problem.dimension, cohort.clients
        gradient = weighted_average(cohort.weights, local.differences + state.shifts[rows_at(ids)])
        rate = problem.number(self.shift_stepsize)
        after = ShiftState(
            state.model - problem.number(self.stepsize) * gradient,
            moved_shifts(state.shifts, ids, rate, local.differences),
        )
        trace = Trace(
            start=state.model,
            cohort=ids,
            weights=cohort.weights,
            uplink_bits=np.full(len(ids), self.gradient_compressor.bits(d)),
            downlink_bits=np.full(len(ids), BITS * d),
            gradients=local.gradients,
        )
        return after, trace
