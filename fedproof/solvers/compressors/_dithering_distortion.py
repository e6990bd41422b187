"""The distortion of random dithering: exact for p = 2 and infinity, bounded otherwise.

With z_i = s |x_i| / |x|_p it is the largest (sum_i h(z_i)) / (sum_i z_i^2) - 1 over z >= 0 with |z|_p = s,
where h(z) = E L^2 is z^2 at whole z and linear between: h(z) = max over odd m of m z - (m^2 - 1) / 4.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

import numpy as np

from fedproof.problems.problem import Constant
from fedproof.problems.supervised.linear import float_above

_BITS = 256
_DIGITS = 60


def dithering_distortion(levels: int, dimension: int, norm: Fraction | str) -> Constant:
    """The least c with E|Q(x) - x|^2 <= c |x|^2 for all x.

    Arguments:
        levels: s >= 1.
        dimension: d >= 1.
        norm: p >= 1 or "inf".

    Returns: a fraction where it is rational, else a float rounded up.

    >>> dithering_distortion(1, 16, Fraction(2)).value
    Fraction(3, 1)
    """
    if dimension == 1:
        return Constant(Fraction(0), "exact", "a single entry is its own norm")
    if norm == "inf":
        return _largest_norm(levels, dimension)
    return _euclidean(levels, dimension) if norm == 2 else _bound(levels, dimension, Fraction(norm))


def _largest_norm(s: int, d: int) -> Constant:
    """p = infinity: one entry has z = s, the others all have the z in (0, 1/2] that is best.

    For a quotient c the d - 1 others add at most max_z (h(z) - (1 + c) z^2) = 1 / (4 (1 + c)) each, at
    z = 1 / (2 (1 + c)), and the first takes c s^2: so that 4 s^2 c (1 + c) = d - 1.
    """
    root, rational = _root_above(s * s + d - 1)
    how = "(sqrt(1 + (d - 1) / s^2) - 1) / 2, attained by an x with one entry larger than the others"
    return _exact((root - s) / (2 * s), rational, how)


def _euclidean(s: int, d: int) -> Constant:
    """p = 2: s^2 c = d / 4 - (sqrt(R) / 2 - s)^2, where R is the sum of d odd squares that makes it largest.

    As |z| = s, sum_i h(z_i) is the largest of m.z - (|m|^2 - d) / 4 over odd m, and m.z <= s |m|, attained by
    z along m. A sum of d odd squares is d + 8 n, n a sum of d triangular numbers: of three or more, any
    n >= 0 (Gauss). It is attained by x = m with |m|^2 = R.
    """
    squares = _two_odd_squares(s) if d == 2 else _near(s, d)
    cases = [(*_root_above(square), square) for square in squares]
    root, rational, square = max(cases, key=lambda case: 4 * s * case[0] - case[2])
    how = f"attained by odd whole numbers whose squares add up to {square}"
    return _exact((4 * s * root - square + d - 4 * s * s) / (4 * s * s), rational, how)


def _near(s: int, d: int) -> list[int]:
    """The numbers d + 8 n on both sides of 4 s^2, or the least."""
    below = d + max(0, 4 * s * s - d) // 8 * 8
    return [below, below + 8]


def _two_odd_squares(s: int) -> list[int]:
    """The sums of two odd squares on both sides of 4 s^2."""
    one = np.arange(1, 2 * s, 2, dtype=np.int64)
    other = (np.sqrt(4 * s * s - one**2).astype(np.int64) - 1) // 2 * 2 + 1
    return [int((one**2 + other**2).max()), int((one**2 + (other + 2) ** 2).min())]


def _bound(s: int, d: int, p: Fraction) -> Constant:
    """Any p: with t = d^(1 / min(p, 2)) / s, c <= t - 1 where t >= 2, else t^2 / 4.

    |z|^2 >= d / t^2 for such z. As in `_euclidean` with real R, sum_i h(z_i) is at most |z| sqrt(d) where
    |z|^2 <= d / 4, and |z|^2 + d / 4 anywhere. Equal entries attain it for p <= 2 and t >= 2.
    """
    exponent = 1 / min(p, Fraction(2))
    low, high = _power(d, exponent)
    t = high / s
    sharp = p <= 2 and low >= 2 * s
    how = "d^(1 / p) / s - 1, attained by equal entries" if sharp else "from |x|_2, |x|_p and d"
    value = t - 1 if t >= 2 else t * t / 4
    return _exact(value, low == high, how) if sharp else Constant(float_above(value), "certified", how)


def _exact(value: Fraction, rational: bool, how: str) -> Constant:
    if rational:
        return Constant(value, "exact", how)
    return Constant(float_above(value), "exact", f"{how}, rounded up")


def _root_above(square: int) -> tuple[Fraction, bool]:
    """The root of a whole number, or a little more, and whether it is the root."""
    whole = isqrt(square)
    if whole * whole == square:
        return Fraction(whole), True
    return Fraction(isqrt(square << 2 * _BITS) + 1, 1 << _BITS), False


def _power(base: int, exponent: Fraction) -> tuple[Fraction, Fraction]:
    """Numbers on both sides of base^exponent, equal where the exponent is 1."""
    if exponent == 1:
        return Fraction(base), Fraction(base)
    with localcontext() as context:
        context.prec = _DIGITS
        power = Decimal(base) ** (Decimal(exponent.numerator) / Decimal(exponent.denominator))
        margin = Decimal(10) ** (20 - _DIGITS)
        return Fraction(power * (1 - margin)), Fraction(power * (1 + margin))
