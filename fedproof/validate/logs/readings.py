"""How the metrics that statements bound are read off the columns of a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fedproof.problems.problem import Array
from fedproof.validate.logs.run_log import RunLog
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.metrics import metric

Span = Literal["before", "after", "last", "each"]

_SPANS = {
    "before": "mean over rounds 0 to T-1",
    "after": "mean over rounds 1 to T",
    "last": "after the last round T",
    "each": "in each of rounds 1 to T",
}
"""Which of the models after 0, 1, ..., T rounds count, in words."""


@dataclass(frozen=True)
class Reading:
    """A metric of one run, from its columns; the mean over runs estimates what a statement bounds.

    Arguments:
        column: the metric at one model, or in one round.
        span: of the rounds 0..T, which count: "before" the last, or "after" the start, whose mean is taken;
            the "last"; or "each" but the start, on its own.
    """

    column: str
    span: Span

    @property
    def words(self) -> str:
        """Which rounds count."""
        return _SPANS[self.span]

    def lacks(self, log: RunLog) -> tuple[str, ...]:
        """Columns and constants that a log would have to have and has not."""
        name = self.column
        if name in log.columns:
            return ()
        made = _MADE.get(name)
        if made is None or any(column not in log.columns for column in made.columns):
            return (name,)
        return tuple(number for number in made.numbers if number not in log.numbers)

    def numbers(self, log: RunLog) -> tuple[str, ...]:
        """The constants that the values are made with."""
        made = _MADE.get(self.column)
        return () if made is None or self.column in log.columns else made.numbers

    def values(self, log: RunLog) -> Array:
        """The run's values, shape (1,), or (T,) for each round.

        Raises: DataError where a round that counts has none.
        """
        last = log.last
        rounds = {
            "before": range(last), "after": range(1, last + 1), "last": range(last, last + 1),
            "each": range(1, last + 1),
        }[self.span]  # fmt: skip
        if self.column in log.columns:
            found = log.values(self.column, rounds)
        else:
            made = _MADE[self.column]
            every = range(rounds.start - made.before, rounds.stop)
            series = [log.values(column, every) for column in made.columns]
            with np.errstate(divide="ignore", invalid="ignore"):
                found = made.of(*series, *(float(log.numbers[name].value) for name in made.numbers))
        return found if self.span == "each" else np.array([found.mean()])


@dataclass(frozen=True)
class _Made:
    """A column that is made of others, and of constants; `before` rounds more of them are taken."""

    columns: tuple[str, ...]
    numbers: tuple[str, ...]
    before: int
    of: Callable[..., Array]


_MADE: Mapping[str, _Made] = {
    "descent": _Made(("loss", "squared_gradient"), (), 1, lambda loss, s: (loss[:-1] - loss[1:]) / s[:-1]),
    "objective_gap": _Made(("loss",), ("least_loss",), 0, lambda loss, least: loss - least),
}

READINGS: Mapping[str, Reading] = {
    "mean_squared_gradient": Reading("squared_gradient", "after"),
    "mean_squared_prox_gradient": Reading("squared_prox_gradient", "before"),
    "potential": Reading("potential", "last"),
    "distance_potential": Reading("distance_potential", "last"),
    "objective_gap": Reading("objective_gap", "last"),
    "squared_distance": Reading("squared_distance", "last"),
    "descent": Reading("descent", "each"),
    "relative_movement": Reading("relative_movement", "each"),
}
"""Of the vocabulary's metrics; a paper's own stand in its `SavedRuns`.

A bound on an expectation given the start of a round holds for the mean over runs too, by the tower rule.
"""

COLUMNS = frozenset({"loss", "squared_gradient", *(reading.column for reading in READINGS.values())})
"""Columns that these metrics are read off."""


def meaning(column: str) -> str:
    """What a column holds, in words; "" for one that no metric is called by."""
    try:
        return metric(column).meaning
    except UnknownName:
        return ""
