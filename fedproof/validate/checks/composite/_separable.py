"""A penalty that acts on every entry alone: l1, squared l2 and bounds together, in floats or fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant

__all__ = ["Separable"]


@dataclass(frozen=True, eq=False)
class Separable:
    """g(x) = sum_j weight |x_j| + ridge x_j^2 / 2, infinite outside low <= x_j <= high.

    One formula for l1, elastic net, box and what lies between, so that a search can move among them.

    Arguments:
        weight, ridge: >= 0; fractions, or float arrays (d,) with one number an entry.
        low, high: likewise, low <= 0 <= high; None where there is no bound.

    >>> clipped = Separable(Fraction(1, 2), high=Fraction(1))
    >>> clipped.prox(np.array([3.0, 1.0, -0.25]), 1.0)
    array([1. , 0.5, 0. ])
    """

    name: ClassVar[str] = "separable"

    weight: Any = Fraction(0)
    ridge: Any = Fraction(0)
    low: Any = None
    high: Any = None

    @property
    def text(self) -> str:
        """The formula."""
        parts = [f"{self.weight} |x|_1"] if self.weight else []
        parts += [f"{self.ridge} |x|^2/2"] if self.ridge else []
        ends = ["" if e is None else str(e) for e in (self.low, self.high)]
        if any(ends):
            parts.append(f"[{ends[0] or '-inf'}, {ends[1] or 'inf'}]")
        return " + ".join(parts) or "0"

    def _in(self, x: Array, value: Any) -> Any:
        return float(value) if isinstance(value, Fraction) and x.dtype != object else value

    def value(self, x: Array) -> Any:
        """g of models (..., d); inf outside the bounds."""
        weight, ridge = self._in(x, self.weight), self._in(x, self.ridge)
        half = self._in(x, Fraction(1, 2))
        inside: Any = np.add.reduce(weight * abs(x) + half * ridge * x * x, axis=-1)
        outside = np.zeros(np.shape(inside), dtype=bool)
        if self.low is not None:
            outside |= np.asarray(x < self._in(x, self.low), dtype=bool).any(axis=-1)
        if self.high is not None:
            outside |= np.asarray(x > self._in(x, self.high), dtype=bool).any(axis=-1)
        return np.where(outside, np.inf, inside) if outside.any() else inside

    def prox(self, x: Array, scale: Any) -> Array:
        """Soft thresholding, shrinking, then the nearest point within the bounds."""
        reach = scale * self._in(x, self.weight)
        found: Array = x - np.minimum(np.maximum(x, -reach), reach)
        found = found / (1 + scale * self._in(x, self.ridge))
        if self.low is not None:
            found = np.maximum(found, self._in(x, self.low))
        if self.high is not None:
            found = np.minimum(found, self._in(x, self.high))
        return found

    def subgradient_bound(self, dimension: int) -> Constant:
        """weight sqrt(d), rounded up; None with a square or a bound."""
        if self.ridge or self.low is not None or self.high is not None:
            return Constant(None, "exact", "subgradients grow without end")
        root = sqrt(dimension)
        least = root if root.is_integer() else root * (1 + 1e-12)
        return Constant(self.weight * Fraction(ceil(least * 2**40), 2**40), "exact", "weight times sqrt(d)")
