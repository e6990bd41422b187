"""Splitting labelled samples over clients; every split leaves no client empty or says so."""

from __future__ import annotations

import numpy as np

from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError, InputError

__all__ = ["iid_split", "labels_split"]


def iid_split(labels: Array, clients: int, rng: np.random.Generator) -> list[Array]:
    """Shuffled row numbers in parts of nearly equal size.

    >>> [len(part) for part in iid_split(np.zeros(5), 2, np.random.default_rng(0))]
    [3, 2]
    """
    _enough(len(labels), clients)
    return list(np.array_split(rng.permutation(len(labels)), clients))


def labels_split(labels: Array, clients: int, rng: np.random.Generator, per_client: int = 2) -> list[Array]:
    """Row numbers such that every client holds samples of exactly `per_client` labels.

    A client gets the labels that the fewest clients hold so far, ties broken at random; the samples of a
    label are dealt in nearly equal parts to the clients that hold it.

    Arguments:
        labels: shape (rows,).
        clients: how many; clients x per_client must reach the number of labels.
        rng: source of the shuffles.
        per_client: labels of one client.

    Raises: InputError if a label would have no client, DataError if a client would lack samples.

    >>> y = np.repeat([0, 1, 2], 4)
    >>> [len(set(y[part])) for part in labels_split(y, 3, np.random.default_rng(0))]
    [2, 2, 2]
    """
    _enough(len(labels), clients)
    kinds, counts = np.unique(labels, return_counts=True)
    per_client = min(per_client, len(kinds))
    if clients * per_client < len(kinds):
        raise InputError("clients", clients, f"at least {-(-len(kinds) // per_client)} clients",
                         f"{len(kinds)} labels, {per_client} per client")  # fmt: skip
    holders: list[list[int]] = [[] for _ in kinds]
    for client in range(clients):
        order = rng.permutation(len(kinds))
        fewest = order[np.argsort([len(holders[i]) for i in order], kind="stable")]
        for kind in fewest[:per_client]:
            holders[kind].append(client)
    parts: list[list[Array]] = [[] for _ in range(clients)]
    for kind, count, owners in zip(kinds, counts, holders, strict=True):
        if len(owners) > count:
            raise DataError("split", f"{count} samples of label {kind} for {len(owners)} clients",
                            "a sample for each", "use fewer clients")  # fmt: skip
        rows = rng.permutation(np.flatnonzero(labels == kind))
        for owner, piece in zip(owners, np.array_split(rows, len(owners)), strict=True):
            parts[owner].append(piece)
    return [np.concatenate(pieces) for pieces in parts]


def _enough(rows: int, clients: int) -> None:
    if clients < 1:
        raise InputError("clients", clients, "a whole number >= 1")
    if clients > rows:
        raise DataError("split", f"{rows} samples for {clients} clients", "a sample for each client",
                        f"use at most {rows} clients")  # fmt: skip
