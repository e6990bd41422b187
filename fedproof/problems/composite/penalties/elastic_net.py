"""The elastic net: sparse and short models."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from fedproof.problems.separable import Separable, SeparablePenalty, Weighted
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.options import MOST_NUMBER, Option, number, shown
from fedproof.vocabulary.values import parse_value

OPTIONS = (
    Option("weight", "1/1000", number(0, MOST_NUMBER), "of the sum of the entries' sizes"),
    Option("curvature", "1/1000", number(0, MOST_NUMBER), "of half the squared norm"),
)


@dataclass(frozen=True)
class ElasticNet(SeparablePenalty, Weighted):
    """g(x) = weight |x|_1 + (curvature / 2) |x|^2; its prox is soft thresholding, then scaling.

    >>> import numpy as np
    >>> ElasticNet(1, 1).prox(np.array([3.0, 0.5]), 1.0)
    array([1., 0.])
    """

    name: ClassVar[str] = "elastic_net"

    curvature: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        if parse_value(self.curvature, "curvature") < 0:
            raise InputError("curvature", self.curvature, "a number >= 0")

    @cached_property
    def bend(self) -> Fraction:
        """The curvature, exactly as given."""
        return parse_value(self.curvature)

    @cached_property
    def separable(self) -> Separable:
        """weight |u| + curvature u^2 / 2."""
        return Separable(self.exact, self.bend)

    @property
    def text(self) -> str:
        return f"{shown(self.exact)} |x|_1 + {shown(self.bend)}/2 |x|^2"


PENALTY = ElasticNet
