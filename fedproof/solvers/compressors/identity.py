"""No compression: every entry as it is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from fedproof.problems.problem import Array, Constant
from fedproof.solvers.compressor import Compressor
from fedproof.solvers.messages import Field


@dataclass(frozen=True)
class Identity(Compressor):
    """Q(x) = x, in 64 d bits.

    >>> Identity().bits(3), Identity().omega(3).value
    (192, Fraction(0, 1))
    """

    name: ClassVar[str] = "identity"

    def fields(self, dimension: int) -> tuple[Field, ...]:
        return (Field(dimension),)

    def message(self, x: Array, draws: Array) -> tuple[Array, ...]:
        del draws
        return (x,)

    def restore(self, message: tuple[Array, ...], dimension: int, draws: Array) -> Array:
        del dimension, draws
        return message[0].copy()

    def distortion(self, dimension: int) -> Constant:
        del dimension
        return Constant(Fraction(0), "exact", "Q(x) = x")
