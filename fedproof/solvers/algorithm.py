"""The shape of an algorithm: frozen hyper-parameters with pure `init`, `draw` and `round`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.randomness import Draws, RandomSource, UniformDraws

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
        cohort: ids of the clients that took part, shape (k,): each once however often it was drawn, or where
            the algorithm is `apart` once for every time.
        weights: of their models in the average, shape (k,).
        uplink_bits, downlink_bits: message sizes per client, shape (k,).
        gradients: sample gradients evaluated per client, shape (k,); a product of a sample's Hessian with a
            vector counts as one.
        local_models: models that they returned, shape (k, d); None where they return something else.
        prox_weight: mu of the clients' surrogates F_n + (mu / 2) |. - start|^2; 0 where there is none.
        solved: whether each client's local solve reached the accuracy asked of it, shape (k,); None where
            none was asked.
        suboptimality: proved bounds on Q_n(w_n) - min Q_n of the clients' surrogates, shape (k,); None where
            none is proved.
    """

    start: Array
    cohort: Array
    weights: Array
    uplink_bits: Array
    downlink_bits: Array
    gradients: Array
    local_models: Array | None = None
    prox_weight: Any = 0
    solved: Array | None = None
    suboptimality: Array | None = None


@runtime_checkable
class Algorithm(Protocol):
    """A frozen dataclass of hyper-parameters with three pure methods; its states have a `model` (d,)."""

    name: ClassVar[str]

    def init(self, problem: Problem, x0: Array) -> Any:
        """The state before the first round."""
        ...

    def draw(self, problem: Problem, cohort: Array, source: RandomSource) -> Draws:
        """All randomness of one round for these client ids, shape (k,)."""
        ...

    def round(self, problem: Problem, state: Any, cohort: Cohort, draws: Draws) -> tuple[Any, Trace]:
        """One global round; draws in the order of the cohort's clients."""
        ...


@dataclass(frozen=True, eq=False)
class Local:
    """What the clients of a block send back.

    Arguments:
        models: shape (k, d).
        gradients: sample gradients evaluated, shape (k,).
        solved: whether the accuracy asked for was reached, shape (k,); None where none was asked.
        memory: what each client keeps for its next round, shape (k, ...); None for nothing. Where it is sent
            too, the algorithm counts it in `vectors`.
        suboptimality: proved bounds on Q_n(w_n) - min Q_n, shape (k,); None for none.
    """

    models: Array
    gradients: Array
    solved: Array | None = None
    memory: Array | None = None
    suboptimality: Array | None = None


class ClientsThenServer(UniformDraws):
    """An algorithm whose clients work alone and whose server computes the next model from what they send.

    Subclasses give `ranges` (the draws a client needs), `local` (a client's work) and `aggregate` (the
    server's). Splitting a cohort into blocks and joining their `local` results in order is the same
    computation: what `local` returns is a dataclass of arrays whose first axis is that of the clients.
    """

    name: ClassVar[str]
    proximal: ClassVar[bool] = False
    """Whether it takes proximal steps, and so is one for problems with a penalty."""
    apart: ClassVar[bool] = False
    """Whether a client that is drawn several times works as often, each time with draws of its own."""

    def local(self, problem: Problem, state: Any, cohort: Array, draws: Draws) -> Any:
        """The work of a block of clients, all advancing together: what they send."""
        raise NotImplementedError(type(self).__name__)

    def aggregate(self, problem: Problem, state: Any, cohort: Cohort, local: Any) -> tuple[Any, Trace]:
        """The server's part."""
        raise NotImplementedError(type(self).__name__)

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """Sample gradients that each client evaluates, roughly, shape (k,): blocks are cut by it.

        Where a subclass says nothing it is one pass over a client's samples.
        """
        del draws
        sizes: Array = problem.sizes[cohort]
        return sizes

    def init(self, problem: Problem, x0: Array) -> Any:
        """The state before the first round."""
        del problem
        return ModelState(np.array(x0))

    def round(self, problem: Problem, state: Any, cohort: Cohort, draws: Draws) -> tuple[Any, Trace]:
        """One global round."""
        return self.aggregate(problem, state, cohort, self.local(problem, state, cohort.clients, draws))


class LocalThenAverage(ClientsThenServer):
    """One whose clients work from the server's model and whose server averages their models."""

    vectors: ClassVar[int] = 1
    """How many arrays of a model's length a client receives, and sends, in a round."""

    def local(self, problem: Problem, state: Any, cohort: Array, draws: Draws) -> Local:
        """The local work of a block of clients, all advancing together."""
        raise NotImplementedError(type(self).__name__)

    def aggregate(self, problem: Problem, state: Any, cohort: Cohort, local: Local) -> tuple[Any, Trace]:
        """The server's part: the average with the cohort's weights."""
        return ModelState(weighted_average(cohort.weights, local.models)), self.trace(
            problem, state, cohort, local
        )

    def trace(self, problem: Problem, state: Any, cohort: Cohort, local: Local) -> Trace:
        """What the round leaves for metrics: as many `vectors` down as up for every client."""
        bits = np.full(len(cohort.clients), BITS * problem.dimension * self.vectors)
        return Trace(
            start=state.model,
            cohort=cohort.clients,
            weights=cohort.weights,
            local_models=local.models,
            uplink_bits=bits,
            downlink_bits=bits,
            gradients=local.gradients,
            prox_weight=getattr(self, "prox_weight", 0),
            solved=local.solved,
            suboptimality=local.suboptimality,
        )


def weighted_average(weights: Array, models: Array) -> Array:
    """sum_n p_n w_n of models or other arrays, summed in the order given: a cohort's is that of client ids.

    FedProxVR, Algorithm 1, line 12, with p_n = D_n / D.

    Arguments:
        weights: p_n, shape (k,).
        models: shape (k, ...).

    Returns: shape (...).
    """
    shape = (-1,) + (1,) * (models.ndim - 1)
    total: Array = np.add.reduce(weights.reshape(shape) * models, axis=0)
    return total
