"""Real roots of one integer polynomial in balls: among all complex roots, or, for large numbers, by signs."""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

import flint
from sympy import ZZ
from sympy.polys.rootisolation import dup_isolate_real_roots_sqf

#: degree times bits of a coefficient up to which all complex roots are found faster
LARGE = 16_000
#: correct bits from which Newton's method goes on
NEAR = 24


def real_roots(poly: flint.fmpz_poly, bits: int) -> list[flint.arb]:
    """Balls with about `bits` correct bits, ascending and disjoint, around the roots of a polynomial.

    Arguments:
        poly: irreducible, of degree >= 2.
        bits: what is correct of each.

    >>> [ball.str(5, radius=False) for ball in real_roots(flint.fmpz_poly([-2, 0, 1]), 64)]
    ['-1.4142', '1.4142']
    """
    if poly.degree() * poly.height_bits() <= LARGE:
        return _among_complex(poly, bits)
    return by_signs(poly, bits)


def _among_complex(poly: flint.fmpz_poly, bits: int) -> list[flint.arb]:
    with flint.ctx.workprec(bits):
        roots: list[Any] = list(poly.complex_roots())
        found = [c.real for c, _ in roots if c.imag.is_zero()]
    return sorted(found, key=cmp_to_key(_before))


def _before(a: Any, b: Any) -> int:
    return -1 if a < b else 1


def by_signs(poly: flint.fmpz_poly, bits: int) -> list[flint.arb]:
    """The same by continued fractions, which roots of very different sizes, or very near, do not slow."""
    coefficients = [ZZ(int(c)) for c in reversed(poly.coeffs())]
    found = dup_isolate_real_roots_sqf(coefficients, ZZ, fast=True)
    ends = tuple(tuple(Fraction(int(e.numerator), int(e.denominator)) for e in pair) for pair in found)
    if not ends:
        return []
    while True:
        ends, balls = zip(*(_ball(poly, low, high, bits) for low, high in ends), strict=True)
        if not any(one.overlaps(other) for one, other in pairwise(balls)):
            return list(balls)
        bits *= 2


def _ball(
    poly: flint.fmpz_poly, low: Fraction, high: Fraction, bits: int
) -> tuple[tuple[Fraction, Fraction], flint.arb]:
    """A ball, and narrower ends: halved until Newton's method may go on, or to the end."""
    rising = _sign(poly, high) > 0
    near = NEAR
    while True:
        while not _within(low, high, near):
            middle = _between(low, high)
            if (_sign(poly, middle) > 0) == rising:
                high = middle
            else:
                low = middle
        ball = refined(poly, _around(low, high, near), bits)
        if ball is not None:
            return (low, high), ball
        near *= 2


def _within(low: Fraction, high: Fraction, bits: int) -> bool:
    """Whether both ends agree in about so many bits."""
    return low * high > 0 and (high - low) * 2**bits <= min(abs(low), abs(high))


def _between(low: Fraction, high: Fraction) -> Fraction:
    """A number between, of few digits: the middle, or of ends of different size that of their sizes."""
    small, large = sorted((abs(low), abs(high)))
    if low * high < 0:
        return Fraction(0)
    if small == 0:
        middle = Fraction(2) ** (2 * min(_power(large), 0) - 64)
    elif large > 8 * small:
        middle = Fraction(2) ** ((_power(small) + _power(large)) // 2)
    else:
        unit = Fraction(2) ** (_power(large - small) - 4)
        middle = round((small + large) / 2 / unit) * unit
    return middle if high > 0 else -middle


def _power(x: Fraction) -> int:
    """About the logarithm to base 2 of a positive number."""
    return x.numerator.bit_length() - x.denominator.bit_length()


def _sign(poly: flint.fmpz_poly, x: Fraction) -> int:
    value = poly(flint.fmpq(x.numerator, x.denominator))
    return int(value > 0) - int(value < 0)


def _around(low: Fraction, high: Fraction, bits: int) -> flint.arb:
    with flint.ctx.workprec(4 * bits + 64):
        one, other = (flint.arb(flint.fmpq(x.numerator, x.denominator)) for x in (low, high))
        return one.union(other)


def refined(poly: flint.fmpz_poly, ball: flint.arb, bits: int) -> flint.arb | None:
    """Newton's method in balls: the root stays inside, the ball shrinks; None where the slope may vanish.

    Digits beyond those that are asked for make up for what large coefficients cancel.
    """
    height = poly.height_bits()
    tries = (_newton(poly, ball, bits, more) for more in (32, 2 * height, 2 * height * poly.degree()))
    return next((found for found in tries if found is not None), None)


def _newton(poly: flint.fmpz_poly, ball: flint.arb, bits: int, more: int) -> flint.arb | None:
    with flint.ctx.workprec(bits + more):
        value, slope = flint.arb_poly(poly), flint.arb_poly(poly.derivative())
        while ball.rel_accuracy_bits() < bits:
            steep = slope(ball)
            if steep.contains(0) or not steep.is_finite():
                return None
            middle = ball.mid()
            step = middle - value(middle) / steep
            if not step.overlaps(ball):
                return None
            smaller = step.intersection(ball)
            if smaller.rad() * 2 > ball.rad():
                return None
            ball = smaller
    return ball
