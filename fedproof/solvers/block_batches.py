"""Mini-batches as FedProxVR's published code draws them: one of the blocks into which the rows are cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fedproof.problems.problem import Array, Problem


@dataclass(frozen=True, eq=False)
class Block:
    """A block of every client: rows number * size, number * size + 1, ... of its own, `size` at most.

    Arguments:
        numbers: shape (k,).
        size: rows of a whole block.
    """

    numbers: Array
    size: int

    def gradients(self, problem: Problem, models: Array, clients: Array) -> Array:
        """Mean gradients over the block at models (..., k, d); zero where the block is empty."""
        counts = block_counts(problem.sizes[clients], self.numbers, self.size)
        first = np.where(problem.sizes[clients] > self.size, self.numbers * self.size, 0)
        found = models * 0
        for count in np.unique(counts[counts > 0]):
            some = np.flatnonzero(counts == count)
            rows = first[some, None] + np.arange(count)
            found[..., some, :] = problem.sample_gradients(models[..., some, :], clients[some], rows)
        return found


def block_choices(sizes: Array, size: int) -> Array:
    """How many numbers are drawn from: floor(D / size) + 2, or 1 for a client that fits into one block.

    >>> block_choices(np.array([5, 8, 9]), 4)
    array([3, 4, 4])
    """
    choices: Array = np.where(sizes > size, sizes // size + 2, 1)
    return choices


def block_counts(sizes: Array, numbers: Array, size: int) -> Array:
    """Rows in each block; 0 beyond the last row. A client that fits into one block always uses all rows.

    >>> block_counts(np.array([9, 9, 9, 9, 3]), np.array([0, 1, 2, 3, 0]), 4)
    array([4, 4, 1, 0, 3])
    """
    counts: Array = np.where(sizes > size, np.clip(sizes - numbers * size, 0, size), sizes)
    return counts
