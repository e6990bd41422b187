"""Multinomial logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedproof.problems.data.labels import check_classes
from fedproof.problems.problem import Array
from fedproof.problems.supervised.linear import Linear, spread


@dataclass(frozen=True)
class Softmax(Linear):
    """f(W; x, y) = log sum_c exp(W_c x) - W_y x; a model is W (classes, p), flattened.

    The Hessian in the scores is diag(q) - q q^T, q the class probabilities. For a unit u its quadratic form
    is the variance under q of the entries of u, at most a quarter of their squared range, and
    (u_a - u_b)^2 <= 2 (u_a^2 + u_b^2) <= 2: so it lies in [0, 1/2], and L = max |x_i|^2 / 2 is enough.
    The gradient in the scores, q - e_y, is shorter than sqrt(2), and comes as near to it as one likes.
    Adding one vector to all rows of W changes no loss: the Hessian is flat along it, at every W.

    Arguments:
        classes: >= 2.

    >>> Softmax(3).dimension(features=4)
    12
    """

    name: ClassVar[str] = "softmax"
    link: ClassVar[str] = "softmax"
    curvature_bound: ClassVar[Fraction] = Fraction(1, 2)
    curvature_text: ClassVar[str] = " / 2"
    slope_square: ClassVar[Fraction] = Fraction(2)
    flat: ClassVar[bool] = True

    classes: int

    @property
    def outputs(self) -> int:
        return self.classes

    def check(self, labels: Array, where: str) -> None:
        """Refuse labels outside 0..classes-1."""
        check_classes(labels, self.classes, where)

    def score_losses(self, z: Array, y: Array) -> Array:
        """log sum exp - score of the label."""
        top = z.max(axis=0)
        total = np.log(_sum(np.exp(z - top))) + top
        losses: Array = total - z.reshape(-1)[_labelled(z, y)].reshape(total.shape)
        return losses

    def score_gradients(self, z: Array, y: Array) -> Array:
        """Probabilities, less one at the label."""
        q = _probabilities(z)
        q.reshape(-1, copy=False)[_labelled(q, y)] -= 1
        return q

    def score_differences(self, z: Array, y: Array) -> Array:
        """Probabilities at the first point less those at the second: the labels cancel."""
        del y
        q = _probabilities(z)
        return q[:, 0] - q[:, 1]

    def score_products(self, z: Array, dz: Array, y: Array) -> Array:
        """(diag(q) - q q^T) dz."""
        del y
        q = spread(_probabilities(z.copy()), dz)
        products: Array = dz - _sum(q * dz)
        products *= q
        return products

    def predictions(self, w: Array, x: Array) -> Array:
        """The most probable class."""
        labels: Array = (w.reshape(self.classes, -1) @ x.T).argmax(axis=0)
        return labels


MODEL = Softmax


def _probabilities(z: Array) -> Array:
    """Softmax over the classes, axis 0, in place."""
    z -= z.max(axis=0)
    np.exp(z, out=z)
    z *= 1 / _sum(z)
    return z


def _sum(z: Array) -> Array:
    """Over the classes, in their order whatever stands beside: NumPy takes a lone column in another."""
    total: Array = z.sum(axis=0) if z[0].size > 1 else np.add.accumulate(z, axis=0)[-1]
    return total


def _labelled(z: Array, y: Array) -> Array:
    """Where every sample's label lies in the flat scores (classes, ..., b)."""
    samples = z[0].size
    index = np.arange(samples).reshape(z.shape[1:])
    index += np.multiply(y, samples, dtype=np.int64, casting="unsafe")
    return index.reshape(-1)
