"""Points that a statement admits, by a random search in arrays; what is found is confirmed apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import sympy as sp

from fedproof.bounds.letter import Letter
from fedproof.bounds.statement import Statement
from tests.fuzz import apart

POINTS, PARENTS, GENERATIONS = 160, 16, 8


@dataclass(frozen=True)
class Doubles:
    """Arithmetic of arrays, not a number where it is undefined."""

    def add(self, a: Any, b: Any) -> Any:
        return a + b

    def mul(self, a: Any, b: Any) -> Any:
        return a * b

    def power(self, x: Any, n: int) -> Any:
        return np.where(x == 0, np.nan, np.asarray(x, float)) ** n if n < 0 else np.asarray(x, float) ** n

    def root(self, x: Any, index: int) -> Any:
        return np.sqrt(x) if index == 2 else np.where(x < 0, np.nan, np.abs(x) ** (1 / index))

    def raised(self, x: Any, to: Any) -> Any:
        return np.asarray(x, float) ** to

    def extreme(self, a: Any, b: Any, of: Callable[..., Any]) -> Any:
        return np.maximum(a, b) if of is max else np.minimum(a, b)


@dataclass(frozen=True)
class _Floats(apart.Reader):
    """A reader whose constants are doubles."""

    def _at(self, e: Any) -> Any:
        return np.float64(float(e)) if isinstance(e, sp.Rational) else super()._at(e)


def arrays(of: Statement, values: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> apart.Reader:
    """At arrays, or numbers, of the letters, with more definitions."""
    return _Floats({**apart.definitions(of), **(more or {})}, dict(values), Doubles())


def equations(of: Statement) -> dict[str, Any]:
    """The letters that a condition sets equal to an expression."""
    every = (r for r in apart.comparisons(of) if isinstance(r, sp.Eq) and r.lhs.is_Symbol)
    return {r.lhs.name: r.rhs for r in every}


@np.errstate(all="ignore")
def missing(of: Statement, at: apart.Reader) -> Any:
    """How far points are from what the conditions ask; 0 where all hold in doubles, up to equations."""
    total = np.zeros(POINTS)
    for relation in apart.comparisons(of):
        if isinstance(relation, sp.Eq):
            continue
        left, right = (np.asarray(at.at(side), float) for side in relation.args)
        lack = (left - right) / (np.abs(left) + np.abs(right) + 1e-300)
        lack = -lack if isinstance(relation, (sp.Ge, sp.Gt)) else lack
        short = lack >= 0 if isinstance(relation, (sp.Lt, sp.Gt)) else lack > 0
        total = total + np.where(np.isnan(lack), 3.0, np.where(short, np.maximum(lack, 0) + 0.01, 0.0))
    return total


def _first(letter: Letter, rng: np.random.Generator, size: float) -> Any:
    """Values in the domain, over some decades; none of a closed end but now and then."""
    domain, spread = letter.domain, rng.uniform(-size, size) + rng.normal(size=POINTS)
    if domain.lo is None:
        return np.where(rng.random(POINTS) < 0.5, 1, -1) * 10**spread
    if domain.hi is not None:
        return float(domain.hi) * 10 ** -np.abs(spread)
    found = float(domain.lo) * 10 ** np.abs(spread) if domain.lo else 10**spread
    return np.zeros(POINTS) if not (domain.lo or domain.lo_open) and rng.random() < 0.12 else found


def _moved(x: Any, letter: Letter, rng: np.random.Generator, step: float) -> Any:
    found = x * np.exp(step * rng.normal(size=POINTS) * (rng.random(POINTS) < 0.5))
    low, high = letter.domain.lo, letter.domain.hi
    found = found if high is None else np.minimum(found, float(high))
    return found if low is None else np.maximum(found, float(low))


def found(
    of: Statement, names: list[str], fixed: Mapping[str, float], random: Random
) -> dict[str, float] | None:
    """Doubles at which the conditions hold, but for equations; None where the search ends without.

    Arguments:
        names: letters that are looked for.
        fixed: the others.
    """
    rng = np.random.default_rng(random.randrange(1 << 32))
    letters, size = {x.name: x for x in of.letters if x.name in names}, random.choice((0.5, 1.0, 2.0, 4.0))
    whole = {n for n, x in letters.items() if x.quantity.whole and random.random() < 0.9}
    now = {n: _first(x, rng, size) for n, x in letters.items()}
    for generation in range(GENERATIONS):
        now = {n: np.maximum(np.rint(v), 1) if n in whole else v for n, v in now.items()}
        _equate(of, now, fixed)
        lack = missing(of, arrays(of, {**fixed, **now}))
        if (good := np.flatnonzero(lack == 0)).size:
            at = int(good[random.randrange(good.size)])
            return {n: float(v[at]) for n, v in now.items()}
        best = np.argsort(lack)[rng.integers(0, PARENTS, POINTS)]
        step = 3.0 * 0.75**generation
        now = {n: _moved(v[best], letters[n], rng, step) for n, v in now.items()}
    return None


@np.errstate(all="ignore")
def _equate(of: Statement, now: dict[str, Any], fixed: Mapping[str, float]) -> None:
    for name, right in equations(of).items():
        if name in now:
            for root in right.atoms(sp.Pow):
                if root.exp == sp.Rational(1, 2) and root.base.is_Symbol and root.base.name in now:
                    now[root.base.name] = np.rint(np.sqrt(now[root.base.name])) ** 2
            value = np.broadcast_to(np.asarray(arrays(of, {**fixed, **now}).at(right), float), (POINTS,))
            now[name] = np.where(np.isfinite(value) & (value > 0), value, 1.0)


def written(
    of: Statement, point: Mapping[str, float], random: Random, given: Mapping[str, apart.Given] | None = None
) -> dict[str, Fraction]:
    """The point in few digits, in its domains, with equations kept where a fraction can; others given."""
    told = {n: _short(v, random) for n, v in point.items()}
    for letter in of.letters:
        if letter.name in told and told[letter.name] not in letter.domain:
            told[letter.name] = Fraction(point[letter.name])
    for name, right in equations(of).items():
        if name in told:
            try:
                exact = apart.reader(of, {**(given or {}), **told}, apart.DIGITS[0]).at(right)
            except ArithmeticError:
                continue
            told[name] = exact if isinstance(exact, Fraction) and exact > 0 else told[name]
    return told


def _short(x: float, random: Random) -> Fraction:
    if x == round(x) and abs(x) < 1e15:
        return Fraction(round(x))
    if random.random() < 0.2:
        near = Fraction(x).limit_denominator(10 ** random.randint(1, 4))
        return near or Fraction(x)
    return Fraction(f"{x:.{random.choice((1, 2, 3, 5, 11))}e}")


def admitted(of: Statement, random: Random) -> Iterator[dict[str, Fraction]]:
    """Points in few digits that the statement admits, confirmed apart, or the last one tried."""
    names = list(of.needed)
    told: dict[str, Fraction] = {}
    for _ in range(3):
        if (point := found(of, names, {}, random)) is None:
            continue
        for _ in range(3):
            told = written(of, point, random)
            if apart.holds(of, told):
                yield told
                return
    yield told
