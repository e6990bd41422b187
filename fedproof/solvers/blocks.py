"""Splitting a round's clients over threads without changing a bit of the result."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Algorithm, ClientsThenServer, Trace
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.randomness import Draws

_NUMBERS = 1 << 15
"""Of the models of a block, 256 KiB: the few arrays that a step works on stay in the second cache."""

_FEWEST = 8
"""Clients in a block, if there are so many: what a step costs in Python is shared by them."""

LEAST_WORK = 1 << 21
"""Numbers that a thread multiplies with in a round, if it is to be worth waking: a millisecond's, about."""


def round_in_blocks(
    algorithm: Algorithm,
    problem: Problem,
    state: Any,
    cohort: Cohort,
    draws: Draws,
    pool: ThreadPoolExecutor | None,
    threads: int,
) -> tuple[Any, Trace]:
    """One round, its local work in blocks of clients where they work alone, shared with the pool's threads.

    Every client's arithmetic is its own and the server sums in the order of client ids, so that the
    blocks cannot change the result.
    """
    ids = cohort.clients
    if not isinstance(algorithm, ClientsThenServer):
        return algorithm.round(problem, state, cohort, draws)
    each = algorithm.work(problem, ids, draws)
    busy = busy_threads(int(each.sum()), problem.dimension, threads)
    blocks = block_count(len(ids), problem.dimension, busy)
    if blocks == 1:
        return algorithm.round(problem, state, cohort, draws)

    def work(block: slice) -> Any:
        with np.errstate(all="ignore"):
            return algorithm.local(problem, state, ids[block], {k: v[block] for k, v in draws.items()})

    cuts = cut_by_work(each, blocks)
    parts = _shared(work, list(map(slice, cuts, cuts[1:])), pool if busy > 1 else None)
    return algorithm.aggregate(problem, state, cohort, _joined(parts))


def _shared(work: Callable[[slice], Any], blocks: list[slice], pool: ThreadPoolExecutor | None) -> list[Any]:
    """The work of all blocks, in order: this thread does the first, then takes from the end what is left.

    It does not only wait, for a system that sees a busy thread wakes the others on other processors.
    """
    if pool is None:
        return [work(block) for block in blocks]
    begun = [pool.submit(work, block) for block in blocks[1:]]
    try:
        first = work(blocks[0])
        mine = {block: work(blocks[block]) for block in range(len(begun), 0, -1) if begun[block - 1].cancel()}
        return [first, *(mine[n] if n in mine else part.result() for n, part in enumerate(begun, 1))]
    finally:
        for part in begun:
            part.cancel()


def busy_threads(evaluations: int, dimension: int, threads: int) -> int:
    """How many threads have `LEAST_WORK` each, of so many gradients of samples; at least one.

    >>> busy_threads(30 * 20 * 20, 20, 2), busy_threads(100 * 20 * 32, 610, 2)
    (1, 2)
    """
    return max(1, min(threads, evaluations * dimension // LEAST_WORK))


def block_count(clients: int, dimension: int, threads: int) -> int:
    """How many blocks: as many as memory's speed asks for, and a multiple of the threads.

    >>> block_count(100, 610, 2), block_count(10_000, 610, 2), block_count(3, 610, 8)
    (2, 190, 3)
    """
    size = max(_FEWEST, _NUMBERS // dimension)
    rounds = -(-clients // (size * threads))
    return min(clients, rounds * threads)


def cut_by_work(work: Array, blocks: int) -> list[int]:
    """Where to cut clients (k,) into at most so many blocks, none empty, that take about equally long.

    >>> cut_by_work(np.array([1, 1, 1, 1, 4]), 2)
    [0, 4, 5]
    """
    done = np.cumsum(work) + np.arange(1, len(work) + 1) * 1e-9  # no work at all is shared evenly
    inner = np.searchsorted(done, done[-1] * np.arange(1, blocks) / blocks, side="left") + 1
    return [0, *(int(n) for n in np.unique(inner) if n < len(work)), len(work)]


def _joined(parts: list[Any]) -> Any:
    """What blocks return, as one: arrays one after another; None where it is."""
    kind = type(parts[0])
    columns = {f.name: [getattr(part, f.name) for part in parts] for f in fields(kind)}
    return kind(**{n: None if c[0] is None else np.concatenate(c) for n, c in columns.items()})
