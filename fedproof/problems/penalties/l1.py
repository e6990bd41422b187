"""The l1 norm: sparse models."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.penalty import Weighted
from fedproof.problems.problem import Array, Constant

__all__ = ["L1", "PENALTY"]


@dataclass(frozen=True)
class L1(Weighted):
    """g(x) = weight sum_j |x_j|; its prox is soft thresholding.

    >>> L1("1/2").prox(np.array([2.0, -0.25]), 1.0)
    array([1.5, 0. ])
    """

    name: ClassVar[str] = "l1"

    def value(self, x: Array) -> Any:
        """g of models (..., d)."""
        return self.weight_in(x) * np.add.reduce(abs(x), axis=-1)

    def prox(self, x: Array, scale: Any) -> Array:
        """x less its part within scale x weight of 0."""
        reach = scale * self.weight_in(x)
        shrunk: Array = x - np.minimum(np.maximum(x, -reach), reach)
        return shrunk

    def subgradient_bound(self, dimension: int) -> Constant:
        """weight sqrt(d), reached where no entry is 0."""
        return Constant(float(self.exact) * sqrt(dimension), "exact", f"sqrt({dimension}) times the weight")

    @property
    def text(self) -> str:
        """The formula."""
        return f"{self.weight} |x|_1"


PENALTY = L1
