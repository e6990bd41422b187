"""Many independent runs of one round at once: every replica is a client of its own in the same arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import LocalThenAverage, ModelState
from fedproof.solvers.algorithms.fedproxvr import FedProxVR

__all__ = ["generator", "local_models", "run_rounds", "stratified"]


def generator(*key: int) -> np.random.Generator:
    """A stream named by whole numbers; other numbers, other draws."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))


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
        high = np.reshape(uniform.high, (-1,) + (1,) * len(uniform.shape))
        if uniform.shape:
            draws[purpose] = rng.integers(0, high, (len(cohort), *uniform.shape))
        else:
            draws[purpose] = (stratified(seeds, len(clients), rng).reshape(-1) * high).astype(np.int64)
    models = algorithm.local(problem, ModelState(model), cohort, draws).models
    return models.reshape(seeds, len(clients), -1)


def run_rounds(
    algorithm: FedProxVR, problem: Problem, rounds: int, seeds: int, rng: np.random.Generator
) -> Array:
    """Independent runs of Algorithm 1, all advancing together: server models of every round.

    Uses the algorithm's own `begin` and `step`, which take a start for every client; what it adds is the
    choice of line 10 among the iterates and the average of line 12.

    Returns: shape (rounds + 1, seeds, d), the problem's own start first.
    """
    clients, tau = np.arange(problem.n_clients), algorithm.local_steps
    cohort = np.tile(clients, seeds)
    weights = problem.sizes / problem.sizes.sum()
    server = np.tile(problem.start(), (seeds, 1))
    path = [server]
    for _ in range(rounds):
        anchor = np.repeat(server, len(clients), axis=0)
        stop = rng.integers(0, tau + 1, len(cohort))
        last = int(stop.max())
        batches = rng.integers(0, problem.sizes[cohort][:, None], (len(cohort), last))
        kept, at = anchor.copy(), algorithm.begin(problem, anchor, cohort, None)
        for t in range(1, last + 1):
            kept[stop == t] = at.point[stop == t]
            if t < last:
                at = algorithm.step(problem, at, cohort, batches[:, t - 1 : t])
        server = np.einsum("n,snd->sd", weights, kept.reshape(seeds, len(clients), -1))
        path.append(server)
    return np.stack(path)


def stratified(seeds: int, columns: int, rng: np.random.Generator) -> Array:
    """Numbers in [0, 1), one in every interval [i / seeds, (i + 1) / seeds) of every column, shuffled.

    >>> sorted((stratified(4, 1, generator(0))[:, 0] * 4).astype(int).tolist())
    [0, 1, 2, 3]
    """
    ranks = rng.permuted(np.tile(np.arange(seeds)[:, None], columns), axis=0)
    numbers: Array = (ranks + rng.random((seeds, columns))) / seeds
    return np.minimum(numbers, np.nextafter(1, 0))
