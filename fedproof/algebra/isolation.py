"""Real roots of one integer polynomial in balls: among all complex roots, or, for large numbers, by signs."""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

import flint

#: degree times bits of a coefficient up to which all complex roots are found faster
LARGE = 2_000
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
    """The same by halving, which roots of very different sizes, or very near, do not slow."""
    ends = (*((-high, -low) for low, high in reversed(_positive(poly(_X * -1)))), *_positive(poly))
    if not ends:
        return []
    while True:
        ends, balls = zip(*(_ball(poly, low, high, bits) for low, high in ends), strict=True)
        if not any(one.overlaps(other) for one, other in pairwise(balls)):
            return list(balls)
        bits *= 2


def _positive(poly: flint.fmpz_poly) -> list[tuple[Fraction, Fraction]]:
    """Ends with one positive root between them each, ascending, by the rule of signs of Descartes.

    Source: G. E. Collins and A. G. Akritas, Polynomial real root isolation using Descartes's rule of signs,
    SYMSAC 1976.
    """
    scale = _bound(poly)
    found: list[tuple[Fraction, Fraction]] = []
    left = [(_stretched(poly, scale), 0, 0)]
    while left:
        here, place, depth = left.pop()
        changes = _changes(here)
        if changes == 1:
            unit = Fraction(2) ** (scale - depth)
            found.append((place * unit, (place + 1) * unit))
        elif changes:
            octaves = _without_roots(here, changes)
            lower = _stretched(here, -max(octaves, 1))
            if not octaves:
                left.append((lower(_X + 1), 2 * place + 1, depth + 1))
            left.append((lower, place * 2 ** max(octaves, 1), depth + max(octaves, 1)))
    return found


def _without_roots(poly: flint.fmpz_poly, changes: int) -> int:
    """How many octaves below 1 have no root, for all changes of sign are between 0 and what is left."""

    def all_below(octaves: int) -> bool:
        return _changes(_stretched(poly, -octaves)) == changes

    if not all_below(1):
        return 0
    most = 2
    while all_below(most):
        most *= 2
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if all_below(middle) else (least, middle)
    return least


_X = flint.fmpz_poly([0, 1])


def _bound(poly: flint.fmpz_poly) -> int:
    """A power of two above all roots: Lagrange's 2 max |c_i / c_n|^(1/(n - i))."""
    *lower, leading = (int(c).bit_length() for c in poly.coeffs())
    n = len(lower)
    return 1 + max(-((leading - 1 - bits) // (n - i)) for i, bits in enumerate(lower) if bits)


def _stretched(poly: flint.fmpz_poly, scale: int) -> flint.fmpz_poly:
    """p(2^scale x), times a number that keeps it whole and small."""
    n = poly.degree() if scale < 0 else 0
    found = flint.fmpz_poly([c * 2 ** (scale * (i - n)) for i, c in enumerate(poly.coeffs())])
    return found // found.content()


def _changes(poly: flint.fmpz_poly) -> int:
    """At least as many as there are roots between 0 and 1, by an even number more; 0 and 1 are exact."""
    turned = flint.fmpz_poly(poly.coeffs()[::-1])(_X + 1)
    signs = [c > 0 for c in turned.coeffs() if c]
    return sum(one != other for one, other in pairwise(signs))


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
