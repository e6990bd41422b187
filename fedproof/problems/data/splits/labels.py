"""A few labels per client, every row dealt."""

from __future__ import annotations

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.split_helpers import (
    LABELS_PER_CLIENT,
    SplitResult,
    check_enough,
    check_labels,
    dealt,
    label_holders,
    label_rows,
    most_clients,
    too_few,
)
from fedproof.vocabulary.plurals import count

OPTIONS = (LABELS_PER_CLIENT,)


def split(data: Dataset, clients: int, rng: np.random.Generator, labels_per_client: int = 2) -> SplitResult:
    """Every client holds rows of exactly `labels_per_client` labels.

    A client gets the labels that the fewest clients hold so far, ties broken at random; the rows of a label
    are dealt in nearly equal parts to the clients that hold it.

    Raises: InputError for more labels than there are or if a label would have no client, DataError if a
        client would lack rows.

    >>> toy = Dataset("toy", np.zeros((12, 1)), np.repeat([0, 1, 2], 4), 3)
    >>> [len(set(toy.labels[part])) for part in split(toy, 3, np.random.default_rng(0)).parts]
    [2, 2, 2]
    """
    check_enough(data, clients)
    holders = label_holders(check_labels(data, labels_per_client), clients, labels_per_client, rng)
    rows = label_rows(data, rng)
    ends = []
    for mine, owners in zip(rows, holders, strict=True):
        if len(owners) > len(mine):
            cure = f"use at most {most_clients(rows, labels_per_client)} clients"
            raise too_few(data, mine, owners, "a row for each", cure)
        ends.append(np.cumsum([len(part) for part in np.array_split(mine, len(owners))])[:-1])
    return SplitResult(dealt(rows, holders, ends, clients), f"{count(labels_per_client, 'label')} each")
