"""The indicator of a box: every entry between two numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from fedproof.problems.separable import Separable, SeparablePenalty
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.options import MOST_NUMBER, Option, number, shown
from fedproof.vocabulary.values import parse_value

_ENDS = number(f"-{MOST_NUMBER}", MOST_NUMBER)
OPTIONS = (
    Option("low", -1, _ENDS, "the least that an entry may be"),
    Option("high", 1, _ENDS, "the most that an entry may be, at least low"),
)


@dataclass(frozen=True)
class Box(SeparablePenalty):
    """g(x) = 0 where low <= x_j <= high for all j, inf elsewhere; its prox clips every entry.

    Arguments:
        low, high: numbers with low <= high, length.

    Raises: InputError for a box without points.

    >>> import numpy as np
    >>> Box(-1, 1).prox(np.array([2.0, 0.5]), 1.0)
    array([1. , 0.5])
    """

    name: ClassVar[str] = "box"

    low: Any = -1
    high: Any = 1

    def __post_init__(self) -> None:
        low, high = self.ends
        if low > high:
            got = f"{self.low} above high={self.high}, which leaves no model"
            raise InputError("low", got, "low <= high", f"write low={self.high} high={self.low}")

    @cached_property
    def ends(self) -> tuple[Fraction, Fraction]:
        """low and high, exactly as given."""
        return parse_value(self.low, "low"), parse_value(self.high, "high")

    @cached_property
    def separable(self) -> Separable:
        """0 on the interval."""
        return Separable(low=self.ends[0], high=self.ends[1])

    @property
    def text(self) -> str:
        return f"[x in [{shown(self.ends[0])}, {shown(self.ends[1])}]]"


PENALTY = Box
