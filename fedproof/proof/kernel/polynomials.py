"""Quotients of polynomials with exact coefficients: the numbers in which identities are checked.

An atom is a number; a monomial a sorted tuple of (atom, exponent) with whole exponents of either sign; a
polynomial a dict from monomials to coefficients. A quotient keeps its divisors as factors, so that nothing
has to be cancelled: it is 0 exactly where its polynomial above is.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import flint

from fedproof.proof.kernel.trees import Rejected

#: products of terms that one multiplication may make; proofs that were found need some hundreds
MOST_TERMS = 100_000
Monomial = tuple[tuple[int, int], ...]
Polynomial = dict[Monomial, Any]


class Factor(tuple[tuple[Monomial, Any], ...]):
    """A polynomial as a key: equal where all terms are, found by its monomials alone.

    The hash of a coefficient costs more than all else that is done with it.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(tuple([m for m, _ in self]))


ONE: Monomial = ()


def number(p: int, q: int = 1) -> Any:
    """A coefficient."""
    return flint.fmpq(p, q)


def plus(one: Polynomial, other: Polynomial, scale: Any = None) -> Polynomial:
    """One polynomial and a multiple of another."""
    total = dict(one)
    for m, c in other.items():
        value = total.get(m, 0) + (c if scale is None else c * scale)
        if value == 0:
            total.pop(m, None)
        else:
            total[m] = value
    return total


def join(one: Monomial, other: Monomial) -> Monomial:
    """The product of two monomials."""
    if not one:
        return other
    if not other:
        return one
    total = dict(one)
    for a, e in other:
        total[a] = total.get(a, 0) + e
    return tuple(sorted((a, e) for a, e in total.items() if e))


def times(one: Polynomial, other: Polynomial) -> Polynomial:
    """The product of two polynomials.

    Raises: Rejected where it would have more terms than a proof can use.
    """
    if len(one) * len(other) > MOST_TERMS:
        raise Rejected(f"a product of {len(one)} and {len(other)} terms")
    total: Polynomial = {}
    for m, c in one.items():
        for n, d in other.items():
            key = join(m, n)
            total[key] = total.get(key, 0) + c * d
    return {m: c for m, c in total.items() if c != 0}


def primitive(poly: Polynomial) -> tuple[Any, Monomial, Factor]:
    """A polynomial as number times monomial times a factor that is the same for all its multiples."""
    least: dict[int, int] = {}
    for place, m in enumerate(poly):
        exps = dict(m)
        lower = {a: min(least.get(a, 0), exps.get(a, 0)) for a in {*least, *exps}}
        least = lower if place else exps
    common = tuple(sorted((a, e) for a, e in least.items() if e))
    away = tuple((a, -e) for a, e in common)
    rest = sorted((join(m, away), c) for m, c in poly.items())
    lead = rest[0][1]
    return lead, common, Factor((m, c / lead) for m, c in rest)


class Quotient:
    """A polynomial over a product of factors."""

    __slots__ = ("above", "below")

    def __init__(self, above: Polynomial, below: dict[Factor, int] | None = None) -> None:
        self.above = above
        self.below = below if above and below else {}

    def __add__(self, other: Quotient) -> Quotient:
        if not other.above:
            return self
        if not self.above:
            return other
        if self.below == other.below:
            return Quotient(plus(self.above, other.above), self.below)
        below = {
            f: max(self.below.get(f, 0), other.below.get(f, 0))
            for f in dict.fromkeys((*self.below, *other.below))
        }
        return Quotient(plus(_over(self, below), _over(other, below)), below)

    def __neg__(self) -> Quotient:
        return Quotient({m: -c for m, c in self.above.items()}, self.below)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Quotient) -> Quotient:
        """The product; a factor above that stands below the other is left out of both."""
        one, below = _lowered(self.above, other.below)
        two, more = _lowered(other.above, self.below)
        total = dict(below)
        for f, e in more.items():
            total[f] = total.get(f, 0) + e
        return Quotient(times(one, two), total)

    def inverse(self) -> Quotient:
        """1 divided by it; not to be asked of 0."""
        lead, common, factor = primitive(self.above)
        above: Polynomial = {tuple((a, -e) for a, e in common): 1 / lead}
        for f, e in self.below.items():
            for _ in range(e):
                above = times(above, dict(f))
        return Quotient(above, {} if factor == ((ONE, 1),) else {factor: 1})

    @property
    def key(self) -> tuple[Any, ...]:
        """The same for the same quotient written the same way."""
        return (Factor(sorted(self.above.items())), tuple(sorted(self.below.items())))

    @property
    def constant(self) -> Any:
        """Its value where it is a number, else None."""
        if not self.above:
            return number(0)
        return self.above.get(ONE) if len(self.above) == 1 and not self.below else None


