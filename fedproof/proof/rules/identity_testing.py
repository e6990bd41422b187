"""A second look at a certificate: both sides of its identity at random points, by other code.

Expressions are evaluated as they stand, vectors by their coordinates and sums term by term, in ball
arithmetic; nothing is expanded, cancelled or solved. A certificate that is no identity is our own error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import flint
import sympy as sp

from fedproof.algebra.balls import ball_of
from fedproof.algebra.expressions import FractionAlgebra, fold
from fedproof.proof.forall import ordered
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.vectors import Vector, ip, n2
from fedproof.vocabulary.errors import InternalError

BITS = 256
DIMENSION = 3
#: points at which an identity is looked at, and how many are drawn where many are undefined
LOOKS, DRAWS = 2, 12
Value = Any  # an arb, or a tuple of arbs for a vector


@dataclass
class Point:
    """Random values: of symbols and vectors by name, of a sequence's terms as they are met."""

    random: Random
    numbers: dict[str, Fraction] = field(default_factory=dict)
    vectors: dict[str, tuple[flint.arb, ...]] = field(default_factory=dict)
    terms: dict[tuple[str, int], Fraction] = field(default_factory=dict)

    def number(self, name: str) -> Fraction:
        """The value of a symbol: positive, since most divisors and roots want that."""
        return self.numbers.setdefault(name, Fraction(self.random.randint(1, 40), self.random.randint(1, 12)))

    def vector(self, name: str) -> tuple[flint.arb, ...]:
        """The coordinates of a vector."""
        if name not in self.vectors:
            drawn = (
                Fraction(self.random.randint(-20, 20), self.random.randint(1, 6)) for _ in range(DIMENSION)
            )
            self.vectors[name] = tuple(ball_of(c) for c in drawn)
        return self.vectors[name]

    def term(self, name: str, place: int) -> Fraction:
        """The term of a sequence at a place."""
        drawn = Fraction(self.random.randint(-20, 20), self.random.randint(1, 6))
        return self.terms.setdefault((name, place), drawn)

    def coordinates(self, expr: Any) -> tuple[flint.arb, ...]:
        """The coordinates of a combination of vectors."""
        return _vector(expr, self, {})

    def whole(self, expr: Any) -> int:
        """The value of a whole number such as the end of a sum."""
        return _whole(expr, self, {})

    def gap(self, relation: Any, at: Mapping[str, int] | None = None) -> flint.arb:
        """What is >= 0 where the relation holds."""
        low, high = (self.value(side, at) for side in ordered(relation))
        return high - low

    def value(self, expr: Any, at: Mapping[str, int] | None = None) -> Value:
        """The value of an expression here; not finite where it is undefined."""
        return _value(expr, self, at or {})


def points(whole: Sequence[sp.Symbol] = ()) -> list[Point]:
    """Random points, at which the symbols that count terms are whole."""
    found = []
    for i in range(DRAWS):
        random = Random(i)
        found.append(Point(random, {s.name: Fraction(random.randint(0, 5)) for s in whole}))
    return found


def agree(one: Value, other: Value) -> bool | None:
    """Whether two values may be equal; None where one is undefined.

    Raises: InternalError where they differ.
    """
    gap = one - other
    if not gap.is_finite():
        return None
    if not gap.contains(0):
        raise InternalError(f"a certificate is no identity: {one} is not {other}")
    return True


def _value(expr: Any, here: Point, at: Mapping[str, int]) -> Value:
    if isinstance(expr, Vector):
        return here.vector(expr.name)
    if isinstance(expr, sp.Symbol):
        return ball_of(Fraction(at[expr.name]) if expr.name in at else here.number(expr.name))
    if isinstance(expr, sp.Rational):
        return ball_of(Fraction(int(expr.p), int(expr.q)))
    if isinstance(expr, n2):
        return dot(_vector(expr.args[0], here, at), _vector(expr.args[0], here, at))
    if isinstance(expr, ip):
        return dot(*(_vector(a, here, at) for a in expr.args))
    if isinstance(expr, sp.Sum):
        return _total(expr.function, list(expr.limits), here, at)
    if is_sequence_term(expr):
        return ball_of(here.term(expr.func.__name__, _whole(expr.args[0], here, at)))
    if isinstance(expr, sp.Pow):
        return _power(_value(expr.base, here, at), Fraction(str(expr.exp.doit())))
    parts = [_value(a, here, at) for a in expr.args]
    if isinstance(expr, sp.Add):
        return sum(parts[1:], parts[0])
    if isinstance(expr, sp.Mul):
        product = parts[0]
        for part in parts[1:]:
            product = product * part
        return product
    if isinstance(expr, sp.Abs):
        return abs(parts[0])
    if isinstance(expr, (sp.Max, sp.Min)):
        best = parts[0]
        for part in parts[1:]:
            best = best.max(part) if isinstance(expr, sp.Max) else best.min(part)
        return best
    raise InternalError(f"{expr} cannot be evaluated")


def _power(base: flint.arb, exponent: Fraction) -> flint.arb:
    if exponent.denominator > 1:
        base = base.root(exponent.denominator)
    value = flint.arb(1)
    for _ in range(abs(exponent.numerator)):
        value = value * base
    return value if exponent >= 0 else flint.arb(1) / value


def dot(a: tuple[flint.arb, ...], b: tuple[flint.arb, ...]) -> flint.arb:
    """The inner product of coordinates."""
    return sum((x * y for x, y in zip(a, b, strict=True)), flint.arb(0))


def _vector(expr: Any, here: Point, at: Mapping[str, int]) -> tuple[flint.arb, ...]:
    """The coordinates of a combination of vectors; whatever has no vector in it is 0 there or a factor."""
    if isinstance(expr, Vector):
        return here.vector(expr.name)
    if isinstance(expr, sp.Add):
        parts = [_vector(a, here, at) for a in expr.args]
        return tuple(sum(column, flint.arb(0)) for column in zip(*parts, strict=True))
    if isinstance(expr, sp.Mul) and expr.atoms(Vector):
        inner = [a for a in expr.args if a.atoms(Vector)]
        factor = flint.arb(1)
        for a in expr.args:
            factor = factor if a is inner[0] else factor * _value(a, here, at)
        return tuple(factor * c for c in _vector(inner[0], here, at))
    scale = _value(expr, here, at)
    return tuple(scale for _ in range(DIMENSION))  # the vector 0, written as a number


def _total(body: sp.Expr, limits: list[Any], here: Point, at: Mapping[str, int]) -> flint.arb:
    if not limits:
        return _value(body, here, at)
    index, lo, hi = limits[-1]
    first, last = (_whole(e, here, at) for e in (lo, hi))
    if last < first - 1:
        return flint.arb("nan")  # a sum that ends before it starts is left to the rule
    terms = (_total(body, limits[:-1], here, {**at, index.name: k}) for k in range(first, last + 1))
    return sum(terms, flint.arb(0))


def _whole(expr: Any, here: Point, at: Mapping[str, int]) -> int:
    values = {
        s.name: Fraction(at[s.name]) if s.name in at else here.number(s.name) for s in expr.free_symbols
    }
    value = fold(expr, FractionAlgebra(), values)
    if value.denominator != 1:
        raise InternalError(f"{expr} is {value}, which is not whole")
    return value.numerator
