"""Splitting a round's clients over threads without changing a bit of the result."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from fedproof.problems.problem import Problem
from fedproof.solvers.algorithm import Algorithm, Local, LocalThenAverage, ModelState, Trace
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.randomness import Draws

__all__ = ["round_in_blocks"]


_NUMBERS = 1 << 15
"""Of the models of a block, 256 KiB: the few arrays that a step works on stay in the second cache."""

_FEWEST = 8
"""Clients in a block, if there are so many: what a step costs in Python is shared by them."""


def round_in_blocks(
    algorithm: Algorithm,
    problem: Problem,
    state: Any,
    cohort: Cohort,
    draws: Draws,
    pool: ThreadPoolExecutor | None,
    threads: int,
) -> tuple[Any, Trace]:
    """One round, its local work in blocks of clients where they work alone, shared by the pool's threads.

    Every client's arithmetic is its own and the server sums in the order of client ids, so that the
    blocks cannot change the result.
    """
    ids = cohort.clients
    blocks = block_count(len(ids), problem.dimension, threads)
    if blocks == 1 or not isinstance(algorithm, LocalThenAverage):
        return algorithm.round(problem, state, cohort, draws)

    def work(block: slice) -> Local:
        with np.errstate(all="ignore"):
            return algorithm.local(problem, state, ids[block], {k: v[block] for k, v in draws.items()})

    ends = [len(ids) * i // blocks for i in range(blocks + 1)]
    parts = (pool.map if pool else map)(work, map(slice, ends, ends[1:]))
    model: ModelState = state
    return algorithm.aggregate(problem, model, cohort, _joined(list(parts)))


def block_count(clients: int, dimension: int, threads: int) -> int:
    """How many blocks: as many as memory's speed asks for, and a multiple of the threads.

    >>> block_count(100, 610, 2), block_count(10_000, 610, 2), block_count(3, 610, 8)
    (2, 190, 3)
    """
    size = max(_FEWEST, _NUMBERS // dimension)
    rounds = -(-clients // (size * threads))
    return min(clients, rounds * threads)


def _joined(parts: list[Local]) -> Local:
    solved = [p.solved for p in parts if p.solved is not None]
    return Local(
        np.concatenate([p.models for p in parts]),
        np.concatenate([p.gradients for p in parts]),
        np.concatenate(solved) if solved else None,
    )
