"""Least squares on real-valued targets."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedproof.problems.data.labels import check_targets
from fedproof.problems.problem import Array
from fedproof.problems.supervised.linear import Linear


@dataclass(frozen=True)
class LeastSquares(Linear):
    """f(w; x, y) = (w x - y)^2 / 2; a model is w (p,). L = max |x_i|^2, at every w.

    Labels of classes are taken as the numbers that they are; accuracy then has no meaning and is None.

    >>> LeastSquares().dimension(features=4)
    4
    """

    outputs = 1
    name: ClassVar[str] = "least_squares"
    link: ClassVar[str] = "identity"
    curvature_bound: ClassVar[Fraction] = Fraction(1)
    curvature_text: ClassVar[str] = ""
    steep: ClassVar[bool] = True

    classes: int = 0

    def check(self, labels: Array, where: str) -> None:
        """Refuse targets that are not finite."""
        check_targets(labels, where)

    def score_losses(self, z: Array, y: Array) -> Array:
        """Half the squared error."""
        losses: Array = np.square(z[0] - y) / 2
        return losses

    def score_gradients(self, z: Array, y: Array) -> Array:
        return z - y

    def score_products(self, z: Array, dz: Array, y: Array) -> Array:
        del z, y
        return dz

    def predictions(self, w: Array, x: Array) -> Array:
        """The value w x."""
        return x @ w


MODEL = LeastSquares
