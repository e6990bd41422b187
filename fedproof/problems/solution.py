"""Where a composite problem is least, and how well that is known."""

from __future__ import annotations

from dataclasses import dataclass

from fedproof.problems.problem import Array, Constant


@dataclass(frozen=True, eq=False)
class Solution:
    """A minimiser of F = f + g.

    Arguments:
        model: x*, shape (d,); fractions where it is exact, floats where it is near one.
        least_loss: F*; exact, or its proved lower end with the width of the enclosure as spread.
        exact: whether the model is a minimiser and not near one.
    """

    model: Array
    least_loss: Constant
    exact: bool
