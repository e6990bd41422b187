"""No penalty at all: g = 0, so that methods for composite problems run on smooth ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from fedproof.problems.separable import Separable, SeparablePenalty
from fedproof.vocabulary.options import Option

OPTIONS: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Zero(SeparablePenalty):
    """g(x) = 0; its prox leaves x as it is.

    >>> import numpy as np
    >>> Zero().prox(np.array([2.0]), 1.0)
    array([2.])
    """

    name: ClassVar[str] = "none"

    @cached_property
    def separable(self) -> Separable:
        """0."""
        return Separable()

    @property
    def text(self) -> str:
        return "0"


PENALTY = Zero
