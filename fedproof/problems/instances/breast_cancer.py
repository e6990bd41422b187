"""scikit-learn's breast cancer data: 569 cases of 30 measurements in 2 classes."""

from __future__ import annotations

from fedproof.problems.dataset import Dataset, softmax_problem
from fedproof.problems.softmax import Softmax

__all__ = ["build", "dataset"]


def dataset() -> Dataset:
    """Every measurement shifted and scaled to mean 0 and standard deviation 1 over all cases."""
    from sklearn.datasets import load_breast_cancer

    features, labels = load_breast_cancer(return_X_y=True)
    return Dataset("breast_cancer", (features - features.mean(axis=0)) / features.std(axis=0), labels, 2)


def build(clients: int = 10, seed: int = 0, split: str = "labels", labels_per_client: int = 1) -> Softmax:
    """Softmax regression on two classes; one label per client by default.

    >>> build().n_clients
    10
    """
    return softmax_problem(dataset(), clients, seed, split, labels_per_client)
