"""Every label's rows in Dirichlet shares over the clients: unlike sizes and unlike labels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.split_helpers import SplitResult, check_enough, dealt, label_rows
from fedproof.problems.data.splits.dirichlet import CONCENTRATION
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.options import shown

OPTIONS = (CONCENTRATION,)
DRAWS = 100
"""How often the shares are drawn before a client without rows is an error."""


def split(
    data: Dataset, clients: int, rng: np.random.Generator, concentration: Fraction = Fraction(1, 2)
) -> SplitResult:
    """The rows of each label are divided over the clients in shares ~ Dirichlet(concentration).

    Yurochkin et al. 2019. Every row is used. Where a client is left without rows, all shares are drawn
    again, up to 100 times.

    Raises: DataError if the last draw leaves a client without rows too.

    >>> toy = Dataset("toy", np.zeros((90, 1)), np.arange(90) % 3, 3)
    >>> sum(len(part) for part in split(toy, 4, np.random.default_rng(0)).parts)
    90
    """
    check_enough(data, clients)
    data.occurring()
    rows = label_rows(data, rng)
    for drawn in range(1, DRAWS + 1):
        ends = []
        for mine in rows:
            shares = rng.dirichlet(np.full(clients, float(concentration)))
            ends.append(np.floor(len(mine) * np.cumsum(shares)[:-1]).astype(np.int64).clip(0, len(mine)))
        parts = dealt(rows, [range(clients)] * len(rows), ends, clients)
        if all(len(part) for part in parts):
            again = f", drawn {drawn} times" if drawn > 1 else ""
            return SplitResult(parts, f"each label in Dirichlet({shown(concentration)}) shares{again}")
    empty = next(n for n, part in enumerate(parts) if not len(part))
    raise DataError(data.name, f"client {empty} without rows in {DRAWS} draws", "at least one row per client",
                    "use fewer clients, a larger concentration, or split=dirichlet")  # fmt: skip
