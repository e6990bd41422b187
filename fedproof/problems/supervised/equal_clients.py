"""The same clients and samples with the plain mean over clients as the loss: each client counts the same."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.supervised import Supervised


@dataclass(frozen=True, eq=False)
class EqualClients(Supervised):
    """F(w) = (1/N) sum_n F_n(w), however many samples the clients hold: FedProx (2) and composite (1).

    Runs on it take the plain mean of the clients' models unless they are told another.

    >>> from fedproof.problems.catalog import make_problem
    >>> digits = make_problem("digits", 5)
    >>> same = EqualClients.of(digits)
    >>> losses = same.client_losses(np.repeat(same.start()[None], 5, axis=0), np.arange(5))
    >>> bool(np.isclose(same.loss(same.start()), losses.mean()))
    True
    """

    weights: ClassVar[str] = "equal"

    @classmethod
    def of(cls, problem: Supervised) -> EqualClients:
        """The same rows; itself where every client counts the same already."""
        if isinstance(problem, cls):
            return problem
        known = {field.name: getattr(problem, field.name) for field in fields(Supervised) if field.init}
        return cls(**{**known, "name": f"{problem.name}, every client counts the same"})

    def _everywhere(self, model: Array) -> tuple[Array, Array]:
        ids = np.arange(self.n_clients)
        return np.broadcast_to(model, (len(ids), *model.shape)), ids

    @property
    def pooled(self) -> None:
        """None: the mean over all samples is another loss."""
        return None

    def loss(self, model: Array) -> Any:
        return np.mean(self.client_losses(*self._everywhere(model)))

    def gradient(self, model: Array) -> Array:
        found: Array = self.client_gradients(*self._everywhere(model)).mean(axis=0)
        return found

    def loss_and_gradient(self, model: Array) -> tuple[Any, Array] | None:
        """Nothing is to be had in one pass."""
        return None

    def hessian_product(self, model: Array, vectors: Array) -> Array:
        models, ids = self._everywhere(model)
        products = [
            self.hessian_products(models[n : n + 1], vectors[..., None, :], ids[n : n + 1])[..., 0, :]
            for n in ids
        ]
        found: Array = np.mean(products, axis=0)
        return found
