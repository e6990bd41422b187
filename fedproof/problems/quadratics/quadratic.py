"""Quadratic sample losses, in floats or in exact fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fedproof.problems.minibatches import Minibatches
from fedproof.problems.problem import Array, Constant
from fedproof.problems.quadratics.constants import constants_of, divergences_of, least_curvature
from fedproof.problems.quadratics.exact_linear_algebra import as_they_are, floats, fractions
from fedproof.problems.supervised.partition import Partition, Partitioned
from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.values import parse_value

_NUMBERS = ("matrices", "slopes", "levels", "centre", "origin")


@dataclass(frozen=True, eq=False)
class Spectra:
    """Common rational eigenbasis (d, d) and eigenvalues (rows, d) of all sample matrices."""

    basis: Array
    values: Array


@dataclass(frozen=True, eq=False)
class Quadratic(Partitioned):
    """f_i(w) = (w - c)^T A_i (w - c) / 2 + g_i^T (w - c) + e_i, with a common centre c.

    Arguments:
        matrices: A_i, symmetric, shape (rows, d, d); loss / length^2.
        slopes: g_i, shape (rows, d); loss / length.
        levels: e_i, shape (rows,); loss.
        centre: c, shape (d,); length.
        partition: which rows belong to which client.
        origin: default initial model, shape (d,).
        spectra: the common eigenbasis, where there is one; it makes the constants exact.
        original: the exact problem that a rounded one came from; the constants are its.

    Object arrays of fractions make every operation exact; `as_float` rounds them once.

    >>> one = Quadratic.of([[[2]]], [[0]], sizes=[1])
    >>> one.gradient(one.number(3) + one.centre)
    array([Fraction(6, 1)], dtype=object)
    """

    matrices: Array
    slopes: Array
    levels: Array
    centre: Array
    partition: Partition
    origin: Array
    spectra: Spectra | None = None
    name: str = "quadratic"
    original: Quadratic | None = None

    def __post_init__(self) -> None:
        rows, d = self.slopes.shape
        shapes = (self.matrices.shape, self.levels.shape, self.centre.shape, self.origin.shape)
        if shapes != ((rows, d, d), (rows,), (d,), (d,)) or rows != self.partition.total:
            raise DataError("quadratic", f"arrays of shapes {shapes}", f"{rows} rows of dimension {d} in all")
        if not (self.matrices == np.swapaxes(self.matrices, 1, 2)).all():
            raise DataError(
                "quadratic",
                "a matrix that is not symmetric",
                "symmetric matrices",
                "replace A by (A + A^T) / 2",
            )

    @classmethod
    def of(cls, matrices: Any, slopes: Any, sizes: Any, **others: Any) -> Quadratic:
        """An exact quadratic from numbers as the parser reads them; centre, origin, levels default to 0."""
        a, g = fractions(matrices), fractions(slopes)
        zero = fractions(np.zeros(g.shape[1], dtype=int))
        return cls(
            a,
            g,
            fractions(others.pop("levels", [0] * len(g))),
            fractions(others.pop("centre", zero)),
            Partition.of_sizes(sizes, "quadratic"),
            fractions(others.pop("origin", zero)),
            **others,
        )

    def as_float(self) -> Quadratic:
        """The same problem in float64, every coefficient rounded once; `constants` stay exact."""
        rounded: dict[str, Any] = {name: floats(getattr(self, name)) for name in _NUMBERS}
        return replace(self, original=self.original or self, **rounded)

    def in_fractions(self) -> Quadratic:
        """The problem that one in floats was rounded from, or its own numbers as the fractions they are."""
        if self.original is not None:
            return self.original
        if self.exact:
            return self
        exact: dict[str, Any] = {name: as_they_are(getattr(self, name)) for name in _NUMBERS}
        return replace(self, **exact)

    @property
    def exact(self) -> bool:
        """Whether the numbers are fractions."""
        return self.matrices.dtype == object

    @property
    def dimension(self) -> int:
        return int(self.centre.shape[0])

    @cached_property
    def constants(self) -> Mapping[str, Constant]:
        """Constants of (3)-(5) of FedProxVR and the least loss, by canonical word."""
        return constants_of(self.in_fractions())

    @cached_property
    def divergences(self) -> tuple[Constant, ...]:
        """sigma_n of (5), one per client; value None where no finite one exists."""
        return divergences_of(self.in_fractions())

    @cached_property
    def least_curvature(self) -> Constant:
        """The least eigenvalue of the A_n, or a proved lower bound."""
        values = None if self.eigenvalues is None else self.eigenvalues[1]
        return least_curvature(self.in_fractions().client_matrices, values)

    @cached_property
    def _of_samples(self) -> tuple[Mapping[str, Constant], Constant]:
        """Smoothness, weak convexity and least curvature of the samples, and so of every minibatch."""
        values = None if self.eigenvalues is None else self.eigenvalues[0]
        least = least_curvature(self.in_fractions().matrices, values)
        bent = replace(least, value=max(0 * least.value, -least.value))
        return {"smoothness": self.constants["smoothness_sample"], "weak_convexity": bent}, least

    def minibatches(self, clients: Array, samples: Array) -> Minibatches:
        """The problem whose client j has samples[j] of clients[j] for its own, samples of shape (k, b)."""
        rows = self.partition.rows(clients, samples).ravel()
        numbers = {name: getattr(self, name)[rows] for name in ("matrices", "slopes", "levels")}
        sizes = Partition.of_sizes(np.full(*samples.shape))
        drawn = replace(self, **numbers, partition=sizes, spectra=None, original=None)
        return Minibatches(drawn, *self._of_samples)

    def number(self, value: Any) -> Any:
        exact = parse_value(value)
        return exact if self.exact else float(exact)

    def start(self) -> Array:
        return self.origin

    @property
    def eigenvalues(self) -> tuple[Array, Array] | None:
        """Those of samples (rows, d) and clients (n_clients, d) in the common eigenbasis, if there is one."""
        return None if self.spectra is None else (self.spectra.values, self._means(self.spectra.values))

    @cached_property
    def client_matrices(self) -> Array:
        """A_n, the mean matrix of every client, shape (n_clients, d, d)."""
        return self._means(self.matrices)

    @cached_property
    def client_slopes(self) -> Array:
        """g_n, the mean slope of every client, shape (n_clients, d)."""
        return self._means(self.slopes)

    @cached_property
    def mean_matrix(self) -> Array:
        """The matrix of the global loss, shape (d, d)."""
        return self._mean(self.matrices)

    @cached_property
    def mean_slope(self) -> Array:
        """The slope of the global loss at the centre, shape (d,)."""
        return self._mean(self.slopes)

    def _mean(self, values: Array) -> Array:
        mean: Array = np.add.reduce(values, axis=0) / self.number(self.partition.total)
        return mean

    def _means(self, values: Array) -> Array:
        sums = np.add.reduceat(values, self.partition.offsets[:-1], axis=0)
        sizes = self.sizes if not self.exact else fractions(self.sizes)
        return sums / sizes.reshape((-1,) + (1,) * (values.ndim - 1))

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        rows = self.partition.rows(clients, samples)
        batch = self.number(samples.shape[1])
        matrices = np.add.reduce(self.matrices[rows], axis=1) / batch
        slopes: Array = np.add.reduce(self.slopes[rows], axis=1) / batch
        return _apply(matrices, models - self.centre) + slopes

    def client_gradients(self, models: Array, clients: Array) -> Array:
        return _apply(self.client_matrices[clients], models - self.centre) + self.client_slopes[clients]

    def gradient_error(self, models: Array, clients: Array) -> Array:
        """Proved bounds on the error of `client_gradients` at models (k, d) in floats, shape (k,).

        A mean of D matrices is off by D eps of their mean size, a product with w - c by d eps more, and the
        coefficients by eps where they were rounded from fractions; 0 in fractions.
        """
        if self.exact:
            return models[:, 0] * 0
        sizes = np.abs(self.matrices).sum(axis=(1, 2)), np.abs(self.slopes).sum(axis=1)
        matrix, slope = (self._means(v)[clients] for v in sizes)
        reach = np.linalg.norm(models - self.centre, axis=1)
        units = (2 * self.sizes[clients] + 2 * self.dimension + 16) * 2.0**-52
        moved = 2.0**-52 * np.linalg.norm(self.centre)
        bound: Array = units * (matrix * (reach + np.linalg.norm(models, axis=1)) + slope) + matrix * moved
        return bound * 1.001

    def hessian_products(self, models: Array, vectors: Array, clients: Array) -> Array:
        """Hessian of each client's F_n, the same at every model (k, d), times its vectors (..., k, d)."""
        del models
        return _apply(self.client_matrices[clients], vectors)

    def client_losses(self, models: Array, clients: Array) -> Array:
        shift = models - self.centre
        slope = _apply(self.client_matrices[clients], shift) / self.number(2) + self.client_slopes[clients]
        levels: Array = np.add.reduce(slope * shift, axis=-1) + self._means(self.levels)[clients]
        return levels

    def loss(self, model: Array) -> Any:
        return self.losses(model[None])[0]

    def losses(self, models: Array) -> Array:
        """Global loss at every model (m, d): shape (m,)."""
        shift = models - self.centre
        slope = _apply(self.mean_matrix, shift) / self.number(2) + self.mean_slope
        values: Array = np.add.reduce(slope * shift, axis=-1) + self._mean(self.levels)
        return values

    def gradient(self, model: Array) -> Array:
        return _apply(self.mean_matrix, model - self.centre) + self.mean_slope

    def hessian_product(self, model: Array, vectors: Array) -> Array:
        """Hessian of the global loss, the same at every model, times vectors (..., d)."""
        del model
        return _apply(self.mean_matrix, vectors)


def _apply(matrices: Array, vectors: Array) -> Array:
    """Matrices (..., d, d) times vectors (..., d)."""
    product: Array = np.matmul(matrices, vectors[..., None])[..., 0]
    return product
