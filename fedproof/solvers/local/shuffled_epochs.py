"""Stochastic gradient steps on the surrogate, on batches read from shuffles of a client's samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Local
from fedproof.solvers.parameters import STEP_LETTERS, check_parameters
from fedproof.solvers.prox import UPDATES
from fedproof.solvers.randomness import Draws, RandomSource, check_total


@dataclass(frozen=True)
class ShuffledEpochs:
    """Every client goes `epochs` times through its samples, so that a large client takes more steps.

    Batches are read one after another from shuffles of the client's samples that follow each other; a client
    takes ceil(epochs D_n / batch_size) of them. A batch is always full: it may hold the end of one shuffle
    and the start of the next, where McMahan et al. (2017) and Li, Sahu et al. (2020) end an epoch with a
    smaller one. With mu = 0 it is FedAvg with epochs.

    Arguments:
        stepsize: eta > 0, length^2 / loss.
        epochs: >= 1.
        batch_size: samples per step.
        update: "gradient" or "prox", as in `StochasticGradient`.

    >>> ShuffledEpochs(stepsize=0.1).epochs
    1
    """

    name: ClassVar[str] = "shuffled_epochs"
    letters: ClassVar[dict[str, str]] = STEP_LETTERS
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"update": tuple(UPDATES)}

    stepsize: Any
    epochs: int = 1
    batch_size: int = 10
    update: str = "gradient"

    def __post_init__(self) -> None:
        check_parameters(self)

    def steps(self, problem: Problem, clients: Array) -> Array:
        """How many steps each client takes, shape (k,)."""
        steps: Array = -(-problem.sizes[clients] * self.epochs // self.batch_size)
        return steps

    def draw(self, problem: Problem, clients: Array, source: RandomSource) -> Draws:
        """Sample numbers (k, most steps, batch_size), -1 after a client's last step."""
        sizes, steps = problem.sizes[clients], self.steps(problem, clients)
        shape = (len(clients), int(steps.max()), self.batch_size)
        check_total(shape[0] * shape[1] * shape[2])
        out = np.full(shape, -1)
        for row, (client, size, count) in enumerate(zip(clients, sizes, steps, strict=True)):
            shuffles = np.tile(np.arange(size), (-(-count * self.batch_size // size), 1))
            stream = source.generator("samples", int(client)).permuted(shuffles, axis=1).ravel()
            out[row, :count] = stream[: count * self.batch_size].reshape(count, self.batch_size)
        return {"samples": out}

    def solve(self, problem: Problem, anchor: Array, prox_weight: Any, clients: Array, draws: Draws) -> Local:
        """The steps of a block of clients, those with the most steps first; who is done stands still."""
        steps = self.steps(problem, clients)
        order = np.argsort(-steps, kind="stable")
        ids, start, batches = clients[order], anchor[order], draws["samples"][order]
        left, eta, w = -steps[order], problem.number(self.stepsize), start.copy()
        for t in range(int(steps.max())):
            k = int(np.searchsorted(left, -t))  # how many take more than t steps
            at = w[:k]
            gradient = problem.sample_gradients(at, ids[:k], batches[:k, t])
            w[:k] = UPDATES[self.update](at, gradient, start[:k], eta, prox_weight)
        models = np.empty_like(w)
        models[order] = w
        return Local(models, steps * self.batch_size)
