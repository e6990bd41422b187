"""The l1 norm: sparse models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from fedproof.problems.separable import Separable, SeparablePenalty, Weighted
from fedproof.vocabulary.options import MOST_NUMBER, Option, number, shown

OPTIONS = (Option("weight", "1/1000", number(0, MOST_NUMBER), "of the sum of the entries' sizes"),)


@dataclass(frozen=True)
class L1(SeparablePenalty, Weighted):
    """g(x) = weight sum_j |x_j|; its prox is soft thresholding.

    >>> import numpy as np
    >>> L1("1/2").prox(np.array([2.0, -0.25]), 1.0)
    array([1.5, 0. ])
    """

    name: ClassVar[str] = "l1"

    @cached_property
    def separable(self) -> Separable:
        """weight |u|."""
        return Separable(self.exact)

    @property
    def text(self) -> str:
        return f"{shown(self.exact)} |x|_1"


PENALTY = L1
