"""The nuclear norm: models that are matrices of low rank."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.composite.penalty import check_divides, in_floats
from fedproof.problems.problem import Array, Constant
from fedproof.problems.separable import Weighted
from fedproof.vocabulary.options import MOST_COUNT, MOST_NUMBER, Option, number, shown, whole

_ROWS = whole(1, MOST_COUNT)
OPTIONS = (
    Option("weight", "1/1000", number(0, MOST_NUMBER), "of the sum of the singular values"),
    Option("rows", 1, _ROWS, "of the matrix that the model is, row after row"),
)


@dataclass(frozen=True)
class Nuclear(Weighted):
    """g(x) = weight times the sum of the singular values of x as a matrix, row after row.

    Its prox shrinks the singular values. The matrices of all leading axes are decomposed in one call.

    Arguments:
        weight: >= 0.
        rows: of the matrix; they must divide d.

    >>> Nuclear(1, rows=2).prox(np.array([3.0, 0.0, 0.0, 0.5]), 1.0)
    array([2., 0., 0., 0.])
    """

    name: ClassVar[str] = "nuclear"

    rows: Any = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.count

    @cached_property
    def count(self) -> int:
        """The rows, read."""
        return int(_ROWS[1]("rows", self.rows))

    def _matrices(self, x: Array) -> Array:
        in_floats(self.name, x)
        return x.reshape(*x.shape[:-1], self.count, self._columns(x.shape[-1]))

    def _columns(self, dimension: int) -> int:
        check_divides("rows", self.count, dimension)
        return dimension // self.count

    def value(self, x: Array) -> Any:
        """g of models (..., d); nan where they are not finite."""
        matrices, lost = _finite(self._matrices(x))
        total = self.rounded * np.linalg.svd(matrices, compute_uv=False).sum(axis=-1)
        return np.where(lost, np.nan, total)[()]

    def prox(self, x: Array, scale: Any) -> Array:
        """The matrix with scale x weight off every singular value, or 0."""
        matrices, lost = _finite(self._matrices(x))
        left, values, right = np.linalg.svd(matrices, full_matrices=False)
        shrunk = np.maximum(values - scale * self.rounded, 0)
        found = (left * shrunk[..., None, :]) @ right
        return np.where(lost[..., None], np.nan, found.reshape(x.shape))

    def subgradient_bound(self, dimension: int) -> Constant:
        """weight times the root of the shorter side, reached at full rank."""
        side = min(self.count, self._columns(dimension))
        return Constant(self.rounded * sqrt(side), "exact", f"sqrt({side}) times the weight, by the rank")

    @property
    def text(self) -> str:
        return f"{shown(self.exact)} |x|_nuclear, {self.count} rows"


PENALTY = Nuclear


def _finite(matrices: Array) -> tuple[Array, Array]:
    """The matrices, 0 in place of those with a value that is not finite, and which these are."""
    lost = np.asarray(~np.isfinite(matrices).all(axis=(-2, -1)))
    return np.where(lost[..., None, None], 0.0, matrices), lost
