"""Labelled samples, before they are split over clients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fedproof.problems.problem import Array

__all__ = ["Dataset", "with_bias"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features (rows, p) and labels (rows,) numbered 0..classes-1; with classes = 0 they are real targets."""

    name: str
    features: Array
    labels: Array
    classes: int


def with_bias(features: Array) -> Array:
    """The features with a last column of ones; it counts in |x|.

    >>> with_bias(np.zeros((1, 2)))
    array([[0., 0., 1.]])
    """
    return np.concatenate([features, np.ones((len(features), 1))], axis=1)
