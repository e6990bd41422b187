"""Binary logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedproof.problems.data.labels import check_classes
from fedproof.problems.problem import Array
from fedproof.problems.supervised.linear import Linear, spread
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True)
class Logistic(Linear):
    """f(w; x, y) = log(1 + exp(-s w x)), s = 1 for label 1 and -1 for label 0; a model is w (p,).

    The second derivative in w x is q (1 - q) <= 1/4, so L = max |x_i|^2 / 4 is enough.

    >>> Logistic(2).dimension(features=4)
    4
    """

    outputs = 1
    name: ClassVar[str] = "logistic"
    link: ClassVar[str] = "logistic"
    curvature_bound: ClassVar[Fraction] = Fraction(1, 4)
    curvature_text: ClassVar[str] = " / 4"
    slope_square: ClassVar[Fraction] = Fraction(1)

    classes: int = 2

    def __post_init__(self) -> None:
        if self.classes != 2:
            raise InputError("model", f"logistic on {self.classes} classes", "2 classes", "use model=softmax")

    def check(self, labels: Array, where: str) -> None:
        """Refuse labels other than 0 and 1."""
        check_classes(labels, 2, where)

    def score_losses(self, z: Array, y: Array) -> Array:
        """log(1 + exp(-s z)), without overflow."""
        wrong = np.where(y == 1, -z[0], z[0])
        losses: Array = np.log1p(np.exp(-np.abs(wrong)))  # NumPy's logaddexp takes four times as long
        losses += np.maximum(wrong, 0)
        return losses

    def score_gradients(self, z: Array, y: Array) -> Array:
        """Probability of label 1, less the label."""
        gradients = _probability(z, out=z)
        gradients -= y
        return gradients

    def score_products(self, z: Array, dz: Array, y: Array) -> Array:
        """q (1 - q) dz."""
        del y
        q = spread(_probability(z), dz)
        products: Array = q * (1 - q) * dz
        return products

    def predictions(self, w: Array, x: Array) -> Array:
        """Label 1 where the score is positive."""
        return (x @ w > 0).astype(np.int64)


MODEL = Logistic


def _probability(z: Array, out: Array | None = None) -> Array:
    """1 / (1 + exp(-z)), without overflow."""
    half: Array = np.multiply(z, 0.5, out=out)
    np.tanh(half, out=half)
    half += 1
    half *= 0.5
    return half
