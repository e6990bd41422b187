"""What the theorems have in common: their numbers, in doubles and exactly, and the least c that they admit.

At a fixed gamma, and at a fixed c gamma, every bound rises in c. So c is the least that its condition admits;
where Theorem 5 and Corollary 6 as printed admit any, it is as good as 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import ceil, floor, log10
from typing import Any

import sympy as sp

from fedproof.algebra.arithmetic import Array, Reals
from fedproof.algebra.expressions import rational_value
from fedproof.algebra.formula import Formula
from fedproof.bounds.catalog import statement
from fedproof.papers.flecs.notation import c
from fedproof.vocabulary.errors import InternalError
from fedproof.vocabulary.values import parse_value

SLACK = 1e-13
"""Of 1 or of gamma: far above the rounding of what is subtracted from it."""
TINY = Fraction(1, 10**100)
"""Stands for a c or gamma that may be as near to 0 as one likes."""
ROOM = 1e-12
"""Relative, of a condition that could hold with equality."""
DIGITS = 15
"""Significant digits of alpha, gamma and c: as many as a double keeps."""


@dataclass(frozen=True)
class Rounds(ABC):
    """How many rounds a theorem asks for along its letter.

    Arguments:
        id: of the statement.
        numbers: constants by letter, and gap, shift2 and eps.
        omega: of the compressor.
    """

    id: str
    numbers: Mapping[str, float]
    omega: Fraction

    @property
    @abstractmethod
    def cuts(self) -> Array:
        """Ranges of the letter to begin with, from 0 to what no admitted value is above."""

    @abstractmethod
    def rounds(self, places: Array) -> Array:
        """Real numbers of rounds that suffice; infinite where the theorem admits nothing."""

    @abstractmethod
    def least(self, low: Array, high: Array) -> Array:
        """What all admitted values of the letter between need at least."""

    @abstractmethod
    def letters(self, place: float, rounds: int) -> dict[str, Fraction]:
        """Decimals of alpha, gamma and c, and the Lyapunov function at the start."""

    @property
    def floor(self) -> Any:
        """What the bound is above for all alpha, gamma, c and K, an expression."""
        return sp.Integer(0)

    @cached_property
    def printed(self) -> bool:
        """Whether it is the paper's own form."""
        return statement(self.id).amends is None

    @cached_property
    def known(self) -> dict[str, Any]:
        """In doubles."""
        return {**self.numbers, "omega": float(self.omega)}

    @cached_property
    def exact(self) -> dict[str, Fraction]:
        """As they are typed."""
        return {n: parse_value(v) for n, v in self.numbers.items()} | {"omega": self.omega}

    def started(self, chosen: Mapping[str, Fraction], shifts: Any) -> Fraction:
        """The Lyapunov function at the start, `shifts` before the mean squared error of the shifts."""
        return self.exact["gap"] + exactly(shifts, {**self.exact, **chosen}) * self.exact["shift2"]


def rounded(exact: Fraction, down: bool) -> Fraction:
    """A positive number of few digits, not above, or not below.

    >>> float(rounded(Fraction(1, 3), True)), float(rounded(Fraction(1, 3), False))
    (0.333333333333333, 0.333333333333334)
    """
    scale = Fraction(10) ** (DIGITS - 1 - floor(log10(exact)))
    return (floor if down else ceil)(exact * scale) / scale


def value(expr: Any, known: Mapping[str, Any]) -> Any:
    """Of an expression, in doubles, elementwise over arrays."""
    return _formula(expr).within(Reals(), known)


@cache
def _formula(expr: Any) -> Formula:
    return Formula(expr)


def exactly(expr: Any, known: Mapping[str, Fraction]) -> Fraction:
    """Of an expression, as a fraction."""
    found = rational_value(expr, known)
    if found is None:
        raise InternalError(f"{expr} is no rational number at {known}")
    return found


def least_weight(condition: Any, at: Mapping[str, Fraction]) -> Fraction:
    """The least c that a condition asked <= c room admits, rounded up, and not 0."""
    asked, room = exactly(condition.lhs, at), exactly(condition.rhs.subs(c, 1), at)
    return max(TINY, rounded(asked / room, down=False)) if asked else TINY
