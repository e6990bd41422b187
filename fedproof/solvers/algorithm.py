"""The shape of an algorithm: frozen hyper-parameters with pure `init`, `draw` and `round`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.randomness import Draws, Source, Uniform, draw_uniform

__all__ = ["Algorithm", "Local", "LocalThenAverage", "ModelState", "Trace", "weighted_average"]

BITS = 64
"""Bits of one number in a message: models are float64."""


@dataclass(frozen=True, eq=False)
class ModelState:
    """A state that is the server's model alone, shape (d,)."""

    model: Array


@dataclass(frozen=True, eq=False)
class Trace:
    """What a round leaves for metrics to look at.

    Arguments:
        start: the model the round began with, shape (d,).
        cohort: ids of the clients that took part, shape (k,).
        local_models: what they returned, shape (k, d).
        uplink_bits, downlink_bits: message sizes per client, shape (k,).
        gradients: sample gradients evaluated per client, shape (k,).
    """

    start: Array
    cohort: Array
    local_models: Array
    uplink_bits: Array
    downlink_bits: Array
    gradients: Array


@runtime_checkable
class Algorithm(Protocol):
    """A frozen dataclass of hyper-parameters with three pure methods; its states have a `model` (d,)."""

    name: ClassVar[str]

    def init(self, problem: Problem, x0: Array) -> Any:
        """The state before the first round."""
        ...

    def draw(self, problem: Problem, cohort: Array, source: Source) -> Draws:
        """All randomness of one round."""
        ...

    def round(self, problem: Problem, state: Any, cohort: Array, draws: Draws) -> tuple[Any, Trace]:
        """One global round."""
        ...


@dataclass(frozen=True, eq=False)
class Local:
    """What the clients of a block send back: models (k, d) and sample gradients evaluated (k,)."""

    models: Array
    gradients: Array


class LocalThenAverage:
    """An algorithm whose clients work alone from the server's model and whose server averages their models.

    Subclasses give `ranges` (the draws a client needs) and `local` (its work). Splitting a cohort into
    blocks and joining their `local` results in order is the same computation.
    """

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """Every draw of a round as independent uniform whole numbers; exact expectations enumerate them."""
        raise NotImplementedError(type(self).__name__)

    def local(self, problem: Problem, state: ModelState, cohort: Array, draws: Draws) -> Local:
        """The local work of a block of clients, all advancing together."""
        raise NotImplementedError(type(self).__name__)

    def init(self, problem: Problem, x0: Array) -> ModelState:
        """The state before the first round."""
        del problem
        return ModelState(np.array(x0))

    def draw(self, problem: Problem, cohort: Array, source: Source) -> Draws:
        """All randomness of one round."""
        return draw_uniform(self.ranges(problem, cohort), cohort, source)

    def round(
        self, problem: Problem, state: ModelState, cohort: Array, draws: Draws
    ) -> tuple[ModelState, Trace]:
        """One global round."""
        return self.aggregate(problem, state, cohort, self.local(problem, state, cohort, draws))

    def aggregate(
        self, problem: Problem, state: ModelState, cohort: Array, local: Local
    ) -> tuple[ModelState, Trace]:
        """The server's part: the average weighted by client size."""
        bits = np.full(len(cohort), BITS * problem.dimension)
        trace = Trace(state.model, cohort, local.models, bits, bits, local.gradients)
        return ModelState(weighted_average(problem, cohort, local.models)), trace


def weighted_average(problem: Problem, cohort: Array, models: Array) -> Array:
    """sum_n (D_n / D) w_n over the cohort, D its total size, summed in the order of client ids.

    FedProxVR, Algorithm 1, line 12. The order makes the last bit independent of how the cohort is listed.

    Arguments:
        problem: for sizes and arithmetic.
        cohort: client ids, shape (k,).
        models: shape (k, d).

    Returns: shape (d,).
    """
    order = np.argsort(cohort, kind="stable")
    sizes = problem.sizes[cohort[order]]
    weights = np.array([problem.number(int(s)) for s in sizes]) / problem.number(int(sizes.sum()))
    total: Array = np.add.reduce(weights[:, None] * models[order], axis=0)
    return total
