"""Many independent runs at once through the algorithm's own `local`: every replica is a client of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import LocalThenAverage, ModelState, weighted_average
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.randomness import Uniform


def generator(*key: int) -> np.random.Generator:
    """A stream named by whole numbers; other numbers, other draws."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))


@dataclass(frozen=True, eq=False)
class _Replicas:
    """What `local` asks of a problem, for clients that start apart.

    Client r N + n is client n of replica r, seen from that replica's server: its model is an offset from
    servers[r]. A round from x on F is the round from 0 on F(x + .), moved by x.
    """

    problem: Problem
    servers: Array

    @property
    def n_clients(self) -> int:
        return len(self.servers) * self.problem.n_clients

    @property
    def sizes(self) -> Array:
        return np.tile(self.problem.sizes, len(self.servers))

    def number(self, value: Any) -> Any:
        return self.problem.number(value)

    def _at(self, offsets: Array, clients: Array) -> tuple[Array, Array]:
        replica, client = np.divmod(clients, self.problem.n_clients)
        return self.servers[replica] + offsets, client

    def client_gradients(self, models: Array, clients: Array) -> Array:
        return self.problem.client_gradients(*self._at(models, clients))

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        return self.problem.sample_gradients(*self._at(models, clients), samples)


def local_models(
    algorithm: LocalThenAverage,
    problem: Problem,
    model: Array,
    clients: Array,
    seeds: int,
    rng: np.random.Generator,
) -> Array:
    """What clients return from repetitions of a round that starts from one model.

    Samples are drawn independently. A draw that a client makes once a round (which iterate it returns) is
    stratified over the repetitions: its seldom values come up as often as they should, so that a mean over
    the repetitions stays unbiased and its usual standard error is, if anything, too large.

    Arguments:
        algorithm: its own `ranges` say what is drawn, its own `local` does the work.
        model: the round's start, shape (d,).
        clients: ids, shape (k,).
        seeds: repetitions.
        rng: what draws.

    Returns: shape (seeds, k, d).
    """
    cohort = np.tile(clients, seeds)
    draws: dict[str, Any] = {}
    for purpose, uniform in algorithm.ranges(problem, cohort).items():
        if uniform.shape:
            draws[purpose] = _drawn(uniform, rng)
        else:
            draws[purpose] = (stratified(seeds, len(clients), rng).reshape(-1) * uniform.high).astype(
                np.int64
            )
    models = algorithm.local(problem, ModelState(model), cohort, draws).models
    return models.reshape(seeds, len(clients), -1)


def run_rounds(
    algorithm: LocalThenAverage, problem: Problem, rounds: int, seeds: int, rng: np.random.Generator
) -> Array:
    """Independent runs, all clients taking part, all runs advancing together: server models of every round.

    The algorithm's own `ranges`, `local` and the average of its server, on all replicas at once.

    Returns: shape (rounds + 1, seeds, d), the problem's own start first.
    """
    clients, d = Cohort.of(problem), problem.dimension
    path = [np.tile(problem.start(), (seeds, 1))]
    for _ in range(rounds):
        every: Any = _Replicas(problem, path[-1])
        cohort = np.arange(every.n_clients)
        draws = {purpose: _drawn(u, rng) for purpose, u in algorithm.ranges(every, cohort).items()}
        moved = algorithm.local(every, ModelState(0 * problem.start()), cohort, draws).models
        wide = moved.reshape(seeds, problem.n_clients, d).swapaxes(0, 1).reshape(problem.n_clients, -1)
        path.append(path[-1] + weighted_average(clients.weights, wide).reshape(seeds, d))
    return np.stack(path)


def _drawn(uniform: Uniform, rng: np.random.Generator) -> Array:
    return rng.integers(0, uniform.highs)


def stratified(seeds: int, columns: int, rng: np.random.Generator) -> Array:
    """Numbers in [0, 1), one in every interval [i / seeds, (i + 1) / seeds) of every column, shuffled.

    >>> sorted((stratified(4, 1, generator(0))[:, 0] * 4).astype(int).tolist())
    [0, 1, 2, 3]
    """
    ranks = rng.permuted(np.tile(np.arange(seeds)[:, None], columns), axis=0)
    numbers: Array = (ranks + rng.random((seeds, columns))) / seeds
    return np.minimum(numbers, np.nextafter(1, 0))
