"""Checks of labels that several models share."""

from __future__ import annotations

import numpy as np

from fedproof.problems.data.overflow_check import check_squares
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError, InputError


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