def added(parts: Iterable[Quotient]) -> Quotient:
    """The sum of quotients, made without a new polynomial for each."""
    total, own = ZERO, False
    for part in parts:
        if not part.above:
            continue
        if not own or part.below != total.below:
            own = bool(total.above)
            total = total + part
            continue
        above = total.above
        for m, c in part.above.items():
            value = above.get(m, 0) + c
            if value == 0:
                del above[m]
            else:
                above[m] = value
        if not above:
            total, own = ZERO, False
    return total


def _over(q: Quotient, below: dict[Factor, int]) -> Polynomial:
    """What stands above when a quotient is written over more factors."""
    above = q.above
    for f, e in below.items():
        for _ in range(e - q.below.get(f, 0)):
            above = times(above, dict(f))
    return above


def _lowered(above: Polynomial, below: dict[Factor, int]) -> tuple[Polynomial, dict[Factor, int]]:
    """A polynomial and the factors below, where one is a multiple of a factor without it."""
    if not below or not above or all(len(f) != len(above) for f in below):
        return above, below
    lead, common, factor = primitive(above)
    if factor not in below:
        return above, below
    left = below[factor] - 1
    rest = {f: e for f, e in below.items() if f != factor}
    return {common: lead}, {**rest, factor: left} if left else rest


ZERO = Quotient({})
UNIT = Quotient({ONE: number(1)})


def constant(p: int, q: int = 1) -> Quotient:
    """A number as a quotient."""
    return Quotient({ONE: number(p, q)} if p else {})


def divided(above: Polynomial, by: Polynomial, i: int) -> tuple[Polynomial, Polynomial]:
    """Quotient and remainder as polynomials in one atom, if a number leads the divisor."""
    degree = max(dict(m).get(i, 0) for m in by)
    lead = [(m, c) for m, c in by.items() if dict(m).get(i, 0) == degree]
    if degree == 0 or len(lead) > 1 or lead[0][0] != ((i, degree),):
        return {}, above
    whole: Polynomial = {}
    rest = dict(above)
    while rest:
        m, c = max(rest.items(), key=lambda t: dict(t[0]).get(i, 0))
        if dict(m).get(i, 0) < degree:
            break
        part = {join(m, ((i, -degree),)): c / lead[0][1]}
        whole = plus(whole, part)
        rest = plus(rest, times(part, by), number(-1))
    return whole, rest


@cache
def antiderivative(degree: int) -> tuple[tuple[int, int], ...]:
    """Coefficients of the polynomial G with G(0) = 0 and G(i) - G(i - 1) = i^degree, as fractions.

    >>> antiderivative(1)
    ((0, 1), (1, 2), (1, 2))
    """
    found = [Fraction(0)] * (degree + 2)
    target = [Fraction(0)] * degree + [Fraction(1)]
    for power in range(degree, -1, -1):
        lead = target[power] / (power + 1)
        found[power + 1] = lead
        for k in range(power + 1):  # i^(power+1) - (i - 1)^(power+1)
            target[k] -= lead * -comb(power + 1, k) * (-1) ** (power + 1 - k)
    return tuple((c.numerator, c.denominator) for c in found)
