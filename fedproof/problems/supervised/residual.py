"""Models of real-valued targets whose loss is a function of the residual r = w x - y."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fedproof.problems.data.labels import check_targets
from fedproof.problems.problem import Array
from fedproof.problems.supervised.linear import Linear
from fedproof.vocabulary.options import number


@dataclass(frozen=True)
class Residual(Linear):
    """f(w; x, y) = phi(w x - y); a model is w (p,). Subclasses give phi and its derivatives.

    Labels of classes are taken as the numbers that they are; accuracy then has no meaning and is None.
    """

    outputs = 1

    classes: int = 0

    def value(self, r: Array) -> Array:
        """phi of residuals, of any shape."""
        raise NotImplementedError(type(self).__name__)

    def slope(self, r: Array) -> Array:
        """phi' of residuals."""
        raise NotImplementedError(type(self).__name__)

    def bend(self, r: Array) -> Array:
        """phi'' of residuals."""
        raise NotImplementedError(type(self).__name__)

    def check(self, labels: Array, where: str) -> None:
        """Refuse targets that are not finite."""
        check_targets(labels, where)

    def score_losses(self, z: Array, y: Array) -> Array:
        return self.value(z[0] - y)

    def score_gradients(self, z: Array, y: Array) -> Array:
        return self.slope(z - y)

    def score_products(self, z: Array, dz: Array, y: Array) -> Array:
        bend = self.bend(z - y)
        products: Array = bend.reshape(1, *[1] * (dz.ndim - bend.ndim), *bend.shape[1:]) * dz
        return products

    def predictions(self, w: Array, x: Array) -> Array:
        """The value w x."""
        return x @ w


def width(name: str, value: Any) -> Fraction:
    """Where a loss changes its shape, exactly as given: a number from 1e-6 to 1e6.

    Raises: InputError.

    >>> width("delta", "1.345")
    Fraction(269, 200)
    """
    found: Fraction = number("1e-6", "1e6")[1](name, value)
    return found
