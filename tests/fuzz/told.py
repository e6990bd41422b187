"""What a range tells: where a value lies, its ends as numbers of any precision, and values to try."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

import mpmath as mp

from fedproof.algebra.ranges.result import Range
from fedproof.algebra.roots import enclosure
from tests.fuzz.enclosures import Ball, padded

BITS = 800
#: a fraction of more bits is enclosed
EXACT = 4000
#: how far beside an end is looked, relatively
BESIDE = tuple(Fraction(1, 10**k) for k in (6, 9, 20))
#: the width, relatively, of an enclosure of an end
ENCLOSED = Fraction(1, 10**11)


@dataclass(frozen=True)
class End:
    """An end of an interval.

    Arguments:
        low, high: fractions that enclose it.
    """

    low: Fraction
    high: Fraction

    @property
    def given(self) -> Fraction | Callable[[int], Ball]:
        """As a value to be decided at."""
        return self.low if self.low == self.high else self._ball

    @property
    def text(self) -> str:
        """For a message."""
        return str(self.low) if self.low == self.high else f"near {float(self.low)!r}"

    def _ball(self, digits: int) -> Ball:
        low, high = (mp.mpf(x.numerator) / mp.mpf(x.denominator) for x in (self.low, self.high))
        return padded(low, high)


@dataclass(frozen=True)
class Told:
    """A range and what it tells of any value."""

    found: Range

    @cached_property
    def spans(self) -> list[tuple[End | None, End | None, bool, bool]]:
        """The intervals."""
        return [(_end(s.lo), _end(s.hi), s.lo_open, s.hi_open) for s in self.found.stretches]

    @property
    def enclosed(self) -> bool:
        """Whether ends are rational numbers beside the true ones."""
        return self.found.method == "certified"

    def ends(self) -> Iterator[tuple[End, bool]]:
        """Every finite end, and whether it is open, but those of which nothing is told."""
        for lo, hi, lo_open, hi_open in self.spans:
            for end, is_open in ((lo, lo_open), (hi, hi_open)):
                if end is not None and not (self.enclosed and (is_open or self.found.notes)):
                    yield end, is_open

    def holds(self, x: Fraction) -> bool | None:
        """Whether a value is told to be admissible; None too near an end to say."""
        near = ENCLOSED if self.enclosed else Fraction(0)
        for lo, hi, lo_open, hi_open in self.spans:
            below, above = _side(x, lo, near, -1), _side(x, hi, near, 1)
            if below is None or above is None:
                return None
            if below >= (1 if lo_open else 0) and above >= (1 if hi_open else 0):
                return True
        return False

    def inner(self, rng: Random, count: int) -> Iterator[Fraction]:
        """Values inside each interval, some near its ends."""
        for lo, hi, _, _ in self.spans[:4]:
            a = None if lo is None else lo.high
            b = None if hi is None else hi.low
            if a is None and b is None:
                a, b = Fraction(-100), Fraction(100)
            far = (abs(a or b or 0) + 1) * Fraction(f"{10 ** rng.uniform(-3, 6):.3g}")
            a, b = (b - far if a is None else a), (a + far if b is None else b)  # type: ignore[operator]
            for k in range(count if a < b else 0):
                share = (rng.random(), rng.random(), 10 ** -rng.uniform(0, 9), 1 - 10 ** -rng.uniform(0, 9))[
                    k % 4
                ]
                yield short(a + (b - a) * Fraction(f"{share:.10f}"))

    def beside(self) -> Iterator[Fraction]:
        """Both sides of every end, and the whole numbers at the ends of their hull."""
        for lo, hi, _, _ in self.spans:
            for end in (lo, hi):
                for share in BESIDE if end is not None else ():
                    step = (abs(end.low) or Fraction(1)) * share
                    yield from (short(end.low - step), short(end.high + step))
        for whole in self.found.integers or ():
            if whole is not None:
                yield from (Fraction(whole - 1), Fraction(whole), Fraction(whole + 1))

    def anywhere(self, rng: Random, centre: Fraction) -> Fraction:
        """A value that may lie anywhere: about the centre or an end, in a gap, far out, or below 0."""
        return short(self._anywhere(rng, centre))

    def _anywhere(self, rng: Random, centre: Fraction) -> Fraction:
        ends = [e.low for lo, hi, _, _ in self.spans for e in (lo, hi) if e is not None]
        match rng.randrange(5):
            case 0:
                return Fraction(f"{10 ** rng.uniform(-12, 12):.6g}")
            case 1:
                return centre * Fraction(f"{10 ** rng.uniform(-3, 3):.6g}")
            case 2 if ends:
                return rng.choice(ends) * (
                    1 + rng.choice((1, -1)) * Fraction(f"{10 ** -rng.uniform(0, 14):.3g}")
                )
            case 3 if len(self.spans) > 1:
                a, b = (rng.choice(ends) for _ in range(2))
                return a + (b - a) * Fraction(rng.randint(1, 99), 100)
            case 4 if rng.random() < 0.2:
                return -Fraction(f"{10 ** rng.uniform(-9, 9):.6g}")
        low, high = (min(ends), max(ends)) if ends else (centre / 2, centre * 2)
        room = (high - low) or abs(high) or Fraction(1)
        return low + room * Fraction(f"{rng.choice((1, -1)) * 10 ** rng.uniform(-3, 3):.6g}")

    def inconsistent(self) -> Iterator[str]:
        """Floats and whole numbers that are not those of the exact ends."""
        for pair, span in zip(self.found.intervals, self.spans, strict=True):
            for number, end, side in zip(pair, span, (1, -1), strict=False):
                if (number is None) != (end is None):
                    yield f"the end {number} is not {end}"
                elif number is not None and end is not None:
                    off = Fraction(repr(number)) - (end.low if side > 0 else end.high)
                    if abs(off) > abs(end.low) * Fraction(1, 10**15) + Fraction(1, 10**300):
                        yield f"the float {number!r} is not at {end.text}"
        told = self.found.integers
        for whole, side in zip(told or (), (-1, 1), strict=False):
            if whole is not None and (
                self.holds(Fraction(whole)) is False or self.holds(Fraction(whole + side))
            ):
                yield f"{whole} is not the {'first' if side < 0 else 'last'} whole number"
        for lo, hi, _, _ in self.spans if told is None else ():
            if lo is None or hi is None or any(self.holds(Fraction(math.ceil(lo.low) + k)) for k in (0, 1)):
                yield "there is a whole number"


def _end(point: Any) -> End | None:
    if point is None:
        return None
    low, high = enclosure(Fraction(point) if isinstance(point, int) else point, BITS)
    size = max(low.denominator.bit_length(), abs(low.numerator).bit_length())
    if low < high or size <= EXACT:
        return End(low, high)
    shift = BITS + low.denominator.bit_length() - abs(low.numerator).bit_length()
    scaled = low * Fraction(2) ** shift
    return End(math.floor(scaled) / Fraction(2) ** shift, math.ceil(scaled) / Fraction(2) ** shift)


def short(x: Fraction) -> Fraction:
    """A number of at most 40 digits near it."""
    with localcontext() as context:
        context.prec = 40
        return Fraction(Decimal(x.numerator) / Decimal(x.denominator))


def _side(x: Fraction, end: End | None, near: Fraction, way: int) -> int | None:
    """1 on the inner side of an end, 0 at it, -1 beyond; None where that is not known."""
    if end is None:
        return 1
    if x == end.low == end.high:
        return 0
    if end.low - abs(end.low) * near <= x <= end.high + abs(end.high) * near:
        return None
    return -way if x > end.high else way
