"""Ranges of every statement with conditions, each end and many points decided apart from what told them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from random import Random

from fedproof.algebra.ranges.result import Range
from fedproof.bounds import catalog
from fedproof.bounds.statement import Statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.surd import Surd, rooted
from tests.fuzz import admissible_points, apart
from tests.fuzz.told import Told

#: processor seconds after which a range is too slow
SLOW = 20.0
INSIDE, OUTSIDE = 5, 20
_LETTERS = ("L", "lam", "mu", "beta", "tau", "theta")


@dataclass
class Trial:
    """What was asked of one range, and what came of it.

    Arguments:
        of: the statement.
        symbol: whose range it is.
        known: values that are given.
        free: letters that are left out.
        base: a point that the conditions admit, most times: all letters.
        counts: of points and answers, by their kind.
    """

    of: Statement
    symbol: str
    known: dict[str, Fraction | Surd]
    free: tuple[str, ...]
    base: dict[str, Fraction]
    counts: Counter[str] = field(default_factory=Counter)

    def count(self, what: str, decided: bool | None) -> None:
        """One more of what was looked at."""
        few = " with letters left out" if self.free else ""
        self.counts[f"{what}{' not decided' if decided is None else ''}{few}"] += 1

    def said(self) -> str:
        """As it is typed."""
        return f"range {self.of.id} {self.symbol} " + " ".join(f"{n}={v}" for n, v in self.known.items())


@cache
def statements() -> tuple[tuple[Statement, ...], ...]:
    """Those with conditions on letters, by paper."""
    every = ([s for s in catalog.statements(key) if s.needed] for key in sorted(papers()))
    return tuple(tuple(s) for s in every if s)


def trial(seed: int, number: int) -> tuple[Trial, Random]:
    """The question of a number: most times near a point that is admitted, some with letters left out."""
    rng = Random(f"range {seed} {number}")
    of_paper = rng.choice(statements())
    of = rng.choices(of_paper, [len(s.needed) for s in of_paper])[0]
    base = next(admissible_points.admitted(of, rng))
    if not base:
        base = {n: Fraction(rng.randint(1, 99), rng.choice((1, 10))) for n in of.needed}
        base = {x.name: min(base[x.name], x.domain.hi or base[x.name]) for x in of.letters if x.name in base}
    symbol = rng.choice(of.needed) if rng.random() < 0.97 else rng.choice(of.letters).name
    known: dict[str, Fraction | Surd] = {n: v for n, v in base.items() if n != symbol}
    if known and rng.random() < 0.2:
        _strayed(of, known, rng)
    base.setdefault(symbol, Fraction(1))  # what no condition speaks of; 1 is in every domain
    few = rng.random()
    free = tuple(n for n in [*known] if few < 0.02 or rng.random() < 0.5)[: 99 if few < 0.02 else 2]
    free = free if few < 0.1 else ()
    known = {n: v for n, v in known.items() if n not in free}
    return Trial(of, symbol, known, free, base), rng


def _strayed(of: Statement, known: dict[str, Fraction | Surd], rng: Random) -> None:
    """Make one value another: far out, a square root, or an end of its domain."""
    name, kind = rng.choice([*known]), rng.randrange(4)
    letter = next(x for x in of.letters if x.name == name)
    value = Fraction(known[name])  # type: ignore[arg-type]
    if kind == 0:
        value *= Fraction(f"{10 ** rng.uniform(-4, 4):.3g}")
    elif kind == 1:
        value *= Fraction(10) ** rng.randint(-25, 25)
    elif kind == 2 and value > 0 and not letter.quantity.whole:
        root = rooted(Fraction(f"{float(value) ** 2:.3g}") or Fraction(2))
        known[name] = root if root in letter.domain else value
        return
    else:
        value = Fraction(letter.domain.lo or 0)
    known[name] = value if value in letter.domain else known[name]


def tried(seed: int, number: int) -> tuple[str, Counter[str]]:
    """What is wrong with a number's range, "" where nothing is, and how many of each kind were looked at."""
    of, rng = trial(seed, number)
    begun = time.process_time()
    try:
        found = StatementHandle(of.of).range(of.symbol, **of.known)
    except InputError as error:
        of.counts[f"refused: {_kind(error)}"] += 1
        return "", of.counts
    finally:
        of.counts["milliseconds"] += int(1000 * (spent := time.process_time() - begun))
    of.counts["empty" if found.empty else "not empty"] += 1
    of.counts["ranges with letters left out"] += bool(of.free)
    of.counts["enclosed"] += found.method == "certified"
    of.counts["several intervals"] += len(found.stretches) > 1
    if spent > SLOW:
        return f"{of.said()}: {spent:.0f} s", of.counts
    for fault in faults(of, found, rng):
        return f"{of.said()}: {fault}", of.counts
    return "", of.counts


