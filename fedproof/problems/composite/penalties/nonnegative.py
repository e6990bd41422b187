"""The indicator of the non-negative orthant."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from fedproof.problems.separable import Separable, SeparablePenalty
from fedproof.vocabulary.options import Option

OPTIONS: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Nonnegative(SeparablePenalty):
    """g(x) = 0 where x_j >= 0 for all j, inf elsewhere; its prox is the positive part.

    >>> import numpy as np
    >>> Nonnegative().prox(np.array([2.0, -0.5]), 1.0)
    array([2., 0.])
    """

    name: ClassVar[str] = "nonnegative"

    @cached_property
    def separable(self) -> Separable:
        """0 from 0 on."""
        return Separable(low=Fraction(0))

    @property
    def text(self) -> str:
        return "[x >= 0]"


PENALTY = Nonnegative
