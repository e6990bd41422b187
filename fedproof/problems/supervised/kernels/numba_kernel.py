"""Gradients over rows by the compiled kernels."""

from __future__ import annotations

from functools import cached_property
from math import isfinite
from typing import ClassVar

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.separable import Separable
from fedproof.problems.steps import LastIterates, ProximalSteps, StepGradients
from fedproof.problems.supervised.kernels.compiled import (
    LINKS,
    batch_differences,
    batch_gradients,
    segment_gradients,
)
from fedproof.problems.supervised.kernels.newton import hessian_solutions
from fedproof.problems.supervised.kernels.numpy_kernel import NumpyKernel
from fedproof.problems.supervised.kernels.proximal_steps import proximal_steps
from fedproof.problems.supervised.kernels.whole_pass import loss_and_gradient

_WIDE = 1000
"""Features from which whole clients go to NumPy: 32 rows and their copies then leave the second cache."""


class NumbaKernel(NumpyKernel):
    """Gradients of a linear model, by its link and number of outputs."""

    name: ClassVar[str] = "numba"

    @property
    def link(self) -> str:
        """What the model makes of its scores."""
        return str(getattr(self.model, "link"))  # noqa: B009  # of linear models

    @cached_property
    def outputs(self) -> int:
        """Scores of a row."""
        return self.model.dimension(1)

    def batch_gradients(self, models: Array, rows: Array) -> Array:
        w = self._matrices(models)
        found: Array = batch_gradients(w, self.features, self.labels, rows, LINKS[self.link])
        return found.reshape(models.shape)

    def step_gradients(self, rows: Array) -> StepGradients:
        return lambda models, t: self.batch_gradients(models, rows[:, t])

    def proximal_steps(
        self,
        start: Array,
        shift: Array,
        clients: Array,
        samples: Array,
        steps: ProximalSteps,
        penalty: Separable,
    ) -> LastIterates | None:
        if self.outputs != 1:
            return None
        there, before, after, total = proximal_steps(
            np.ascontiguousarray(start, dtype=np.float64), np.ascontiguousarray(shift, dtype=np.float64),
            self.features, self._column, self.partition.offsets[clients],
            np.ascontiguousarray(samples), self.link == "logistic", float(steps.stepsize),
            np.asarray(steps.scales, dtype=np.float64), steps.decoupled, penalty.numbers(exact=False),
        )  # fmt: skip
        if not there:
            raise IndexError("a row that is not there")
        return LastIterates(before, after, total)

    def loss_and_gradient(self, model: Array) -> tuple[float, Array] | None:
        if self.outputs != 1:
            return None
        w, rows = np.ascontiguousarray(model, dtype=np.float64), len(self.features)
        loss, gradient = loss_and_gradient(w, self.features, self._column, self.link == "logistic")
        return (loss / rows, gradient / rows) if isfinite(loss) else None

    def hessian_solutions(self, models: Array, right: Array, diagonal: Array, clients: Array) -> Array | None:
        if self.outputs != 1:
            return None
        given = (np.ascontiguousarray(v, dtype=np.float64) for v in (models, right, diagonal))
        starts, stops = self.partition.offsets[clients], self.partition.offsets[clients + 1]
        found: Array = hessian_solutions(*given, self.features, starts, stops, self.link == "logistic")
        return found

    @cached_property
    def _column(self) -> Array:
        """Labels (rows, 1), in a byte each where they fit: the second cache holds them longer."""
        labels = self.labels
        small = labels.dtype.kind in "iub" and 0 <= labels.min() <= labels.max() <= 127
        return labels.astype(np.int8 if small else np.float64).reshape(-1, 1)

    def batch_differences(self, here: Array, there: Array, rows: Array) -> Array:
        points = self._matrices(here), self._matrices(there)
        found: Array = batch_differences(*points, self.features, rows, LINKS[self.link])
        return found.reshape(here.shape)

    def client_gradients(self, models: Array, clients: Array) -> Array:
        if self.features.shape[1] >= _WIDE:
            return super().client_gradients(models, clients)
        starts, stops = self.partition.offsets[clients], self.partition.offsets[clients + 1]
        w, link = self._matrices(models), LINKS[self.link]
        found: Array = segment_gradients(w, self.features, self.labels, starts, stops, link)
        return found.reshape(models.shape)

    def _matrices(self, models: Array) -> Array:
        """Models (..., k, d) as matrices (points, k, outputs, p), contiguous: what is compiled for."""
        whole = np.ascontiguousarray(models, dtype=np.float64)
        return whole.reshape(-1, models.shape[-2], self.outputs, self.features.shape[1])
