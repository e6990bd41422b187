"""What splits share: who holds which label, and sizes that fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.options import MOST_LABELS, Option, whole
from fedproof.vocabulary.plurals import count

LABELS_PER_CLIENT = Option("labels_per_client", 2, whole(1, MOST_LABELS), "how many labels a client holds")


@dataclass(frozen=True, eq=False)
class SplitResult:
    """Which rows every client holds, and how that came about.

    Arguments:
        parts: row numbers of every client.
        how: in words, for the problem's name.
        clients: what client 0, 1, ... is called; None where it is the number.
    """

    parts: Sequence[Array]
    how: str
    clients: tuple[str, ...] | None = None


def check_enough(data: Dataset, clients: int) -> None:
    """Refuse fewer rows than clients.

    Raises: DataError with the largest number of clients that is possible.
    """
    rows = len(data.labels)
    if clients > rows:
        raise DataError(data.name, f"{rows} rows for {clients} clients", "a row for each client",
                        f"use at most {rows} clients")  # fmt: skip


def check_labels(data: Dataset, per_client: int) -> int:
    """How many labels occur; refuse more labels for each client than that.

    Raises: InputError with the largest number that is possible.

    >>> check_labels(Dataset("toy", np.eye(2), np.array([0, 4]), 5), 2)
    2
    """
    kinds = data.occurring()
    if per_client > kinds:
        raise InputError("labels_per_client", per_client, f"from 1 to {kinds}, the labels of {data.name}",
                         f"write labels_per_client={kinds}")  # fmt: skip
    return kinds


def most_clients(rows: Sequence[Array], per_client: int, least: int = 1) -> int:
    """The most clients for which every holder of a label can have `least` of its rows, whoever holds it.

    `label_holders` gives each label to ceil(clients x per_client / labels) clients at most.

    >>> most_clients([np.arange(3), np.arange(9)], 1)
    6
    """
    return min(map(len, rows)) // least * len(rows) // per_client


def label_rows(data: Dataset, rng: np.random.Generator) -> list[Array]:
    """The shuffled row numbers of every label that occurs."""
    return [rng.permutation(np.flatnonzero(data.labels == kind)) for kind in np.unique(data.labels)]


def label_holders(kinds: int, clients: int, per_client: int, rng: np.random.Generator) -> list[list[int]]:
    """Which clients hold each of the labels: a client gets those that the fewest hold so far.

    Arguments:
        kinds: how many labels there are.
        clients: how many; clients x per_client must reach the number of labels.
        per_client: labels of one client, at most `kinds`.
        rng: breaks ties.

    Raises: InputError if a label would have no client.

    >>> sorted(len(h) for h in label_holders(3, 2, 2, np.random.default_rng(0)))
    [1, 1, 2]
    """
    if clients * per_client < kinds:
        raise InputError("clients", clients, f"at least {-(-kinds // per_client)} clients",
                         f"{kinds} labels, {per_client} per client")  # fmt: skip
    counts = np.zeros(kinds, dtype=np.int64)
    holders: list[list[int]] = [[] for _ in range(kinds)]
    for client in range(clients):
        order = rng.permutation(kinds)
        chosen = order[np.argsort(counts[order], kind="stable")][:per_client]
        counts[chosen] += 1
        for kind in chosen:
            holders[kind].append(client)
    return holders


def too_few(data: Dataset, mine: Array, owners: Sequence[int], wanted: str, cure: str) -> DataError:
    """The error of a label whose rows `mine` do not do for all its holders."""
    label = data.label_text(int(data.labels[mine[0]]))
    got = f"{len(mine)} rows of label {label} for {len(owners)} clients"
    return DataError(data.name, got, wanted, cure)


def dealt(
    rows: Sequence[Array], holders: Sequence[Sequence[int]], ends: Sequence[Array], clients: int
) -> list[Array]:
    """The rows of every client: those of each label are cut where `ends` says, a piece for each holder.

    >>> dealt([np.array([4, 5, 6])], [[1, 0]], [np.array([2])], 2)
    [array([6]), array([4, 5])]
    """
    pieces: list[list[Array]] = [[] for _ in range(clients)]
    for mine, owners, cuts in zip(rows, holders, ends, strict=True):
        for owner, piece in zip(owners, np.split(mine, cuts), strict=False):
            pieces[owner].append(piece)
    return [np.concatenate(piece) if piece else np.empty(0, dtype=np.int64) for piece in pieces]


def unassigned_rows(rows: int, parts: Sequence[Any]) -> str:
    """What is left over, in words; empty where nothing is.

    >>> unassigned_rows(5, [[0, 1], [2]])
    ', 2 rows unused'
    """
    left = rows - sum(len(part) for part in parts)
    return f", {count(left, 'row')} unused" if left else ""
