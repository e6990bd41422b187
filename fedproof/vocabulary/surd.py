"""Square roots of fractions that users type, kept exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Surd:
    """An irrational square root of a fraction, or its negative.

    Arguments:
        square: a fraction > 0 that is no square.
        negative: whether the number is below 0.

    >>> str(Surd(Fraction(20))), Surd(Fraction(20)) > 4, Surd(Fraction(1, 2), negative=True) < 0
    ('sqrt(20)', True, True)
    """

    square: Fraction
    negative: bool = False

    def __float__(self) -> float:
        # isqrt of 128 bits more than a double needs, so that no magnitude overflows on the way
        shift = max(0, 256 - self.square.numerator.bit_length() + self.square.denominator.bit_length())
        shift += shift % 2
        whole = math.isqrt((self.square.numerator << shift) // self.square.denominator)
        size = float(Fraction(whole, 1 << shift // 2))
        return -size if self.negative else size

    def __str__(self) -> str:
        return f"{'-' if self.negative else ''}sqrt({self.square})"

    def __lt__(self, other: Fraction | int) -> bool:
        return _signed(self) < _signed(other)

    def __gt__(self, other: Fraction | int) -> bool:
        return _signed(self) > _signed(other)


def rooted(square: Fraction, negative: bool = False) -> Fraction | Surd:
    """The root of a fraction >= 0, or its negative: a fraction where it is one.

    >>> rooted(Fraction(4, 9)), rooted(Fraction(2), negative=True)
    (Fraction(2, 3), Surd(square=Fraction(2, 1), negative=True))
    """
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top * top != square.numerator or bottom * bottom != square.denominator:
        return Surd(square, negative)
    return Fraction(-top if negative else top, bottom)


def _signed(value: Surd | Fraction | int) -> Fraction:
    """The square with the sign of the number, which orders numbers as they are ordered."""
    if isinstance(value, Surd):
        return -value.square if value.negative else value.square
    exact = Fraction(value)
    return exact * abs(exact)


def product(left: Fraction | Surd, right: Fraction | Surd) -> Fraction | Surd:
    """Their product.

    >>> str(product(Fraction(2), Surd(Fraction(5)))), product(Surd(Fraction(2)), Surd(Fraction(8)))
    ('sqrt(20)', Fraction(4, 1))
    """
    found = _signed(left) * _signed(right)
    return rooted(abs(found), found < 0)


def inverse(value: Fraction | Surd) -> Fraction | Surd:
    """One over it.

    Raises: ZeroDivisionError.
    """
    return Surd(1 / value.square, value.negative) if isinstance(value, Surd) else 1 / value
