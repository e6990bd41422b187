"""Many runs of one problem at once: a problem of copies side by side, on which an algorithm runs unchanged.

The copies' models stand one behind the other in one long model. Their clients do not see each other, every
penalty acts on its own copy, and a client's batch holds one batch for every copy. So an algorithm that only
adds models, asks for gradients and takes proximal steps does on each copy what it does on the problem alone.
Shapes: S = copies, n = clients, d = dimension of one copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.composite.penalty import Penalty
from fedproof.problems.problem import Array, Constant
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.composite import CompositeState


@dataclass(frozen=True, eq=False)
class _Penalties:
    """The same penalty on each copy."""

    name: ClassVar[str] = "copies"

    penalty: Penalty
    copies: int

    @property
    def text(self) -> str:
        return f"{self.penalty.text} on each of {self.copies} copies"

    def _apart(self, x: Array) -> Array:
        return x.reshape(*x.shape[:-1], self.copies, -1)

    def value(self, x: Array) -> Any:
        return np.add.reduce(self.penalty.value(self._apart(x)), axis=-1)

    def prox(self, x: Array, scale: Any) -> Array:
        return self.penalty.prox(self._apart(x), scale).reshape(x.shape)

    def subgradient_bound(self, dimension: int) -> Constant:
        return self.penalty.subgradient_bound(dimension // self.copies)


@dataclass(eq=False)
class Stacked:
    """S copies of a composite problem; a recorder of where gradients were asked for.

    Arguments:
        problem: one copy.
        copies: S.
        watched: whether `asked` grows by the models (n, S, d) of every request for gradients until it is
            emptied.
    """

    problem: Any
    copies: int
    watched: bool = False

    def __post_init__(self) -> None:
        self.asked: list[Array] = []
        self._numbers: dict[Any, Any] = {}
        self.penalty = _Penalties(self.problem.penalty, self.copies)

    @property
    def n_clients(self) -> int:
        return int(self.problem.n_clients)

    @property
    def dimension(self) -> int:
        return int(self.copies * self.problem.dimension)

    @property
    def sizes(self) -> Any:
        return self.problem.sizes

    def number(self, value: Any) -> Any:
        if value not in self._numbers:
            self._numbers[value] = self.problem.number(value)
        return self._numbers[value]

    def start(self) -> Array:
        return np.tile(self.problem.start(), self.copies)

    def _apart(self, models: Array) -> Array:
        wide = models.reshape(len(models), self.copies, -1)
        if self.watched:
            self.asked.append(wide.copy())
        return wide

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """Gradients at models (k, S d)."""
        wide = self._apart(models)
        found: Array = self.problem.client_gradients(wide.swapaxes(0, 1), clients).swapaxes(0, 1)
        return found.reshape(models.shape)

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        """Mean gradients over samples (k, S b), b of each copy after the other, at models (k, S d)."""
        wide = self._apart(models)
        rows = len(clients) * self.copies
        found: Array = self.problem.sample_gradients(
            wide.reshape(rows, -1), np.repeat(clients, self.copies), samples.reshape(rows, -1)
        )
        return found.reshape(models.shape)


@dataclass(frozen=True, eq=False)
class Path:
    """States of all copies after every round, the first before any.

    Arguments:
        models: P(x^r), r = 1..R+1, shape (R + 1, S, d).
        corrections: c^r, shape (R + 1, S, n, d).
        drift: sum over local steps and clients of |z_(i,t) - P(x^r)|^2 in every round, shape (R, S),
            where it is watched; else shape (0, S).
    """

    models: Array
    corrections: Array
    drift: Array


def run_copies(
    method: Any,
    problem: Any,
    rounds: int,
    draws: Any,
    copies: int,
    start: Array | None = None,
    corrections: Array | None = None,
    watched: bool = False,
) -> Path:
    """Rounds of an algorithm for composite problems, all copies advancing together through its own `round`.

    Arguments:
        method: FedComposite or another whose state is a `CompositeState`.
        problem: one copy.
        rounds: R.
        draws: function of the round's number (0..R-1) to samples (n, tau, S, b), or None for full gradients.
        copies: S.
        start: pre-proximal models of the copies, shape (S, d); the problem's own start by default.
        corrections: c^1, shape (S, n, d); 0 by default.
        watched: whether the drift is measured.
    """
    where: Any = Stacked(problem, copies, watched)
    cohort = Cohort.of(where)
    state: CompositeState = method.init(where, where.start() if start is None else start.reshape(-1))
    if corrections is not None:
        c = corrections.swapaxes(0, 1).reshape(problem.n_clients, -1)
        state = CompositeState(state.model, state.before_prox, c)
    states, drift = [state], []
    for number in range(rounds):
        drawn = None if draws is None else draws(number)
        samples = {} if drawn is None else {"samples": drawn.reshape(*drawn.shape[:2], -1)}
        where.asked.clear()
        state, _ = method.round(where, state, cohort, samples)
        if watched:
            shifts = np.stack(where.asked) - states[-1].model.reshape(copies, -1)
            drift.append(np.add.reduce(shifts * shifts, axis=(0, 1, 3)))
        states.append(state)
    apart = (copies, problem.dimension)
    return Path(
        np.stack([s.model.reshape(apart) for s in states]),
        np.stack([s.corrections.reshape(-1, *apart).swapaxes(0, 1) for s in states]),
        np.stack(drift) if drift else np.zeros((0, copies)),
    )


def seeded(problem: Any, method: Any, copies: int, rng: np.random.Generator) -> Any:
    """Draws of independent runs, for `run_copies`; None where the method takes full gradients."""
    if method.batch_size is None:
        return None
    high = problem.sizes[:, None, None, None]
    shape = (problem.n_clients, method.local_steps, copies, method.batch_size)
    return lambda number: rng.integers(0, high, shape)


def every_outcome(problem: Any, method: Any, rounds: int) -> tuple[Any, int]:
    """Draws of all equally likely outcomes of some rounds, one a copy, and how many there are.

    All clients must hold equally many samples.
    """
    if method.batch_size is None:
        return None, 1
    (size,) = set(problem.sizes.tolist())
    shape = (rounds, problem.n_clients, method.local_steps, method.batch_size)
    table = np.indices((size,) * int(np.prod(shape))).reshape(*shape, -1)
    return (lambda number: np.moveaxis(table[number], -1, 2)), table.shape[-1]
