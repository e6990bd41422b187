"""FedProxVR (Dinh et al., 2020), Algorithm 1: proximal local solves with SARAH, SVRG or plain SGD."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.steps import batch_gradients, sample_differences
from fedproof.solvers.algorithm import Local, LocalThenAverage, ModelState
from fedproof.solvers.block_batches import Block, block_choices, block_counts
from fedproof.solvers.parameters import STEP_LETTERS, check_parameters
from fedproof.solvers.prox import prox_to_anchor
from fedproof.solvers.randomness import Draws, Uniform
from fedproof.vocabulary.errors import InputError

Batch: TypeAlias = Array | Block | None
"""Sample numbers (k, b), a block of every client, or all samples."""


@dataclass(frozen=True, eq=False)
class Iterate:
    """Where a block of clients stands; all of shape (k, d).

    Arguments:
        anchor: w^(0), the server's model.
        point, previous: w^(t) and w^(t-1).
        direction, first: v^(t-1) and v^(0).
    """

    anchor: Array
    point: Array
    previous: Array
    direction: Array
    first: Array


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
        counted: which steps tau counts: "stochastic" (line 5: they follow the first one) or "all".
        sampler: "uniform" (line 6) or "blocks": the client's rows in their order, cut into blocks of
            `batch_size`, one of them drawn; the last may be short, and at least one choice holds nothing.

    The authors' published code is `returned="last"`, `counted="all"`, `sampler="blocks"`: it draws a block's
    number from 0..floor(D_n / B) + 1, of which the last holds no row (the last two where B divides D_n); the
    gradient of an empty block is 0.

    >>> FedProxVR(stepsize=0.1, local_steps=5, prox_weight=1).estimator
    'sarah'
    """

    name: ClassVar[str] = "fedproxvr"
    letters: ClassVar[dict[str, str]] = {**STEP_LETTERS, "tau": "local_steps", "mu": "prox_weight"}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "estimator": ("sarah", "svrg", "sgd"),
        "first_step": ("full", "stochastic"),
        "returned": ("random", "last"),
        "counted": ("stochastic", "all"),
        "sampler": ("uniform", "blocks"),
    }

    stepsize: Any
    local_steps: int = 20
    prox_weight: Any = 0.1
    estimator: str = "sarah"
    batch_size: int | None = 1
    first_step: str = "full"
    returned: str = "random"
    counted: str = "stochastic"
    sampler: str = "uniform"

    def __post_init__(self) -> None:
        check_parameters(self)
        if self.counted == "all" and self.local_steps < 1:
            raise InputError("local_steps", self.local_steps, "at least 1 where all steps are counted")
        if self.sampler == "blocks" and (self.batch_size is None or self.first_step == "stochastic"):
            raise InputError(
                "sampler", "blocks", "a batch size, and a full first step", "use sampler=uniform"
            )

    @property
    def steps(self) -> int:
        """Steps after the first."""
        return self.local_steps - (self.counted == "all")

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """Batches of the stochastic steps (line 6, and line 4 if stochastic), and t' (line 10)."""
        sizes, ranges = problem.sizes[cohort], {}
        steps = self.steps + self.begins_stochastic
        if self.sampler == "blocks":
            ranges["blocks"] = Uniform(block_choices(sizes, self._batch), (steps,))
        elif self.batch_size is not None:
            ranges["samples"] = Uniform(sizes, (steps, self.batch_size))
        if self.returned == "random":
            ranges["returned"] = Uniform(np.full(len(cohort), self.steps + 1))
        return ranges

    @property
    def begins_stochastic(self) -> bool:
        """Whether line 4 uses up a batch."""
        return self.first_step == "stochastic"

    def local(self, problem: Problem, state: ModelState, cohort: Array, draws: Draws) -> Local:
        """Lines 3-11 for a block of clients."""
        last = self.steps + 1
        stop = draws["returned"] if self.returned == "random" else np.full(len(cohort), last)
        anchor = np.repeat(state.model[None], len(cohort), axis=0)
        batches = self._batches(draws)

        at = self.begin(problem, anchor, cohort, next(batches) if self.begins_stochastic else None)
        returned_models = anchor.copy()
        for t in range(1, last):  # line 5
            ends = stop == t
            if ends.any():
                returned_models[ends] = at.point[ends]
            at = self.step(problem, at, cohort, next(batches))
        returned_models[stop == last] = at.point[stop == last]
        begin, after = self._looked_at(problem, cohort, draws)
        return Local(returned_models, begin + after * (1 if self.estimator == "sgd" else 2))  # line 10

    def begin(self, problem: Problem, anchor: Array, cohort: Array, batch: Batch) -> Iterate:
        """Line 4: w^(0), v^(0) and w^(1); v^(0) is the full gradient where there is no batch."""
        v = _gradients(problem, anchor, cohort, batch).copy()
        return Iterate(anchor, self._prox(problem, anchor, v, anchor), anchor, v, v)

    def step(self, problem: Problem, at: Iterate, cohort: Array, batch: Batch) -> Iterate:
        """Lines 6-8: v^(t) by (8a), (8b) or plain SGD, then w^(t+1); no batch means all samples."""
        if self.estimator == "sgd":
            v = _gradients(problem, at.point, cohort, batch)
        else:
            sarah = self.estimator == "sarah"
            other, base = (at.previous, at.direction) if sarah else (at.anchor, at.first)
            v = _differences(problem, at.point, other, cohort, batch) + base
        return Iterate(at.anchor, self._prox(problem, at.point, v, at.anchor), at.point, v, at.first)

    def _batches(self, draws: Draws) -> Iterator[Batch]:
        """What every step looks at, in order."""
        if self.sampler == "blocks":
            return (Block(numbers, self._batch) for numbers in draws["blocks"].T)
        if self.batch_size is None:
            return repeat(None)
        return iter(np.moveaxis(draws["samples"], 1, 0))

    def _prox(self, problem: Problem, w: Array, v: Array, anchor: Array) -> Array:
        """prox_{eta h_s}(w - eta v), with (10)."""
        eta, mu = problem.number(self.stepsize), problem.number(self.prox_weight)
        moved = eta * v
        return prox_to_anchor(np.subtract(w, moved, out=moved), anchor, eta, mu)

    @property
    def _batch(self) -> int:
        return self.batch_size or 1

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """Samples looked at per client: two points of a step share them."""
        begin, after = self._looked_at(problem, cohort, draws)
        work: Array = begin + after
        return work

    def _looked_at(self, problem: Problem, cohort: Array, draws: Draws) -> tuple[Array, Array]:
        """Samples that each client looks at in line 4, and in line 6."""
        sizes = problem.sizes[cohort]
        batch = sizes if self.batch_size is None else np.full(len(cohort), self.batch_size)
        looked = self.steps * batch
        if self.sampler == "blocks":
            looked = block_counts(sizes[:, None], draws["blocks"], self._batch).sum(axis=1)
        return sizes if self.first_step == "full" else batch, looked


def _differences(problem: Problem, here: Array, there: Array, cohort: Array, batch: Batch) -> Array:
    if isinstance(batch, np.ndarray):
        return sample_differences(problem, here, there, cohort, batch)
    first, second = _gradients(problem, np.stack([here, there]), cohort, batch)
    difference: Array = first - second
    return difference


def _gradients(problem: Problem, models: Array, cohort: Array, batch: Batch) -> Array:
    if isinstance(batch, Block):
        return batch.gradients(problem, models, cohort)
    return batch_gradients(problem, models, cohort, batch)
