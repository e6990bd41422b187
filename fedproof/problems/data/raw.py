"""What a reader found, before labels are numbered and missing values seen to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fedproof.problems.data.natural_order import natural_order
from fedproof.problems.data.origin import Reading
from fedproof.problems.problem import Array


@dataclass(frozen=True, eq=False)
class Raw:
    """What a reader found.

    Arguments:
        features: float64, shape (rows, p); NaN where a value is missing.
        labels: numbers or text, shape (rows,); with `label_kinds` which of these a row has, -1 for none.
        place: where a row is in the source, in words.
        owners: who wrote each row, numbered from 0, shape (rows,), -1 for nobody; or None.
        owner_names: what owner 0, 1, ... is called; None where it is the number.
        label_kinds: text, each kind once, shape (kinds,); or None.
        reading: what was read so far; None where the source is an array without names.
        groups: each column of the source and how many features it became; empty where each is one.
    """

    features: Array
    labels: Array
    place: Callable[[int], str]
    owners: Array | None = None
    owner_names: tuple[str, ...] | None = None
    label_kinds: Array | None = None
    reading: Reading | None = None
    groups: tuple[tuple[str, int], ...] = ()


def named(owners: Array) -> tuple[Array, tuple[str, ...]]:
    """Owners numbered in the natural order of their names, and the names.

    >>> owners, names = named(np.array(["b10", "b2", "b10"]))
    >>> owners.tolist(), names
    ([1, 0, 1], ('b2', 'b10'))
    """
    kinds, found = np.unique(owners, return_inverse=True)
    words = [str(kind) for kind in kinds.tolist()]
    names = natural_order(words)
    places = {name: n for n, name in enumerate(names)}
    return np.array([places[word] for word in words])[found.reshape(-1)], tuple(names)
