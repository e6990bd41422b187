"""Arithmetics into which formulas are folded: NumPy reals, outward-rounded intervals, jets."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fedproof.algebra.expressions import Algebra, Operators

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Reals(Operators[Any]):
    """Floating-point numbers, elementwise over arrays.

    >>> float(Reals().power(np.float64(2.0), -2))
    0.25
    """

    def constant(self, value: Fraction) -> Any:
        """The nearest double."""
        return float(value)

    def power(self, a: Any, exponent: int) -> Any:
        """a to a whole power, by repeated products and at most one division."""
        if exponent == 0:
            return 1.0
        product = reduce(lambda x, y: x * y, [a] * abs(exponent))
        return product if exponent > 0 else 1.0 / product

    def root(self, a: Any, index: int) -> Any:
        """The root; NaN where a < 0."""
        return np.sqrt(a) if index == 2 else np.where(np.asarray(a) < 0, np.nan, np.abs(a)) ** (1 / index)


@dataclass(frozen=True, eq=False, slots=True)
class Enclosure:
    """Elementwise bounds lo <= x <= hi of an array of reals; NaN where nothing is known."""

    lo: Array
    hi: Array


def enclose(values: Array) -> Enclosure:
    """All reals that round to these doubles, their shortest decimals among them; 0 stays exact.

    >>> enclose(np.array([0.1])).lo < 0.1
    array([ True])
    """
    zero = values == 0
    return Enclosure(
        np.where(zero, values, np.nextafter(values, -np.inf)),
        np.where(zero, values, np.nextafter(values, np.inf)),
    )


def _outward(lo: Array, hi: Array) -> Enclosure:
    return Enclosure(np.nextafter(lo, -np.inf), np.nextafter(hi, np.inf))


class Intervals:
    """Interval arithmetic over arrays: each IEEE operation is within one step of the true value.

    IEEE 754 rounds +, -, x, / and square root correctly, so the neighbours of the computed ends
    enclose the true ends. NaN and infinite ends spread and fail every later comparison.

    >>> third = Intervals().constant(Fraction(1, 3))
    >>> bool(third.lo < third.hi)
    True
    """

    def constant(self, value: Fraction) -> Enclosure:
        """The rational, a point if it is a double."""
        near = np.float64(float(value))
        point = np.asarray(near)
        return Enclosure(point, point) if Fraction(float(near)) == value else _outward(point, point)

    def add(self, a: Enclosure, b: Enclosure) -> Enclosure:
        """a + b."""
        return _outward(a.lo + b.lo, a.hi + b.hi)

    def mul(self, a: Enclosure, b: Enclosure) -> Enclosure:
        """a * b."""
        ends = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
        return _outward(reduce(np.minimum, ends), reduce(np.maximum, ends))

    def power(self, a: Enclosure, exponent: int) -> Enclosure:
        """a to a whole power; NaN for a negative power of an interval that meets 0."""
        if exponent == 0:
            return self.constant(Fraction(1))
        product = reduce(self.mul, [a] * abs(exponent))
        if exponent > 0:
            return product
        safe = np.where(product.lo * product.hi > 0, 1.0, np.nan)
        return _outward(safe / product.hi, safe / product.lo)

    def root(self, a: Enclosure, index: int) -> Enclosure:
        """The root; NaN where a may be negative. Of an index above 2 the ends are proved by their powers."""
        if index == 2:
            return _outward(np.sqrt(a.lo), np.sqrt(a.hi))
        lo, hi = (Reals().root(end, index) * (1 + sign * 2.0**-46) for end, sign in ((a.lo, -1), (a.hi, 1)))
        below, above = (self.power(Enclosure(end, end), index) for end in (lo, hi))
        return Enclosure(
            np.where(below.hi <= a.lo, lo, np.where(a.lo >= 0, 0.0, np.nan)),
            np.where(above.lo >= a.hi, hi, np.where(a.hi == 0, 0.0, np.inf)),
        )


Jet = tuple[Any, ...]


class Jets:
    """Values with first derivatives over any arithmetic; None stands for a derivative that is 0.

    Jets over jets carry second derivatives.

    Arguments:
        base: the arithmetic of the entries.
        count: number of variables.

    >>> x = (3.0, 1.0)
    >>> Jets(Reals(), 1).mul(x, x)
    (9.0, 6.0)
    """

    def __init__(self, base: Algebra[Any], count: int) -> None:
        self.base, self.count = base, count

    def constant(self, value: Fraction) -> Jet:
        """A value that does not move."""
        return self.lift(self.base.constant(value))

    def lift(self, value: Any) -> Jet:
        """An entry of the base arithmetic as a value that does not move."""
        return (value, *[None] * self.count)

    def add(self, a: Jet, b: Jet) -> Jet:
        """a + b."""
        pairs = zip(a, b, strict=True)
        return tuple(y if x is None else x if y is None else self.base.add(x, y) for x, y in pairs)

    def mul(self, a: Jet, b: Jet) -> Jet:
        """a * b."""
        left, right = self._scale(a[1:], b[0]), self._scale(b[1:], a[0])
        return (self.base.mul(a[0], b[0]), *self.add(left, right))

    def power(self, a: Jet, exponent: int) -> Jet:
        """a to a whole power."""
        if exponent in (0, 1):
            return a if exponent else self.constant(Fraction(1))
        slope = self.base.mul(self.base.constant(Fraction(exponent)), self.base.power(a[0], exponent - 1))
        return (self.base.power(a[0], exponent), *self._scale(a[1:], slope))

    def root(self, a: Jet, index: int) -> Jet:
        """The root."""
        root = self.base.root(a[0], index)
        slope = self.base.mul(self.base.constant(Fraction(1, index)), self.base.power(root, 1 - index))
        return (root, *self._scale(a[1:], slope))

    def _scale(self, slopes: Jet, factor: Any) -> Jet:
        return tuple(None if d is None else self.base.mul(d, factor) for d in slopes)
