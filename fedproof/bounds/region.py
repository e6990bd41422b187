"""The verb `region`: which pairs of two symbols a statement admits, column by exact column."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fedproof.algebra.ranges.result import Range
from fedproof.bounds.letter import Letter
from fedproof.bounds.statement_handle import StatementHandle, statement
from fedproof.bounds.walls import Wall, walls_between
from fedproof.vocabulary.discovery import plot_of
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.result import Result, Table
from fedproof.vocabulary.values import double_of, parse_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Window = tuple[float, float]
#: what the columns of a symbol span where nothing bounds it
_ANY = (1e-2, 1e2)
#: how far beyond its least value an unbounded symbol is shown
_REACH = 10.0
#: ends of the region and corners of its boundary are found to this part of the window
_FINE = 5e-4
#: neighbours whose ends are further apart, as a part of all of the ends', get a column between them
_STEP = 0.04
#: the part of a window at each side in which ends do not count for a picture's height
_EDGE = 0.01
#: exact columns that are begun with at most
MOST_COLUMNS = 2000
#: symbols whose window spans more are spread evenly on a logarithmic axis
DECADES = 100.0


@dataclass(frozen=True)
class Column:
    """The admissible values of the second symbol at one value of the first, exactly.

    Arguments:
        at: of the first symbol.
        range: the answer of `range` there.
    """

    at: Fraction
    range: Range

    @property
    def ends(self) -> list[float]:
        """The finite ends of all intervals."""
        return [end for pair in self.range.intervals for end in pair if end is not None]

    @property
    def pattern(self) -> tuple[Any, ...]:
        """What binds at the ends of each interval; corners of the boundary lie between unlike patterns."""
        return tuple((s.binding, s.lo is None, s.hi is None) for s in self.range.stretches)


@dataclass(frozen=True)
class AdmissibleRegion(Result):
    """The pairs of two symbols that a statement admits.

    Arguments:
        id: of the statement.
        x, y: the two symbols.
        values: what was given, by letter.
        free: symbols left out; for each pair some admissible value of them exists.
        window: of the first symbol: what the columns span.
        ends: whether at its low and its high side nothing is admissible beyond it; a window that was asked
            for says nothing of what is beyond.
        columns: in increasing order; each is exact, what lies between two is not asked.
        walls: the upright parts of the boundary.
        why: what excludes every pair, where that is known.
    """

    id: str
    x: Letter
    y: Letter
    values: Mapping[str, Fraction]
    free: tuple[str, ...]
    window: Window
    ends: tuple[bool, bool]
    columns: tuple[Column, ...] = field(repr=False)
    walls: tuple[Wall, ...] = field(repr=False)
    why: str = ""

    @property
    def empty(self) -> bool:
        """Whether no column has an admissible value."""
        return all(c.range.empty for c in self.columns)

    @property
    def binding(self) -> tuple[str, ...]:
        """Labels of all conditions that bind somewhere on the boundary."""
        found = [label for c in self.columns for label in c.range.binding]
        return tuple(dict.fromkeys([*found, *(label for wall in self.walls for label in wall.labels)]))

    def plot(self, ax: Axes | None = None, *, window: tuple[Any, Any] | None = None) -> Axes:
        """Draw the region; each part of its boundary bears the name of the condition that binds there.

        Ends that are not admissible are dashed; where the region goes on beyond the picture there is no line.

        Arguments:
            ax: axes of Matplotlib to draw into; None makes a figure in the house style.
            window: of the second symbol, low and high; by default all ends and some room.

        Returns: the axes.
        """
        drawn: Axes = plot_of("region")(self, ax, window)
        return drawn

    def to_dict(self) -> dict[str, Any]:
        """Every column as `range` tells it, and the walls."""
        return {
            "id": self.id, "x": self.x.name, "y": self.y.name, "values": dict(self.values),
            "free": list(self.free), "window": list(self.window), "empty": self.empty,
            "binding": list(self.binding),
            "columns": [
                {"at": float(c.at), "intervals": c.range.intervals,
                 "open": [[s.lo_open, s.hi_open] for s in c.range.stretches],
                 "binding_ends": [[list(end) for end in s.binding] for s in c.range.stretches]}
                for c in self.columns
            ],
            "walls": [w.to_dict() for w in self.walls],
        }  # fmt: skip

    @property
    def frame(self) -> Any:
        """One row for each end of each column as a pandas table."""
        import pandas as pd

        rows = [
            {self.x.name: float(c.at), self.y.name: end, "side": side, "open": is_open,
             "binding": ", ".join(labels)}
            for c in self.columns
            for s, ends in zip(c.range.stretches, c.range.intervals, strict=True)
            for side, end, is_open, labels in zip(
                ("from", "to"), ends, (s.lo_open, s.hi_open), s.binding, strict=True)
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=[self.x.name, self.y.name, "side", "open", "binding"])

    def headline(self) -> str:
        """Whether there is something, where, and what bounds it."""
        low, high = (f"{end:.6g}" for end in self.window)
        where = f"{self.x.name} in [{low}, {high}]"
        free = f" for some {', '.join(self.free)}" if self.free else ""
        if self.empty:
            why = f": {self.why}" if self.why else ""
            return f"{self.id} admits no pair of {self.x.name}, {self.y.name} with {where}{free}{why}"
        bound = ", ".join(self.binding)
        return f"{self.id} admits pairs of {self.x.name}, {self.y.name} with {where}{free}; bound by {bound}"

    def tables(self) -> tuple[Table, ...]:
        """About a dozen of the columns."""
        step = max(1, len(self.columns) // 12)
        rows = tuple(
            (float(c.at), c.range.headline().removeprefix(f"{self.y.name} in "), ", ".join(c.range.binding))
            for c in self.columns[::step]
        )
        return (Table("", (self.x.name, self.y.name, "bound by"), rows),)


def region(
    id: str, x: str, y: str, /, *, window: tuple[Any, Any] | None = None, columns: int = 60, **values: Any
) -> AdmissibleRegion:
    """The pairs of two symbols that a statement admits, the others given or free.

    In each of many columns, values of `x`, the admissible values of `y` are those of `range`: exact, with
    what binds at each end. Columns lie closer where what binds changes, and where the region ends.

    Arguments:
        id: of the statement.
        x, y: two of its symbols, by letter or canonical word.
        window: low and high of `x`; by default all its admissible values, up to ten times the least where
            there is no greatest.
        columns: how many at least.
        values: the other symbols, as `check` takes them; those left out are free.

    Returns: the columns, and the upright parts of the boundary.
    Raises: UnknownName; InputError outside a domain, for a window that is none, and as `range` where too much
        is left out to be proved.

    >>> found = region("fedproxvr.lemma1.sarah", "beta", "tau", L=1, lam=0, mu=20, theta=1)
    >>> found.binding
    ('(13) lower', '(13) upper')
    """
    handle = statement(id)
    across, up = (handle.letter(name) for name in (x, y))
    if across == up:
        raise UnknownName("second symbol", y, [n for n in handle.names if n != across.name])
    if not 2 <= columns <= MOST_COLUMNS:
        raise InputError("columns", columns, f"a whole number from 2 to {MOST_COLUMNS}")
    if twice := {across, up} & {handle.letter(name) for name in values}:
        name = min(letter.name for letter in twice)
        raise InputError(name, "a value", "none, for it is drawn", "leave it out")
    whole = handle.range(across.name, **values) if window is None else None
    span = _given(window, across) if whole is None else _window(whole)
    cuts = _spread(*span, columns)
    # the exact ends of all admissible values lie a little beyond their floats
    room = Fraction(0) if whole is None else (span[1] - span[0]) * Fraction(_FINE)
    found, walls = _asked(handle, across, up, values, cuts, room)
    bounded, why = (False, False), ""
    if whole is not None:
        ends = [end for pair in whole.intervals for end in pair] or [None]
        bounded, why = (ends[0] is not None, ends[-1] is not None), whole.why or ""
    given = {n: v for n, v in handle.read(values).items() if n in handle.statement.needed}
    shown = (float(span[0]), float(span[1]))
    return AdmissibleRegion(id, across, up, given, found[0].range.free, shown, bounded, found, walls, why)


def _asked(
    handle: StatementHandle,
    across: Letter,
    up: Letter,
    values: Mapping[str, Any],
    cuts: Sequence[Fraction],
    room: Fraction,
) -> tuple[tuple[Column, ...], tuple[Wall, ...]]:
    """Columns at some values of the first symbol and between them, and the walls."""

    def column(at: Fraction) -> Column:
        return Column(at, handle.range(up.name, **{**values, across.name: at}))

    def row(at: Fraction) -> Range:
        return handle.range(across.name, **{**values, up.name: at})

    span = (cuts[0], cuts[-1])
    first = [column(cut) for cut in cuts if cut in across.domain]
    alike = _alike(first, span)
    found = _refined(first, column, alike, span)
    apart = [None, *(not alike(*pair) for pair in pairwise(found)), None]
    around = (span[0] - room, span[1] + room)
    return tuple(found), walls_between([(c.at, c.range) for c in found], apart, around, row)


def _given(window: Any, letter: Letter) -> tuple[Fraction, Fraction]:
    low, high = (Fraction(parse_value(end, letter.name)) for end in window)
    for end, given in zip((low, high), window, strict=True):
        double_of(end, letter.name, given)
    if low >= high or not any(part in letter.domain for part in (low, (low + high) / 2, high)):
        raise InputError(
            f"window of {letter.name}", f"{window[0]} to {window[1]}",
            f"a low end and a higher one, of {letter.domain.describe()}",
        )  # fmt: skip
    return low, high


def _window(whole: Range) -> tuple[Fraction, Fraction]:
    """All admissible values of the first symbol; where there is no end, some room."""
    ends = [end for pair in whole.intervals for end in pair]
    finite = [end for end in ends if end is not None]
    low = ends[0] if ends and ends[0] is not None else None
    high = ends[-1] if ends and ends[-1] is not None else None
    if low is None:
        low = min(finite, default=_ANY[0]) - abs(max(finite, default=0.0))
    if high is None:
        high = _REACH * max(finite) if finite and max(finite) > 0 else max(low, 0.0) + _ANY[1]
    if low == high:
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
    return Fraction(repr(low)), Fraction(repr(high))


def _spread(low: Fraction, high: Fraction, count: int) -> list[Fraction]:
    """The ends, values close inside them, and values between, with few digits."""
    steps = [k / (count - 1) for k in range(1, count - 1)]
    inside = [_between(low, high, s) for s in (_FINE / 100, *steps, 1 - _FINE / 100)]
    return sorted({low, *inside, high})


def _between(low: Fraction, high: Fraction, part: float) -> Fraction:
    """A short decimal at this part of the way, evenly on the axis that `DECADES` asks for."""
    a, b = float(low), float(high)
    value = a * (b / a) ** part if _logarithmic(a, b) else a + part * (b - a)
    digits = 2 + max(0, -math.floor(math.log10((b - a) * _FINE / 100)))
    return min(max(Fraction(repr(round(value, digits))), low), high)


def _refined(
    first: Sequence[Column],
    column: Callable[[Fraction], Column],
    alike: Callable[[Column, Column], bool],
    span: tuple[Fraction, Fraction],
) -> list[Column]:
    """The columns with others between neighbours that are not alike, until those are close."""
    a, b = map(float, span)

    def position(at: Fraction) -> float:
        return math.log(float(at) / a) / math.log(b / a) if _logarithmic(a, b) else (float(at) - a) / (b - a)

    done, waiting = [first[0]], list(reversed(first[1:]))
    while waiting:
        left, right = done[-1], waiting[-1]
        middle = _between(left.at, right.at, 0.5)
        seen = position(right.at) - position(left.at) > _FINE and left.at < middle < right.at
        if seen and not alike(left, right):
            waiting.append(column(middle))
        else:
            done.append(waiting.pop())
    return done


def _logarithmic(low: float, high: float) -> bool:
    return low > 0 and high > DECADES * low


def _alike(first: Sequence[Column], span: tuple[Fraction, Fraction]) -> Callable[[Column, Column], bool]:
    """Whether between two columns nothing new is seen: what binds is the same, and the ends are near."""
    ends = heights(first, (float(span[0]), float(span[1])))
    least, greatest = min(ends, default=0.0), max(ends, default=0.0)
    logarithmic = _logarithmic(least, greatest)

    def scaled(end: float) -> float:
        if logarithmic:
            return math.log(max(end, least) / least) / math.log(greatest / least)
        return (min(end, greatest) - least) / ((greatest - least) or 1.0)

    def alike(left: Column, right: Column) -> bool:
        pairs = zip(left.ends, right.ends, strict=False)
        return left.pattern == right.pattern and all(abs(scaled(a) - scaled(b)) <= _STEP for a, b in pairs)

    return alike


def heights(columns: Sequence[Column], window: Window) -> list[float]:
    """The finite ends in the columns that are not at the very edge of the window, where they may run away."""
    low, high = window
    logarithmic = _logarithmic(low, high)
    edge = (high / low) ** _EDGE if logarithmic else _EDGE * (high - low)
    inner = (low * edge, high / edge) if logarithmic else (low + edge, high - edge)
    inside = [c for c in columns if inner[0] <= float(c.at) <= inner[1]]
    return [end for c in inside or columns for end in c.ends]
