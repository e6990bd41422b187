"""Rows at random, in parts of nearly equal size."""

from __future__ import annotations

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.split_helpers import SplitResult, check_enough
from fedproof.vocabulary.options import Option

OPTIONS: tuple[Option, ...] = ()


def split(data: Dataset, clients: int, rng: np.random.Generator) -> SplitResult:
    """Shuffled rows; sizes differ by at most one.

    >>> toy = Dataset("toy", np.zeros((5, 1)), np.zeros(5, dtype=int), 2)
    >>> [len(part) for part in split(toy, 2, np.random.default_rng(0)).parts]
    [3, 2]
    """
    check_enough(data, clients)
    return SplitResult(np.array_split(rng.permutation(len(data.labels)), clients), "iid")
