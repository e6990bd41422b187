"""A share of the rows at random in equal parts, every other row by its label."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.split_helpers import SplitResult, check_enough, label_rows
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.options import Option, number, shown

MIXED = Option("mixed", "1/2", number(0, 1), "share of the rows that is dealt at random, the rest by label")
OPTIONS = (MIXED,)


def split(
    data: Dataset, clients: int, rng: np.random.Generator, mixed: Fraction = Fraction(1, 2)
) -> SplitResult:
    """Rows drawn at random go to all clients in equal parts, the rest of label l to client l mod `clients`.

    composite, section 4.2, with ten labels on ten clients; sizes differ with the labels' counts. Every row is
    used.

    Raises: DataError if a client is left without rows.

    >>> toy = Dataset("toy", np.zeros((8, 1)), np.repeat([0, 1], 4), 2)
    >>> [len(part) for part in split(toy, 2, np.random.default_rng(0), Fraction(1)).parts]
    [4, 4]
    """
    check_enough(data, clients)
    data.occurring()
    order = rng.permutation(len(data.labels))
    spread = int(mixed * len(order))
    even = np.array_split(order[:spread], clients)
    rest = np.zeros(len(order), dtype=bool)
    rest[order[spread:]] = True
    owned = [[part] for part in even]
    for place, rows in enumerate(label_rows(data, rng)):
        owned[place % clients].append(rows[rest[rows]])
    parts = [np.concatenate(pieces) for pieces in owned]
    empty = next((n for n, part in enumerate(parts) if not len(part)), None)
    if empty is not None:
        raise DataError(data.name, f"client {empty} without rows at mixed={shown(mixed)}",
                        "at least one row per client", "write mixed=1/2 or use fewer clients")  # fmt: skip
    return SplitResult(parts, f"{shown(mixed)} of the rows at random, the others by label")
