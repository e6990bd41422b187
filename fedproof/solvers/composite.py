"""What methods for composite problems share."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.composite.penalty import Penalty
from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Local, LocalThenAverage, weighted_average
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.parameters import STEP_LETTERS, check_parameters
from fedproof.solvers.randomness import BatchSteps
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value


@dataclass(frozen=True, eq=False)
class CompositeState:
    """The server's model, what it is the proximal point of, and what the clients remember.

    Arguments:
        model: the post-proximal model, shape (d,).
        before_prox: the pre-proximal one, which is broadcast, shape (d,).
        corrections: of every client's gradients, shape (n_clients, d).
        balanced: whether their mean, weighted by sizes, is 0 in exact arithmetic: 1 or 0, shape (1,).
    """

    model: Array
    before_prox: Array
    corrections: Array
    balanced: Array = field(default_factory=lambda: np.ones(1, dtype=np.int64))


def prox(problem: Problem, x: Array, scale: Any) -> Array:
    """The proximal point of models (..., d) for the problem's penalty; the models where it has none."""
    penalty: Penalty | None = getattr(problem, "penalty", None)
    return x.copy() if penalty is None else penalty.prox(x, scale)


def check_penalty(algorithm: Any, problem: Problem) -> None:
    """Refuse a method that takes no proximal step, as its `proximal` says, on a problem with a penalty.

    Raises: InputError.
    """
    penalty: Penalty | None = getattr(problem, "penalty", None)
    if penalty is None or getattr(penalty, "name", "") == "none":
        return
    if not getattr(algorithm, "proximal", False):
        raise InputError("algorithm", f"{algorithm.name} on a problem with the penalty {penalty.text}",
                         "one that takes proximal steps", "use fedcomposite or fedda")  # fmt: skip


def check_start(problem: Problem, start: Array) -> None:
    """Refuse an initial model outside the domain of the problem's penalty.

    Raises: InputError.
    """
    penalty: Penalty | None = getattr(problem, "penalty", None)
    if penalty is not None and not penalty.value(start) < inf:
        raise InputError("x0", f"a model where {penalty.text} is not finite", "one where it is",
                         "leave x0 out, or take the prox of it")  # fmt: skip


class LocalGradients(BatchSteps, LocalThenAverage):
    """A dataclass whose clients evaluate `local_steps` gradients a round, of a batch or of all samples."""

    letters: ClassVar[dict[str, str]] = {
        **STEP_LETTERS, "tau": "local_steps", "eta_g": "server_stepsize", "b": "batch_size",
    }  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)
        if self.local_steps < 1:
            raise InputError("local_steps", self.local_steps, "at least 1", "write local_steps=1")


@dataclass(frozen=True)
class ServerSteps(LocalGradients):
    """One whose server has a step size too, by which it lengthens the clients' mean movement."""

    stepsize: Any
    local_steps: int = 10
    server_stepsize: Any = 1
    batch_size: int | None = None

    def moved(self, problem: Problem, start: Array, cohort: Cohort, local: Local) -> Array:
        """start + eta_g times the clients' mean movement from there, shape (d,)."""
        movement = weighted_average(cohort.weights, local.models - start)
        moved: Array = start + problem.number(self.server_stepsize) * movement
        return moved


class ProximalGradients(ServerSteps):
    """One whose server takes a proximal step as long as all local ones together."""

    proximal: ClassVar[bool] = True

    @cached_property
    def effective_stepsize(self) -> Any:
        """eta~ = eta eta_g tau, the server's step, exactly; length^2 / loss. composite (13)."""
        return parse_value(self.stepsize) * parse_value(self.server_stepsize) * self.local_steps
