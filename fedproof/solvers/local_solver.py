"""The shape of a local solver: how clients lower F_n(w) + (mu / 2) |w - anchor|^2, all at once."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Local
from fedproof.solvers.prox import UPDATES
from fedproof.solvers.randomness import Draws, RandomSource, Uniform, draw_uniform, drawn_samples


@runtime_checkable
class LocalSolver(Protocol):
    """A frozen dataclass with the two pure methods below: what an algorithm's clients do in a round.

    Of a problem it uses `sizes`, `number`, `client_gradients` and `sample_gradients` alone, so that a
    wrapper which answers these for one batch per client makes it solve the problems of that batch.
    """

    name: ClassVar[str]

    def draw(self, problem: Problem, clients: Array, source: RandomSource) -> Draws:
        """All randomness of one round; what is not used of an array is -1."""
        ...

    def solve(self, problem: Problem, anchor: Array, prox_weight: Any, clients: Array, draws: Draws) -> Local:
        """The local work of a block of clients, all advancing together.

        Arguments:
            problem: its arithmetic and gradients.
            anchor: where each client starts and what it is tied to, shape (k, d); it is not changed.
            prox_weight: mu >= 0 in the problem's arithmetic.
            clients: ids, shape (k,); they may repeat.
            draws: arrays whose rows belong to `clients`.
        """
        ...


class FixedSteps:
    """A local solver of `local_steps` steps alike, each on a batch drawn with replacement or on all samples.

    Subclasses are frozen dataclasses with these fields. `ranges` and `step` are what exact expectations and
    moments are made from.
    """

    stepsize: Any
    local_steps: int
    update: str

    @property
    def batch_size(self) -> int | None:
        """Samples per step; None takes all of a client's."""
        return None

    def ranges(self, problem: Problem, clients: Array) -> dict[str, Uniform]:
        """One batch of sample numbers per step."""
        if self.batch_size is None:
            return {}
        return {"samples": Uniform(problem.sizes[clients], (self.local_steps, self.batch_size))}

    def draw(self, problem: Problem, clients: Array, source: RandomSource) -> Draws:
        """All randomness of one round."""
        kernel = getattr(problem, "kernel_name", "numpy")
        return draw_uniform(self.ranges(problem, clients), clients, source, kernel)

    def solve(self, problem: Problem, anchor: Array, prox_weight: Any, clients: Array, draws: Draws) -> Local:
        """The steps of a block of clients."""
        batches = drawn_samples(draws, self.batch_size)
        w = anchor
        for t in range(self.local_steps):
            batch = None if batches is None else batches[:, t]
            w = self.step(problem, w, anchor, prox_weight, clients, batch)
        each = problem.sizes[clients] if batches is None else np.full(len(clients), self.batch_size)
        return Local(w, each * self.local_steps)

    def step(
        self,
        problem: Problem,
        point: Array,
        anchor: Array,
        prox_weight: Any,
        clients: Array,
        batch: Array | None,
    ) -> Array:
        """One step from models (k, d) on a batch (k, b), or on all samples."""
        if batch is None:
            gradient = problem.client_gradients(point, clients)
        else:
            gradient = problem.sample_gradients(point, clients, batch)
        eta = problem.number(self.stepsize)
        return UPDATES[self.update](point, gradient, anchor, eta, prox_weight)
