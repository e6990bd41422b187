"""Flat storage: the samples of all clients in one block of rows, client n in offsets[n]:offsets[n + 1]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fedproof.problems.digest import value_digest
from fedproof.problems.problem import Array, Forwarded, problem_headline
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.result import Shown


@dataclass(frozen=True, eq=False)
class Partition:
    """Which rows belong to which client.

    Arguments:
        offsets: shape (n_clients + 1,), starts at 0, strictly increasing.

    >>> Partition.of_sizes([2, 3]).rows(np.array([1]), np.array([[0, 2]]))
    array([[2, 4]])
    """

    offsets: Array

    @classmethod
    def of_sizes(cls, sizes: Sequence[int] | Array, where: str = "problem") -> Partition:
        """The partition with these client sizes; a client without samples is refused."""
        counts = np.asarray(sizes, dtype=np.int64)
        if counts.ndim != 1 or counts.size == 0:
            raise DataError(where, "no clients", "at least one client", "set clients=1 or more")
        empty = np.flatnonzero(counts < 1)
        if empty.size:
            raise DataError(
                where,
                f"client {empty[0]} without samples",
                "at least one sample per client",
                "use fewer clients or another split",
            )
        return cls(np.concatenate([[0], np.cumsum(counts)]))

    @property
    def n_clients(self) -> int:
        """How many clients there are."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Array:
        """D_n, shape (n_clients,)."""
        return np.diff(self.offsets)

    @property
    def total(self) -> int:
        """D, the number of rows."""
        return int(self.offsets[-1])

    def rows(self, clients: Array, samples: Array) -> Array:
        """Row numbers (k, ...) of samples (k, ...), each counted from its client's first row."""
        return self.offsets[clients].reshape(-1, *[1] * (samples.ndim - 1)) + samples

    def groups(self, clients: Array, most_rows: int = 1 << 16) -> Iterator[tuple[Array, Array]]:
        """Positions (m,) and row numbers (m, size) of clients of equal size, `most_rows` rows at a time.

        There are at most sqrt(2 D) different sizes, so a loop over groups is not a loop over clients.
        """
        sizes = self.sizes[clients]
        for size in np.unique(sizes):
            found = np.flatnonzero(sizes == size)
            step = max(1, most_rows // int(size))
            for first in range(0, len(found), step):
                positions = found[first : first + step]
                yield positions, self.offsets[clients[positions]][:, None] + np.arange(size)


def rows_of(values: Array, rows: Array) -> Array:
    """values[rows], shape (m, size, ...), without a copy where the rows follow each other.

    >>> values = np.arange(6.0)
    >>> rows_of(values, np.array([[2, 3], [4, 5]])).base is values
    True
    """
    first, each = int(rows[0, 0]), rows.shape[1]
    if (rows[:, 0] == first + each * np.arange(len(rows))).all():
        return values[first : first + rows.size].reshape(*rows.shape, *values.shape[1:])
    found: Array = values[rows]
    return found


class Partitioned(Shown):
    """What every problem stored in flat rows knows from its partition."""

    partition: Partition
    n_clients = Forwarded("partition")
    sizes = Forwarded("partition")

    def headline(self) -> str:
        """What it is, in words, and how large a model."""
        return problem_headline(self)

    @cached_property
    def pooled(self) -> Any:
        """The problem whose one client has all samples: its F_1 is the global loss."""
        one: dict[str, Any] = {"partition": Partition.of_sizes([self.partition.total])}
        original = getattr(self, "original", None)
        if original is not None:
            one["original"] = replace(original, **one)
        return replace(self, **one)  # type: ignore[type-var]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all that determines the problem's numbers, computed once."""
        return value_digest(self)
