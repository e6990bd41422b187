"""Whether the curves of a table rise or fall as a paper says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fedproof.figures.caption import word_if
from fedproof.figures.number_format import number
from fedproof.figures.spec import Frame
from fedproof.vocabulary.plurals import count

#: Smaller relative steps count as level: an optimum is known to about the root of its certified gap.
LEVEL = 1e-6


@dataclass(frozen=True, slots=True)
class Trend:
    """How one column moves with another on every curve of a table.

    Arguments:
        quantity, along: the two columns.
        rising: the direction that is claimed.
        curves, steps: how many were looked at.
        against: steps in the other direction.
        first, last: values of `along` between which those lie; NaN if there are none.
        on: how many curves have such a step.
    """

    quantity: str
    along: str
    rising: bool
    curves: int
    steps: int
    against: int
    first: float
    last: float
    on: int

    @property
    def seen(self) -> bool:
        """Whether something was looked at and no step contradicts the claim."""
        return self.steps > 0 and self.against == 0

    @property
    def word(self) -> str:
        """The caption's word for the claim."""
        return word_if(self.seen, applies=self.steps > 0)

    @property
    def measured(self) -> str:
        """What was looked at, and where it goes the other way."""
        if self.steps == 0:
            return "Nothing to compare."
        looked = f"{count(self.curves, 'curve')}, {count(self.steps, 'step')} in all"
        if self.steps % self.curves == 0:
            looked = f"{count(self.curves, 'curve')}, {count(self.steps // self.curves, 'step')} each"
        if self.seen:
            return f"None against it ({looked})."
        return (
            f"{self.against} of {self.steps} steps go the other way, on {self.on} of "
            f"{count(self.curves, 'curve')}, from {number(self.first)} to {number(self.last)} ({looked})."
        )


def trend(table: Frame, quantity: str, along: str, by: str, *, rising: bool) -> Trend:
    """Look at every step of `quantity` as `along` grows, on each curve of constant `by`.

    >>> import pandas as pd
    >>> rows = pd.DataFrame({"x": [1, 2, 3], "y": [5.0, 6.0, 5.5], "g": 0})
    >>> found = trend(rows, "y", "x", "g", rising=True)
    >>> found.steps, found.against, found.first, found.last
    (2, 1, 2.0, 3.0)
    """
    steps = against = on = curves = 0
    spots: list[float] = []
    for _, curve in table.dropna(subset=[quantity]).groupby(by, sort=True):
        ordered = curve.sort_values(along)
        x = ordered[along].to_numpy(dtype=float)
        y = ordered[quantity].to_numpy(dtype=float)
        change = np.diff(y) * (1 if rising else -1)
        wrong = change < -LEVEL * np.maximum(np.abs(y[1:]), np.abs(y[:-1]))
        curves, steps, against = curves + 1, steps + len(change), against + int(wrong.sum())
        on += bool(wrong.any())
        spots += [*x[:-1][wrong], *x[1:][wrong]]
    first, last = (min(spots), max(spots)) if spots else (float("nan"), float("nan"))
    return Trend(quantity, along, rising, curves, steps, against, float(first), float(last), on)
