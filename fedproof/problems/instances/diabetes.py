"""scikit-learn's diabetes data: 442 patients, 10 measurements each, and the progress of the disease."""

from __future__ import annotations

from typing import Any

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import federate
from fedproof.problems.supervised.supervised import Supervised


def dataset() -> Dataset:
    """Every measurement, and the target, shifted and scaled to mean 0 and standard deviation 1."""
    from sklearn.datasets import load_diabetes

    features, targets = load_diabetes(return_X_y=True, scaled=False)
    features, targets = ((a - a.mean(axis=0)) / a.std(axis=0) for a in (features, targets))
    return Dataset("diabetes", features, targets, 0)


def build(clients: int = 10, seed: int = 0, **options: Any) -> Supervised:
    """Least squares on the diabetes data.

    >>> build(clients=4).dimension
    11
    """
    return federate(dataset(), clients, seed, **({"model": "least_squares"} | options))
