"""The hinge loss of support vector machines."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedproof.problems.data.labels import check_classes
from fedproof.problems.problem import Array
from fedproof.problems.supervised.kinked import Box, Kinked
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True)
class Hinge(Kinked):
    """f(w; x, y) = max(0, 1 - s w x), s = 1 for label 1 and -1 for label 0; a model is w (p,).

    G = max |x_i|, convex, with a kink at s w x = 1.

    >>> Hinge(2).dimension(features=4)
    4
    """

    name: ClassVar[str] = "hinge"
    kinked: ClassVar[bool] = True
    slope_square: ClassVar[Fraction] = Fraction(1)

    classes: int = 2

    def __post_init__(self) -> None:
        if self.classes != 2:
            raise InputError("model", f"hinge on {self.classes} classes", "2 classes", "use model=softmax")

    def box(self, y: Array) -> Box:
        """From -1 to 0 about 1 for label 1, from 0 to 1 about -1 for label 0."""
        right = y == 1
        return Box(np.where(right, -1.0, 0.0), np.where(right, 0.0, 1.0), np.where(right, 1.0, -1.0))

    def check(self, labels: Array, where: str) -> None:
        """Refuse labels other than 0 and 1."""
        check_classes(labels, 2, where)

    def predictions(self, w: Array, x: Array) -> Array:
        """Label 1 where the score is positive."""
        return (x @ w > 0).astype(np.int64)


MODEL = Hinge
