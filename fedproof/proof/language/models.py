"""A model of hypotheses about functions: every vector and every value is 0, and numbers that suit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import with_fractions
from fedproof.proof.counterexamples import feasible_point
from fedproof.proof.forall import ForAll
from fedproof.proof.instance import Instance
from fedproof.proof.language.everywhere import At
from fedproof.proof.language.functions import is_vector, kinds_in
from fedproof.proof.rules.normalise_step import signs, tidy
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Applied, Step
from fedproof.proof.vectors import Vector, ip, n2

#: what whole numbers may be
WHOLE = (1, 2, 3)


def model(step: Step) -> Instance | None:
    """Exact numbers at which a step's hypotheses hold where all vectors and values of functions are 0.

    They are consistent then; None where no such numbers were found.

    >>> from fedproof.proof.vectors import vectors
    >>> x, (u, v) = sp.Symbol("x", real=True), vectors("u v")
    >>> model(Step(n2(u) >= 0, (x > n2(v),))).point
    {'x': Fraction(1, 1)}
    """
    with sp.evaluate(True):
        said = [_at_zero(r) for r, bound in _said(step) if not _at_zero(r).free_symbols & bound]
        if len(said) < len(list(_said(step))):
            return None
    symbols = {s for r, _ in _said(step) for s in r.free_symbols if not isinstance(s, Vector)}
    said += [r for s in sorted(symbols, key=str) for r in signs(s)]
    kinds = kinds_in(*(r for r, _ in _said(step)))
    wholes = sorted((s for s in symbols if kinds.get(s.name) == "whole"), key=str)
    for values in product(WHOLE, repeat=len(wholes)):
        at = dict(zip(wholes, values, strict=True))
        with sp.evaluate(True):
            relations = [r.subs(at) for r in said]
        left = tuple(with_fractions(r) for r in relations if r != sp.true)
        point = None if sp.false in left else feasible_point(left)
        if point is not None:
            return Instance(left, None, point, _about(at))
    return None


def _about(at: dict[Any, int]) -> str:
    wholes = ", ".join(f"{s} = {k}" for s, k in at.items())
    return "all vectors and values of functions 0" + (f", {wholes}" if wholes else "")


def _said(step: Step) -> Iterator[tuple[Any, frozenset[Any]]]:
    """The relations that a step assumes itself, each with the names for all of whose values it is said."""
    for h in step.hypotheses:
        if isinstance(h, Applied):
            continue
        relation: Any = h.relation
        bound: frozenset[Any] = frozenset()
        if isinstance(h, At) and h.everywhere:
            indices = (index for index, _, _ in h.everywhere.ranges)
            relation, bound = h.everywhere.relation, frozenset({*h.everywhere.names, *indices})
        if isinstance(relation, ForAll):
            relation, bound = relation.relation, frozenset({relation.index})
        for part in tidy(relation):
            yield part, bound


def _at_zero(expr: Any) -> Any:
    """An expression or relation where all vectors, and all values of functions and sequences, are 0."""
    if isinstance(expr, (ip, n2)) or is_sequence_term(expr) or is_vector(expr):
        return sp.Integer(0)
    if isinstance(expr, sp.Sum):
        body = _at_zero(expr.function)
        lengths = [_at_zero(hi - lo + 1) for _, lo, hi in expr.limits]
        return body * sp.Mul(*lengths)
    return expr.func(*map(_at_zero, expr.args)) if expr.args else expr
