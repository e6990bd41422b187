"""Least absolute deviations on real-valued targets."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedproof.problems.data.labels import check_targets
from fedproof.problems.problem import Array
from fedproof.problems.supervised.kinked import Box, Kinked


@dataclass(frozen=True)
class Absolute(Kinked):
    """f(w; x, y) = |w x - y|; a model is w (p,). G = max |x_i|, convex, with a kink at w x = y.

    Labels of classes are taken as the numbers that they are; accuracy then has no meaning and is None.

    >>> Absolute().dimension(features=4)
    4
    """

    name: ClassVar[str] = "absolute"
    kinked: ClassVar[bool] = True
    slope_square: ClassVar[Fraction] = Fraction(1)

    classes: int = 0

    def box(self, y: Array) -> Box:
        """From -1 to 1, about the target."""
        ones = np.ones(y.shape)
        return Box(-ones, ones, y)

    def check(self, labels: Array, where: str) -> None:
        """Refuse targets that are not finite."""
        check_targets(labels, where)

    def predictions(self, w: Array, x: Array) -> Array:
        """The value w x."""
        return x @ w


MODEL = Absolute
