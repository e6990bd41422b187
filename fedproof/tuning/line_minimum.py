"""The least value along one parameter, with a proved lower bound: a branch and bound over ranges of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fedproof.algebra.arithmetic import Array
from fedproof.tuning.branch_and_bound import CLOSE


@dataclass(frozen=True)
class LineMinimum:
    """The least value found and where, and what no place does better than."""

    value: float
    place: float
    lower_bound: float


def minimise_on_line(
    value: Callable[[Array], Array],
    least: Callable[[Array, Array], Array],
    cuts: Array,
    most_ranges: int = 1 << 16,
) -> LineMinimum:
    """Minimise over a line, all ranges that may still hold the least halved at once.

    Arguments:
        value: at places (k,), infinite where a place is not admitted.
        least: of ranges' ends (k,) and (k,), what no place between falls below.
        cuts: (k + 1,), rising: the ranges to begin with. Their upper ends are the first places tried; of
            equal values the last counts.
        most_ranges: with more left to look at the search ends with what is proved by then.

    >>> found = minimise_on_line(lambda x: (x - 1 / 3) ** 2 + 1, lambda a, b: 1 + 0 * a, np.array([0.0, 1.0]))
    >>> found.lower_bound <= 1 <= found.value
    True
    """
    low, high = cuts[:-1], cuts[1:]
    places, best, place, proved = high, math.inf, float(high[-1]), math.inf
    while True:
        found = value(places)
        last = len(found) - 1 - int(np.argmin(found[::-1]))
        if found[last] < best:
            best, place = float(found[last]), float(places[last])
        bounds = least(low, high)
        left = bounds < best * (1 - CLOSE)
        proved = min(proved, float(bounds[~left].min(initial=math.inf)))
        low, high, bounds = low[left], high[left], bounds[left]
        middle = (low + high) / 2
        if not len(low) or 2 * len(low) > most_ranges or bool(np.all((middle <= low) | (middle >= high))):
            return LineMinimum(best, place, min(proved, best, float(bounds.min(initial=math.inf))))
        places = middle
        low, high = np.concatenate((low, middle)), np.concatenate((middle, high))
