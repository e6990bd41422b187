"""A model of hypotheses about functions: every vector and every value is 0, and numbers that suit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import with_fractions
from fedproof.proof.counterexamples import feasible_point
from fedproof.proof.engines.smt import prove
from fedproof.proof.forall import ForAll
from fedproof.proof.instance import Instance
from fedproof.proof.language.everywhere import At
from fedproof.proof.language.functions import is_vector, kinds_in
from fedproof.proof.possible import WHOLE
from fedproof.proof.rules.normalise_step import signs, tidy
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Step
from fedproof.proof.vectors import ip, n2

#: what indices may be in such a model
INDICES = (0, 1, 2, 3)


def model(step: Step, counts: Collection[str] = ()) -> Instance | None:
    """Exact numbers at which a step's hypotheses hold where all vectors and values of functions are 0.

    They are consistent then; None where no such numbers were found. Names that count are whole there.

    >>> from fedproof.proof.vectors import vectors
    >>> x, (u, v) = sp.Symbol("x", real=True), vectors("u v")
    >>> model(Step(n2(u) >= 0, (x > n2(v),))).point
    {'x': Fraction(1, 1)}
    """
    for at, left in _at_points(step):
        point = None if sp.false in left else feasible_point(left, counts)
        if point is not None:
            return Instance(left, None, point, _about(at))
    return None


def contradicts(step: Step) -> bool:
    """Whether what a step assumes is refuted at every such model, whatever the numbers.

    >>> from fedproof.proof.vectors import vectors
    >>> x, (u, v) = sp.Symbol("x", real=True), vectors("u v")
    >>> contradicts(Step(n2(u) >= 0, (n2(v) <= 1 - x, x >= 2))), contradicts(Step(n2(u) >= 0, (x >= 2,)))
    (True, False)
    """
    return all(sp.false in left or prove(left, sp.false).proved for _, left in _at_points(step))


def _at_points(step: Step) -> Iterator[tuple[Mapping[Any, int], tuple[Any, ...]]]:
    """For each choice of small whole numbers, what is left of the hypotheses; none where ranges end later."""
    rows = list(_said(step))
    with sp.evaluate(True):
        zero = [_at_zero(r) for r, _, _ in rows]
        if any(z.free_symbols & bound for z, (_, bound, _) in zip(zero, rows, strict=True)):
            return
        spread = zip(zero, (ranges for _, _, ranges in rows), strict=True)
        said = list(dict.fromkeys(_put(z, at) for z, ranges in spread for at in _indices(z, ranges)))
    indices = {index for _, _, ranges in rows for index, _, _ in ranges}
    symbols = {s for r in said for s in r.free_symbols}
    said += [r for s in sorted(symbols, key=str) for r in signs(s)]
    kinds = kinds_in(*(r for r, _, _ in rows), *(e for _, _, ranges in rows for r in ranges for e in r[1:]))
    wholes = sorted((s for s in symbols if kinds.get(s.name) == "whole"), key=str)
    ends = [e for _, _, ranges in rows for r in ranges for e in r[1:]]
    for values in product(WHOLE, repeat=len(wholes)):
        at = dict(zip(wholes, values, strict=True))
        with sp.evaluate(True):
            relations = dict.fromkeys(_put(r, at) for r in said)
            outside = [e for e in ends if (v := e.subs(at)).is_number and v not in INDICES]
        if not outside:
            left = tuple(with_fractions(r) for r in relations if r != sp.true)
            yield {s: k for s, k in at.items() if s not in indices}, left


def _indices(relation: Any, ranges: tuple[Any, ...]) -> list[dict[Any, int]]:
    """Values for the indices that a relation has, of which those in their ranges are some."""
    names = [index for index, _, _ in ranges if index in relation.free_symbols]
    return [dict(zip(names, values, strict=True)) for values in product(INDICES, repeat=len(names))]


def _put(relation: Any, at: Mapping[Any, int]) -> Any:
    """A relation with numbers for the symbols of it that have one."""
    here = {s: k for s, k in at.items() if s in relation.free_symbols}
    return relation.subs(here) if here else relation


def _about(at: Mapping[Any, int]) -> str:
    wholes = ", ".join(f"{s} = {k}" for s, k in at.items())
    return "all vectors and values of functions 0" + (f", {wholes}" if wholes else "")


def _said(step: Step) -> Iterator[tuple[Any, frozenset[Any], tuple[Any, ...]]]:
    """The relations that a step assumes itself, with the names and the ranges that it is said for."""
    for h in step.hypotheses:
        if isinstance(h, Applied):
            continue
        relation: Any = h.relation
        bound: frozenset[Any] = frozenset()
        ranges: tuple[Any, ...] = ()
        if isinstance(h, At) and h.everywhere:
            relation, ranges = h.everywhere.relation, h.everywhere.ranges
            bound = frozenset(h.everywhere.names)
        if isinstance(relation, ForAll):
            ranges = ((relation.index, relation.lo, relation.hi),)
            relation = relation.relation
        for part in tidy(relation):
            yield part, bound, ranges


def _at_zero(expr: Any) -> Any:
    """An expression or relation where all vectors, and all values of functions and sequences, are 0."""
    if isinstance(expr, (ip, n2)) or is_sequence_term(expr) or is_vector(expr):
        return sp.Integer(0)
    if isinstance(expr, sp.Sum):
        body = _at_zero(expr.function)
        if body.free_symbols & {index for index, _, _ in expr.limits}:
            return sp.Sum(body, *expr.limits).doit()
        lengths = [_at_zero(hi - lo + 1) for _, lo, hi in expr.limits]
        return body * sp.Mul(*lengths)
    return expr.func(*map(_at_zero, expr.args)) if expr.args else expr
