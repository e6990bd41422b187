"""Lognormal sizes, a few labels per client: FedProx's MNIST."""

from __future__ import annotations

from fractions import Fraction

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
    unassigned_rows,
)
from fedproof.problems.problem import Array
from fedproof.vocabulary.options import MOST_COUNT, Option, number, shown, whole
from fedproof.vocabulary.plurals import count

DEVIATION = Option("deviation", 2, number(0, 10), "standard deviation of the logarithm of a share")
LEAST = Option("least", 5, whole(1, MOST_COUNT), "rows of each of its labels that every client gets first")
OPTIONS = (LABELS_PER_CLIENT, DEVIATION, LEAST)


def split(
    data: Dataset,
    clients: int,
    rng: np.random.Generator,
    labels_per_client: int = 2,
    deviation: Fraction = Fraction(2),
    least: int = 5,
) -> SplitResult:
    """Each holder of a label gets `least` rows of it and a lognormal share of the rest, rounded down.

    Li et al. 2020 (FedProx) made their MNIST so: 5 rows of two labels each, then shares of deviation 2.
    Labels are given out as in split=labels.

    Raises: InputError if a label would have no client, DataError if its rows are too few.

    >>> toy = Dataset("toy", np.zeros((60, 1)), np.arange(60) % 3, 3)
    >>> sum(len(part) for part in split(toy, 3, np.random.default_rng(0)).parts) > 54
    True
    """
    check_enough(data, clients)
    kinds = check_labels(data, labels_per_client)
    holders = label_holders(kinds, clients, labels_per_client, rng)
    rows = label_rows(data, rng)
    ends = []
    for mine, owners in zip(rows, holders, strict=True):
        spare = len(mine) - least * len(owners)
        if spare < 0:
            cure = _cure(rows, holders, labels_per_client, least)
            raise too_few(data, mine, owners, f"{least} for each", cure)
        weights = np.exp(float(deviation) * rng.standard_normal(len(owners)))
        cuts = np.floor(spare * np.cumsum(weights) / weights.sum()).astype(np.int64).clip(0, spare)
        ends.append(cuts + least * np.arange(1, len(owners) + 1))
    parts = dealt(rows, holders, ends, clients)
    sizes = [len(part) for part in parts]
    first = "" if least == LEAST.default else f", {count(least, 'row')} of each label first"
    how = f"lognormal sizes of log-deviation {shown(deviation)}, {min(sizes)}..{max(sizes)}{first}"
    return SplitResult(
        parts, f"{how}, {count(labels_per_client, 'label')} each{unassigned_rows(len(data.labels), parts)}"
    )


def _cure(rows: list[Array], holders: list[list[int]], per_client: int, least: int) -> str:
    """What fits: fewer clients, or fewer rows of each label."""
    most = most_clients(rows, per_client, least)
    fewer = f"use at most {most} clients" if most * per_client >= len(rows) else ""
    fits = min(len(mine) // len(owners) for mine, owners in zip(rows, holders, strict=True))
    if fits:
        return f"{fewer} or write least={fits}" if fewer else f"write least={fits}"
    return fewer or f"use at most {most_clients(rows, per_client)} clients and least=1"
