"""The Cauchy (Lorentzian) loss on real-valued targets: smooth, of bounded slope and not convex."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.residual import Residual, width


@dataclass(frozen=True)
class Cauchy(Residual):
    """f(w; x, y) = (c^2 / 2) log(1 + q^2), q = r / c, r = w x - y, c the width; a model is w (p,).

    In w x its slope is r / (1 + q^2), at most c / 2 (at q = 1), and its second derivative
    (1 - q^2) / (1 + q^2)^2. With s = q^2 the derivative of (1 - s) / (1 + s)^2 is (s - 3) / (1 + s)^3: so it
    is largest at r = 0, where it is 1, and least at s = 3, where it is -1/8. Hence G = (c / 2) max |x_i|,
    L = max |x_i|^2 and nu = max |x_i|^2 / 8 are enough.

    Arguments:
        width: c, from 1e-6 to 1e6, in the targets' unit.

    >>> Cauchy(width=3).slope_square
    Fraction(9, 4)
    """

    name: ClassVar[str] = "cauchy"
    curvature_bound: ClassVar[Fraction] = Fraction(1)
    least_curvature: ClassVar[Fraction] = Fraction(-1, 8)

    width: Any = 1

    def __post_init__(self) -> None:
        width("width", self.width)

    @cached_property
    def _c(self) -> float:
        return float(width("width", self.width))

    @property
    def slope_square(self) -> Fraction:
        """c^2 / 4."""
        return width("width", self.width) ** 2 / 4

    def value(self, r: Array) -> Array:
        """(c^2 / 2) log(1 + q^2)."""
        values: Array = self._c**2 / 2 * np.log1p(np.square(r / self._c))
        return values

    def slope(self, r: Array) -> Array:
        """r / (1 + q^2)."""
        slopes: Array = r / (1 + np.square(r / self._c))
        return slopes

    def bend(self, r: Array) -> Array:
        """(1 - q^2) / (1 + q^2)^2."""
        square = np.square(r / self._c)
        bends: Array = (1 - square) / (1 + square) / (1 + square)
        return bends


MODEL = Cauchy
