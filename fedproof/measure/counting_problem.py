"""A problem that counts what is asked of it."""

from __future__ import annotations

from math import prod

import numpy as np

from fedproof.problems.problem import Array, Forwarded, Problem, client_shares


class CountingProblem:
    """The problem itself, counting sample gradients and products of a sample's Hessian with a vector.

    Arguments:
        inner: the problem.

    >>> from fedproof.problems.quadratics.random_quadratic import random_quadratic
    >>> meter = CountingProblem(random_quadratic(0, n_clients=2, samples=3).as_float())
    >>> meter.gradient(meter.start()).shape, meter.gradients
    ((3,), 6)
    """

    name = Forwarded("inner")
    n_clients = Forwarded("inner")
    dimension = Forwarded("inner")
    sizes = Forwarded("inner")
    weights = Forwarded("inner")
    constants = Forwarded("inner")
    number = Forwarded("inner")
    start = Forwarded("inner")
    client_losses = Forwarded("inner")
    loss = Forwarded("inner")

    def __init__(self, inner: Problem) -> None:
        self.inner, self.gradients, self.products = inner, 0, 0
        self.rows, self.shares = int(inner.sizes.sum()), client_shares(inner)

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        self.gradients += prod(models.shape[:-2]) * samples.size
        return self.inner.sample_gradients(models, clients, samples)

    def client_gradients(self, models: Array, clients: Array) -> Array:
        self.gradients += prod(models.shape[:-2]) * int(self.sizes[clients].sum())
        return self.inner.client_gradients(models, clients)

    def hessian_products(self, models: Array, vectors: Array, clients: Array) -> Array:
        self.products += prod(vectors.shape[:-2]) * int(self.sizes[clients].sum())
        return self.inner.hessian_products(models, vectors, clients)

    def gradient(self, model: Array) -> Array:
        self.gradients += self.rows
        return self.inner.gradient(model)

    def hessian_product(self, model: Array, vectors: Array) -> Array:
        self.products += prod(vectors.shape[:-1]) * self.rows
        return self.inner.hessian_product(model, vectors)

    def at_one(self, model: Array) -> tuple[Array, Array]:
        """Every client's gradient (n_clients, d) at one model, and the global one as their weighted mean."""
        clients = np.arange(self.n_clients)
        each = self.client_gradients(np.repeat(model[None], self.n_clients, axis=0), clients)
        return each, self.shares @ each
