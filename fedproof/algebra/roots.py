"""Real algebraic numbers: isolation, comparison, refinement, rationals between, printed form."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from typing import TypeAlias

import flint

from fedproof.algebra.balls import FIRST_BITS, ball_of
from fedproof.algebra.isolation import real_roots, refined


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """The real root number `index` (ascending) of an irreducible integer polynomial of degree >= 2.

    Arguments:
        poly: primitive, leading coefficient > 0.
        index: position among its real roots.
        balls: refinements already computed, by precision.
    """

    poly: flint.fmpz_poly
    index: int
    balls: dict[int, flint.arb] = field(default_factory=dict, repr=False)

    def ball(self, bits: int) -> flint.arb:
        """A ball around the root with about `bits` correct bits, disjoint from those of its siblings."""
        found = self.balls.get(bits)
        if found is None:
            known = [b for b in self.balls if b < bits]
            found = refined(self.poly, self.balls[max(known)], bits) if known else None
            if found is None:
                found = real_roots(self.poly, bits)[self.index]
            self.balls[bits] = found
        return found


Point: TypeAlias = Fraction | Root


def factors(poly: flint.fmpz_poly) -> list[flint.fmpz_poly]:
    """The distinct irreducible factors of positive degree, leading coefficients > 0."""
    if poly.degree() < 1:
        return []
    return [p if p.leading_coefficient() > 0 else -p for p, _ in poly.factor()[1] if p.degree() > 0]


def isolate(polys: Iterable[flint.fmpz_poly]) -> list[Point]:
    """All distinct real roots of the polynomials, ascending; rational ones as fractions.

    >>> import flint
    >>> [str(r) if isinstance(r, Fraction) else r.index for r in isolate([flint.fmpz_poly([0, -2, 0, 1])])]
    [0, '0', 1]
    """
    unique = {tuple(int(c) for c in p.coeffs()): p for poly in polys for p in factors(poly)}
    points: list[Point] = []
    for coeffs, poly in unique.items():
        if len(coeffs) == 2:
            points.append(Fraction(-coeffs[0], coeffs[1]))
        else:
            points.extend(Root(poly, i, {FIRST_BITS: b}) for i, b in enumerate(_first_balls(coeffs)))
    return sorted(points, key=cmp_to_key(compare))


@lru_cache(maxsize=256)
def _first_balls(coeffs: tuple[int, ...]) -> tuple[flint.arb, ...]:
    """The balls with which roots begin: one range after another asks for those of the same polynomials."""
    return tuple(real_roots(flint.fmpz_poly(list(coeffs)), FIRST_BITS))


def point_ball(point: Point, bits: int) -> flint.arb:
    """A ball around a point."""
    with flint.ctx.workprec(bits):
        return ball_of(point) if isinstance(point, Fraction) else point.ball(bits)


def compare(a: Point, b: Point) -> int:
    """-1, 0 or 1 as a is below, equal to or above b, exactly."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return (a > b) - (a < b)
    if isinstance(a, Root) and isinstance(b, Root) and a.poly == b.poly:
        return (a.index > b.index) - (a.index < b.index)
    bits = FIRST_BITS
    while True:  # different irreducible polynomials have no common root, so this ends
        x, y = point_ball(a, bits), point_ball(b, bits)
        if x < y:
            return -1
        if x > y:
            return 1
        bits *= 2


def enclosure(point: Point, bits: int = FIRST_BITS) -> tuple[Fraction, Fraction]:
    """Rational numbers below and above (or equal, for a rational point)."""
    if isinstance(point, Fraction):
        return point, point
    ball = point.ball(bits)
    with flint.ctx.workprec(2 * bits):
        return dyadic(ball.lower()), dyadic(ball.upper())


def dyadic(exact: flint.arb) -> Fraction:
    """The rational that an exact ball is."""
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def rational_between(a: Point | None, b: Point | None) -> Fraction:
    """A simple rational strictly between two different points; None is unbounded."""
    if a is None and b is None:
        return Fraction(0)
    if a is None:
        assert b is not None
        return Fraction(math.ceil(enclosure(b)[0]) - 1)
    if b is None:
        return Fraction(math.floor(enclosure(a)[1]) + 1)
    bits = FIRST_BITS
    while True:
        low, high = enclosure(a, bits)[1], enclosure(b, bits)[0]
        if low < high:
            return simplest_between(low, high)
        bits *= 2


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational of smallest denominator strictly between two different rationals.

    >>> simplest_between(Fraction(1, 3), Fraction(1, 2))
    Fraction(2, 5)
    """
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest_between(-high, -low)
    whole = math.floor(low)
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:  # high is at most whole + 1
        gap = high - whole
        return whole + Fraction(1, math.floor(1 / gap) + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def float_near(point: Point) -> float:
    """The float nearest to a point, up to one unit in the last place; infinite beyond all floats."""
    low, high = enclosure(point)
    middle = point if isinstance(point, Fraction) else (low + high) / 2
    try:
        return float(middle)
    except OverflowError:
        return math.inf if middle > 0 else -math.inf
