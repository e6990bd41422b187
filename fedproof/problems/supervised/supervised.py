"""A federated problem on labelled rows: a model, an optional regulariser, and who holds which row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from fedproof.problems.data.labels import check_squares
from fedproof.problems.data.origin import Origin
from fedproof.problems.minibatches import Minibatches
from fedproof.problems.problem import Array, Constant
from fedproof.problems.separable import Separable
from fedproof.problems.steps import LastIterates, ProximalSteps, StepGradients
from fedproof.problems.supervised.concave_penalties import Flattening, split
from fedproof.problems.supervised.kernels.kernel import check_kernel, make_kernel
from fedproof.problems.supervised.kernels.numpy_kernel import NumpyKernel
from fedproof.problems.supervised.kinked import Box
from fedproof.problems.supervised.linear import float_above, root_above, stated
from fedproof.problems.supervised.model import Model
from fedproof.problems.supervised.model_options import known_name
from fedproof.problems.supervised.partition import Partition, Partitioned, rows_of
from fedproof.problems.supervised.regularisers import Regulariser, parts
from fedproof.problems.supervised.rounding import RowSizes, gradient_error
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.values import parse_value

_CACHED = 1 << 17
"""Features that are read twice in a row: 1 MiB."""

_CHUNK = 1 << 13
"""Rows in one pass over all data: temporary arrays stay small beside the data."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Rows for testing, of no client: features (rows, p) and labels (rows,)."""

    features: Array
    labels: Array


