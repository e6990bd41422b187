"""Regularisers: separable functions of the model, added to every sample's loss."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.separable import Weighted
from fedproof.problems.supervised.linear import root_above


@runtime_checkable
class Regulariser(Protocol):
    """r(w), with its derivatives, exact extremes of its curvature and a bound from below.

    One whose derivative along every axis is bounded may say by how much: `slope_square`, a fraction.
    """

    def value(self, w: Array) -> Any:
        """r of models (..., d), shape (...)."""

    def gradient(self, w: Array) -> Array:
        """Gradient at models (..., d)."""

    def curvature(self, w: Array) -> Array:
        """Diagonal of the Hessian at models (..., d)."""

    @property
    def smoothness(self) -> Fraction | None:
        """Largest |second derivative| over all w; None where the gradient jumps."""

    @property
    def least_curvature(self) -> Fraction:
        """Least second derivative over all w; negative where r is not convex."""

    @property
    def least_value(self) -> Fraction | None:
        """A proved lower bound of r over all w; None where none is known."""

    @property
    def text(self) -> str:
        """The formula, in words."""


@dataclass(frozen=True)
class L2(Weighted):
    """r(w) = (weight / 2) |w|^2.

    >>> L2(3).least_curvature
    Fraction(3, 1)
    """

    name: ClassVar[str] = "l2"
    least_value: ClassVar[Fraction] = Fraction(0)
    slope_square: ClassVar[Fraction | None] = None

    def value(self, w: Array) -> Any:
        return self.rounded / 2 * np.square(w).sum(axis=-1)

    def gradient(self, w: Array) -> Array:
        """weight w."""
        return self.rounded * w

    def curvature(self, w: Array) -> Array:
        """weight, everywhere."""
        return np.full(w.shape, self.rounded)

    @property
    def smoothness(self) -> Fraction:
        return self.exact

    @property
    def least_curvature(self) -> Fraction:
        return self.exact

    @property
    def text(self) -> str:
        return f"{self.weight}/2 |w|^2"


@dataclass(frozen=True)
class Nonconvex(Weighted):
    """r(w) = weight sum_j w_j^2 / (1 + w_j^2), smooth, bounded and not convex.

    The second derivative 2 weight (1 - 3 w^2) / (1 + w^2)^3 is largest at 0, where it is 2 weight, and least
    at w = 1 and -1, where it is -weight/2: both are attained.

    >>> Nonconvex(1).smoothness, Nonconvex(1).least_curvature
    (Fraction(2, 1), Fraction(-1, 2))
    """

    name: ClassVar[str] = "nonconvex"
    least_value: ClassVar[Fraction] = Fraction(0)

    def value(self, w: Array) -> Any:
        squares = np.square(w)
        return self.rounded * (squares / (1 + squares)).sum(axis=-1)

    def gradient(self, w: Array) -> Array:
        """2 weight w / (1 + w^2)^2."""
        gradient: Array = 2 * self.rounded * w / np.square(1 + np.square(w))
        return gradient

    def curvature(self, w: Array) -> Array:
        """2 weight (1 - 3 w^2) / (1 + w^2)^3."""
        squares = np.square(w)
        curvature: Array = 2 * self.rounded * (1 - 3 * squares) / (1 + squares) ** 3
        return curvature

    @property
    def smoothness(self) -> Fraction:
        """2 weight."""
        return 2 * self.exact

    @property
    def least_curvature(self) -> Fraction:
        """-weight / 2."""
        return -self.exact / 2

    @property
    def slope_square(self) -> Fraction:
        """27/64 weight^2, where the second derivative is 0, at w^2 = 1/3."""
        return Fraction(27, 64) * self.exact**2

    @property
    def text(self) -> str:
        return f"{self.weight} sum w^2/(1 + w^2)"


@dataclass(frozen=True)
class Sum:
    """Both of two regularisers; for L2 and Nonconvex the extremes of the curvature are attained still.

    Of others the extremes need not lie at the same models: then their sums are bounds.

    >>> Sum(L2(1), Nonconvex(1)).least_curvature
    Fraction(1, 2)
    """

    first: Regulariser
    second: Regulariser

    def value(self, w: Array) -> Any:
        return self.first.value(w) + self.second.value(w)

    def gradient(self, w: Array) -> Array:
        return self.first.gradient(w) + self.second.gradient(w)

    def curvature(self, w: Array) -> Array:
        return self.first.curvature(w) + self.second.curvature(w)

    @property
    def smoothness(self) -> Fraction | None:
        first, second = self.first.smoothness, self.second.smoothness
        return None if first is None or second is None else first + second

    @property
    def least_curvature(self) -> Fraction:
        return self.first.least_curvature + self.second.least_curvature

    @property
    def least_value(self) -> Fraction | None:
        first, second = (getattr(part, "least_value", None) for part in (self.first, self.second))
        return None if first is None or second is None else first + second

    @property
    def slope_square(self) -> Fraction | None:
        first, second = (getattr(part, "slope_square", None) for part in (self.first, self.second))
        if first is None or second is None:
            return None
        return (Fraction(root_above(first)) + Fraction(root_above(second))) ** 2

    @property
    def text(self) -> str:
        return f"{self.first.text} + {self.second.text}"


def l2_weight(regulariser: Regulariser | None) -> Fraction | None:
    """The weight of what is l2 alone, 0 for none; None if another part has a weight.

    >>> l2_weight(Sum(L2(1), L2("1/2"))), l2_weight(Nonconvex(1))
    (Fraction(3, 2), None)
    """
    found = parts(regulariser)
    if found is None or any(type(part) is not L2 and part.exact for part in found):
        return None
    return sum((part.exact for part in found if type(part) is L2), Fraction(0))


def parts(regulariser: Regulariser | None) -> tuple[L2 | Nonconvex, ...] | None:
    """The L2 and Nonconvex that a regulariser is the sum of; None if it has another part.

    >>> parts(Sum(L2(1), Nonconvex(2)))
    (L2(weight=1), Nonconvex(weight=2))
    """
    if regulariser is None:
        return ()
    if type(regulariser) is Sum:
        first, second = parts(regulariser.first), parts(regulariser.second)
        return None if first is None or second is None else first + second
    return (regulariser,) if type(regulariser) in (L2, Nonconvex) else None  # type: ignore[return-value]
