"""Splitting a round's clients over threads without changing a bit of the result."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Algorithm, Local, LocalThenAverage, ModelState, Trace
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.randomness import Draws

__all__ = ["round_in_blocks"]


def round_in_blocks(
    algorithm: Algorithm,
    problem: Problem,
    state: Any,
    cohort: Cohort,
    draws: Draws,
    pool: ThreadPoolExecutor | None,
    blocks: int,
) -> tuple[Any, Trace]:
    """One round, its local work split over the pool's threads where the algorithm's clients work alone.

    Every client's arithmetic is its own and the server sums in the order of client ids, so that the
    number of blocks cannot change the result.
    """
    if pool is None or not isinstance(algorithm, LocalThenAverage):
        return algorithm.round(problem, state, cohort, draws)

    ids = cohort.clients

    def work(block: Array) -> Local:
        with np.errstate(all="ignore"):
            return algorithm.local(problem, state, ids[block], {k: v[block] for k, v in draws.items()})

    parts = list(pool.map(work, np.array_split(np.arange(len(ids)), min(blocks, len(ids)))))
    model: ModelState = state
    return algorithm.aggregate(problem, model, cohort, _joined(parts))


def _joined(parts: list[Local]) -> Local:
    solved = [p.solved for p in parts if p.solved is not None]
    return Local(
        np.concatenate([p.models for p in parts]),
        np.concatenate([p.gradients for p in parts]),
        np.concatenate(solved) if solved else None,
    )
