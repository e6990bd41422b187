"""Arithmetic for deciding apart: fractions as long as they suffice, else enclosures in mpmath's digits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import mpmath as mp
import sympy as sp

#: beyond so many bits a fraction is enclosed
BITS = 6000


class Undefined(ArithmeticError):
    """A root of a negative number, or a division by zero."""


class Unsure(ArithmeticError):
    """The digits do not tell a number from zero."""


@dataclass(frozen=True, slots=True)
class Ball:
    """The reals from lo to hi, one of which is meant."""

    lo: Any
    hi: Any


Number: TypeAlias = Fraction | Ball


def padded(lo: Any, hi: Any) -> Ball:
    """With room for the rounding of one operation at each end."""
    return Ball(lo - abs(lo) * 16 * mp.eps, hi + abs(hi) * 16 * mp.eps)


def ball(x: Number) -> Ball:
    """An enclosure."""
    if isinstance(x, Ball):
        return x
    near = mp.mpf(x.numerator) / mp.mpf(x.denominator)
    return padded(near, near)


def _short(x: Fraction) -> Number:
    return x if max(x.numerator.bit_length(), x.denominator.bit_length()) <= BITS else ball(x)


@dataclass(frozen=True)
class Exact:
    """Arithmetic of fractions and enclosures.

    Arguments:
        zero: whether what the digits do not tell from 0 is 0, as at an end that is a root.
    """

    zero: bool = False

    def sign(self, x: Number) -> int:
        """-1, 0 or 1."""
        if isinstance(x, Fraction):
            return (x > 0) - (x < 0)
        if x.lo > 0 or x.hi < 0:
            return 1 if x.lo > 0 else -1
        if self.zero or x.lo == x.hi == 0:
            return 0
        raise Unsure

    def add(self, a: Number, b: Number) -> Number:
        """The sum."""
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return _short(a + b)
        x, y = ball(a), ball(b)
        return padded(x.lo + y.lo, x.hi + y.hi)

    def mul(self, a: Number, b: Number) -> Number:
        """The product."""
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return _short(a * b)
        x, y = ball(a), ball(b)
        every = (x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi)
        return padded(min(every), max(every))

    def inverse(self, x: Number) -> Number:
        """1/x."""
        if not self.sign(x):
            raise Undefined
        return 1 / x if isinstance(x, Fraction) else padded(1 / x.hi, 1 / x.lo)

    def power(self, x: Number, n: int) -> Number:
        """A whole power."""
        if n < 0:
            return self.inverse(self.power(x, -n))
        if isinstance(x, Fraction) and n * max(x.numerator.bit_length(), x.denominator.bit_length()) < BITS:
            return Fraction(x**n)
        found: Number = Fraction(1)
        while n:
            found = self.mul(found, x) if n & 1 else found
            x, n = (self.mul(x, x) if n > 1 else x), n >> 1
        return found

    def root(self, x: Number, index: int) -> Number:
        """The root of a number >= 0."""
        side = self.sign(x)
        if side < 0:
            raise Undefined
        if side == 0:
            return Fraction(0)
        if isinstance(x, Fraction):
            (p, exact), (q, too) = (sp.integer_nthroot(part, index) for part in (x.numerator, x.denominator))
            if exact and too:
                return Fraction(int(p), int(q))
        of = ball(x)
        return padded(mp.root(of.lo, index), mp.root(of.hi, index))

    def raised(self, x: Number, to: Number) -> Number:
        """A power whose exponent is a letter."""
        if isinstance(to, Fraction) and to.denominator == 1:
            return self.power(x, int(to))
        side = self.sign(x)
        if side <= 0:
            if side < 0 or self.sign(to) <= 0:
                raise Undefined
            return Fraction(0)
        of = ball(x)
        size = ball(self.mul(padded(mp.log(of.lo), mp.log(of.hi)), to))
        return padded(mp.exp(size.lo), mp.exp(size.hi))

    def extreme(self, a: Number, b: Number, of: Callable[..., Any]) -> Number:
        """The greater or the less."""
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return Fraction(of(a, b))
        x, y = ball(a), ball(b)
        return Ball(of(x.lo, y.lo), of(x.hi, y.hi))
