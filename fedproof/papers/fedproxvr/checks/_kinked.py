"""One-dimensional losses with kinked gradients, the plainest beyond quadratics, in floats or fractions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import floats, fractions
from fedproof.problems.supervised.partition import Partition, Partitioned
from fedproof.solvers.algorithm import ModelState
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.exact import surrogate_gradients
from fedproof.vocabulary.values import parse_value


@dataclass(frozen=True, eq=False)
class Kinked(Partitioned):
    """f_i' is 1 at 0 and piecewise linear; L = 1. Every client starts at 0 with gradient 1.

    By scaling loss and length, any client in one dimension looks like this from where it starts.

    Arguments:
        curvatures: of every sample between its client's kinks, within [-1, 1], shape (rows, K + 1).
        kinks: increasing, shape (n_clients, K).
        partition: which rows belong to which client.
    """

    curvatures: Array
    kinks: Array
    partition: Partition
    name: str = "kinked gradients in one dimension"

    @classmethod
    def of(cls, curvatures: Any, kinks: Any, sizes: Any) -> Kinked:
        """In fractions, from numbers as the parser reads them.

        >>> bent = Kinked.of([[1, -1], [1, 0]], [["1/2"]], [2])
        >>> [str(g) for g in bent.client_gradients(fractions([[0], [2]]), np.array([0, 0]))[:, 0]]
        ['1', '3/4']
        >>> str(bent.weak_convexity(0))
        '1/2'
        """
        return cls(fractions(curvatures), fractions(kinks), Partition.of_sizes(sizes, cls.name))

    def as_float(self) -> Kinked:
        """Every number rounded once."""
        return replace(self, curvatures=floats(self.curvatures), kinks=floats(self.kinks))

    def number(self, value: Any) -> Any:
        """`value` in the arithmetic of the problem."""
        exact = parse_value(value)
        return exact if self.curvatures.dtype == object else float(exact)

    def start(self) -> Array:
        """0, where every gradient is 1."""
        return self.kinks[0, :1] * 0

    @property
    def client_curvatures(self) -> Array:
        """Those of F_n, shape (n_clients, K + 1)."""
        sizes = self.sizes[:, None]
        sums = np.add.reduceat(self.curvatures, self.partition.offsets[:-1], axis=0)
        means: Array = sums / (fractions(sizes) if sums.dtype == object else sizes)
        return means

    def weak_convexity(self, client: int) -> Any:
        """lambda of (4), exactly: minus the least curvature of F_n, or 0."""
        return max(self.number(0), -self.client_curvatures[client].min())

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        """Mean gradients over samples (k, b) of each client at its own model (..., k, 1)."""
        chosen = self.curvatures[self.partition.rows(clients, samples)]
        return self._slope(np.add.reduce(chosen, axis=1) / self.number(samples.shape[1]), models, clients)

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """Gradients of each client's F_n at its own model (..., k, 1)."""
        return self._slope(self.client_curvatures[clients], models, clients)

    def _slope(self, curvatures: Array, models: Array, clients: Array) -> Array:
        """1 + the integral of the curvature from 0 to every model."""
        kinks, zero = self.kinks[clients], models * 0
        slope: Array = zero + self.number(1)
        for j in range(curvatures.shape[-1]):
            part = [w if not j else np.maximum(w, kinks[:, j - 1 : j]) for w in (models, zero)]
            if j < kinks.shape[1]:
                part = [np.minimum(w, kinks[:, j : j + 1]) for w in part]
            slope = slope + curvatures[:, j : j + 1] * (part[0] - part[1])
        return slope


def mean_squares(algorithm: FedProxVR, problem: Kinked) -> Array:
    """E|grad J_n(w_n)|^2 after a round from 0, of every client, over all outcomes; sizes must be equal.

    All clients and all draws run at once through the algorithm's own `local`.
    """
    (size,) = set(problem.sizes.tolist())
    tau, clients = algorithm.local_steps, np.arange(problem.n_clients)
    samples = np.indices((size,) * tau).reshape(tau, -1).T
    paths = len(samples)
    each = np.tile(np.repeat(samples, tau + 1, axis=0), (len(clients), 1))
    stop = np.tile(np.arange(tau + 1), paths * len(clients))
    cohort = np.repeat(clients, paths * (tau + 1))
    where: Any = problem
    draws = {"samples": each[..., None], "returned": stop}
    models = algorithm.local(where, ModelState(problem.start()), cohort, draws).models
    found = surrogate_gradients(where, models, cohort, problem.start(), algorithm.prox_weight)[:, 0]
    sums = np.add.reduce((found * found).reshape(len(clients), -1), axis=1)
    means: Array = sums / problem.number(paths * (tau + 1))
    return means
