"""The upright parts of a region's boundary: where an interval of one column does not go on beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fedproof.algebra.ranges.result import Range, Stretch
from fedproof.algebra.roots import Point, compare, enclosure

Columns = Sequence[tuple[Fraction, Range]]


@dataclass(frozen=True)
class Wall:
    """An upright part of a region's boundary.

    Arguments:
        at: of the first symbol.
        low, high: of the second; None is unbounded.
        side: -1 where the region lies to the right of it, 1 where to the left.
        is_open: whether the wall itself is not admissible.
        labels: of the conditions that bind there.
    """

    at: float
    low: float | None
    high: float | None
    side: int
    is_open: bool
    labels: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON of one wall."""
        return {"at": self.at, "low": self.low, "high": self.high, "open": self.is_open,
                "binding": list(self.labels)}  # fmt: skip


def walls_between(
    columns: Columns,
    apart: Sequence[bool | None],
    span: tuple[Fraction, Fraction],
    row: Callable[[Fraction], Range],
) -> tuple[Wall, ...]:
    """The walls of a region that is known in columns.

    Arguments:
        columns: values of the first symbol in increasing order, each with the second's range there.
        apart: before, between and behind the columns: whether neighbours are unlike; None at the outside.
        span: numbers a little outside of all columns.
        row: the range of the first symbol at a value of the second: it has the exact end, and what binds.
    """
    found = []
    for place, (at, own) in enumerate(columns):
        for side, beside, unlike in ((-1, place - 1, apart[place]), (1, place + 1, apart[place + 1])):
            if unlike is False:
                continue
            others = () if unlike is None else columns[beside][1].stretches
            edge = span[side > 0] if unlike is None else columns[beside][0]
            for number, stretch in enumerate(own.stretches):
                middle = _middle(stretch)
                if not any(_inside(middle, other) for other in others):
                    found += _wall(row(middle), at, edge, side, own.intervals[number])
    return tuple(found)


def _wall(line: Range, at: Fraction, edge: Fraction, side: int, height: list[float | None]) -> list[Wall]:
    """The end of a row's interval between a column and what is beside it, if it ends there."""
    for stretch, ends in zip(line.stretches, line.intervals, strict=True):
        if _inside(at, stretch):
            upper = side > 0
            end, number = (stretch.hi, ends[1]) if upper else (stretch.lo, ends[0])
            low, high = min(at, edge), max(at, edge)
            if end is None or number is None or compare(low, end) > 0 or compare(high, end) < 0:
                return []
            is_open = stretch.hi_open if upper else stretch.lo_open
            return [Wall(number, height[0], height[1], side, is_open, stretch.binding[upper])]
    return []


def _middle(stretch: Stretch) -> Fraction:
    """A rational number well inside an interval."""
    low = None if stretch.lo is None else _rational(stretch.lo)
    high = None if stretch.hi is None else _rational(stretch.hi)
    if low is not None and high is not None:
        return (low + high) / 2
    if low is not None:
        return low + abs(low) + 1
    return Fraction(0) if high is None else high - abs(high) - 1


def _rational(end: Point) -> Fraction:
    low, high = enclosure(end)
    return (low + high) / 2


def _inside(value: Fraction, stretch: Stretch) -> bool:
    above = (
        stretch.lo is None or compare(value, stretch.lo) > 0 or (value == stretch.lo and not stretch.lo_open)
    )
    below = (
        stretch.hi is None or compare(value, stretch.hi) < 0 or (value == stretch.hi and not stretch.hi_open)
    )
    return above and below
