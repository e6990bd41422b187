"""How large numbers of data may be: sums of their squares must stay far from overflow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError

MOST_SQUARE = 1e290
"""Of a row: |x_i|^2, of which smoothness constants are made, summed over all rows is still a float."""
_CHUNK = 1 << 13


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
