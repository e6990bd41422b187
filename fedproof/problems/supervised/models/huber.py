"""Huber's loss on real-valued targets: least squares near 0, absolute values far from it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.residual import Residual, width


@dataclass(frozen=True)
class Huber(Residual):
    """f(w; x, y) = r^2 / 2 for |r| <= delta, else delta (|r| - delta / 2), r = w x - y; a model is w (p,).

    Convex; the slope in w x is at most delta and the second derivative at most 1, so that G = delta max |x_i|
    and L = max |x_i|^2 are enough.

    Arguments:
        delta: from 1e-6 to 1e6, in the targets' unit.

    >>> Huber(delta="1/2").slope_square
    Fraction(1, 4)
    """

    name: ClassVar[str] = "huber"
    curvature_bound: ClassVar[Fraction] = Fraction(1)

    delta: Any = 1

    def __post_init__(self) -> None:
        width("delta", self.delta)

    @cached_property
    def _end(self) -> float:
        return float(width("delta", self.delta))

    @property
    def slope_square(self) -> Fraction:
        """delta^2."""
        return width("delta", self.delta) ** 2

    def value(self, r: Array) -> Array:
        """With m = min(|r|, delta): m (|r| - m / 2)."""
        size = np.abs(r)
        near = np.minimum(size, self._end)
        values: Array = near * (size - near / 2)
        return values

    def slope(self, r: Array) -> Array:
        """r, cut at delta and -delta."""
        return np.clip(r, -self._end, self._end)

    def bend(self, r: Array) -> Array:
        """1 within delta, else 0."""
        return (np.abs(r) <= self._end).astype(np.float64)


MODEL = Huber
