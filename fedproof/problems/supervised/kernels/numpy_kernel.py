"""Gradients over rows in NumPy: what always runs, and what the compiled kernel is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.separable import Separable
from fedproof.problems.steps import LastIterates, ProximalSteps, StepGradients
from fedproof.problems.supervised.linear import Linear
from fedproof.problems.supervised.model import Model
from fedproof.problems.supervised.partition import Partition

_GATHERED = 1 << 16
"""Numbers gathered at once, 512 KiB: they stay in the second cache until they are used."""


@dataclass(frozen=True, eq=False)
class NumpyKernel:
    """Mean gradients over rows, of any model; all clients in one call, each by an arithmetic of its own.

    Where another kernel has something of its own it takes its place; the two agree to rounding.
    """

    name: ClassVar[str] = "numpy"

    model: Model
    features: Array
    labels: Array
    partition: Partition

    def batch_gradients(self, models: Array, rows: Array) -> Array:
        """Means over rows (k, b) at models (..., k, d), of their shape."""
        return self.model.gradients(models, self.features.take(rows, axis=0), self.labels[rows])

    def step_gradients(self, rows: Array) -> StepGradients:
        """Means over the rows of step t at models (k, d), rows (k, steps, b) of many steps gathered at once.

        Raises: IndexError for a row that is not there.
        """
        if rows.size and not 0 <= rows.min() <= rows.max() < len(self.features):
            raise IndexError("a row that is not there")
        return _Gathered(self.model, self.features, self.labels, rows)

    def proximal_steps(
        self,
        start: Array,
        shift: Array,
        clients: Array,
        samples: Array,
        steps: ProximalSteps,
        penalty: Separable,
    ) -> LastIterates | None:
        """Local steps on samples (k, steps, b) from `start` (k, d); None where they go one by one."""
        return None

    def loss_and_gradient(self, model: Array) -> tuple[float, Array] | None:
        """Mean loss and gradient over all rows at one model (d,); None where one pass does not give both."""
        return None

    def hessian_solutions(self, models: Array, right: Array, diagonal: Array, clients: Array) -> Array | None:
        """v with (Hessian of clients' mean losses + diag(diagonal)) v = right, all (k, d), if it can."""
        return None

    def batch_differences(self, here: Array, there: Array, rows: Array) -> Array:
        """Means over rows (k, b) at `here` less those at `there`, both (k, d): a new array."""
        x, y = self.features.take(rows, axis=0), self.labels[rows]
        if isinstance(self.model, Linear):
            return self.model.gradient_differences(here, there, x, y)
        first, second = self.model.gradients(np.stack([here, there]), x, y)
        difference: Array = first - second
        return difference

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """Means over all rows of clients (k,) at models (..., k, d), of their shape.

        In place for linear models, else gathered by equal size.
        """
        if isinstance(self.model, Linear):
            bounds = self.partition.offsets[clients], self.partition.offsets[clients + 1]
            return self.model.segment_gradients(models, self.features, self.labels, *bounds)
        out = np.empty(models.shape)
        for positions, rows in self.partition.groups(clients):
            at = models[..., positions, :]
            out[..., positions, :] = self.model.gradients(at, self.features[rows], self.labels[rows])
        return out


class _Gathered:
    """Gradients of steps; keeps the rows of some of them, one step after the other and each contiguous."""

    def __init__(self, model: Model, features: Array, labels: Array, rows: Array) -> None:
        self._model, self._features, self._labels = model, features, labels
        self._rows = np.ascontiguousarray(rows.transpose(1, 0, 2))
        steps, clients, batch = self._rows.shape
        numbers = clients * batch * features.shape[1]
        self._many = min(steps, max(1, _GATHERED // max(1, numbers)))
        self._x = np.empty((self._many, clients, batch, features.shape[1]), dtype=features.dtype)
        self._y, self._first = labels[:0], -1
        # scores and labels of one type meet faster
        alone = isinstance(model, Linear) and model.outputs == 1
        self._kind = features.dtype if alone else labels.dtype

    def __call__(self, models: Array, t: int) -> Array:
        first = t - t % self._many
        if first != self._first:
            rows = self._rows[first : first + self._many]
            # rows are known to be there: without another check NumPy writes in place
            self._features.take(rows, axis=0, out=self._x[: len(rows)], mode="clip")
            self._y, self._first = self._labels.take(rows).astype(self._kind, copy=False), first
        return self._model.gradients(models, self._x[t - first], self._y[t - first])
