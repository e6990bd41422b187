"""Gradients over rows in NumPy: what always runs, and what the compiled kernel is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fedproof.problems.linear import Linear
from fedproof.problems.model import Model
from fedproof.problems.problem import Array
from fedproof.problems.rows import Partition

__all__ = ["Plain"]


@dataclass(frozen=True, eq=False)
class Plain:
    """Any model's gradients, the rows of a batch gathered for all clients at once."""

    name: ClassVar[str] = "numpy"

    model: Model
    features: Array
    labels: Array
    partition: Partition

    def batch_gradients(self, models: Array, rows: Array) -> Array:
        """Means over rows (k, b) at models (..., k, d)."""
        return self.model.gradients(models, self.features.take(rows, axis=0), self.labels[rows])

    def batch_differences(self, here: Array, there: Array, rows: Array) -> Array:
        """Means over rows (k, b) at `here` less those at `there`, both (k, d)."""
        x, y = self.features.take(rows, axis=0), self.labels[rows]
        if isinstance(self.model, Linear):
            return self.model.gradient_differences(here, there, x, y)
        first, second = self.model.gradients(np.stack([here, there]), x, y)
        difference: Array = first - second
        return difference

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """Means over all rows of each client: in place for linear models, else gathered by equal size."""
        if isinstance(self.model, Linear):
            bounds = self.partition.offsets[clients], self.partition.offsets[clients + 1]
            return self.model.segment_gradients(models, self.features, self.labels, *bounds)
        out = np.empty(models.shape)
        for positions, rows in self.partition.groups(clients):
            at = models[..., positions, :]
            out[..., positions, :] = self.model.gradients(at, self.features[rows], self.labels[rows])
        return out
