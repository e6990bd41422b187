"""The largest entry: models whose largest entries are alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.problems.separable import Weighted
from fedproof.vocabulary.options import MOST_NUMBER, Option, number, shown

OPTIONS = (Option("weight", "1/1000", number(0, MOST_NUMBER), "of the largest entry's size"),)


@dataclass(frozen=True)
class Linf(Weighted):
    """g(x) = weight max_j |x_j|; x less its prox is its projection on an l1 ball (Moreau).

    >>> Linf(2).prox(np.array([4.0, -3.0, 1.0]), 1.0)
    array([ 2.5, -2.5,  1. ])
    """

    name: ClassVar[str] = "linf"

    def value(self, x: Array) -> Any:
        return self.weight_in(x) * np.maximum.reduce(abs(x), axis=-1)

    def prox(self, x: Array, scale: Any) -> Array:
        """x with its entries cut at the height above which they hold scale x weight together; 0 if none.

        Projection on the l1 ball by sorting: of the k largest entries the excess is their sum less k heights.
        """
        reach = scale * self.weight_in(x)
        down = -np.sort(-abs(x), axis=-1)
        counts = np.arange(1, x.shape[-1] + 1).astype(x.dtype)
        excess = np.add.accumulate(down, axis=-1) - reach
        fits = (down * counts >= excess).astype(bool)
        last = x.shape[-1] - 1 - np.argmax(fits[..., ::-1], axis=-1)[..., None]
        height = np.take_along_axis(excess, last, axis=-1) / np.take_along_axis(
            np.broadcast_to(counts, x.shape), last, axis=-1
        )
        height = np.maximum(height, height * 0)
        cut: Array = np.minimum(np.maximum(x, -height), height)
        return cut

    def subgradient_bound(self, dimension: int) -> Constant:
        """weight: subgradients lie in an l1 ball, and one entry alone reaches it."""
        del dimension
        return Constant(float(self.exact), "exact", "the weight: subgradients lie in an l1 ball")

    @property
    def text(self) -> str:
        return f"{shown(self.exact)} max |x_j|"


PENALTY = Linf
