"""A random quadratic with exact constants."""

from __future__ import annotations

from typing import Any

from fedproof.problems.quadratic import Quadratic
from fedproof.problems.random_quadratic import random_quadratic

__all__ = ["FORWARDS", "build"]

#: what takes the options that `build` does not know
FORWARDS = (random_quadratic,)


def build(
    clients: int = 10, seed: int = 0, dimension: int = 5, samples: int = 5, **options: Any
) -> Quadratic:
    """A draw of `random_quadratic` in floats; `options` are its own.

    >>> build().constants["smoothness_sample"].value
    Fraction(1, 1)
    """
    return random_quadratic(seed, clients, dimension, samples, **options).as_float()
