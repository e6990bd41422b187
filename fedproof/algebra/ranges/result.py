"""The answer to a range question: exact intervals, their ends as floats and words, what binds, why empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from fedproof.algebra.projection.cells import Cells, cut, stretches
from fedproof.algebra.projection.plane import Plane
from fedproof.algebra.ranges.interval_ends import inward, whole_hull
from fedproof.algebra.ranges.root_text import text
from fedproof.algebra.roots import Point, float_near
from fedproof.vocabulary.decimals import short
from fedproof.vocabulary.discovery import plot_of
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import Interval
from fedproof.vocabulary.quantities import Quantity
from fedproof.vocabulary.result import Result, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Binding: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Stretch:
    """One interval of admissible values.

    Arguments:
        lo, hi: exact ends; None is unbounded.
        lo_open, hi_open: whether the end itself is not admissible.
        binding: for each end the labels of the conditions that forbid going beyond it.
    """

    lo: Point | None
    hi: Point | None
    lo_open: bool
    hi_open: bool
    binding: Binding = ((), ())


@dataclass(frozen=True)
class Range(Result):
    """The admissible values of one symbol.

    Arguments:
        symbol: its name.
        stretches: disjoint intervals, ascending.
        free: symbols left out; some admissible value of them exists for each value listed.
        method: "exact", or "certified" where ends are proved enclosures.
        why: what conflicts, when empty.
        conflict: labels of a smallest conflicting set, when empty.
        notes: anything else a careful reader should know.
        exact_texts: replaces the texts of the ends where they are enclosures.
        latex, quantity: how a paper prints the symbol and what it stands for, where a statement was asked.
    """

    symbol: str
    stretches: tuple[Stretch, ...]
    free: tuple[str, ...] = ()
    method: str = "exact"
    why: str | None = None
    conflict: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    exact_texts: tuple[tuple[str | None, str | None], ...] | None = None
    latex: str = field(default="", compare=False)
    quantity: Quantity | None = field(default=None, compare=False)

    @property
    def empty(self) -> bool:
        """Whether no value is admissible."""
        return not self.stretches

    @property
    def intervals(self) -> list[list[float | None]]:
        """The ends as floats, rounded inward."""
        return [list(inward(s.lo, s.hi)) for s in self.stretches]

    @property
    def exact(self) -> list[list[str | None]]:
        """The ends in exact words."""
        if self.exact_texts is not None:
            return [list(pair) for pair in self.exact_texts]
        return [[None if e is None else text(e, self.symbol) for e in (s.lo, s.hi)] for s in self.stretches]

    @property
    def integers(self) -> tuple[int | None, int | None] | None:
        """The hull of the whole numbers inside (None: unbounded on that side); None where there is none."""
        hulls = [h for s in self.stretches if (h := whole_hull(s.lo, s.hi, s.lo_open, s.hi_open))]
        return (hulls[0][0], hulls[-1][1]) if hulls else None

    @property
    def binding(self) -> list[str]:
        """Labels of the conditions that bind at some end."""
        return list(dict.fromkeys(label for s in self.stretches for end in s.binding for label in end))

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of `fedproof range`."""
        return {
            "symbol": self.symbol,
            "intervals": self.intervals,
            "open": [[s.lo_open, s.hi_open] for s in self.stretches],
            "exact": self.exact,
            "integers": None if self.integers is None else list(self.integers),
            "empty": self.empty,
            "free": list(self.free),
            "binding": list(self.conflict) if self.empty else self.binding,
            "method": self.method,
            "binding_ends": [[list(e) for e in s.binding] for s in self.stretches],
            "why": self.why,
            "conflict": list(self.conflict),
            "notes": list(self.notes),
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the intervals on a line: ends filled where they are admissible, what binds at each below it.

        Above an end stands its value, exactly where that is short; an interval without an end has an arrow.
        The line is logarithmic where its ends are positive and more than two decades apart.

        Arguments:
            ax: axes of Matplotlib to draw into; None makes a figure in the house style.

        Returns: the axes.
        """
        drawn: Axes = plot_of("range")(self, ax)
        return drawn

    @property
    def frame(self) -> Any:
        """The intervals as a pandas table."""
        import pandas as pd

        found = self.to_dict()
        each = zip(found["intervals"], found["open"], found["exact"], strict=True)
        columns = ("low", "high", "low_open", "high_open", "low_exact", "high_exact")
        return pd.DataFrame([(*ends, *opened, *said) for ends, opened, said in each], columns=columns)

    def headline(self) -> str:
        """The answer in one sentence."""
        names = ", ".join(self.free)
        if self.empty:
            return f"no {self.symbol} is admissible{f', whatever {names}' if names else ''}: {self.why}"
        free = f" for some {names}" if names else ""
        return f"{self.symbol} in {' or '.join(shown(s) for s in self.stretches)}{free}"

    def tables(self) -> tuple[Table, ...]:
        """One row for each end."""
        rows = tuple(
            (side, end, cell_text, "open" if is_open else "closed", ", ".join(labels))
            for s, ends, words in zip(
                self.stretches, [decimals(s, 7) for s in self.stretches], self.exact, strict=True
            )
            for side, end, cell_text, is_open, labels in zip(
                ("from", "to"), ends, words, (s.lo_open, s.hi_open), s.binding, strict=True
            )
        )
        notes = tuple((n,) for n in (*self.notes, f"method: {self.method}"))
        return (Table("", ("", self.symbol, "exactly", "end", "bound by"), rows), Table("", ("",), notes))


def shown(stretch: Stretch) -> str:
    """The interval with six digits."""
    low, high = decimals(stretch, 6)
    if low is not None and low == high:
        return f"{{{low}}}"
    left = "(-inf" if low is None else f"{'(' if stretch.lo_open else '['}{low}"
    right = "inf)" if high is None else f"{high}{')' if stretch.hi_open else ']'}"
    return f"{left}, {right}"


def decimals(stretch: Stretch, digits: int) -> tuple[str | None, str | None]:
    """The ends in so many digits, rounded inward; in all digits where so few leave the interval.

    >>> decimals(Stretch(Fraction(1, 3), Fraction(2, 3), False, False), 4)
    ('0.3334', '0.6666')
    >>> decimals(Stretch(Fraction(1), 1 + Fraction(1, 10**7), False, False), 4)
    ('1.0', '1.0000001')
    """
    ends = inward(stretch.lo, stretch.hi)
    texts = [
        None if end is None else "0" if exact == 0 else short(Fraction(repr(end)), digits, side)
        for end, exact, side in zip(ends, (stretch.lo, stretch.hi), (1, -1), strict=True)
    ]
    low, high = texts
    if low is not None and high is not None and float(low) >= float(high) and ends[0] != ends[1]:
        low, high = (repr(end) for end in ends)
    return low, high


def from_cells(cells: Cells, target: str, domain: Interval) -> Range:
    """Read the answer off the cells."""
    found = _stretches(cells, cells.admissible, target, lambda beyond, step: cells.failing(beyond))
    if found:
        return Range(target, found)
    chosen = cells.conflict()
    labels = tuple(dict.fromkeys(label for i in chosen for label in cells.clauses[i].labels))
    return Range(target, (), why=why_empty(cells, chosen, target, domain), conflict=labels)


def from_plane(plane: Plane, target: str, free: Sequence[str]) -> Range:
    """Read the answer off the columns.

    Raises: InputError where nothing was found but some cut was not decided.
    """

    def forbids(beyond: int, step: int) -> tuple[str, ...]:
        column = plane.columns[beyond]
        if not column.conflict and 0 <= beyond + step < len(plane.columns):
            column = plane.columns[beyond + step]
        return column.conflict

    flags = [bool(c.holds) and inside for c, inside in zip(plane.columns, plane.inside, strict=True)]
    found = _stretches(plane, flags, target, forbids)
    unsure = [plane.points[i // 2] for i, c in enumerate(plane.columns) if c.holds is None]
    method = "certified" if unsure else "exact"
    notes = tuple(f"not decided whether {target} = {float_near(p):.12g} itself is admissible" for p in unsure)
    if found:
        return Range(target, found, method=method, notes=notes)
    if unsure:
        refuse(free, target)
    labels = tuple(dict.fromkeys(x for c in plane.columns for x in c.conflict))
    return Range(target, (), conflict=labels, why=excluded(labels, (target, *free)))


def refuse(names: Sequence[str], target: str) -> NoReturn:
    """Nothing could be proved with these symbols left out.

    Raises: InputError naming symbols to supply.
    """
    raise InputError(
        f"range of {target}",
        f"{', '.join(names)} left out" + (" together" if len(names) > 1 else ""),
        "fewer symbols left out, or numbers with fewer digits",
        f"add a value for {' or '.join(names)}",
    )


def _stretches(
    pieces: Cells | Plane, flags: Sequence[bool], target: str, forbids: Callable[[int, int], tuple[str, ...]]
) -> tuple[Stretch, ...]:
    """The stretches of pieces with a flag, and what forbids going on to the next piece."""

    def binding(beyond: int, step: int) -> tuple[str, ...]:
        if not 0 <= beyond < len(pieces.inside):
            return ()
        return forbids(beyond, step) if pieces.inside[beyond] else (f"domain of {target}",)

    return tuple(
        _stretch(pieces, run, (binding(run[0] - 1, -1), binding(run[1] + 1, 1))) for run in stretches(flags)
    )


def _stretch(pieces: Cells | Plane, run: tuple[int, int], binding: Binding = ((), ())) -> Stretch:
    lo, hi = (cut(pieces.points, piece, side) for side, piece in enumerate(run))
    return Stretch(lo, hi, run[0] % 2 == 0, run[1] % 2 == 0, binding)


def excluded(labels: Sequence[str], symbols: Sequence[str]) -> str:
    """Conditions that nothing satisfies together, in words.

    >>> excluded(["disc"], ["x", "y"]), excluded(["a", "b", "c"], ["x"])
    ('disc holds for no x, y', 'a, b and c exclude each other for every x')
    """
    names = ", ".join(symbols)
    if len(labels) < 2:
        return f"{labels[0]} holds for no {names}" if labels else f"no {names} lie in their domains"
    return f"{', '.join(labels[:-1])} and {labels[-1]} exclude each other for every {names}"


def why_empty(cells: Cells, chosen: tuple[int, ...], target: str, domain: Interval) -> str:
    """What each of a set of conditions needs by itself, where nothing satisfies all of them."""
    if not chosen:
        return f"{target} has no value in its domain {domain}"
    parts = []
    for i in chosen:
        row = tuple(bool(t) for t in cells.truth[i])
        alone = " or ".join(shown(_stretch(cells, run)) for run in stretches(row))
        labels = cells.clauses[i].labels
        needs = f"{' with '.join(labels)} needs {target} in {alone}"
        parts.append(needs if alone else excluded(labels, [target]))
    return f"{' while '.join(parts)} (domain {domain})"