@dataclass(frozen=True, eq=False)
class Supervised(Partitioned):
    """F_n(w) = mean over client n's rows of f(w; x_i, y_i) + r(w); FedProxVR (1)-(2).

    Arguments:
        model: f, such as `Softmax(10)`.
        features: x_i, shape (rows, p), finite real numbers; a bias is a column of ones in it. They become
            float64, without a copy where they are float64 row after row already; 1 and 0 for booleans.
        labels: y_i, shape (rows,).
        partition: which rows belong to which client.
        name: what it is, in words.
        regulariser: r, or None.
        held_out: rows for testing, or None.
        kernel: what computes the gradients of clients and batches: "numpy", "numba", or "auto", numba where
            it is installed and knows the model. They agree to rounding.
        origin: what was read and what clients and classes are called; None where nobody says.

    >>> from fedproof.problems.supervised.models.softmax import Softmax
    >>> toy = Supervised(Softmax(2), np.eye(2), np.array([0, 1]), Partition.of_sizes([1, 1]))
    >>> float(toy.loss(toy.start())) == float(np.log(2))
    True
    """

    model: Model
    features: Array
    labels: Array
    partition: Partition
    name: str = "supervised"
    regulariser: Regulariser | None = None
    held_out: HeldOut | None = None
    kernel: str = "auto"
    origin: Origin | None = None

    def __post_init__(self) -> None:
        check_kernel(self.kernel)
        object.__setattr__(self, "features", _as_floats(self.features, self.name))
        _check_rows(self.model, self.features, self.labels, self.partition.total, self.name)
        if self.held_out is not None:
            tested = _as_floats(self.held_out.features, f"{self.name}, test")
            object.__setattr__(self, "held_out", replace(self.held_out, features=tested))
            rows = len(self.held_out.labels)
            _check_rows(self.model, self.held_out.features, self.held_out.labels, rows, f"{self.name}, test")

    @property
    def dimension(self) -> int:
        return self.model.dimension(int(self.features.shape[1]))

    @cached_property
    def constants(self) -> Mapping[str, Constant]:
        """Constants by canonical word: the model's, with the regulariser's exact part added."""
        known = dict(self._of_model)
        if self.regulariser is None:
            return known
        for name in ("smoothness_sample", "smoothness"):
            known[name] = _raised(known[name], self.regulariser)
        if "lipschitz_sample" in known:
            known["lipschitz_sample"] = _steepened(
                known["lipschitz_sample"], self.regulariser, self.dimension
            )
        bent = known["weak_convexity"]
        if bent.value is not None:
            least = self.regulariser.least_curvature - Fraction(bent.value)
            attained = bool(stated(self.model, "flat")) and parts(self.regulariser) is not None
            exact = bent.kind == "exact" and (least >= 0 or (not bent.value and attained))
            how = f"largest negative curvature of {self.regulariser.text}, {bent.how}"
            kind = "exact" if exact else "certified"
            known["weak_convexity"] = Constant(max(Fraction(0), -least), kind, how)
        if "least_loss" in known:
            known["least_loss"] = _lowered(known["least_loss"], self.regulariser)
        return known

    @cached_property
    def _of_model(self) -> Mapping[str, Constant]:
        return self.model.constants(self.features, self.labels, self.partition)

    @cached_property
    def least_curvature(self) -> Constant:
        """The least eigenvalue of the Hessians of all F_n, from below; value None where none is known."""
        bent = self._of_model["weak_convexity"]
        if bent.value is None:
            return bent
        least = Fraction(0) if self.regulariser is None else self.regulariser.least_curvature
        kind = "certified" if bent.kind == "exact" else bent.kind
        how = "the regulariser's, less the model's weak convexity"
        return Constant(least - Fraction(bent.value), kind, how)

    @cached_property
    def _of_samples(self) -> tuple[Mapping[str, Constant], Constant]:
        """Constants and least curvature with every sample a client: they hold for every minibatch."""
        alone = replace(self, partition=Partition.of_sizes(np.ones(self.partition.total, dtype=int)))
        names = ("smoothness", "weak_convexity")
        return {name: alone.constants[name] for name in names}, alone.least_curvature

    def minibatches(self, clients: Array, samples: Array) -> Minibatches:
        """The problem whose client j has samples[j] of clients[j] for its own, samples of shape (k, b)."""
        rows = self.partition.rows(clients, samples).ravel()
        x, y, sizes = self.features[rows], self.labels[rows], Partition.of_sizes(np.full(*samples.shape))
        drawn = replace(self, features=x, labels=y, partition=sizes, held_out=None)
        return Minibatches(drawn, *self._of_samples)

    @property
    def kernel_name(self) -> str:
        """Which kernel runs: "numpy" or "numba"."""
        return self._kernel.name

    def with_kernel(self, kernel: str) -> Supervised:
        """The same problem with its gradients computed by another kernel."""
        return self if kernel == self.kernel else replace(self, kernel=kernel)

    @cached_property
    def _kernel(self) -> NumpyKernel:
        return make_kernel(self.kernel, self.model, self.features, self.labels, self.partition)

    def number(self, value: Any) -> float:
        # a float is what the parser would make of it; algorithms ask at every step
        return value if type(value) is float and isfinite(value) else float(parse_value(value))

    def start(self) -> Array:
        return self.model.start(int(self.features.shape[1]))

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        found = self._kernel.batch_gradients(models, self.partition.rows(clients, samples))
        return self._regularised(found, "gradient", models)

    def step_gradients(self, clients: Array, samples: Array) -> StepGradients:
        """Mean gradients over samples (k, steps, b), step by step, of each client at its own model (k, d)."""
        smooth = self._kernel.step_gradients(self.partition.rows(clients, samples))
        if self.regulariser is None:
            return smooth
        return lambda models, t: self._regularised(smooth(models, t), "gradient", models)

    def proximal_steps(
        self, start: Array, shift: Array, clients: Array, samples: Array, steps: ProximalSteps,
        penalty: Separable | None = None,
    ) -> LastIterates | None:  # fmt: skip
        """Local steps on samples (k, steps, b), all in one call, where the kernel can; else None."""
        if self.regulariser is not None:
            return None
        return self._kernel.proximal_steps(start, shift, clients, samples, steps, penalty or Separable())

    def sample_differences(self, here: Array, there: Array, clients: Array, samples: Array) -> Array:
        """Mean gradients over samples (k, b) at `here` less those at `there`, both (k, d)."""
        found = self._kernel.batch_differences(here, there, self.partition.rows(clients, samples))
        if self.regulariser is not None:
            found += self.regulariser.gradient(here) - self.regulariser.gradient(there)
        return found

    def client_gradients(self, models: Array, clients: Array) -> Array:
        return self._regularised(self._kernel.client_gradients(models, clients), "gradient", models)

    def gradient_error(self, models: Array, clients: Array) -> Array:
        """Bounds on the error of `client_gradients` in floats at models (k, d), shape (k,): `rounding`."""
        return gradient_error(
            self.model, self.regulariser, self._row_sizes, self.sizes[clients], models, clients
        )

    @cached_property
    def _row_sizes(self) -> RowSizes:
        return RowSizes.of(self.features, self.labels, self.partition)

    def client_losses(self, models: Array, clients: Array) -> Array:
        out = np.empty(models.shape[:-1])
        for positions, rows in self.partition.groups(clients):
            at = models[..., positions, :]
            losses = self.model.losses(at, rows_of(self.features, rows), rows_of(self.labels, rows))
            out[..., positions] = losses.mean(axis=-1)
        return self._regularised(out, "value", models)

    @cached_property
    def without_kinks(self) -> tuple[Supervised, tuple[Flattening, ...]]:
        """The problem without the regulariser's parts that have kinks, and these parts."""
        rest, kinked = split(self.regulariser)
        return replace(self, regulariser=rest) if kinked else self, kinked

    @cached_property
    def client_smoothness(self) -> Array:
        """About the smoothness of every F_n, from above: the model's bound by mean |x_i|^2, and r's."""
        bound: Any = stated(self.model, "curvature_bound")
        more = 0 if self.regulariser is None else float(self.regulariser.smoothness or 0)
        found: Array = 1.01 * float(bound) * self._row_sizes.square + more
        return found

    def kinked_clients(self, clients: Array) -> Iterator[tuple[Array, Array, Box]] | None:
        """Positions (m,), features (m, size, p) and boxes of clients alike in size; None of smooth losses."""
        model: Any = self.model
        if stated(model, "kinked") is not True:
            return None
        groups = self.partition.groups(clients)
        return ((positions, self.features[rows], model.box(self.labels[rows])) for positions, rows in groups)

    def hessian_products(self, models: Array, vectors: Array, clients: Array) -> Array:
        out = np.empty(vectors.shape)
        # a client's rows are read twice, and are still in the cache then
        for positions, rows in self.partition.groups(clients, max(1, _CACHED // self.features.shape[1])):
            at, along = models[positions], vectors[..., positions, :]
            x, y = rows_of(self.features, rows), rows_of(self.labels, rows)
            out[..., positions, :] = self.model.hessian_products(at, along, x, y)
        return self._regularised(out, "curvature", models, vectors)

    def client_hessians(self, models: Array, clients: Array) -> Array | None:
        """Hessian of each client's F_n at its own model (k, d), shape (k, d, d); None for several scores."""
        if not known_name(self.model) or self.dimension != self.features.shape[1]:
            return None
        out = np.empty((*models.shape, models.shape[1]))
        for positions, rows in self.partition.groups(clients):
            x, y = rows_of(self.features, rows), rows_of(self.labels, rows)
            z = np.matvec(x, models[positions])[None]
            bend = self.model.score_products(z, np.ones_like(z), y)[0]  # type: ignore[attr-defined]
            out[positions] = np.matmul(np.swapaxes(x * bend[..., None], 1, 2), x) / x.shape[1]
        if self.regulariser is not None:
            every = np.arange(models.shape[1])
            out[:, every, every] += self.regulariser.curvature(models)
        return out

    def hessian_solutions(self, models: Array, right: Array, shift: float, clients: Array) -> Array | None:
        """v with (Hessian of each client's F_n at its own model + shift) v = right, all of shape (k, d).

        None where the kernel cannot; 0 where that matrix is not positive definite in floats.
        """
        diagonal = np.full(models.shape, shift)
        if self.regulariser is not None:
            diagonal += self.regulariser.curvature(models)
        return self._kernel.hessian_solutions(models, right, diagonal, clients)

    def loss(self, model: Array) -> Any:
        total = _total_loss(self.model, model, self.features, self.labels)
        return self._regularised(total / len(self.labels), "value", model)

    def gradient(self, model: Array) -> Array:
        total = np.zeros(model.shape)
        for x, y in _chunks(self.features, self.labels):
            total += self.model.gradients(model[None], x, y)[0] * x.shape[1]
        total /= len(self.labels)
        return self._regularised(total, "gradient", model)

    def loss_and_gradient(self, model: Array) -> tuple[Any, Array] | None:
        """Global loss and gradient at one model (d,), to rounding; None where that takes two passes."""
        found = self._kernel.loss_and_gradient(model)
        if found is None:
            return None
        loss, gradient = found
        return self._regularised(loss, "value", model), self._regularised(gradient, "gradient", model)

    def hessian_product(self, model: Array, vectors: Array) -> Array:
        total = np.zeros(vectors.shape)
        for x, y in _chunks(self.features, self.labels):
            products = self.model.hessian_products(model[None], vectors[..., None, :], x, y)
            total += products[..., 0, :] * x.shape[1]
        total /= len(self.labels)
        return self._regularised(total, "curvature", model, vectors)

    def _regularised(self, values: Any, what: str, models: Array, times: Any = 1) -> Array:
        """What the model gives plus the regulariser's."""
        if self.regulariser is not None:
            values = values + getattr(self.regulariser, what)(models) * times
        total: Array = values
        return total

    def accuracy(self, model: Array) -> float | None:
        """Fraction of the clients' rows that are classified correctly; None for real-valued targets."""
        return _accuracy(self.model, model, self.features, self.labels)

    def test_accuracy(self, model: Array) -> float | None:
        """Fraction of the held-out rows that are classified correctly; None where nothing is held out."""
        held = self.held_out
        return None if held is None else _accuracy(self.model, model, held.features, held.labels)

    def test_loss(self, model: Array) -> float | None:
        """Mean loss on the held-out rows, without regularisation; None where nothing is held out."""
        if (held := self.held_out) is None:
            return None
        return float(_total_loss(self.model, model, held.features, held.labels) / len(held.labels))


def _as_floats(features: Array, name: str) -> Array:
    """The features in float64, row after row; themselves if they are that."""
    values = np.asarray(features)
    if values.dtype.kind not in "biuf":
        raise DataError(name, f"features of type {values.dtype}", "real numbers")
    return values if values.ndim != 2 else np.ascontiguousarray(values, dtype=np.float64)


def _check_rows(model: Model, features: Array, labels: Array, rows: int, name: str) -> None:
    if features.ndim != 2 or features.shape[0] != rows or labels.shape != (rows,):
        got = f"features {features.shape} and labels {labels.shape}"
        raise DataError(name, got, f"{rows} rows of features and as many labels")
    for first in range(0, rows, _CHUNK):
        bad = np.flatnonzero(~np.isfinite(features[first : first + _CHUNK]).all(axis=1))
        if bad.size:
            raise DataError(name, f"row {first + bad[0]} with a value that is not finite", "finite features",
                            "drop or fill the row")  # fmt: skip
    check_squares(features, lambda row: f"{name}, row {row}")
    model.check(labels, name)


def _chunks(features: Array, labels: Array) -> Iterator[tuple[Array, Array]]:
    """All rows in order, as views (1, m, p) and (1, m)."""
    for first in range(0, len(labels), _CHUNK):
        part = slice(first, first + _CHUNK)
        yield features[None, part], labels[None, part]


def _total_loss(model: Model, w: Array, features: Array, labels: Array) -> Any:
    return sum(model.losses(w[None], x, y).sum() for x, y in _chunks(features, labels))


def _accuracy(model: Model, w: Array, features: Array, labels: Array) -> float | None:
    if model.predictions(w, features[:1]).dtype.kind not in "iu":
        return None
    right = sum((model.predictions(w, x[0]) == y[0]).sum() for x, y in _chunks(features, labels))
    return float(right / len(labels))


def _raised(known: Constant, regulariser: Regulariser) -> Constant:
    """A bound on the smoothness with the regulariser's added; a model that has none keeps none."""
    more = regulariser.smoothness
    if known.value is None:
        return known
    if more is None:
        return Constant(None, "exact", f"none exists: {regulariser.text} has kinks")
    how = f"{known.how}, plus {more}, the largest curvature of {regulariser.text}"
    return replace(known, value=float_above(Fraction(known.value) + more), how=how)


def _steepened(known: Constant, regulariser: Regulariser, dimension: int) -> Constant:
    """A bound on the slope with the regulariser's added: sqrt(d) times that along an axis."""
    square: Fraction | None = getattr(regulariser, "slope_square", None)
    if known.value is None:
        return known if square is not None else Constant(None, "estimate", known.how)
    if square is None:
        return Constant(None, "estimate", f"none is known with {regulariser.text}")
    total = Fraction(known.value) + Fraction(root_above(dimension * square))
    how = f"{known.how}, plus sqrt({dimension} x {square}), the steepest slope of {regulariser.text}"
    return Constant(float_above(total), "certified", how)


def _lowered(known: Constant, regulariser: Regulariser) -> Constant:
    """A lower bound of the least loss with the regulariser's added, if it has one."""
    least: Fraction | None = getattr(regulariser, "least_value", None)
    if least is None:
        return Constant(None, "estimate", f"no lower bound of {regulariser.text} is known")
    if known.value is None or not least:
        return known
    total = Fraction(known.value) + least
    return Constant(total, "certified", f"{known.how}, plus {least}, the least of {regulariser.text}")
