"""scikit-learn's handwritten digits: 1797 images of 8 x 8 pixels in 10 classes."""

from __future__ import annotations

from typing import Any

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import federate
from fedproof.problems.supervised.supervised import Supervised


def dataset() -> Dataset:
    """Pixels scaled from 0..16 to 0..1, in the order of the file."""
    from sklearn.datasets import load_digits

    features, labels = load_digits(return_X_y=True)
    return Dataset("digits", features / 16, labels, 10)


def build(clients: int = 20, seed: int = 0, **options: Any) -> Supervised:
    """Softmax regression on the digits; two labels per client by default.

    >>> build(clients=5).sizes.sum()
    np.int64(1797)
    """
    return federate(dataset(), clients, seed, **options)
