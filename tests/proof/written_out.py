"""A step written out at a dimension and at numbers of terms: operations on unknown numbers, and their values.

Nothing here is shared with the rules: sums, inner products and hypotheses for every index are read anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

import numpy as np
import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.step import Step, substitute_in_relation
from fedproof.proof.vectors import Vector, ip, n2

BITS = 160
Relation = tuple[str, int, int]


class Unsupported(ValueError):
    """The step has a part that is not written out here."""


class Tape:
    """Operations on numbers, each once; unknowns are numbered as they come."""

    def __init__(self) -> None:
        self.ops: list[tuple[Any, ...]] = []
        self.known: dict[tuple[Any, ...], int] = {}
        self.names: list[str] = []

    def put(self, *op: Any) -> int:
        if op not in self.known:
            self.known[op] = len(self.ops)
            self.ops.append(op)
        return self.known[op]

    def number(self, value: Any) -> int:
        return self.put("number", Fraction(value))

    def unknown(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.put("unknown", self.names.index(name))

    def constant(self, i: int) -> Fraction | None:
        return self.ops[i][1] if self.ops[i][0] == "number" else None

    def join(self, kind: str, parts: Sequence[int]) -> int:
        total = Fraction(kind == "times")
        rest = []
        for p in parts:
            c = self.constant(p)
            if c is None:
                rest.append(p)
            else:
                total = total * c if kind == "times" else total + c
        if kind == "times" and total == 0 and not any(self.ops[p][0] in ("power", "root") for p in rest):
            return self.number(0)
        if not rest:
            return self.number(total)
        if total != (kind == "times"):
            rest.append(self.number(total))
        return rest[0] if len(rest) == 1 else self.put(kind, *rest)

    def floats(self, x: Any) -> list[Any]:
        """Every operation for unknowns of shape (unknowns, candidates)."""
        done: list[Any] = []
        with np.errstate(all="ignore"):
            for op in self.ops:
                done.append(self._float(op, done, x))
        return done

    @staticmethod
    def _float(op: tuple[Any, ...], done: list[Any], x: Any) -> Any:
        kind = op[0]
        if kind == "number":
            return np.float64(op[1].numerator / op[1].denominator)
        if kind == "unknown":
            return x[op[1]]
        parts = [done[i] for i in (op[1:2] if kind == "power" else op[1:])]
        total = parts[0]
        if kind == "power":
            return np.power(total, float(op[2]))
        if kind == "root":
            return np.sqrt(total)
        for p in parts[1:]:
            total = total + p if kind == "plus" else total * p if kind == "times" else np.maximum(total, p)
        return total

    def exact(self, x: Sequence[Fraction]) -> list[Any]:
        """Every operation as an interval of fractions; None where it is undefined."""
        done: list[Any] = []
        for op in self.ops:
            done.append(_interval(op, done, x))
        return done


def _interval(op: tuple[Any, ...], done: list[Any], x: Sequence[Fraction]) -> Any:
    kind = op[0]
    if kind == "number":
        return op[1], op[1]
    if kind == "unknown":
        return x[op[1]], x[op[1]]
    parts = [done[i] for i in (op[1:2] if kind == "power" else op[1:])]
    if any(p is None for p in parts):
        return None
    a = parts[0]
    if kind == "power":
        return _power(a, op[2])
    if kind == "root":
        return _root(a)
    for b in parts[1:]:
        if kind == "plus":
            a = a[0] + b[0], a[1] + b[1]
        elif kind == "most":
            a = max(a[0], b[0]), max(a[1], b[1])
        else:
            a = _times(a, b)
    return a


def _times(a: Any, b: Any) -> Any:
    if a[0] == a[1] and b[0] == b[1]:
        return (a[0] * b[0],) * 2
    ends = [u * v for u in a for v in b]
    return min(ends), max(ends)


def _power(a: Any, n: int) -> Any:
    if n < 0:
        if a[0] <= 0 <= a[1]:
            return None
        return _power((1 / a[1], 1 / a[0]), -n)
    total = (Fraction(1), Fraction(1))
    for _ in range(n):
        total = _times(total, a)
    return total


def _root(a: Any) -> Any:
    if a[0] < 0:
        return None
    low, high = (_isqrt(v) for v in a)
    return low[0], high[1]


def _isqrt(v: Fraction) -> tuple[Fraction, Fraction]:
    p, q = isqrt(v.numerator), isqrt(v.denominator)
    if p * p == v.numerator and q * q == v.denominator:
        return (Fraction(p, q),) * 2
    scaled = isqrt(v.numerator * 4**BITS // v.denominator)
    return Fraction(scaled, 2**BITS), Fraction(scaled + 1, 2**BITS)


@dataclass
class Problem:
    """Relations between unknown numbers."""

    tape: Tape
    given: list[Relation]
    claim: list[Relation]
    about: str


_OPS = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "="}


class Writer:
    """Writes a step out at a dimension and at whole numbers of terms."""

    def __init__(self, dimension: int, counts: dict[sp.Symbol, int]) -> None:
        self.tape, self.dimension, self.counts = Tape(), dimension, counts
        self.signs: set[str] = set()

    def problem(self, step: Step, about: str) -> Problem:
        meaning = step.meanings
        given: list[Relation] = []
        for h in step.hypotheses:
            relation = substitute_in_relation(h.relation, meaning)
            if isinstance(relation, ForAll):
                low, high = (self.whole(e, self.counts) for e in (relation.lo, relation.hi))
                for k in range(low, high + 1):
                    given += self.relation(relation.relation, {**self.counts, relation.index: k})
            else:
                given += self.relation(relation, self.counts)
        claim = self.relation(substitute_in_relation(step.claim, meaning), self.counts)
        zero = self.tape.number(0)
        given += [("<=", zero, self.tape.unknown(n)) for n in sorted(self.signs)]
        return Problem(self.tape, given, claim, about)

    def relation(self, relation: Any, at: dict[Any, int]) -> list[Relation]:
        if relation == sp.true:
            return []
        if type(relation) not in _OPS:
            raise Unsupported(str(relation))
        op = _OPS[type(relation)]
        left, right = relation.args
        if op in (">=", ">"):
            op, left, right = {">=": "<=", ">": "<"}[op], right, left
        if _is_vector(left) or _is_vector(right):
            return [(op, self.node(left, at, c), self.node(right, at, c)) for c in range(self.dimension)]
        return [(op, self.node(left, at), self.node(right, at))]

    def whole(self, expr: Any, at: dict[Any, int]) -> int:
        value = sp.sympify(expr).xreplace({k: sp.Integer(v) for k, v in at.items()}).doit()
        if not value.is_Integer:
            raise Unsupported(f"{expr} is not whole")
        return int(value)

    def node(self, e: Any, at: dict[Any, int], coordinate: int | None = None) -> int:
        tape = self.tape
        if isinstance(e, sp.Rational):
            if coordinate is not None and e != 0:
                raise Unsupported(f"the number {e} as a vector")
            return tape.number(Fraction(int(e.p), int(e.q)))
        if isinstance(e, Vector):
            if coordinate is None:
                raise Unsupported(f"the vector {e} as a number")
            return tape.unknown(f"{e.name}.{coordinate + 1}")
        if isinstance(e, sp.Symbol):
            return tape.number(at[e]) if e in at else tape.unknown(e.name)
        if isinstance(e, (ip, n2)):
            a, b = e.args[0], e.args[-1]
            return tape.join(
                "plus",
                [
                    tape.join("times", [self.node(a, at, c), self.node(b, at, c)])
                    for c in range(self.dimension)
                ],
            )
        if isinstance(e, (sp.Add, sp.Mul)):
            parts = [self.node(a, at, coordinate if e.is_Add or _is_vector(a) else None) for a in e.args]
            return tape.join("plus" if e.is_Add else "times", parts)
        if isinstance(e, sp.Pow):
            exponent, base = sp.nsimplify(e.exp.doit()), self.node(e.base, at)
            if not exponent.is_Rational or exponent.q not in (1, 2):
                raise Unsupported(str(e))
            base = base if exponent.q == 1 else tape.put("root", base)
            return base if exponent.p == 1 else tape.put("power", base, int(exponent.p))
        if isinstance(e, sp.Sum):
            return self.sum(e.function, list(e.limits), at)
        if isinstance(e, (sp.Max, sp.Abs)):
            parts = [self.node(a, at) for a in e.args]
            parts += [tape.join("times", [tape.number(-1), parts[0]])] if isinstance(e, sp.Abs) else []
            return tape.put("most", *parts)
        if isinstance(e, sp.core.function.AppliedUndef):
            name = f"{e.func.__name__}[{','.join(str(self.whole(a, at)) for a in e.args)}]"
            if e.is_nonnegative:
                self.signs.add(name)
            return tape.unknown(name)
        raise Unsupported(str(e))

    def sum(self, body: Any, limits: list[Any], at: dict[Any, int]) -> int:
        if not limits:
            return self.node(body, at)
        index, low, high = limits[-1]
        low, high = self.whole(low, at), self.whole(high, at)
        if high < low - 1:
            raise Unsupported("a sum of negative length")
        return self.tape.join(
            "plus", [self.sum(body, limits[:-1], {**at, index: k}) for k in range(low, high + 1)]
        )


def _is_vector(e: Any) -> bool:
    if isinstance(e, Vector):
        return True
    return isinstance(e, (sp.Add, sp.Mul)) and any(_is_vector(a) for a in e.args)


def problems(step: Step) -> Iterator[Problem]:
    """The step at small dimensions, at few terms or after a few steps of its recursion."""
    if step.induction is not None:
        yield from _recursion(step)
        return
    exprs = [
        substitute_in_relation(e, step.meanings) for e in (step.claim, *(h.relation for h in step.hypotheses))
    ]
    counts = sorted({s for e in exprs for s in _counts(e)}, key=str)
    dimensions = (2, 1, 3) if any(_has_vectors(e) for e in exprs) else (0,)
    numbers = sorted(
        product(range(5 if len(counts) < 2 else 4), repeat=len(counts)),
        key=lambda v: (sum(v) == 0, max(v, default=0), v),
    )
    for dimension, values in product(dimensions, numbers):
        at = dict(zip(counts, values, strict=True))
        try:
            said = ", ".join(
                [f"{k} = {v}" for k, v in at.items()] + [f"dimension {dimension}"] * bool(dimension)
            )
            yield Writer(dimension, at).problem(step, said)
        except (Unsupported, ZeroDivisionError):
            continue


def _recursion(step: Step) -> Iterator[Problem]:
    """The claim where the recursion starts and after each of three steps of it."""
    assert step.induction is not None
    n, state = step.induction.index, step.induction.state
    moving = {n, *(symbol for symbol, _, _ in state)}
    if any(h.relation.free_symbols & moving for h in step.hypotheses if isinstance(h.relation, sp.Basic)):
        return  # at which step of the recursion it should hold is not said
    at: dict[Any, Any] = {n: step.induction.start} | {symbol: first for symbol, first, _ in state}
    for _ in range(4):
        with sp.evaluate(False):
            claim = step.claim.xreplace(at)
        yield Writer(0, {}).problem(replace(step, claim=claim), f"{n} = {at[n]}")
        following = {symbol: then.xreplace(at) for symbol, _, then in state}
        at = {n: (at[n] + 1).doit(), **following}


def _has_vectors(e: Any) -> bool:
    return bool((e.relation if isinstance(e, ForAll) else e).atoms(Vector))


def _counts(e: Any) -> set[Any]:
    if isinstance(e, ForAll):
        ends = sp.sympify(e.lo).free_symbols | sp.sympify(e.hi).free_symbols
        return (_counts(e.relation) - {e.index}) | ends
    sums = e.atoms(sp.Sum)
    bound = {lim[0] for s in sums for lim in s.limits}
    found = {x for s in sums for lim in s.limits for end in lim[1:] for x in end.free_symbols}
    found |= {x for t in e.atoms(sp.core.function.AppliedUndef) for a in t.args for x in a.free_symbols}
    return found - bound
