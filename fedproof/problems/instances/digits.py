"""scikit-learn's handwritten digits: 1797 images of 8 x 8 pixels in 10 classes."""

from __future__ import annotations

from fedproof.problems.dataset import Dataset, softmax_problem
from fedproof.problems.softmax import Softmax

__all__ = ["build", "dataset"]


def dataset() -> Dataset:
    """Pixels scaled from 0..16 to 0..1, in the order of the file."""
    from sklearn.datasets import load_digits

    features, labels = load_digits(return_X_y=True)
    return Dataset("digits", features / 16, labels, 10)


def build(clients: int = 20, seed: int = 0, split: str = "labels", labels_per_client: int = 2) -> Softmax:
    """Softmax regression on the digits; two labels per client by default.

    >>> build(clients=5).sizes.sum()
    np.int64(1797)
    """
    return softmax_problem(dataset(), clients, seed, split, labels_per_client)
