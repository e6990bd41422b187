"""FedProx as a user may have written it: what `fedproof conform` can be tried on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fedproof.testing.clients import Array, Client


def my_round(w: Array, clients: Sequence[Client], *, lr: float, epochs: int, mu: float) -> Array:
    """One round of FedProx: gradient steps on F_n + (mu / 2) |u - w|^2, then the average by size.

    Arguments:
        w: the server's model, shape (d,).
        clients: each with features (size, d) and targets (size,).
        lr, epochs: step size and number of the local steps.
        mu: proximal weight.

    >>> from fedproof.testing import conform
    >>> conform(my_round, "fedprox").conforms
    True
    """
    models, sizes = [], []
    for client in clients:
        x, y, u = client.features, client.targets, w.copy()
        for _ in range(epochs):
            u -= lr * (x.T @ (x @ u - y) / len(y) + mu * (u - w))
        models.append(u)
        sizes.append(len(y))
    average: Array = np.average(models, axis=0, weights=sizes)
    return average
