"""scikit-learn's breast cancer data: 569 cases of 30 measurements in 2 classes."""

from __future__ import annotations

from typing import Any

from fedproof.problems.dataset import Dataset
from fedproof.problems.federate import federate, federated
from fedproof.problems.supervised import Supervised

__all__ = ["FORWARDS", "build", "dataset"]

#: what takes the options that `build` does not know
FORWARDS = (federate, federated)


def dataset() -> Dataset:
    """Every measurement shifted and scaled to mean 0 and standard deviation 1 over all cases."""
    from sklearn.datasets import load_breast_cancer

    features, labels = load_breast_cancer(return_X_y=True)
    return Dataset("breast_cancer", (features - features.mean(axis=0)) / features.std(axis=0), labels, 2)


def build(clients: int = 10, seed: int = 0, labels_per_client: int = 1, **options: Any) -> Supervised:
    """Softmax regression on two classes; one label per client by default.

    >>> build().n_clients
    10
    """
    return federate(dataset(), clients, seed, labels_per_client=labels_per_client, **options)
