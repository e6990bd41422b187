"""Labelled samples, before they are split over clients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fedproof.problems.data.origin import Reading
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError

_CHUNK = 1 << 13


@dataclass(frozen=True, eq=False)
class Dataset:
    """Labelled samples; labels are numbered 0..classes-1, or are real targets where classes = 0.

    Arguments:
        name: what they are.
        features: shape (rows, p).
        labels: shape (rows,).
        classes: how many labels there are.
        kinds: what label 0, 1, ... is called in the source, shape (classes,); None where it is the number.
        owners: who wrote each row, numbered from 0 and each with a row, shape (rows,); None if nobody says.
        owner_names: what owner 0, 1, ... is called; None where it is the number.
        reading: what was read from a user's data; None for data that ship with the package.
    """

    name: str
    features: Array
    labels: Array
    classes: int
    kinds: Array | None = None
    owners: Array | None = None
    owner_names: tuple[str, ...] | None = None
    reading: Reading | None = None

    def label_text(self, label: int) -> str:
        """A label as the source has it."""
        return str(label if self.kinds is None else self.kinds[label])

    def occurring(self) -> int:
        """How many labels occur.

        Raises: DataError for real-valued targets, which cannot be split by label.
        """
        if not self.classes:
            raise DataError(self.name, "real-valued targets", "labels, for this split", "use split=iid")
        return len(np.unique(self.labels))


def real_targets(data: Dataset) -> Array:
    """The labels as the real numbers that the source has in their place.

    Raises: DataError naming a label that is no number.

    >>> real_targets(Dataset("toy", np.zeros((2, 1)), np.array([1, 0]), 2, np.array([-1.5, 7])))
    array([ 7. , -1.5])
    """
    if data.kinds is None:
        return data.labels.astype(np.float64)
    if data.kinds.dtype.kind not in "fiub":
        raise DataError(data.name, f"label {data.kinds[0]}", "numbers as targets", "use model=softmax")
    return data.kinds.astype(np.float64)[data.labels]


def gathered(features: Array, rows: Array, bias: bool = True) -> Array:
    """These rows of the features, with a last column of ones if `bias` (it counts in |x|); one copy is made.

    >>> gathered(np.array([[5.0], [6.0]]), np.array([1]))
    array([[6., 1.]])
    """
    p = features.shape[1]
    out = np.ones((len(rows), p + bias))
    for first in range(0, len(rows), _CHUNK):
        part = slice(first, first + _CHUNK)
        out[part, :p] = features[rows[part]]
    return out
