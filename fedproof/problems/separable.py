"""Penalties that are sums over coordinates: |u|, u^2 and an interval, in one form."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, sqrt
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Constant, Forwarded
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value


@dataclass(frozen=True)
class Weighted:
    """A penalty or regulariser with a weight >= 0.

    Arguments:
        weight: a number, or text that the parser reads; exact as written.
    """

    weight: Any

    def __post_init__(self) -> None:
        if parse_value(self.weight, "weight") < 0:
            raise InputError("weight", self.weight, "a number >= 0")

    @cached_property
    def exact(self) -> Fraction:
        """The weight, exactly as given."""
        return parse_value(self.weight)

    @cached_property
    def rounded(self) -> float:
        """The nearest float of the weight."""
        return float(self.exact)

    def weight_in(self, x: Array) -> Any:
        """The weight in the arithmetic of an array."""
        return self.exact if x.dtype == object else self.rounded


@dataclass(frozen=True)
class Separable:
    """g(x) = sum_j phi(x_j), phi(u) = weight |u| + curvature u^2 / 2 on low <= u <= high, inf elsewhere.

    Arguments:
        weight, curvature: >= 0; loss / length, loss / length^2. Float arrays (d,) give every entry its own.
        low, high: ends of the interval, length, or arrays likewise; None where it has none.

    >>> Separable(Fraction(1), Fraction(1), low=Fraction(0)).prox(np.array([3.0, -3.0]), 1.0)
    array([1., 0.])
    """

    weight: Any = Fraction(0)
    curvature: Any = Fraction(0)
    low: Any = None
    high: Any = None

    @cached_property
    def _floats(self) -> tuple[Any, Any, Any, Any]:
        low = -inf if self.low is None else _rounded(self.low)
        high = inf if self.high is None else _rounded(self.high)
        return _rounded(self.weight), _rounded(self.curvature), low, high

    def numbers(self, exact: bool) -> tuple[Any, Any, Any, Any]:
        """Weight, curvature and ends, as fractions or as floats; an end that is none is infinite."""
        if not exact:
            return self._floats
        low: Any = -inf if self.low is None else self.low
        high: Any = inf if self.high is None else self.high
        return self.weight, self.curvature, low, high

    def value(self, x: Array) -> Any:
        """g of models (..., d), shape (...)."""
        weight, curvature, low, high = self.numbers(x.dtype == object)
        total = _sum(weight, abs(x))
        if _some(curvature):
            total = total + _sum(curvature, x * x) / 2
        if self.low is None and self.high is None:
            return total
        outside = np.any((x < low) | (x > high), axis=-1)
        return np.where(outside, inf, total)[()]

    def prox(self, x: Array, scale: Any) -> Array:
        """argmin_u scale g(u) + |u - x|^2 / 2 of models (..., d): entries shrunk, scaled, then clipped.

        The derivative of scale phi(u) + (u - x)^2 / 2 grows, so that its zero, clipped, is the minimiser.
        """
        weight, curvature, low, high = self.numbers(x.dtype == object)
        u = x
        if _some(weight):
            reach = scale * weight
            near = np.maximum(x, -reach)
            u = x - np.minimum(near, reach, out=near)
        if _some(curvature):
            u = u / (1 + scale * curvature)
        if self.low is not None:
            u = np.maximum(u, low)
        if self.high is not None:
            u = np.minimum(u, high)
        return x.copy() if u is x else u

    def conjugate(self, v: Array) -> Any:
        """g*(v) = sup_x v x - g(x) of (..., d), shape (...); inf where it has none."""
        weight, curvature, low, high = self.numbers(v.dtype == object)
        zero, excess = v * 0, v - np.minimum(np.maximum(v, -weight), weight)
        if curvature:
            best = np.minimum(np.maximum(excess / curvature, low), high)
        else:
            outer = np.where(excess > 0, high, low)
            best = np.where(excess != 0, outer, np.minimum(np.maximum(zero, low), high))
        infinite = np.any(abs(best) == inf, axis=-1)
        best = np.where(abs(best) == inf, zero, best)
        each = v * best - weight * abs(best) - curvature * best * best / 2
        return np.where(infinite, inf, np.add.reduce(each, axis=-1))[()]


def _rounded(number: Any) -> Any:
    return number if isinstance(number, np.ndarray) else float(number)


def _some(number: Any) -> bool:
    return bool(number.any() if isinstance(number, np.ndarray) else number)


def _sum(factor: Any, values: Array) -> Any:
    """The sum over entries of factor times values, one multiplication where the factor is one number."""
    if isinstance(factor, np.ndarray):
        return np.add.reduce(factor * values, axis=-1)
    return factor * np.add.reduce(values, axis=-1)


class SeparablePenalty:
    """What every penalty that is a sum over coordinates does; subclasses give `separable`."""

    value = Forwarded("separable")
    prox = Forwarded("separable")
    conjugate = Forwarded("separable")

    @property
    def separable(self) -> Separable:
        """The penalty of one coordinate."""
        raise NotImplementedError(type(self).__name__)

    def subgradient_bound(self, dimension: int) -> Constant:
        """weight sqrt(d), reached where no entry is 0; none beside a square or an interval."""
        form = self.separable
        if form.low is not None or form.high is not None:
            return Constant(None, "exact", "an indicator's subgradients are unbounded where the set ends")
        if form.curvature:
            return Constant(None, "exact", "the gradient of a square grows with the model")
        if not form.weight:
            return Constant(0, "exact", "the only subgradient is 0")
        return Constant(float(form.weight) * sqrt(dimension), "exact", f"sqrt({dimension}) times the weight")
