"""The squared Euclidean norm: shorter models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from fedproof.problems.separable import Separable, SeparablePenalty, Weighted
from fedproof.vocabulary.options import MOST_NUMBER, Option, number, shown

OPTIONS = (Option("weight", "1/1000", number(0, MOST_NUMBER), "of half the squared norm"),)


@dataclass(frozen=True)
class SquaredL2(SeparablePenalty, Weighted):
    """g(x) = (weight / 2) |x|^2; its prox is x / (1 + scale weight).

    >>> import numpy as np
    >>> SquaredL2(3).prox(np.array([2.0]), 1.0)
    array([0.5])
    """

    name: ClassVar[str] = "l2_squared"

    @cached_property
    def separable(self) -> Separable:
        """weight u^2 / 2."""
        return Separable(curvature=self.exact)

    @property
    def text(self) -> str:
        return f"{shown(self.exact)}/2 |x|^2"


PENALTY = SquaredL2
