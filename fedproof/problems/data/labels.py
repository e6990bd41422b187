"""Checks of labels that several models share, and of numbers that must stay far from overflow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError, InputError

MOST_SQUARE = 1e290
"""Of a row: |x_i|^2, of which smoothness constants are made, summed over all rows is still a float."""
_CHUNK = 1 << 13


def check_classes(labels: Array, classes: int, where: str) -> None:
    """Refuse labels that are not whole numbers 0..classes-1.

    Raises: InputError for fewer than two classes; DataError naming the first bad row.

    >>> check_classes(np.array([0, 1]), 2, "toy")
    """
    if classes < 2:
        raise InputError("classes", classes, "at least 2", "use model=least_squares for real targets")
    if labels.dtype.kind not in "iu":
        raise DataError(where, f"labels of type {labels.dtype}", "whole numbers", "number the classes")
    bad = np.flatnonzero((labels < 0) | (labels >= classes))
    if bad.size:
        raise DataError(where, f"row {bad[0]} with label {labels[bad[0]]}",
                        f"labels from 0 to {classes - 1}")  # fmt: skip


def check_targets(labels: Array, where: str) -> None:
    """Refuse targets that are not finite real numbers.

    Raises: DataError naming the first bad row.

    >>> check_targets(np.array([0.5, -1]), "toy")
    """
    if labels.dtype.kind not in "iuf":
        raise DataError(
            where, f"labels of type {labels.dtype}", "real numbers", "use model=softmax for classes"
        )
    bad = np.flatnonzero(~np.isfinite(labels))
    if bad.size:
        raise DataError(where, f"row {bad[0]} with target {labels[bad[0]]}", "finite targets",
                        "drop or fill the row")  # fmt: skip
    check_squares(labels.astype(np.float64)[:, None], lambda row: f"{where}, row {row}", "targets")


def check_squares(rows: Array, place: Callable[[int], str], what: str = "features") -> None:
    """Refuse rows whose square is above `MOST_SQUARE`; rows with values that are not finite pass.

    Arguments:
        rows: shape (rows, p).
        place: where a row is, in words.
        what: they are, in words.

    Raises: DataError naming the first such row.

    >>> check_squares(np.array([[1e140, 3.0]]), str)
    """
    for first in range(0, len(rows), _CHUNK):
        part = rows[first : first + _CHUNK]
        with np.errstate(over="ignore", invalid="ignore"):
            squares = np.einsum("ij,ij->i", part, part)
        bad = np.flatnonzero(squares > MOST_SQUARE)
        bad = bad[np.isfinite(part[bad]).all(axis=1)]
        if bad.size:
            got = f"{what} up to {np.abs(part[bad[0]]).max():.0e}"
            expected = f"numbers whose squares have a sum below {MOST_SQUARE:.0e}"
            raise DataError(place(first + int(bad[0])), got, expected, f"scale the {what}")
