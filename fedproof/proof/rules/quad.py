"""Quadratic forms in named vectors, decided exactly.

A claim and hypotheses that are linear in inner products are proved by multipliers: claim's slack minus
multiplier times each hypothesis' slack must be a positive semidefinite form plus a number >= 0, which the
principal minors decide. Where no multipliers are found, or roots of inner products occur, the inner
products become real numbers whose Gram matrix is positive semidefinite. Both hold in every dimension; a
special case in one or two dimensions can refute and never proves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy as sp

from fedproof.proof.rules.gram import combination, entry, in_coordinates, minors, vectors_of
from fedproof.proof.rules.multipliers import by_multipliers
from fedproof.proof.rules.normal_form import NormalForm, equation, to_normal_form
from fedproof.proof.rules.query import NotApplicable, Query, Reduction, is_scalar_relation, relations
from fedproof.proof.rules.well_formed import partial
from fedproof.proof.step import Step
from fedproof.proof.vectors import Vector

#: vectors whose Gram matrix is handed to the engines whole
WHOLE = 3


def reductions(step: Step) -> Iterator[Reduction]:
    """By coefficients for an equation of vectors; by multipliers; by the Gram matrix as a whole."""
    read = to_normal_form(step)
    if equation(read.claim):
        yield _coefficients(read)
        return
    names = sorted(
        {v for r in (read.claim, *(f for f, _ in read.forms)) for v in r.atoms(Vector)}, key=lambda v: v.name
    )
    entries = {entry(x, y): (x, y) for x in names for y in names}
    yield from by_multipliers(read, names, list(entries))
    if len(names) <= WHOLE:
        yield _whole(read, names)


def _coefficients(read: NormalForm) -> Reduction:
    left, right = (combination(side) for side in read.claim.args)
    asked = [
        Query(read.scalars, sp.Eq(left.get(v, 0), right.get(v, 0), evaluate=False), f"coefficient of {v}")
        for v in sorted({*left, *right}, key=lambda v: v.name)
    ]
    return Reduction(tuple(asked), ("rule",), "the coefficients of every vector agree")


def _whole(read: NormalForm, names: Sequence[Vector]) -> Reduction:
    gram = sp.Matrix(len(names), len(names), lambda i, j: entry(names[i], names[j]))
    positive = tuple(sp.Ge(m, 0, evaluate=False) for m in minors(gram))
    given = (*read.scalars, *positive, *(vectors_of(r) for r, _ in read.forms))
    return Reduction((Query(given, vectors_of(read.claim)),), ("rule",), "inner products as a Gram matrix")


def instances(step: Step) -> Iterator[Query]:
    """The step in one and in two dimensions, in coordinates, and with no vector but 0."""
    try:
        read = to_normal_form(step, compactly=False)
    except NotApplicable:  # an equation gives no vector by others: then every coordinate has its own
        read = to_normal_form(step, compactly=False, solved=False)
    printed = [r for r, _ in relations(step) if isinstance(r, sp.Basic)]  # what holds is defined
    for dimension in (1, 2) if equation(read.claim) else (1, 2, 0):
        given = tuple(g for r, _ in read.forms for g in _in_numbers(r, dimension))
        claim = _in_numbers(read.claim, dimension)[0]
        known = (*read.scalars, *given)
        lost = _lost((*printed, *read.printed, read.claim), (*known, claim))
        yield Query((*known, *lost), claim, f"dimension {dimension}")


def _lost(before: Sequence[sp.Basic], after: Sequence[sp.Basic]) -> list[sp.Basic]:
    """That divisors and roots before vectors have a value, where the coordinates no longer show them."""
    shown = {p.base for r in after for p in r.atoms(sp.Pow) if partial(p)}
    powers = sorted(
        {p for r in before for p in r.atoms(sp.Pow) if is_scalar_relation(p) and partial(p)}, key=str
    )
    return [sp.Eq(p, p, evaluate=False) for p in powers if p.base not in shown]


def _in_numbers(relation: sp.Basic, dimension: int) -> list[sp.Basic]:
    """A relation in coordinates; an equation of vectors is one in each coordinate."""
    if not equation(relation):
        return [in_coordinates(relation, dimension)]
    left, right = (combination(side) for side in relation.args)
    return [
        sp.Eq(
            sp.Add(
                *(
                    (left.get(v, 0) - right.get(v, 0)) * sp.Symbol(f"{v.name}_{i}", real=True)
                    for v in {*left, *right}
                )
            ),
            0,
            evaluate=False,
        )
        for i in range(1, dimension + 1)
    ]
