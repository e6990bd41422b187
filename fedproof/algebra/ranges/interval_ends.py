"""Ends of an interval as floats rounded inward, and the whole numbers inside."""

from __future__ import annotations

import math
from fractions import Fraction

from fedproof.algebra.balls import FIRST_BITS
from fedproof.algebra.roots import Point, compare, enclosure, float_near

#: beyond this, ends leave the floats and isolating roots takes minutes
SMALLEST = Fraction(1, 10**100)


def inward(lo: Point | None, hi: Point | None) -> tuple[float | None, float | None]:
    """Floats whose shortest decimals lie in the closed interval, as near its ends as floats can be.

    An open end that is a float is told as it is: it is the limit of what is inside.

    Where no float lies inside (an irrational point, or an interval below float resolution), the nearest
    floats to the ends.

    >>> inward(Fraction(1, 3), Fraction(1, 2))
    (0.33333333333333337, 0.5)
    """
    low = None if lo is None else _step(lo, 1)
    high = None if hi is None else _step(hi, -1)
    crossed = low is not None and high is not None and low > high
    beyond = _outside(low, hi, 1) or _outside(high, lo, -1)
    if crossed or beyond:
        return _nearest(lo), _nearest(hi)
    return low, high


def inner(
    lo: Point | None, hi: Point | None, lo_open: bool, hi_open: bool
) -> tuple[float | None, float | None]:
    """As `inward`, off an open end that is a float itself; crossed where no float is left inside.

    >>> inner(Fraction(0), Fraction(5, 2), True, True)
    (1e-100, 2.4999999999999996)
    """
    low, high = inward(lo, hi)
    return (_off(low, lo, 1) if lo_open else low), (_off(high, hi, -1) if hi_open else high)


def _off(number: float | None, end: Point | None, side: int) -> float | None:
    if number is None or not isinstance(end, (int, Fraction)) or Fraction(repr(number)) != end:
        return number
    return math.nextafter(number, side * math.inf) if number else side * float(SMALLEST)


def _nearest(end: Point | None) -> float | None:
    return None if end is None else _finite(float_near(end))


def _outside(number: float | None, end: Point | None, side: int) -> bool:
    return number is not None and end is not None and side * compare(Fraction(repr(number)), end) > 0


def _step(end: Point, side: int) -> float:
    number = _finite(float_near(end))
    back = _finite(math.nextafter(number, -side * math.inf))
    for start in (back, number):  # float_near may be one unit off either way
        if not _outside(start, end, -side):
            return start
    while _outside(number, end, -side):
        number = math.nextafter(number, side * math.inf)
        if math.isinf(number):  # no float lies beyond the end
            return _finite(number)
    return number


def _finite(number: float) -> float:
    return math.copysign(1.7976931348623157e308, number) if math.isinf(number) else number


def whole_hull(
    lo: Point | None, hi: Point | None, lo_open: bool, hi_open: bool
) -> tuple[int | None, int | None] | None:
    """The least and greatest whole number in the interval (None: unbounded), or None if there is none.

    >>> whole_hull(Fraction(3, 2), Fraction(4), False, True)
    (2, 3)
    """
    low = None if lo is None else _whole(lo, lo_open, 1)
    high = None if hi is None else _whole(hi, hi_open, -1)
    if low is not None and high is not None and low > high:
        return None
    return low, high


def _whole(end: Point, is_open: bool, side: int) -> int:
    bits = FIRST_BITS
    low, high = enclosure(end, bits)
    while high - low > 1:  # a root of many digits
        bits *= 2
        low, high = enclosure(end, bits)
    start = math.floor(low) if side > 0 else math.ceil(high)
    while side * compare(Fraction(start), end) < 0 or (is_open and compare(Fraction(start), end) == 0):
        start += side
    return start
