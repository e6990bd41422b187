"""Exact points that break a step, found without rules and engines, so that these can be held against them.

The step is written out anew, at a dimension, at numbers of terms or after a few steps of its recursion, and
searched there; a point that is not certain is no point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from typing import Any

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.expressions import printed
from fedproof.proof.forall import ForAll
from fedproof.proof.local_search import local_search
from fedproof.proof.step import Step, substitute_in_relation
from fedproof.proof.vectors import Vector, ip, n2

#: special cases that are looked at, and points of one that are checked
CASES, TRIED = 12, 20
Problem = tuple[str, list[Any], list[Any]]


class Unsupported(ValueError):
    """The step has a part that is not written out here."""


def find(step: Step, seed: int = 0, effort: int = 1) -> tuple[str, dict[str, Fraction]] | None:
    """The special case and an exact point of it where every hypothesis holds and the claim fails."""
    with sp.evaluate(True):  # also where the caller types formulas as they are printed
        return next(_breaking(step, range(seed, seed + effort)), None)


def _breaking(step: Step, turns: range) -> Iterator[tuple[str, dict[str, Fraction]]]:
    for about, given, claims in islice(problems(step), CASES):
        for claim, turn in product(claims, turns):
            for point in islice(local_search(given, claim, turn), TRIED):
                failed = evaluate_relation(claim, point)
                held = all(evaluate_relation(g, point).holds for g in given)
                if failed.defined and not failed.holds and held:
                    yield about, point


@dataclass
class Writer:
    """Writes a step out at a dimension and numbers of terms; `convention` makes sums of negative length 0."""

    dimension: int
    counts: dict[Any, int]
    convention: bool = False
    positive: dict[str, Any] = field(default_factory=dict)

    def problem(self, step: Step, about: str) -> Problem:
        given: list[Any] = []
        with printed():
            for relation in (substitute_in_relation(h.relation, step.meanings) for h in step.hypotheses):
                if isinstance(relation, ForAll):
                    low, high = (self.whole(e, self.counts) for e in (relation.lo, relation.hi))
                    for k in range(low, high + 1):
                        given += self.relation(relation.relation, {**self.counts, relation.index: k})
                else:
                    given += self.relation(relation, self.counts)
            claim = self.relation(substitute_in_relation(step.claim, step.meanings), self.counts)
            given += [sp.Ge(term, 0) for _, term in sorted(self.positive.items())]
        return about, given, claim

    def relation(self, relation: Any, at: dict[Any, int]) -> list[Any]:
        if relation == sp.true:
            return []
        if not isinstance(relation, (sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq)):
            raise Unsupported(str(relation))
        places = range(self.dimension) if any(_is_vector(side) for side in relation.args) else (None,)
        return [relation.func(*(self.node(side, at, c) for side in relation.args)) for c in places]

    def whole(self, expr: Any, at: dict[Any, int]) -> int:
        with sp.evaluate(True):
            value = sp.sympify(expr).xreplace({k: sp.Integer(v) for k, v in at.items()}).doit()
        if not value.is_Integer:
            raise Unsupported(f"{expr} is not whole")
        return int(value)

    def node(self, e: Any, at: dict[Any, int], coordinate: int | None = None) -> Any:
        if isinstance(e, Vector) and coordinate is not None:
            return sp.Symbol(f"{e.name}.{coordinate + 1}", real=True)
        if isinstance(e, sp.Symbol) and not isinstance(e, Vector):
            return sp.Integer(at[e]) if e in at else e
        if isinstance(e, sp.Rational) and (coordinate is None or e == 0):
            return e
        if isinstance(e, (ip, n2)):
            sides = e.args[0], e.args[-1]
            return sp.Add(*(sp.Mul(*(self.node(a, at, c) for a in sides)) for c in range(self.dimension)))
        if isinstance(e, (sp.Add, sp.Mul)):
            inner = [coordinate if e.is_Add or _is_vector(a) else None for a in e.args]
            return e.func(*(self.node(a, at, c) for a, c in zip(e.args, inner, strict=True)))
        if isinstance(e, sp.Sum):
            return self.sum(e.function, list(e.limits), at)
        if isinstance(e, (sp.Max, sp.Abs)):
            return e.func(*(self.node(a, at) for a in e.args))
        if isinstance(e, sp.Pow):
            return sp.Pow(self.node(e.base, at), e.exp.doit())
        if isinstance(e, sp.core.function.AppliedUndef):
            name = f"{e.func.__name__}[{','.join(str(self.whole(a, at)) for a in e.args)}]"
            term = sp.Symbol(name, real=True)
            return self.positive.setdefault(name, term) if e.is_nonnegative else term
        raise Unsupported(str(e))

    def sum(self, body: Any, limits: list[Any], at: dict[Any, int]) -> Any:
        if not limits:
            return self.node(body, at)
        index, *ends = limits[-1]
        low, high = (self.whole(end, at) for end in ends)
        if high < low - 1 and not self.convention:
            raise Unsupported("a sum of negative length")
        return sp.Add(*(self.sum(body, limits[:-1], {**at, index: k}) for k in range(low, high + 1)))


def _is_vector(e: Any) -> bool:
    return isinstance(e, Vector) or ((e.is_Add or e.is_Mul) and any(_is_vector(a) for a in e.args))


def problems(step: Step) -> Iterator[Problem]:
    """The step at small dimensions, at few terms or after a few steps of its recursion."""
    if step.induction is not None:
        yield from _recursion(step)
        return
    exprs = [
        substitute_in_relation(e, step.meanings) for e in (step.claim, *(h.relation for h in step.hypotheses))
    ]
    counts = sorted({s for e in exprs for s in _counts(e)}, key=str)
    spatial = any((e.relation if isinstance(e, ForAll) else e).atoms(Vector) for e in exprs)
    numbers = sorted(
        product(range(5 if len(counts) < 2 else 4), repeat=len(counts)),
        key=lambda v: (sum(v) == 0, max(v, default=0), v),
    )
    for dimension, values in product((2, 1, 3) if spatial else (0,), numbers):
        at = dict(zip(counts, values, strict=True))
        said = [f"{k} = {v}" for k, v in at.items()] + [f"dimension {dimension}"] * spatial
        try:
            yield Writer(dimension, at).problem(step, ", ".join(said))
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
        with printed():
            claim = step.claim.xreplace(at)
        yield Writer(0, {}).problem(replace(step, claim=claim), f"{n} = {at[n]}")
        following = {symbol: then.xreplace(at) for symbol, _, then in state}
        at = {n: (at[n] + 1).doit(), **following}


def _counts(e: Any) -> set[Any]:
    """The symbols that count terms."""
    if isinstance(e, ForAll):
        return (_counts(e.relation) - {e.index}) | e.lo.free_symbols | e.hi.free_symbols
    limits = [limit for s in e.atoms(sp.Sum) for limit in s.limits]
    found = {x for limit in limits for end in limit[1:] for x in end.free_symbols}
    found |= {x for t in e.atoms(sp.core.function.AppliedUndef) for a in t.args for x in a.free_symbols}
    return found - {limit[0] for limit in limits}
