"""How fast a sequence falls over rounds: a power of the round, or a factor a round."""

from __future__ import annotations

import numpy as np

from fedproof.problems.problem import Array


def fitted_exponent(row: Array) -> float:
    """p of the least-squares fit log g_s = c - p log s over the last half of the rounds, row = g_0..g_T.

    >>> round(fitted_exponent(np.array([1.0] + [s**-2.0 for s in range(1, 50)])), 6)
    2.0
    """
    rounds = np.arange(len(row))[len(row) // 2 :]
    slope, _ = np.polyfit(np.log(rounds), np.log(row[len(row) // 2 :]), 1)
    return -float(slope)


def fitted_factor(values: Array) -> float:
    """The factor per round of a least-squares fit of log values over the last half of the rounds.

    >>> round(fitted_factor(0.8 ** np.arange(30)), 9)
    0.8
    """
    late = np.arange(len(values))[len(values) // 2 :]
    return float(np.exp(np.polyfit(late, np.log(values[len(values) // 2 :]), 1)[0]))
