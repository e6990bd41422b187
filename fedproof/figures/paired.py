"""Whether one of two methods is better, run for run on the same seeds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedproof.figures.words import number

__all__ = ["LEVEL", "Difference", "difference"]

LEVEL = 0.99
"""Confidence of the intervals that captions speak of."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference over seeds and its confidence interval.

    Arguments:
        mean, low, high: the difference and the ends of Student's interval at `LEVEL`; infinite for one seed.
        below, seeds: on how many seeds the difference is negative, of how many.
    """

    mean: float
    low: float
    high: float
    below: int
    seeds: int

    @property
    def sign(self) -> int:
        """-1 or 1 where the interval excludes 0, else 0."""
        return -1 if self.high < 0 else 1 if self.low > 0 else 0

    def text(self, digits: int = 2) -> str:
        """The difference with its interval.

        >>> Difference(-1.0, -1.5, -0.5, 5, 5).text()
        '−1 (−1.5 to −0.5)'
        """
        return f"{number(self.mean, digits)} ({number(self.low, digits)} to {number(self.high, digits)})"


def difference(first: Any, second: Any) -> Difference:
    """First minus second, paired by position.

    Arguments:
        first, second: one value a seed, shape (n,), n >= 1.

    >>> difference([1.0, 2.0, 3.0], [2.0, 3.1, 3.9]).sign
    -1
    >>> difference([1.0], [2.0]).sign
    0
    """
    gap = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    n, mean = len(gap), float(gap.mean())
    if n < 2:
        return Difference(mean, -math.inf, math.inf, int((gap < 0).sum()), n)
    from scipy.special import stdtrit

    reach = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * float(gap.std(ddof=1)) / math.sqrt(n)
    return Difference(mean, mean - reach, mean + reach, int((gap < 0).sum()), n)
