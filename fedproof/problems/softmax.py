"""Multinomial logistic regression with a certified smoothness constant per sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, nextafter
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.problems.rows import Partition, Partitioned
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.values import parse_value

__all__ = ["Softmax"]


@dataclass(frozen=True, eq=False)
class Softmax(Partitioned):
    """f_i(W) = log sum_c exp(W_c x_i) - W_{y_i} x_i, without regularisation; a model is W, flattened.

    Arguments:
        features: x_i, shape (rows, p), finite; a bias is a column of ones in it.
        labels: y_i, shape (rows,), whole numbers 0..classes-1.
        classes: >= 2.
        partition: which rows belong to which client.

    Arrays inside are (clients, classes, batch): one matrix product per client, two points in one pass.

    >>> toy = Softmax(np.eye(2), np.array([0, 1]), 2, Partition.of_sizes([1, 1]))
    >>> float(toy.loss(toy.start())) == float(np.log(2))
    True
    """

    features: Array
    labels: Array
    classes: int
    partition: Partition
    name: str = "softmax"

    def __post_init__(self) -> None:
        rows = self.partition.total
        if self.features.ndim != 2 or self.features.shape[0] != rows or self.labels.shape != (rows,):
            got = f"features {self.features.shape} and labels {self.labels.shape}"
            raise DataError(self.name, got, f"{rows} rows of features and as many labels")
        bad = np.flatnonzero(~np.isfinite(self.features).all(axis=1))
        if bad.size:
            raise DataError(self.name, f"row {bad[0]} with a value that is not finite", "finite features",
                            "drop or fill the row")  # fmt: skip
        bad = np.flatnonzero((self.labels < 0) | (self.labels >= self.classes))
        if bad.size:
            raise DataError(self.name, f"row {bad[0]} with label {self.labels[bad[0]]}",
                            f"labels from 0 to {self.classes - 1}")  # fmt: skip

    @property
    def dimension(self) -> int:
        """d, the length of a model."""
        return self.classes * int(self.features.shape[1])

    @cached_property
    def constants(self) -> Mapping[str, Constant]:
        """Constants by canonical word.

        The Hessian of f_i is (diag(q) - q q^T) (x) x_i x_i^T, q the class probabilities. For a unit u,
        u^T (diag(q) - q q^T) u is the variance under q of the entries of u, at most a quarter of their
        squared range, and (u_a - u_b)^2 <= 2 (u_a^2 + u_b^2) <= 2. So it lies in [0, 1/2], and
        L = max |x_i|^2 / 2 is enough.
        """
        squares = np.einsum("ij,ij->i", self.features, self.features)
        close = np.flatnonzero(squares >= squares.max() * (1 - 1e-9))
        largest = max(sum((Fraction(float(v)) ** 2 for v in self.features[i]), Fraction(0)) for i in close)
        means = np.add.reduceat(squares, self.partition.offsets[:-1]) / self.sizes
        return {
            "smoothness_sample": Constant(
                _above(largest / 2), "certified", "max |x_i|^2 / 2 over all samples"
            ),
            "smoothness": Constant(
                float(means.max()) / 2 * (1 + 1e-9), "certified", "max over clients of the mean |x_i|^2 / 2"
            ),
            "weak_convexity": Constant(0, "exact", "every sample loss is convex"),
            "dissimilarity": Constant(
                None,
                "estimate",
                "no finite one is known: client gradients need not vanish with the global one",
            ),
            "least_loss": Constant(0, "certified", "a lower bound: every sample loss is positive"),
        }

    def number(self, value: Any) -> float:
        """`value` in the arithmetic of the problem."""
        return float(parse_value(value))

    def start(self) -> Array:
        """The default initial model, shape (d,)."""
        return np.zeros(self.dimension)

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        """Mean gradients over samples (k, b) of each client at its own model (..., k, d)."""
        return self._gradients(models, self.partition.rows(clients, samples))

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """Gradients of each client's F_n at its own model (..., k, d)."""
        out = np.empty(models.shape)
        for positions, rows in self.partition.groups(clients):
            out[..., positions, :] = self._gradients(models[..., positions, :], rows)
        return out

    def client_losses(self, models: Array, clients: Array) -> Array:
        """F_n of each client at its own model (..., k, d)."""
        out = np.empty(models.shape[:-1])
        for positions, rows in self.partition.groups(clients):
            logits = self._logits(models[..., positions, :], self.features[rows])
            out[..., positions] = _losses(logits, self.labels[rows]).mean(axis=-1)
        return out

    def loss(self, model: Array) -> Any:
        """Global loss at one model (d,)."""
        return _losses(self._all_logits(model), self.labels).mean()

    def gradient(self, model: Array) -> Array:
        """Global gradient at one model (d,)."""
        residual = _probabilities(self._all_logits(model))
        residual[self.labels, np.arange(len(self.labels))] -= 1
        gradient: Array = (residual @ self.features).reshape(-1) / len(self.labels)
        return gradient

    def accuracy(self, model: Array) -> float:
        """Fraction of the samples whose most probable class is their label."""
        return float((self._all_logits(model).argmax(axis=0) == self.labels).mean())

    def _logits(self, models: Array, x: Array) -> Array:
        """(..., k, classes, b) from models (..., k, d) and features (k, b, p)."""
        matrices = models.reshape(*models.shape[:-1], self.classes, -1)
        logits: Array = np.matmul(matrices, np.swapaxes(x, -1, -2))
        return logits

    def _all_logits(self, model: Array) -> Array:
        logits: Array = model.reshape(self.classes, -1) @ self.features.T
        return logits

    def _gradients(self, models: Array, rows: Array) -> Array:
        """Mean gradients over rows (k, b) at models (..., k, d): all points of a client in one product."""
        (k, b), c, x = rows.shape, self.classes, self.features[rows]
        stacked = np.moveaxis(models.reshape(-1, k, c, x.shape[-1]), 0, 1)
        points = stacked.shape[1]
        logits = np.matmul(stacked.reshape(k, points * c, -1), np.swapaxes(x, 1, 2))
        residual = _probabilities(logits.reshape(k, points, c, b))
        client, sample = np.ogrid[:k, :b]
        residual[client, :, self.labels[rows], sample] -= 1
        gradients: Array = np.matmul(residual.reshape(k, points * c, b), x)
        gradients /= b
        return np.moveaxis(gradients.reshape(k, points, -1), 1, 0).reshape(models.shape)


def _probabilities(logits: Array) -> Array:
    """Softmax over the classes, axis -2."""
    p: Array = logits - logits.max(axis=-2, keepdims=True)
    np.exp(p, out=p)
    p /= p.sum(axis=-2, keepdims=True)
    return p


def _losses(logits: Array, labels: Array) -> Array:
    """log sum exp - logit of the label: (..., b) from logits (..., classes, b) and labels (..., b)."""
    top = logits.max(axis=-2)
    total = np.log(np.exp(logits - top[..., None, :]).sum(axis=-2)) + top
    index = np.broadcast_to(labels[..., None, :], (*logits.shape[:-2], 1, logits.shape[-1]))
    losses: Array = total - np.take_along_axis(logits, index, axis=-2)[..., 0, :]
    return losses


def _above(value: Fraction) -> float:
    """The nearest float that is not below `value`."""
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)
