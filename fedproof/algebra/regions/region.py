"""A region of several symbols given by bounds, and the signs that polynomials keep on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import flint

from fedproof.algebra.polynomials import (
    Key,
    Poly,
    Ratio,
    coefficients,
    factored,
    key_of,
    polynomial_in,
    recast,
)
from fedproof.algebra.roots import compare, isolate
from fedproof.vocabulary.interval import Interval

WEAK, STRICT = 1, 2
"""Signs: +-2 strictly, +-1 or zero; 0 identically zero; None unknown."""


@dataclass(frozen=True, slots=True)
class Fact:
    """An irreducible polynomial known to be > 0 (strict) or >= 0 on the region."""

    poly: Poly
    strict: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """How a symbol is written in a variable t >= 0: E + t, E - t, or between two constants."""

    low: Poly | None
    low_scale: int
    high: Fraction | None
    closed: bool
    constant: Fraction | None = None
    top_closed: bool = False


@dataclass(frozen=True)
class Region:
    """The points whose coordinates lie in their domains and satisfy the facts.

    Arguments:
        symbols: names, in the order of the generators of every polynomial asked about.
        domains: of each symbol.
        facts: polynomials of known sign.
    """

    symbols: tuple[str, ...]
    domains: Mapping[str, Interval]
    facts: tuple[Fact, ...] = ()
    known: dict[tuple[Key, frozenset[int]], int | None] = field(
        default_factory=dict, repr=False, compare=False
    )

    def sign(self, value: Ratio, positive: frozenset[int] = frozenset()) -> int | None:
        """The sign that a quotient keeps on the region, where it is defined.

        Arguments:
            value: numerator and denominator.
            positive: positions of radicals that are surely not zero; the others may be.
        """
        top, bottom = self.of(value.top, positive), self.of(value.bottom, positive)
        if top is None or bottom is None:
            return None
        return 0 if top == 0 else (1 if (top > 0) == (bottom > 0) else -1) * min(abs(top), STRICT)

    def of(self, poly: Poly, positive: frozenset[int] = frozenset()) -> int | None:
        """The sign that a polynomial keeps on the region: +-2, +-1, 0 or None."""
        if poly.is_zero():
            return 0
        if poly.is_constant():
            return STRICT if poly.coeffs()[0] > 0 else -STRICT
        key = (key_of(poly), positive)
        if key not in self.known:
            self.known[key] = self._of(poly, positive)
        return self.known[key]

    def _of(self, poly: Poly, positive: frozenset[int]) -> int | None:
        content, parts = factored(poly)
        sign, strength = (1 if content > 0 else -1), STRICT
        for part, power in parts:
            found = self._irreducible(part, positive)
            if found is None:
                if power % 2:
                    return None
                found = WEAK
            strength = min(strength, abs(found))
            if power % 2 and found < 0:
                sign = -sign
        return sign * strength

    def _irreducible(self, poly: Poly, positive: frozenset[int]) -> int | None:
        given = 0
        for fact in self.facts:
            known = recast(fact.poly, poly)
            if poly in (known, -known):
                size = STRICT if fact.strict else WEAK
                given = max(given, size if poly == known else -size, key=abs)
        found = given if abs(given) == STRICT else self._by_bounds(poly, positive)
        return (given or None) if found is None else found

    def _by_bounds(self, poly: Poly, positive: frozenset[int]) -> int | None:
        """The sign that follows from the bounds of the symbols alone."""
        places = self._places(poly)
        count = len(self.symbols)
        loose = [i for i in range(count) if i not in places]
        closed = {i for i, p in places.items() if p.closed}
        closed |= {*loose, *range(count, len(poly.degrees()))} - positive
        moved = poly
        for i in sorted(places, key=lambda i: (low := places[i].low) is None or bool(low.is_constant())):
            moved = _replace(moved, i, places[i])
        if any(m[i] % 2 for m in moved.monoms() for i in loose):
            return None
        tops = {i: poly.degrees()[i] for i, p in places.items() if p.top_closed}
        return _orthant(moved, frozenset(closed), tops)

    def _places(self, like: Poly) -> dict[int, _Place]:
        facts = [Fact(recast(f.poly, like), f.strict) for f in self.facts]
        found: dict[int, _Place] = {}
        taken: set[int] = set()
        for fact in facts:
            place = _lower_from(fact, taken)
            if place is not None:
                found.setdefault(place[0], place[1])
        for i, name in enumerate(self.symbols):
            if i not in found:
                place_i = _box(i, self.domains.get(name, Interval()), facts, like)
                if place_i is not None:
                    found[i] = place_i
        return found


def _lower_from(fact: Fact, taken: set[int]) -> tuple[int, _Place] | None:
    """v > E from a fact a v - b > 0 with a > 0 constant; only two-symbol facts, without cycles."""
    degrees = fact.poly.degrees()
    used = [i for i, d in enumerate(degrees) if d]
    if len(used) != 2 or any(degrees[i] != 1 for i in used):
        return None
    for i in used:
        parts = coefficients(fact.poly, i)
        lead = parts.get(1)
        other = next(j for j in used if j != i)
        if lead is None or not lead.is_constant() or lead.coeffs()[0] < 0 or i in taken:
            continue
        taken.add(other)
        rest = -parts[0] if 0 in parts else fact.poly.context().constant(0)
        return i, _Place(rest, int(lead.coeffs()[0]), None, not fact.strict)
    return None


def _box(i: int, domain: Interval, facts: Sequence[Fact], like: Poly) -> _Place | None:
    low, high, low_open, high_open = domain.lo, domain.hi, domain.lo_open, domain.hi_open
    for fact in facts:
        degrees = fact.poly.degrees()
        if degrees[i] != 1 or sum(degrees) != 1:
            continue
        line = polynomial_in(fact.poly, i)
        end = Fraction(-int(line[0]), int(line[1]))
        if line[1] > 0 and (low is None or end >= low):
            low, low_open = end, fact.strict or (low == end and low_open)
        elif line[1] < 0 and (high is None or end <= high):
            high, high_open = end, fact.strict or (high == end and high_open)
    if low is None and high is None:
        return None
    ctx = like.context()
    if low is None:
        assert high is not None
        return _Place(None, 1, high, not high_open)
    start = ctx.constant(low.numerator)
    return _Place(start, low.denominator, high, not low_open, low, high is not None and not high_open)


def _replace(poly: Poly, i: int, place: _Place) -> Poly:
    parts = coefficients(poly, i)
    degree = max(parts, default=0)
    ctx = poly.context()
    t = ctx.gens()[i]
    if place.low is None:  # high - t
        assert place.high is not None
        top, bottom = place.high.numerator - place.high.denominator * t, ctx.constant(place.high.denominator)
    elif place.high is None:  # low + t
        top, bottom = place.low + place.low_scale * t, ctx.constant(place.low_scale)
    else:  # (low + high t)/(1 + t)
        low, high = place.constant, place.high
        assert low is not None
        scale = low.denominator * high.denominator
        top = int(low * scale) + int(high * scale) * t
        bottom = scale * (1 + t)
    total = ctx.constant(0)
    for power, part in parts.items():
        total += part * top**power * bottom ** (degree - power)
    return total


def _orthant(poly: Poly, closed: frozenset[int], tops: Mapping[int, int]) -> int | None:
    """The sign on the positive orthant: from the signs of the coefficients, or the roots in one variable.

    Arguments:
        poly: the polynomial.
        closed: variables that may be 0.
        tops: variables that may be infinite, with the degree whose coefficient is the value there.
    """
    if poly.is_zero():  # bounds that meet in one point can make it so
        return 0
    signs = {c > 0 for c in poly.coeffs()}
    if len(signs) == 1:
        left = [m for m in poly.monoms() if all(not m[i] for i in closed)]
        corners = (c for k in range(len(tops) + 1) for c in combinations(tops, k))
        strict = all(any(all(m[i] == tops[i] for i in c) for m in left) for c in corners)
        return (STRICT if strict else WEAK) * (1 if True in signs else -1)
    used = [i for i, d in enumerate(poly.degrees()) if d]
    if len(used) != 1:
        return None
    line = polynomial_in(poly, used[0])
    roots = [r for r in isolate([line]) if compare(r, Fraction(0)) >= 0]
    if any(compare(r, Fraction(0)) > 0 for r in roots):
        return None
    low = bool(roots) and used[0] in closed
    high = any(poly.degrees()[i] < d for i, d in tops.items())
    size = WEAK if low or high else STRICT
    return size if line(flint.fmpz(1)) > 0 else -size
