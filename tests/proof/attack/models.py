"""Exact models: values of names, vectors of the rational plane, sequences; and what holds in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Given, Step
from fedproof.proof.vectors import Vector, ip, n2

#: values of numbers, vectors, sequences by name
Model = Mapping[str, Any]


class Undefined(ValueError):
    """An expression has no value in a model."""


class NotMeant(ValueError):
    """A model gives a number that counts a value that is not whole."""


def value(expr: Any, at: Model) -> Any:
    """An expression in a model: a fraction, or a pair of them for a vector."""
    if isinstance(expr, sp.Rational):
        return Fraction(int(expr.p), int(expr.q))
    if isinstance(expr, sp.Symbol):
        return at[expr.name]
    if isinstance(expr, sp.Sum):
        ((index, lo, hi),) = expr.limits
        first, last = whole(lo, at), whole(hi, at)
        if last < first - 1:
            raise Undefined(expr)
        terms = (value(expr.function, {**at, index.name: Fraction(i)}) for i in range(first, last + 1))
        return sum(terms, Fraction(0))
    if is_sequence_term(expr):
        return at[expr.func.__name__](whole(expr.args[0], at))
    parts = [value(a, at) for a in expr.args]
    if isinstance(expr, n2 | ip):
        return _inner(parts[0], parts[-1])
    if isinstance(expr, sp.Pow):
        return _power(parts[0], parts[1])
    if isinstance(expr, sp.Abs):
        return abs(parts[0])
    total = parts[0]
    for part in parts[1:]:
        total = _sum(total, part) if expr.is_Add else _product(total, part)
    return total


def whole(expr: Any, at: Model) -> int:
    """The value of what counts."""
    found = value(expr, at)
    if found.denominator != 1:
        raise NotMeant(expr)
    return int(found)


def _inner(u: Any, v: Any) -> Fraction:
    return Fraction(0) if Fraction(0) in (u, v) else u[0] * v[0] + u[1] * v[1]


def _power(base: Any, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or (base == 0 and exponent < 0):
        raise Undefined(base, exponent)
    return Fraction(base) ** int(exponent)


def _sum(a: Any, b: Any) -> Any:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return (a[0] + b[0], a[1] + b[1])
    if isinstance(a, tuple) or isinstance(b, tuple):
        return a if b == 0 else b
    return a + b


def _product(a: Any, b: Any) -> Any:
    if isinstance(a, tuple):
        a, b = b, a
    return (a * b[0], a * b[1]) if isinstance(b, tuple) else a * b


def holds(relation: Any, at: Model) -> bool:
    """Whether a relation is defined and true in a model.

    Raises: NotMeant.
    """
    if isinstance(relation, ForAll):
        ends = whole(relation.lo, at), whole(relation.hi, at)
        index = relation.index.name
        return all(holds(relation.relation, {**at, index: Fraction(i)}) for i in range(ends[0], ends[1] + 1))
    if relation in (sp.true, sp.false):
        return bool(relation)
    try:
        left, right = (value(side, at) for side in relation.args)
    except Undefined:
        return False
    if isinstance(left, tuple) or isinstance(right, tuple):
        return bool(_sum(left, _product(Fraction(-1), right)) in ((0, 0), 0))
    compare: dict[Any, Callable[[], bool]] = {
        sp.Le: lambda: left <= right, sp.Lt: lambda: left < right, sp.Ge: lambda: left >= right,
        sp.Gt: lambda: left > right, sp.Eq: lambda: left == right, sp.Ne: lambda: left != right,
    }  # fmt: skip
    return compare[relation.func]()


def listed(step: Step) -> Iterator[Any]:
    """The hypotheses that a step itself lists, the signs of its symbols and sequences among them."""
    own = [h.relation for h in step.hypotheses if isinstance(h, Given)]
    yield from own
    for s in {s for r in (step.claim, *own) for s in _symbols(r)}:
        if s.is_positive:
            yield sp.Gt(s, 0, evaluate=False)
        elif s.is_nonnegative:
            yield sp.Ge(s, 0, evaluate=False)


def _symbols(relation: Any) -> set[sp.Symbol]:
    if isinstance(relation, ForAll):
        inner = relation.relation.free_symbols - {relation.index}
        return set(inner | relation.lo.free_symbols | relation.hi.free_symbols)
    return set(relation.free_symbols)


def breaks(step: Step, at: Model) -> bool:
    """Whether a model satisfies everything that a step lists, and not its claim."""
    try:
        counted = [s for r in (step.claim, *listed(step)) for s in _symbols(r) if s.is_integer]
        if any(whole(s, at) is None for s in counted) or not all(holds(r, at) for r in listed(step)):
            return False
        return not holds(step.claim, at)
    except (NotMeant, KeyError):
        return False


def is_vector(symbol: Any) -> bool:
    """Whether a symbol stands for a vector."""
    return isinstance(symbol, Vector)
