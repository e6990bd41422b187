"""scikit-learn's breast cancer data: 569 cases of 30 measurements in 2 classes."""

from __future__ import annotations

from typing import Any

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import federate
from fedproof.problems.supervised.supervised import Supervised


def dataset() -> Dataset:
    """Every measurement shifted and scaled to mean 0 and standard deviation 1 over all cases."""
    from sklearn.datasets import load_breast_cancer

    features, labels = load_breast_cancer(return_X_y=True)
    return Dataset("breast_cancer", (features - features.mean(axis=0)) / features.std(axis=0), labels, 2)


def build(clients: int = 10, seed: int = 0, **options: Any) -> Supervised:
    """Softmax regression on two classes; one label per client by default.

    >>> build().n_clients
    10
    """
    usual = {"labels_per_client": 1} if options.get("split", "labels") == "labels" else {}
    return federate(dataset(), clients, seed, **(usual | options))
