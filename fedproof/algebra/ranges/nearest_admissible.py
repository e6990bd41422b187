"""A rejected point: what fails, by how much, and the nearest admissible value of each coordinate."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from fedproof.algebra.exact_evaluation import EvaluatedRelation, evaluate_relation
from fedproof.algebra.ranges.admissible import admissible
from fedproof.algebra.ranges.exponents import POWER, in_exponents
from fedproof.algebra.ranges.interval_ends import inner, whole_hull
from fedproof.algebra.ranges.near_together import Together, near_together
from fedproof.algebra.ranges.result import Range, Stretch, decimals
from fedproof.algebra.ranges.root_text import text
from fedproof.algebra.regions.clauses import Labelled
from fedproof.algebra.roots import Point, compare, float_near
from fedproof.vocabulary.decimals import short
from fedproof.vocabulary.interval import Interval
from fedproof.vocabulary.result import Result, Table

BITS = 2048
#: of what is offered; and beside an open end at 0
_DIGITS, _LEAST = 7, Fraction(1, 10**7)


@dataclass(frozen=True)
class Coordinate:
    """What moving one symbol alone can do.

    Arguments:
        symbol: its name.
        value: where it is.
        nearest: the nearest admissible float, off an end that is not attained; None if there is none, as
            where the one admissible value is irrational.
        exact: the end of the range it lies at, in exact words.
        attained: whether that end is admissible itself.
        forbidden_by: where there is none, a smallest set of conditions that excludes every value.
        why: the same in words.
        typed: `nearest` as text, in seven digits where these are admissible too, or exactly.
    """

    symbol: str
    value: Fraction
    nearest: float | None
    exact: str | None
    attained: bool
    forbidden_by: tuple[str, ...]
    why: str | None
    typed: str | None = field(default=None, compare=False)

    @property
    def said(self) -> str | float | None:
        """The value that mends it as one would type it, or exactly where no decimal does."""
        if self.nearest is None:
            return self.exact if self.attained else None
        return self.typed or self.nearest

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        kept = {name: value for name, value in vars(self).items() if name != "typed"}
        return {**kept, "value": float_near(self.value), "forbidden_by": list(self.forbidden_by)}


@dataclass(frozen=True)
class NearestAdmissible(Result):
    """Why a point is rejected and how each coordinate alone could mend it.

    Arguments:
        failing: labels and decisions of the conditions that fail.
        coordinates: one for each symbol.
        notes: what was not looked for.
        search: looks for a point that moves several symbols; None where one alone mends it.
    """

    failing: tuple[tuple[str, EvaluatedRelation], ...]
    coordinates: tuple[Coordinate, ...]
    notes: tuple[str, ...] = ()
    search: Callable[[], Together | None] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def together(self) -> Together | None:
        """A near point that moves a few symbols, where none that may move does alone."""
        return None if self.search is None else self.search()

    def to_dict(self) -> dict[str, Any]:
        """Failing conditions with margins; coordinates with their nearest admissible value."""
        return {
            "failing": [{"label": label, "margin": d.margin} for label, d in self.failing],
            "coordinates": [c.to_dict() for c in self.coordinates],
            "notes": list(self.notes),
            "together": None if self.together is None else self.together.to_dict(),
        }

    def headline(self) -> str:
        """What fails and what would help."""
        if not self.failing:
            return "every condition holds"
        helps = [f"{c.symbol}={c.said}" for c in self.coordinates if c.said is not None]
        cure = f"changing one of {', '.join(helps)} mends it" if helps else "no single change mends it"
        cure += "" if self.together is None else f"; {self.together.headline()}"
        cure = "; ".join(self.notes) or cure
        return f"fails {', '.join(label for label, _ in self.failing)}; {cure}"

    def tables(self) -> tuple[Table, ...]:
        """Failing conditions, then coordinates."""
        fails = tuple((label, d.left, d.right, d.margin) for label, d in self.failing)
        moves = tuple(
            (c.symbol, float_near(c.value), c.typed or c.nearest, _exactly(c)) for c in self.coordinates
        )
        return (
            Table("Failing", ("condition", "left", "right", "margin"), fails),
            Table("Nearest admissible", ("symbol", "value", "nearest", "exactly, or why none"), moves),
            *(() if self.together is None else (self._beside(self.together),)),
        )

    def _beside(self, found: Together) -> Table:
        values = {c.symbol: float_near(c.value) for c in self.coordinates}
        rows = tuple((name, values.get(name), str(value)) for name, value in found.values.items())
        return Table("Together, a near point, not proved the nearest", ("symbol", "value", "change to"), rows)


def _exactly(c: Coordinate) -> str | None:
    """The exact end, with the side on which values are admissible where it is not so itself."""
    if c.exact is None or c.attained or c.nearest is None:
        return c.exact or c.why
    return f"{'above' if c.nearest > c.value else 'below'} {c.exact}"


def nearest(
    conditions: Iterable[Labelled],
    values: Mapping[str, Fraction],
    domains: Mapping[str, Interval],
    movable: Sequence[str] = (),
    whole: frozenset[str] = frozenset(),
) -> NearestAdmissible:
    """Explain a point: failing conditions, and for each symbol its nearest value with the others fixed.

    Arguments:
        conditions: labelled SymPy relations, definitions substituted.
        values: exact value of every symbol.
        domains: for each symbol the values that make sense at all.
        movable: symbols of which several are moved together where none of them does it alone.
        whole: the symbols that must be whole.

    >>> from collections import namedtuple
    >>> from sympy import Symbol
    >>> row = namedtuple("row", "label relation")
    >>> x = Symbol("x", real=True)
    >>> nearest([row("cap", x <= 3)], {"x": Fraction(5)}, {}).coordinates[0].nearest
    3.0
    """
    rows = list(conditions)
    decided = [(c.label, evaluate_relation(c.relation, values)) for c in rows]
    failing = tuple((label, d) for label, d in decided if not d.holds)
    size = max((n.bit_length() for v in values.values() for n in v.as_integer_ratio()), default=0)
    if size > BITS:
        return NearestAdmissible(failing, (), (f"nearest values not looked for: a number has {size} bits",))
    if large := sorted(n for n in in_exponents(rows) if n in values and abs(values[n]) > POWER):
        said = f"nearest values not looked for: the exponent {large[0]} is above {POWER}"
        return NearestAdmissible(failing, (), (said,))
    moves = tuple(
        _move(
            admissible(rows, name, {k: v for k, v in values.items() if k != name}, domains),
            value,
            name in whole,
        )
        for name, value in values.items()
    )
    alone = any(c.nearest is not None for c in moves if c.symbol in movable and c.symbol not in whole)
    search = None if alone or not failing else partial(near_together, rows, values, domains, movable, whole)
    return NearestAdmissible(failing, moves, (), search)


def _move(admissible: Range, value: Fraction, is_whole: bool) -> Coordinate:
    if is_whole and admissible.stretches:
        return _move_whole(admissible, value)
    best: tuple[Fraction, float | None, str | None, bool, str | None] | None = None
    for stretch, (low, high) in zip(admissible.stretches, admissible.intervals, strict=True):
        below = stretch.lo is not None and _beyond(value, stretch.lo, stretch.lo_open, -1)
        above = stretch.hi is not None and _beyond(value, stretch.hi, stretch.hi_open, 1)
        if not below and not above:
            words = text(value, admissible.symbol)
            return Coordinate(admissible.symbol, value, float_near(value), words, True, (), None)
        left, right = (stretch.lo, low, stretch.lo_open), (stretch.hi, high, stretch.hi_open)
        end, number, is_open = left if below else right
        assert end is not None
        assert number is not None
        low, high = inner(stretch.lo, stretch.hi, stretch.lo_open, stretch.hi_open)
        none = is_open and low is not None and high is not None and low > high
        distance = abs(Fraction(repr(number)) - value)
        if best is None or distance < best[0]:
            inside = None if none else low if below else high
            typed = _typed(stretch, below)
            if stretch.lo is not None and stretch.hi is not None and compare(stretch.lo, stretch.hi) == 0:
                inside, typed = (inside, str(end)) if isinstance(end, Fraction) else (None, None)
            best = (distance, inside, text(end, admissible.symbol), not is_open, typed)
    if best is None:
        return Coordinate(admissible.symbol, value, None, None, False, admissible.conflict, admissible.why)
    return Coordinate(admissible.symbol, value, best[1], best[2], best[3], (), None, best[4])


def _typed(stretch: Stretch, low: bool) -> str | None:
    """The end of an interval as seven digits that are admissible; None where the interval is too short."""
    side, end, is_open = (1, stretch.lo, stretch.lo_open) if low else (-1, stretch.hi, stretch.hi_open)
    other, shut = (stretch.hi, stretch.hi_open) if low else (stretch.lo, stretch.lo_open)
    said = decimals(stretch, _DIGITS)[0 if low else 1]
    assert said is not None
    assert end is not None
    found = Fraction(said)
    if is_open and compare(found, end) == 0:
        unit = Fraction(10) ** (math.floor(math.log10(abs(found))) + 1 - _DIGITS) if found else _LEAST
        found = Fraction(short(found + side * unit, _DIGITS, side))
        said = f"{float(found):.{_DIGITS}g}"
    return said if other is None or not _beyond(found, other, shut, side) else None


def _move_whole(admissible: Range, value: Fraction) -> Coordinate:
    """To the nearest whole number of a range."""
    found = []
    for s in admissible.stretches:
        hull = whole_hull(s.lo, s.hi, s.lo_open, s.hi_open)
        for near in () if hull is None else (math.floor(value), math.ceil(value)):
            low, high = hull or (None, None)
            least = near if low is None else max(near, low)
            found.append(least if high is None else min(least, high))
    if not found:
        why = f"no whole {admissible.symbol} is admissible"
        return Coordinate(admissible.symbol, value, None, None, False, tuple(admissible.binding), why)
    best = min(found, key=lambda n: abs(n - value))
    return Coordinate(admissible.symbol, value, float(best), str(best), True, (), None, str(best))


def _beyond(value: Fraction, end: Point, is_open: bool, side: int) -> bool:
    order = side * compare(value, end)
    return order > 0 or (order == 0 and is_open)
