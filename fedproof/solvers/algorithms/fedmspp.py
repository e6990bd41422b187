"""FedMSPP (Yuan and Li, 2022): FedProx where every device draws a fresh minibatch for its local problem."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.data.origin import client_names
from fedproof.problems.minibatches import minibatches
from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Local, LocalThenAverage, ModelState
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.local_solver import LocalSolver
from fedproof.solvers.parameters import check_parameters
from fedproof.solvers.randomness import (
    Draws,
    RandomSource,
    Uniform,
    check_total,
    distinct,
    draw_apart,
    draw_uniform,
)
from fedproof.vocabulary.errors import InputError

_MINIBATCH = "minibatch"


@dataclass(frozen=True)
class FedMSPP(LocalThenAverage):
    """Algorithm 1 of Yuan and Li (2022, On Convergence of FedProx).

    In a round the server sends w to the devices it drew; each draws a minibatch B of b samples (7), lowers
    R_B(u) + (mu / 2) |u - w|^2, that is (8) with mu = 1 / eta_t, by its local solver, and sends its model;
    the server averages what it receives. `Participation(I, replacement=True, average="plain")` draws and
    averages as they do: a device that is drawn twice draws two minibatches and sends two models.

    Arguments:
        prox_weight: mu >= 0, loss / length^2.
        batch_size: b; None takes all samples, which is FedProx.
        sampler: "uniform", b independent samples of the device's data (Remark 8), or "distinct", b different
            ones, every set of them equally likely.
        local_solver: what the devices do on their minibatches; one of the files in `solvers/local`.

    >>> from fedproof.solvers.local.to_suboptimality import ToSuboptimality
    >>> FedMSPP(prox_weight=1, local_solver=ToSuboptimality("1e-9")).batch_size
    32
    """

    name: ClassVar[str] = "fedmspp"
    letters: ClassVar[dict[str, str]] = {"mu": "prox_weight", "b": "batch_size"}
    parts: ClassVar[dict[str, str]] = {"local_solver": "to_suboptimality"}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"sampler": ("uniform", "distinct")}
    apart: ClassVar[bool] = True

    prox_weight: Any = 0.1
    batch_size: int | None = 32
    sampler: str = "uniform"
    local_solver: LocalSolver = field(kw_only=True)

    def __post_init__(self) -> None:
        check_parameters(self)
        _ = self._fedprox

    @cached_property
    def _fedprox(self) -> FedProx:
        return FedProx(self.prox_weight, local_solver=self.local_solver)

    @property
    def reports(self) -> tuple[str, ...]:
        """Metrics that its local solver wants to be seen."""
        return self._fedprox.reports

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """Those of the minibatches and of the local solver, if its draws are independent uniform numbers."""
        return self._minibatch(problem, cohort) | self._fedprox.ranges(self._sizes(problem), cohort)

    def draw(self, problem: Problem, cohort: Array, source: RandomSource) -> Draws:
        """All randomness of one round; a client that stands in the cohort twice draws twice."""
        check_total(len(cohort) * (self.batch_size or 0))
        kernel, sizes = getattr(problem, "kernel_name", "numpy"), self._sizes(problem)

        def once(clients: Array, its: RandomSource) -> Draws:
            drawn = draw_uniform(self._minibatch(problem, clients), clients, its, kernel)
            return drawn | dict(self._fedprox.draw(sizes, clients, its))

        return draw_apart(once, cohort, source)

    def local(self, problem: Problem, state: ModelState, cohort: Array, draws: Draws) -> Local:
        """FedProx's local work on the minibatches of a block of clients."""
        if self.batch_size is None:
            return self._fedprox.local(problem, state, cohort, draws)
        samples = draws[_MINIBATCH]
        if self.sampler == "distinct":
            samples = distinct(samples, problem.sizes[cohort])
        drawn = minibatches(problem, cohort, samples)
        return self._fedprox.local(drawn, state, np.arange(len(cohort)), _others(draws))

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """As FedProx counts it, of b samples each."""
        return self._fedprox.work(self._sizes(problem), cohort, _others(draws))

    def _minibatch(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """The draws of the minibatches; those of "distinct" are what `distinct` reads."""
        b, sizes = self.batch_size, problem.sizes[cohort]
        if b is None:
            return {}
        if self.sampler == "uniform":
            return {_MINIBATCH: Uniform(sizes, (b,))}
        if len(sizes) and sizes.min() < b:
            client, size = int(cohort[sizes.argmin()]), int(sizes.min())
            name = client_names(problem)[client]
            raise InputError("batch_size", b, f"at most {size}, for client {name} has {size} samples",
                             "draw fewer, or use sampler=uniform")  # fmt: skip
        return {_MINIBATCH: Uniform(sizes[:, None] - b + 1 + np.arange(b), (b,))}

    def _sizes(self, problem: Problem) -> Any:
        """What a local solver asks of a problem when it draws and counts."""
        if self.batch_size is None:
            return problem
        return _Sizes(np.full(len(problem.sizes), self.batch_size), getattr(problem, "kernel_name", "numpy"))


@dataclass(frozen=True, eq=False)
class _Sizes:
    """Sample counts by client id, and what draws."""

    sizes: Array
    kernel_name: str


def _others(draws: Draws) -> Draws:
    return {purpose: values for purpose, values in draws.items() if purpose != _MINIBATCH}
