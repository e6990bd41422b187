"""The shape of a local solver: how clients lower F_n(w) + (mu / 2) |w - anchor|^2, all at once."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable

from fedproof.problems.problem import Array, Problem
from fedproof.problems.steps import batch_gradients
from fedproof.solvers.algorithm import Local
from fedproof.solvers.parameters import STEP_LETTERS, check_parameters
from fedproof.solvers.prox import UPDATES
from fedproof.solvers.randomness import BatchSteps, Draws, RandomSource, drawn_samples


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


class FixedSteps(BatchSteps):
    """A local solver of `local_steps` steps alike.

    Subclasses are frozen dataclasses with these fields. `ranges` and `step` are what exact expectations and
    moments are made from.
    """

    letters: ClassVar[dict[str, str]] = {**STEP_LETTERS, "tau": "local_steps"}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"update": tuple(UPDATES)}

    stepsize: Any
    update: str

    def __post_init__(self) -> None:
        check_parameters(self)

    def solve(self, problem: Problem, anchor: Array, prox_weight: Any, clients: Array, draws: Draws) -> Local:
        """The steps of a block of clients."""
        batches = drawn_samples(draws, self.batch_size)
        w = anchor
        for t in range(self.local_steps):
            batch = None if batches is None else batches[:, t]
            w = self.step(problem, w, anchor, prox_weight, clients, batch)
        return Local(w, self.work(problem, clients, draws))

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
        gradient, eta = batch_gradients(problem, point, clients, batch), problem.number(self.stepsize)
        return UPDATES[self.update](point, gradient, anchor, eta, prox_weight)
