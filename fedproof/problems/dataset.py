"""Labelled samples, and their split into a federated problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.rows import Partition
from fedproof.problems.softmax import Softmax
from fedproof.problems.splits import iid_split, labels_split
from fedproof.vocabulary.errors import UnknownName

__all__ = ["SPLITS", "Dataset", "federated", "softmax_problem", "with_bias"]

SPLITS = ("labels", "iid")


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features (rows, p) and labels (rows,) numbered 0..classes-1."""

    name: str
    features: Array
    labels: Array
    classes: int


def with_bias(features: Array) -> Array:
    """The features with a last column of ones; it counts in |x|.

    >>> with_bias(np.zeros((1, 2)))
    array([[0., 0., 1.]])
    """
    return np.concatenate([features, np.ones((len(features), 1))], axis=1)


def softmax_problem(
    data: Dataset, clients: int, seed: int, split: str = "labels", labels_per_client: int = 2
) -> Softmax:
    """Multinomial logistic regression with bias on a split of the data.

    Arguments:
        data: the samples.
        clients: how many.
        seed: of the split.
        split: "labels" (`labels_per_client` labels each) or "iid".
        labels_per_client: labels of one client; at most the number of classes.

    Raises: UnknownName, InputError or DataError for a split that cannot be.
    """
    rng = np.random.Generator(np.random.Philox(key=np.array([seed, 2], dtype=np.uint64)))
    if split not in SPLITS:
        raise UnknownName("split", split, SPLITS)
    if split == "iid":
        parts, how = iid_split(data.labels, clients, rng), "iid"
    else:
        parts = labels_split(data.labels, clients, rng, labels_per_client)
        how = f"{labels_per_client} labels each"
    return federated(data, parts, f"{data.name}, {clients} clients, {how}, split seed {seed}")


def federated(data: Dataset, parts: Sequence[Array], name: str) -> Softmax:
    """The softmax problem whose client n holds the rows `parts[n]`; an empty part is refused."""
    partition = Partition.of_sizes([len(part) for part in parts], name)
    order = np.concatenate(list(parts))
    return Softmax(with_bias(data.features[order]), data.labels[order], data.classes, partition, name)
