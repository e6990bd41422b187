"""Decimals on the safe side of a number: what is printed may be typed back."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

#: as many digits as every decimal keeps that becomes a float and is printed again
MOST = 15


def short(value: Fraction | float, digits: int, side: int) -> str:
    """The decimal of so many digits that is nearest to a number and not below it (side 1), or above it (-1).

    Arguments:
        value: finite.
        digits: significant ones, from 1 to 15.
        side: 1 rounds up, -1 down.

    >>> short(Fraction(1, 3), 4, 1), short(Fraction(1, 3), 4, -1), short(Fraction(-1, 3), 2, 1)
    ('0.3334', '0.3333', '-0.33')
    """
    exact = Fraction(value)
    rounding = ROUND_CEILING if side > 0 else ROUND_FLOOR
    # exact operands: only the quotient is rounded
    found = Context(prec=min(digits, MOST), rounding=rounding).divide(
        Decimal(exact.numerator), Decimal(exact.denominator)
    )
    return f"{float(found):.{digits}g}"


def safe_float(value: Fraction | float, side: int) -> float:
    """The float nearest to a number whose shortest decimal is not below it (side 1), or not above it (-1).

    >>> safe_float(Fraction(1, 3), -1), safe_float(Fraction(1, 3), 1), safe_float(0.5, 1)
    (0.3333333333333333, 0.33333333333333337, 0.5)
    """
    exact = Fraction(value)
    found = float(exact)
    for _ in range(2):
        if side * (Fraction(repr(found)) - exact) >= 0:
            return found
        found = math.nextafter(found, side * math.inf)
    return found
