"""Many small linear systems at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import solve


def solutions(matrices: Array, right: Array, singular: float) -> Array:
    """The solutions of systems, one that is singular in floats left out.

    Arguments:
        matrices: (k, d, d), fractions or floats.
        right: (k, d).
        singular: stands in every place of the solution of a system that has none; fractions raise instead.

    Returns: shape (k, d).

    >>> solutions(np.array([[[2.0]], [[0.0]]]), np.array([[4.0], [1.0]]), np.nan)
    array([[ 2.],
           [nan]])
    """
    if matrices.dtype == object:
        pairs: Any = zip(matrices, right, strict=True)
        return np.array([solve(a, b) for a, b in pairs], dtype=object).reshape(right.shape)
    try:
        found: Array = np.linalg.solve(matrices, right[..., None])[..., 0]
    except np.linalg.LinAlgError:
        if len(right) == 1:
            return np.full(right.shape, singular)
        one = (solutions(matrices[n : n + 1], right[n : n + 1], singular) for n in range(len(right)))
        return np.concatenate(list(one))
    return found
