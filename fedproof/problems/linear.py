"""Linear models: a sample's loss is a convex function of W x, W (outputs, p)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf, nextafter
from typing import ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.problems.rows import Partition

__all__ = ["Linear"]


class Linear:
    """A model given by its loss as a function of the scores z = W x; subclasses give that function.

    Arrays inside are (clients, outputs, batch): one matrix product per client, all points in one pass.
    Subclasses set `outputs`, `bend`, the largest eigenvalue of the loss's Hessian in z, and `flat`: whether
    every sample's Hessian vanishes along one common direction at every W, so that the least curvature of a
    separable regulariser is attained.
    """

    bend: ClassVar[Fraction]
    bend_text: ClassVar[str]
    flat: ClassVar[bool] = False

    @property
    def outputs(self) -> int:
        """Length of z."""
        raise NotImplementedError(type(self).__name__)

    def score_losses(self, z: Array, y: Array) -> Array:
        """Losses (..., b) from scores (..., outputs, b) and labels (..., b)."""
        raise NotImplementedError(type(self).__name__)

    def score_gradients(self, z: Array, y: Array) -> Array:
        """Derivatives in z, of z's shape; z may be overwritten."""
        raise NotImplementedError(type(self).__name__)

    def score_products(self, z: Array, dz: Array, y: Array) -> Array:
        """Hessian in z times dz, of dz's shape (..., outputs, b)."""
        raise NotImplementedError(type(self).__name__)

    def dimension(self, features: int) -> int:
        """d for p features."""
        return self.outputs * features

    def start(self, features: int) -> Array:
        """The default initial parameters: zero."""
        return np.zeros(self.dimension(features))

    def losses(self, w: Array, x: Array, y: Array) -> Array:
        """f of every sample at its client's parameters, shape (..., k, b)."""
        return self.score_losses(self._scores(w, x), y)

    def gradients(self, w: Array, x: Array, y: Array) -> Array:
        """Mean gradient over each client's samples: all points of a client in one product."""
        stacked = self._stacked(w)
        k, points = stacked.shape[:2]
        z = np.matmul(stacked.reshape(k, -1, x.shape[-1]), np.swapaxes(x, 1, 2))
        pull = self.score_gradients(z.reshape(k, points, self.outputs, -1), y[:, None])
        return self._means(pull, x, w.shape)

    def hessian_products(self, w: Array, v: Array, x: Array, y: Array) -> Array:
        """Mean Hessian over each client's samples, times v."""
        stacked = self._stacked(v)
        k, points = stacked.shape[:2]
        dz = np.matmul(stacked.reshape(k, -1, x.shape[-1]), np.swapaxes(x, 1, 2))
        z = self._scores(w, x)[:, None]
        bent = self.score_products(z, dz.reshape(k, points, self.outputs, -1), y[:, None])
        return self._means(bent, x, v.shape)

    def constants(self, features: Array, labels: Array, partition: Partition) -> Mapping[str, Constant]:
        """Constants by canonical word; L = bend |x_i|^2, as the Hessian is (Hessian in z) (x) x_i x_i^T."""
        del labels
        squares = np.einsum("ij,ij->i", features, features)
        largest = _largest_square(features, squares)
        means = np.add.reduceat(squares, partition.offsets[:-1]) / partition.sizes
        bend, text = self.bend, self.bend_text
        mean_bound = float(means.max()) * float(bend) * (1 + 1e-9)
        return {
            "smoothness_sample": Constant(
                _above(largest * bend), "certified", f"max |x_i|^2{text} over all samples"
            ),
            "smoothness": Constant(mean_bound, "certified", f"max over clients of the mean |x_i|^2{text}"),
            "weak_convexity": Constant(0, "exact", "every sample loss is convex"),
            "dissimilarity": Constant(
                None,
                "estimate",
                "no finite one is known: client gradients need not vanish with the global one",
            ),
            "least_loss": Constant(0, "certified", "a lower bound: no sample loss is negative"),
        }

    def _scores(self, w: Array, x: Array) -> Array:
        """(..., k, outputs, b) from parameters (..., k, d) and features (k, b, p)."""
        matrices = w.reshape(*w.shape[:-1], self.outputs, -1)
        scores: Array = np.matmul(matrices, np.swapaxes(x, -1, -2))
        return scores

    def _stacked(self, w: Array) -> Array:
        """(k, points, outputs, p) from (..., k, d)."""
        k, d = w.shape[-2:]
        return np.moveaxis(w.reshape(-1, k, self.outputs, d // self.outputs), 0, 1)

    def _means(self, pull: Array, x: Array, shape: tuple[int, ...]) -> Array:
        """Means of pull x^T over the batch, in the given shape (..., k, d)."""
        k, points, outputs, b = pull.shape
        sums: Array = np.matmul(pull.reshape(k, points * outputs, b), x)
        sums /= b
        return np.moveaxis(sums.reshape(k, points, -1), 1, 0).reshape(shape)


def _largest_square(features: Array, squares: Array, most: int = 100) -> Fraction:
    """max |x_i|^2 given its rounded values: exact, or just above it where over `most` rows come close."""
    close = np.flatnonzero(squares >= squares.max() * (1 - 1e-9))
    if len(close) <= most:
        return max(sum((Fraction(float(v)) ** 2 for v in features[i]), Fraction(0)) for i in close)
    # p products and their sum, all >= 0: in any order each loses at most the factor (1 + 2^-53)^p
    return Fraction(float(squares.max())) * (1 + Fraction(features.shape[1] + 1, 1 << 52))


def _above(value: Fraction) -> float:
    """The nearest float that is not below `value`."""
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)
