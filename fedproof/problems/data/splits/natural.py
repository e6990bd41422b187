"""Every client is one writer of the data."""

from __future__ import annotations

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.split_helpers import SplitResult, unassigned_rows
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.options import Option

OPTIONS: tuple[Option, ...] = ()


def split(data: Dataset, clients: int, rng: np.random.Generator) -> SplitResult:
    """As many writers as there are clients, each with all of its rows; drawn at random if there are more.

    Raises: DataError for data that do not say who wrote what, InputError for more clients than writers.

    >>> toy = Dataset("toy", np.zeros((5, 1)), np.zeros(5), 1, owners=np.array([1, 0, 1, 1, 0]))
    >>> [part.tolist() for part in split(toy, 2, np.random.default_rng(0)).parts]
    [[1, 4], [0, 2, 3]]
    """
    if data.owners is None:
        raise DataError(
            data.name,
            "rows without a writer",
            "data that say who wrote what",
            "use another split, or say client=COLUMN",
        )
    writers = int(data.owners.max()) + 1
    if clients > writers:
        raise InputError("clients", clients, f"at most {writers}, the number of writers")
    chosen = np.sort(rng.choice(writers, clients, replace=False))
    order = np.argsort(data.owners, kind="stable")
    ends = np.searchsorted(data.owners[order], np.arange(writers + 1))
    parts = [order[ends[n] : ends[n + 1]] for n in chosen]
    by = (
        data.reading.called(data.reading.client)
        if data.reading is not None and data.reading.client
        else "writer"
    )
    names = None if data.owner_names is None else tuple(data.owner_names[n] for n in chosen)
    how = f"by {by}, {clients} of {writers}{unassigned_rows(len(data.labels), parts)}"
    return SplitResult(parts, how, names)
