"""Whether one of two methods is better, run for run on the same seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedproof.figures.number_format import number
from fedproof.vocabulary.plurals import count

LEVEL = 0.99
"""Confidence of an interval, and of all the verdicts that are decided together."""
RESOLUTION = 1e-12
"""Differences smaller than this part of the values are rounding."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference over seeds, its confidence interval and its p-value.

    Two seeds are the least that decide anything, and differences without spread decide nothing.

    Arguments:
        mean, low, high: the difference and the ends of Student's interval at `LEVEL`; infinite if undecided.
        p: two-sided p-value of no difference, by Student's t; 1 if undecided.
        seeds: how many pairs.
    """

    mean: float
    low: float
    high: float
    p: float
    seeds: int

    @property
    def direction(self) -> int:
        """The sign of the mean."""
        return (self.mean > 0) - (self.mean < 0)

    def text(self, digits: int = 2) -> str:
        """The difference with its interval.

        >>> Difference(-1.0, -1.5, -0.5, 1e-4, 5).text()
        '−1 (−1.5 to −0.5)'
        """
        return f"{number(self.mean, digits)} ({number(self.low, digits)} to {number(self.high, digits)})"


def difference(first: Any, second: Any) -> Difference:
    """First minus second, paired by position.

    Arguments:
        first, second: one value a seed, shape (n,); no pairs leave no difference.

    >>> found = difference([1.0, 2.0, 3.0], [2.0, 3.1, 3.9])
    >>> found.direction, found.p < 0.01
    (-1, True)
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    gap = a - b
    gap = np.where(np.abs(gap) <= RESOLUTION * np.maximum(np.abs(a), np.abs(b)), 0.0, gap)
    n, mean = len(gap), float(gap.mean()) if len(gap) else 0.0
    error = float(gap.std(ddof=1)) / math.sqrt(n) if n > 1 else 0.0
    if error <= RESOLUTION * abs(mean):
        reach = 0.0 if n > 1 and mean == 0 else math.inf
        return Difference(mean, mean - reach, mean + reach, 1.0, n)
    from scipy.special import stdtr, stdtrit

    reach = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * error
    p = 2 * float(stdtr(n - 1, -abs(mean) / error))
    return Difference(mean, mean - reach, mean + reach, p, n)


def decided(found: Sequence[Difference]) -> list[int]:
    """The sign of every difference that can be told from 0, 0 for the others, by Holm's procedure.

    The chance that any of the signs is false is at most 1 - `LEVEL`, however many there are.

    >>> sure, weak = Difference(-1.0, -2.0, 0.0, 1e-4, 5), Difference(1.0, -1.0, 3.0, 0.009, 5)
    >>> decided([sure, weak]), decided([sure, weak, weak])
    ([-1, 1], [-1, 0, 0])
    """
    signs = [0] * len(found)
    for rank, place in enumerate(sorted(range(len(found)), key=lambda i: found[i].p)):
        if found[place].p > (1 - LEVEL) / (len(found) - rank):
            break
        signs[place] = found[place].direction
    return signs


def counted(signs: Sequence[int]) -> str:
    """How many are negative, positive and undecided.

    >>> counted([-1, 0, 0])
    'lower in 1, higher in 0, not told apart in 2 of 3 comparisons'
    """
    return (
        f"lower in {signs.count(-1)}, higher in {signs.count(1)}, not told apart in {signs.count(0)} "
        f"of {count(len(signs), 'comparison')}"
    )
