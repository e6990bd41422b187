"""Several symbols at once: an admissible point near one that no single change mends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import ceil, floor
from typing import Any

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.ranges.admissible import admissible
from fedproof.algebra.ranges.result import Range, Stretch
from fedproof.algebra.regions.clauses import Labelled
from fedproof.algebra.roots import compare, float_near
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import Interval

#: symbols that are moved together at most, symbols among which they are sought, and questions asked
MOST_TOGETHER, MOST_SYMBOLS, MOST_QUESTIONS = 3, 8, 48
#: bits of the given numbers together by which a question counts once more, and bits times the symbols left
#: free beyond which none is asked: long ones take longer
LONG, TOO_LONG = 64, 192
#: how far inside an end that is not admissible itself, as parts of the interval
_INSIDE = (Fraction(1, 10**6), Fraction(1, 1000), Fraction(1, 2))


@dataclass(frozen=True)
class Together:
    """An admissible point that differs in a few symbols: a near one, not proved to be the nearest.

    Arguments:
        values: of the symbols that move, exact; with all others as they were every condition holds.
        change: the sum over these of how far each moves, as a share of the larger of old and new.
    """

    values: Mapping[str, Fraction]
    change: float

    def to_dict(self) -> dict[str, Any]:
        """Values as floats and exactly, and that nothing is proved of nearness."""
        exact = {name: str(value) for name, value in self.values.items()}
        floats = {name: float(value) for name, value in self.values.items()}
        return {"values": floats, "exact": exact, "nearest": False}

    def headline(self) -> str:
        """What to change."""
        said = ", ".join(f"{name}={_typed(value)}" for name, value in self.values.items())
        return f"changing {said} together mends it (a near point, not proved the nearest)"


def near_together(
    conditions: Sequence[Labelled],
    values: Mapping[str, Fraction],
    domains: Mapping[str, Interval],
    movable: Sequence[str],
    whole: frozenset[str] = frozenset(),
) -> Together | None:
    """Look for an admissible point in which as few symbols as possible move, and of these the least.

    Of a few symbols, all others fixed, one takes the admissible value nearest to its own for which values of
    the others exist; then the next. Every range is exact, and so is the last word, which the conditions have.

    Arguments:
        conditions: labelled SymPy relations, definitions substituted.
        values: exact value of every symbol.
        domains: for each symbol the values that make sense at all.
        movable: which may move, at most `MOST_SYMBOLS` of them; one alone only where it must be `whole`.
        whole: which of these must be whole.

    Returns: a point that satisfies every condition; None where none is found within `MOST_QUESTIONS` ranges,
    of which one about long numbers counts several times.

    >>> from collections import namedtuple
    >>> from sympy import Symbol
    >>> row = namedtuple("row", "label relation")
    >>> x, y = (Symbol(name, real=True) for name in "xy")
    >>> rows = [row("sum", x + y >= 10), row("half", 2 * y <= x + 1), row("cap", x <= 7)]
    >>> start = {"x": Fraction(1), "y": Fraction(1)}
    >>> found = near_together(rows, start, {}, ["x", "y"], whole=frozenset({"x"}))
    >>> {name: str(value) for name, value in found.values.items()}
    {'x': '7', 'y': '3'}
    """
    search = _Search(conditions, values, domains, whole)
    chosen = list(movable)[:MOST_SYMBOLS]
    for size in range(1, MOST_TOGETHER + 1):
        found: list[Together] = []
        for group in combinations(chosen, size):
            if size == 1 and group[0] not in whole:
                continue
            moved = (search.moved(order) for order in permutations(group))
            found += [point for point in moved if point is not None][:2]
            if found and size > 2:
                break
        if found:
            return min(found, key=lambda point: point.change)
    return None


class _Search:
    """Questions about one rejected point, at most so many."""

    def __init__(
        self, conditions: Sequence[Labelled], values: Mapping[str, Fraction],
        domains: Mapping[str, Interval], whole: frozenset[str],
    ) -> None:  # fmt: skip
        self.conditions, self.values, self.domains, self.whole = conditions, values, domains, whole
        self.left, self.none = MOST_QUESTIONS, set[frozenset[str]]()
        self.known: dict[tuple[str, frozenset[str]], Range | None] = {}

    def moved(self, order: Sequence[str]) -> Together | None:
        """The point that moves these symbols, the first one first; None where none is found."""
        if frozenset(order) in self.none:
            return None
        fixed = {name: value for name, value in self.values.items() if name not in order}
        chosen = self._chosen(fixed, list(order))
        if chosen is None:
            return None
        moves = {n: v for n, v in chosen.items() if v != self.values[n]}
        sizes = ((abs(v - self.values[n]), max(abs(v), abs(self.values[n]))) for n, v in moves.items())
        return Together(moves, float(sum(step / most for step, most in sizes)))

    def _chosen(self, fixed: Mapping[str, Fraction], rest: list[str]) -> dict[str, Fraction] | None:
        """Values of the symbols that are left, given those that are fixed."""
        if not rest:
            held = all(evaluate_relation(c.relation, fixed).holds for c in self.conditions)
            return {} if held else None
        name, after = rest[0], rest[1:]
        first = all(fixed[n] == self.values[n] for n in fixed)  # nothing was chosen before
        asked = name, frozenset(rest)
        found = self.known[asked] if first and asked in self.known else self._range(name, fixed)
        if first:
            self.known[asked] = found
        if found is None:
            return None
        if found.empty and first:
            self.none.add(frozenset(rest))
        for value in _near(found, self.values[name], name in self.whole):
            more = self._chosen({**fixed, name: value}, after)
            if more is not None:
                return {name: value, **more}
        return None

    def _range(self, name: str, fixed: Mapping[str, Fraction]) -> Range | None:
        """The admissible values; None where too many were asked for, or too much is left out to be proved."""
        if self.left <= 0:
            return None
        size = sum(_bits(x) for x in fixed.values())
        if size * (len(self.values) - 1 - len(fixed)) > TOO_LONG:
            return None
        self.left -= 1 + size // LONG
        try:
            return admissible(self.conditions, name, fixed, self.domains, explain=False, cuts="none")
        except InputError:
            return None


def _near(found: Range, value: Fraction, whole: bool) -> Iterator[Fraction]:
    """Admissible values of few digits, those near to a given one first; of each interval a few."""
    listed: list[tuple[Fraction, int, Fraction]] = []
    for stretch in found.stretches:
        for place, inside in enumerate(_of(stretch, value, whole)):
            listed.append((abs(inside - value), place, inside))
    yield from (inside for _, _, inside in sorted(listed))


def _of(stretch: Stretch, value: Fraction, whole: bool) -> Iterator[Fraction]:
    """Of one interval, by the side of it on which the value lies."""
    low, high = (None if end is None else _rational(end) for end in (stretch.lo, stretch.hi))
    width = abs(value) + 1 if low is None or high is None else high - low
    if low is not None and (value < low or (value == low and stretch.lo_open)):
        places = [low, *(low + width * part for part in _INSIDE)]
    elif high is not None and (value > high or (value == high and stretch.hi_open)):
        places = [high, *(high - width * part for part in _INSIDE)]
    else:
        places = [value]
    if whole:
        places = [Fraction(side(place)) for place in places[:1] for side in (ceil, floor)]
        places += [p + step for p in places[:1] for step in (1, -1)]
    for place in dict.fromkeys(places if whole else map(_short, places)):
        if _within(stretch, place):
            yield place


def _within(stretch: Stretch, place: Fraction) -> bool:
    """Whether a number lies in an interval, exactly."""
    below = stretch.lo is not None and compare(place, stretch.lo) < (1 if stretch.lo_open else 0)
    above = stretch.hi is not None and compare(place, stretch.hi) > (-1 if stretch.hi_open else 0)
    return not below and not above


def _rational(end: Any) -> Fraction:
    """An end, or a double near to it."""
    return end if isinstance(end, Fraction) else Fraction(repr(float_near(end)))


def _short(value: Fraction) -> Fraction:
    """The number itself where it has few digits, else the decimal of its double."""
    return value if _bits(value) <= 64 else Fraction(repr(float(value)))


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _typed(value: Fraction) -> str:
    """As one would type it."""
    texts = (f"{float(value):g}", repr(float(value)))
    return next((text for text in texts if Fraction(text) == value), str(value))
