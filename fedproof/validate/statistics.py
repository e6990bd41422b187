"""One-sided tests of a mean against a bound, their correction over a report, and resampled intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

Array = npt.NDArray[np.float64]

LEVEL = 1e-4
"""Family-wise error of a whole report, on either side."""

LEAST_SEEDS = 30
"""With fewer independent values nothing is concluded."""

ROUNDING = 1e-12
"""Relative differences up to this are those of floating point."""


@dataclass(frozen=True, slots=True)
class MeanTest:
    """A sample mean against a bound.

    Arguments:
        mean: of the sample.
        error: its standard error.
        count: independent values.
        p_above: p-value against "the expectation is at most the bound"; small means it exceeds it.
        p_below: p-value against "the expectation is at least the bound"; small means it stays below.
    """

    mean: float
    error: float
    count: int
    p_above: float
    p_below: float


def mean_test(values: Any, bound: float) -> MeanTest:
    """Student's one-sided tests of E[values] against a bound, both ways.

    Draws that do not differ say nothing of how rare others are, so that nothing is concluded from them; what
    is known without sampling is compared by `Finding.decided`. Gaps within rounding count as none.

    Arguments:
        values: independent, identically distributed, shape (seeds,).
        bound: a number known without error.

    Returns: mean, standard error and both p-values; both are 1 with fewer than 30 values, one not finite, or
        no spread beyond rounding.

    >>> mean_test([0.9, 1.1] * 20, 2.0).p_below < 1e-9
    True
    >>> mean_test([1.0] * 40, 2.0).p_below
    1.0
    """
    sample = np.asarray(values, dtype=np.float64)
    count = sample.size
    mean = float(sample.mean()) if count else float("nan")
    spread = float(sample.std(ddof=1)) if count > 1 else float("inf")
    grain = ROUNDING * float(np.abs(sample).max(initial=0.0))
    return _student(mean, spread / max(count, 1) ** 0.5, count, bound, known=spread > grain)


def _student(value: float, error: float, count: int, bound: float, known: bool) -> MeanTest:
    """Both p-values of value +- error against a bound; 1 where the error is not known or the data too few."""
    if count < LEAST_SEEDS or not known or not np.isfinite([value, error, bound]).all():
        return MeanTest(value, error, count, 1.0, 1.0)
    slack = ROUNDING * max(abs(value), abs(bound))
    above, below = (float(stdtr(count - 1, (gap + slack) / error)) for gap in (bound - value, value - bound))
    return MeanTest(value, error, count, above, below)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted p-values: rejecting those at most `level` keeps the family-wise error at `level`.

    Holm (1979): the k-th smallest of m is multiplied by m - k + 1, then made increasing and cut at 1.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, running = [1.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = running
    return tuple(adjusted)


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """A statistic with what resampling the seeds says about it.

    Arguments:
        value: on the whole sample.
        low, high: percentile interval.
        level: its nominal coverage.
        error: standard deviation over the resamples.
    """

    value: float
    low: float
    high: float
    level: float
    error: float

    def test(self, bound: float, count: int) -> MeanTest:
        """The one-sided tests of the statistic against a bound, from the resampled standard deviation."""
        known = self.error > ROUNDING * abs(self.value)
        return _student(self.value, self.error, count, bound, known)


def refit(
    sample: Array,
    statistic: Callable[[Array], float],
    rng: np.random.Generator,
    resamples: int = 2000,
    level: float = 0.99,
) -> ConfidenceInterval:
    """A statistic of the mean over seeds, refitted on resampled seeds.

    Arguments:
        sample: one row per seed, shape (seeds, n).
        statistic: of the mean row, shape (n,).
        rng: what draws the resamples.
        resamples: how many.
        level: coverage of the percentile interval.

    >>> rng = np.random.Generator(np.random.Philox(1))
    >>> refit(np.ones((40, 1)), lambda row: round(float(row[0]), 9), rng, resamples=10).high
    1.0
    """
    count = len(sample)
    weights = rng.multinomial(count, np.full(count, 1 / count), size=resamples) / count
    values = np.array([statistic(row) for row in weights @ sample])
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return ConfidenceInterval(
        statistic(sample.mean(axis=0)), float(low), float(high), level, float(values.std(ddof=1))
    )
