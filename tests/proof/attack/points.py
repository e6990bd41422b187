"""What certificates speak of, at points: the values of their trees, exact, or that they have none."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any
from zlib import crc32

from sympy import integer_nthroot

from tests.proof.attack.trees import is_vector

#: values of names: fractions, pairs of them for vectors, functions
Point = Mapping[str, Any]
#: the most terms that a sum has here, and the largest exponent
MOST = 40
ZERO = (Fraction(0), Fraction(0))
NUMBERS = tuple(map(Fraction, (0, 0, 1, -1, 2, 4, -3, "1/4", "1/2", 64)))
WHOLE = tuple(map(Fraction, (0, 0, 0, 1, 1, -1, -1, 2, 3, -2)))


class Undefined(ValueError):
    """An expression has no value at a point."""


class Unknown(ValueError):
    """An expression has a value that is not found here."""


class Drawn:
    """A function with small values that look random, the same wherever its arguments are."""

    def __init__(self, name: str, vector: bool, seed: int) -> None:
        self.name, self.vector, self.seed = name, vector, seed

    def __call__(self, *arguments: Any) -> Any:
        told = [a if a != ZERO else Fraction(0) for a in arguments]  # the vector 0 is written as the number
        rnd = Random(crc32(f"{self.seed} {self.name} {told}".encode()))
        return (rnd.choice(NUMBERS), rnd.choice(NUMBERS)) if self.vector else rnd.choice(NUMBERS)


def drawn(kinds: Mapping[str, str], seed: int) -> dict[str, Any]:
    """A point at random."""
    rnd = Random(seed)

    def one(name: str, kind: str) -> Any:
        if "(" in kind:
            return Drawn(name, kind.startswith("vector"), seed)
        if kind == "vector":
            return rnd.choice(NUMBERS), rnd.choice(NUMBERS)
        return rnd.choice(WHOLE if kind == "whole" else NUMBERS)

    return {name: one(name, kind) for name, kind in kinds.items()}


def whole(tree: Any, at: Point) -> int:
    """The value of what counts."""
    found = value(tree, at)
    if not isinstance(found, Fraction) or found.denominator != 1:
        raise Undefined(tree)
    if abs(found) > MOST:
        raise Unknown(tree)
    return int(found)


def value(tree: Any, at: Point) -> Any:
    """The value of a number or vector.

    Raises: Undefined; Unknown where it is not rational, or too much to count.
    """
    if isinstance(tree, str):
        return at[tree] if tree in at else Fraction(tree)
    head, *parts = tree
    if head == "sum":
        index, lo, hi, body = parts
        first, last = whole(lo, at), whole(hi, at)
        if last < first - 1:
            raise Undefined(tree)
        terms = [value(body, {**at, index: Fraction(i)}) for i in range(first, last + 1)]
        vectors = {n for n, v in at.items() if isinstance(v, tuple) or getattr(v, "vector", False)}
        return _sum(terms) if terms or not is_vector(body, vectors) else ZERO
    if head == "of":
        return at[parts[0]](*(value(p, at) for p in parts[1:]))
    if head == "^":
        return _power(value(parts[0], at), parts[1], at)
    found = [value(p, at) for p in parts]
    if head == "+":
        return _sum(found)
    if head == "*":
        scale = prod((v for v in found if not isinstance(v, tuple)), start=Fraction(1))
        (vector,) = [v for v in found if isinstance(v, tuple)] or (None,)
        return scale if vector is None else (scale * vector[0], scale * vector[1])
    if head in ("ip", "n2"):
        (a, b), (c, d) = map(_as_vector, (found[0], found[-1]))
        return a * c + b * d
    return {"abs": abs, "max": max, "min": min}[head](*found)


def _sum(terms: list[Any]) -> Any:
    if any(isinstance(t, tuple) for t in terms):
        vectors = [*map(_as_vector, terms)]
        return sum(v[0] for v in vectors), sum(v[1] for v in vectors)
    return sum(terms, Fraction(0))


def _as_vector(found: Any) -> tuple[Fraction, Fraction]:
    """A vector, which the number 0 may stand for."""
    assert isinstance(found, tuple) or found == 0, found
    return found if isinstance(found, tuple) else ZERO


def _power(base: Fraction, exponent: Any, at: Point) -> Fraction:
    if isinstance(exponent, str) and exponent not in at:
        n = Fraction(exponent)
        if str(n) != exponent:
            raise Undefined(exponent)
        return _whole_power(_root(base, n.denominator), n.numerator)
    return _whole_power(base, whole(exponent, at))


def _whole_power(base: Fraction, n: int) -> Fraction:
    if n < 0 and base == 0:
        raise Undefined(base)
    if abs(n) > MOST or max(abs(base.numerator), base.denominator).bit_length() * abs(n) > 4000:
        raise Unknown(n)
    return Fraction(base) ** n


def _root(of: Fraction, q: int) -> Fraction:
    if q == 1:
        return of
    if of < 0:
        raise Undefined(of)
    (above, exact), (below, too) = (integer_nthroot(part, q) for part in (of.numerator, of.denominator))
    if not (exact and too):
        raise Unknown(of)
    return Fraction(above, below)


def holds(line: Any, at: Point) -> bool:
    """Whether a relation is defined and true at a point; of `every` some values only are looked at.

    Raises: Unknown.
    """
    head, *parts = line
    try:
        if head == "all":
            index, lo, hi, body = parts
            ends = range(whole(lo, at), whole(hi, at) + 1)
            return all(holds(body, {**at, index: Fraction(i)}) for i in ends)
        if head == "every":
            name, kind, body = parts
            return all(holds(body, {**at, **drawn({name: kind}, seed)}) for seed in range(6))
        left, right = (value(p, at) for p in parts)
    except Undefined:
        return False
    if isinstance(left, tuple) or isinstance(right, tuple):
        left, right = map(_as_vector, (left, right))
    if head in ("=", "!="):
        return (left == right) is (head == "=")
    return bool(left < right or (head == "<=" and left == right))


def points(kinds: Mapping[str, str], given: Any, seed: int, count: int) -> list[dict[str, Any]]:
    """Points at random at which hypotheses hold; names that equations define are what they stand for.

    There are none where a hypothesis is for every value of a kind, which is not decided here.
    """
    found: list[dict[str, Any]] = []
    if "every" in str(given):
        return []
    for k in range(count):
        at = drawn(kinds, seed * 1009 + k)
        try:
            for _, line in product(given, given):
                _define(line, kinds, at)
            found += [at] if all(holds(line, at) for line in given) else []
        except Unknown:
            continue
    return found


def _define(line: Any, kinds: Mapping[str, str], at: dict[str, Any]) -> None:
    """Let a name be what an equation says that it is."""
    if line[0] != "=":
        return
    for name, tree in (line[1:], line[:0:-1]):
        if isinstance(name, str) and name in kinds:
            try:
                found = value(tree, at)
            except Undefined:
                return
            found = ZERO if kinds[name] == "vector" and found == 0 else found
            fits = isinstance(found, tuple) is (kinds[name] == "vector")
            if fits and (kinds[name] != "whole" or found.denominator == 1):
                at[name] = found
            return