def range_fault(seed: int, number: int) -> str:
    """What is wrong with a number's range; "" where nothing is."""
    return tried(seed, number)[0] or (sarah_fault(seed, number) if number % 8 == 0 else "")


def _kind(error: InputError) -> str:
    """An error without its numbers and names."""
    words = f"{error.what.split()[0]} {error.expected}".split()
    return " ".join(w for w in words[1:] if w.isalpha())[:60]


def faults(of: Trial, found: Range, rng: Random) -> Iterator[str]:
    """Ends, whole numbers, points inside and outside that are not as they are told."""
    told = Told(found)
    yield from told.inconsistent()
    for end, is_open in told.ends():
        right = None if of.free else decided(of, end.given, at_end=True)
        of.count("ends", right)
        if right is not None and right is is_open:
            kind = "open" if is_open else "closed"
            yield f"the end {end.text} is {kind} and {'' if right else 'not '}admissible"
    inside, outside = 0, 0
    points = [*told.inner(rng, INSIDE), *told.beside(), of.base[of.symbol]]
    for x in (*points, *(told.anywhere(rng, of.base[of.symbol]) for _ in range(6 * OUTSIDE))):
        says = told.holds(x)
        inside, outside = inside + (says is True), outside + (says is False)
        if says is None or (says and inside > len(points)) or (not says and outside > OUTSIDE + len(points)):
            continue
        right = decided(of, x)
        of.count(f"points {'inside' if says else 'outside'}", right)
        if right is not None and right is not says:
            yield f"{of.symbol} = {x} is {'' if right else 'not '}admissible, told to be {says}"


def decided(of: Trial, value: apart.Given, at_end: bool = False) -> bool | None:
    """Whether a value of the symbol is admissible; with letters left out True where values are found."""
    if not of.free:
        return apart.holds(of.of, {**of.known, of.symbol: value}, at_end)
    rng, at = Random(str(value)), {**of.known, of.symbol: value}
    fixed = {n: float(v) for n, v in at.items()}  # type: ignore[arg-type]
    near = {n: of.base[n] for n in of.free}
    for _ in range(3):
        if apart.holds(of.of, {**at, **near}):
            return True
        point = admissible_points.found(of.of, [*of.free], fixed, rng)
        if point is None:
            return None
        near = admissible_points.written(of.of, point, rng, at)
    return None


def admits(at: Mapping[str, Fraction]) -> bool:
    """Lemma 1 for SARAH, (13), in fractions."""
    L, lam, mu, beta, tau, theta = (at[name] for name in _LETTERS)
    if mu <= lam or beta == 3 or theta == 0:
        return False
    lower = 3 * (beta**2 * L**2 + mu**2) / (theta**2 * (mu - lam) * L * (beta - 3))
    return 0 <= lower <= tau <= (5 * beta**2 - 4 * beta) / 8


def sarah_fault(seed: int, number: int) -> str:
    """As `range_fault`, of Lemma 1 against the formula typed here."""
    rng = Random(f"lemma {seed} {number}")
    of = catalog.statement("fedproxvr.lemma1.sarah")
    base = next(admissible_points.admitted(of, rng))
    symbol = rng.choice(_LETTERS)
    known = {n: v for n, v in base.items() if n != symbol}
    told = Told(StatementHandle(of).range(symbol, **known))
    for x in (
        *told.inner(rng, INSIDE),
        *told.beside(),
        *(told.anywhere(rng, base[symbol]) for _ in range(20)),
    ):
        if (
            x > 0
            and not (symbol == "theta" and x > 1)
            and told.holds(x) is (not admits({**known, symbol: x}))
        ):
            said = " ".join(f"{n}={v}" for n, v in known.items())
            return f"range of {symbol} under (13), {said}: {symbol} = {x} is told {told.holds(x)}"
    return ""
