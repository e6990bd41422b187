"""How few rounds bring a theorem's bound to an accuracy, over its free step size."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fedproof.algebra.formula import Formula
from fedproof.bounds.catalog import statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.vocabulary.errors import InputError

MOST = 1e15
_GRID, _PASSES, _DIGITS = 61, 6, 5


def least_rounds(
    id: str,
    numbers: Mapping[str, float],
    accuracy: float,
    rounds: str,
    free: str,
    longest: float,
    beside: Callable[[float], Mapping[str, float]] = lambda _: {},
) -> tuple[dict[str, float], int]:
    """A step size with which few rounds bring a bound that falls with them to an accuracy.

    A grid over the logarithm of the step size, narrowed about the best; the numbers that come out are short
    decimals of which the statement itself says that it admits them, with a bound of at most the accuracy.

    Arguments:
        id: of the statement.
        numbers: its other letters.
        accuracy: what its bound shall be at most.
        rounds, free: the letters of the number of rounds and of the step size.
        longest: the largest step size tried.
        beside: letters that follow from the step size.

    Returns: all letters but the number of rounds, and that number.
    Raises: InputError where no step size does it with `MOST` rounds.

    >>> known = {"L": 1.0, "G": 1.0, "Delta": 1.0, "I": 4.0}
    >>> at, count = least_rounds(
    ...     "fedprox.remark2.general", known, 0.1, "T", "eta", 1 / 3, lambda eta: {"eps": 1e-9}
    ... )
    >>> at["eta"], count
    (0.034486, 1739)
    """
    bound = Formula(statement(id).bound)

    def needed(step: float) -> float:
        at = {**numbers, **beside(step), free: step}
        known = {name: at[name] for name in bound.names if name != rounds}
        return _needed(lambda count: float(bound.at({**known, rounds: count})), accuracy)

    low, high = math.log(longest) - 60, math.log(longest)
    for _ in range(_PASSES):
        grid = np.linspace(low, high, _GRID)
        counts = [needed(math.exp(x)) for x in grid]
        best = int(np.argmin(counts))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, _GRID - 1)]
    step = _shortened(math.exp(grid[best]))
    count = needed(step)
    letters = {**numbers, **beside(step), free: step}
    return letters, admitted(id, letters, rounds, count, accuracy)


def _needed(bound: Callable[[float], float], accuracy: float) -> float:
    """The least number from which on a falling bound is at most an accuracy; infinite beyond `MOST`."""
    low, high = 0.0, 1.0
    while not bound(high) <= accuracy:
        low, high = high, 2 * high
        if high > MOST:
            return math.inf
    while high - low > max(1e-9 * high, 1e-3):
        middle = (low + high) / 2
        low, high = (low, middle) if bound(middle) <= accuracy else (middle, high)
    return high


def _shortened(value: float) -> float:
    """A number of few digits, not above."""
    place = _DIGITS - 1 - math.floor(math.log10(value))
    return float(f"{math.floor(value * 10.0**place)}e{-place}")


def admitted(id: str, letters: Mapping[str, Any], rounds: str, count: float, accuracy: float) -> int:
    """The first number of rounds from `count` on that the statement admits with a bound of at most accuracy.

    Arguments:
        id: of the statement.
        letters: all but the number of rounds; those that it has no letter for are left out.
        rounds: the letter of that number.
        count: at least so many; more than `MOST` are refused.

    Raises: InputError naming the conditions that fail.
    """
    if not count <= MOST:
        raise InputError("epsilon", accuracy, f"one that at most {MOST:g} rounds reach", "ask for more")
    asked, least = StatementHandle(statement(id)), max(1, math.ceil(count))
    known = {name: value for name, value in letters.items() if name in asked.names}
    for more in (0, 1, 2, math.ceil(least * 1e-6) + 3):
        found = asked.check(**known, **{rounds: least + more})
        if found.bound is not None and found.bound <= accuracy:
            return least + more
    failing = [c.label for c, decided in found.conditions if not decided.holds]
    raise InputError(id, f"constants that fail {', '.join(failing) or 'the accuracy'}",
                     "constants that the theorem admits", "see `fedproof show`")  # fmt: skip
