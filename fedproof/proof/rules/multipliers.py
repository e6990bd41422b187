"""Claims linear in inner products, by multipliers: what is left must be a positive semidefinite form.

Claim's slack minus multiplier times each hypothesis' slack is a quadratic form plus a number; the form is
never negative exactly where no principal minor is, in every dimension.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import flint
import sympy as sp

from fedproof.algebra.cancel import cancel
from fedproof.proof.forall import ordered
from fedproof.proof.rules import identity_testing as evidence
from fedproof.proof.rules.gram import entry, minors, vectors_of
from fedproof.proof.rules.normal_form import NormalForm
from fedproof.proof.rules.query import NotApplicable, Query, Reduction, is_scalar_relation
from fedproof.proof.rules.well_formed import partial
from fedproof.proof.vectors import Vector, n2

MOST_TRIES = 400
_ZERO = sp.Integer(0)


@dataclass(frozen=True)
class _Certificate:
    """Multipliers, and the form and the number that are left."""

    multipliers: tuple[sp.Expr, ...]
    names: Sequence[Vector]
    matrix: sp.Matrix
    number: sp.Expr


def _slack(relation: sp.Basic) -> sp.Expr:
    """What is >= 0 (or 0 for an equation) where the relation holds."""
    low, high = ordered(vectors_of(relation))
    return (high - low).doit()


@dataclass(frozen=True)
class _Linear:
    """Coefficients of the Gram entries, and a number."""

    form: Mapping[sp.Symbol, sp.Expr]
    number: sp.Expr

    def less(self, weighed: Sequence[tuple[sp.Expr, _Linear]]) -> _Linear:
        """This less multiples of others."""
        entries = dict.fromkeys((*self.form, *(g for _, other in weighed for g in other.form)))
        form = {
            g: _sum(self.form.get(g, _ZERO), *(-m * o.form[g] for m, o in weighed if g in o.form))
            for g in entries
        }
        number = _sum(self.number, *(-m * o.number for m, o in weighed))
        return _Linear({g: c for g, c in form.items() if c != 0}, number)


def _sum(*terms: sp.Expr) -> sp.Expr:
    total = sp.Add(*terms)
    return total if total.is_Rational else cancel(total)


def _linear(slack: sp.Expr, entries: Sequence[sp.Symbol]) -> _Linear | None:
    """A slack as a linear expression in the Gram entries; None where it is not linear in them."""
    found = {g: sp.diff(slack, g) for g in entries}
    if any(c.free_symbols & set(entries) for c in found.values()):
        return None
    number = cancel(slack.xreplace(dict.fromkeys(entries, _ZERO)))
    return _Linear({g: cancel(c) for g, c in found.items() if c != 0}, number)


def _everywhere(relation: sp.Basic) -> bool:
    """Whether it has a value for all vectors: only numbers, and norms, are divided by or rooted."""
    powers = [(p.base, p.exp.doit()) for p in relation.atoms(sp.Pow) if not is_scalar_relation(p)]
    return all(e >= 0 and (e.is_Integer or isinstance(base, n2)) for base, e in powers)


def by_multipliers(
    read: NormalForm, names: Sequence[Vector], entries: Sequence[sp.Symbol]
) -> Iterator[Reduction]:
    """Ways to prove what was read by multipliers, those given or those that cancel terms.

    Arguments:
        names: the vectors spoken of.
        entries: the symbols of their inner products.

    Raises: NotApplicable for a multiplier that is no plain number; InternalError for a false certificate.
    """
    for chosen, left, asked in choices(read, names, entries):
        _look_again(read, left)
        asked += [q for m, (r, _) in zip(chosen, read.forms, strict=True) for q in _allowed(read, m, r)]
        said = ", ".join(str(m) for m in chosen)
        yield Reduction(tuple(asked), ("exact-psd",), f"multipliers {said}" if said else "one quadratic form")


def choices(
    read: NormalForm, names: Sequence[Vector], entries: Sequence[sp.Symbol]
) -> Iterator[tuple[tuple[sp.Expr, ...], _Certificate, list[Query]]]:
    """Multipliers that may do, what they leave, and the questions that decide it."""
    if not isinstance(read.claim, (sp.Le, sp.Ge, sp.Eq)) or not _everywhere(read.claim):
        return
    goal = _slack(read.claim)
    target = _linear(goal, entries)
    slacks = [_slack(r) for r, _ in read.forms]
    parts = [part for part in (_linear(s, entries) for s in slacks) if part is not None]
    if target is None or len(parts) < len(slacks):
        return
    options = [
        _weights(goal, target.form, slack, part.form, weight, set(entries))
        for slack, part, (_, weight) in zip(slacks, parts, read.forms, strict=True)
    ]
    for tried, chosen in enumerate(product(*options)):
        if tried >= MOST_TRIES:
            return
        left = _left(names, target.less(list(zip(chosen, parts, strict=True))), chosen)
        asked = _nonnegative(read, left)
        if asked is not None:
            yield chosen, left, asked


def _allowed(read: NormalForm, multiplier: sp.Expr, relation: sp.Basic) -> list[Query]:
    """A multiplier must have a value, and for an inequality none below 0."""
    if multiplier.is_Rational and (multiplier >= 0 or isinstance(relation, sp.Eq)):
        return []
    if not isinstance(relation, sp.Eq):
        return [Query(read.scalars, sp.Ge(multiplier, 0, evaluate=False), "a multiplier is not negative")]
    if not partial(multiplier):
        return []
    return [Query(read.scalars, sp.Eq(multiplier, multiplier, evaluate=False), "a multiplier has a value")]


def _weights(
    goal: sp.Expr,
    target: Mapping[sp.Symbol, sp.Expr],
    slack: sp.Expr,
    own: Mapping[sp.Symbol, sp.Expr],
    given: sp.Expr | None,
    entries: set[sp.Symbol],
) -> list[sp.Expr]:
    """The multiplier given, or what would cancel a term that the claim and the hypothesis share."""
    if given is not None:
        if not is_scalar_relation(given):
            raise NotApplicable(f"the multiplier {given} is not a plain number")
        return [given]
    found = [cancel(target[g] / c) for g, c in own.items() if g in target]
    values = (goal.free_symbols & slack.free_symbols) - entries
    for s in sorted(values, key=str):
        a, b = sp.diff(goal, s), sp.diff(slack, s)
        if b != 0 and not (a.free_symbols | b.free_symbols) & (entries | {s}):
            return [cancel(a / b)]
    near = [k * f for f in found for k in (1, 2, sp.Rational(1, 2), -1, -2)]
    return list(dict.fromkeys([*near, sp.Integer(0), sp.Integer(1)]))


def _left(names: Sequence[Vector], rest: _Linear, chosen: tuple[sp.Expr, ...]) -> _Certificate:
    """What is left, as a matrix and a number."""

    def half(x: Vector, y: Vector) -> sp.Expr:
        c = rest.form.get(entry(x, y), _ZERO)
        return c if x == y else c / 2

    matrix = sp.Matrix(len(names), len(names), lambda i, j: half(names[i], names[j]))
    return _Certificate(chosen, names, matrix, rest.number)


def _nonnegative(read: NormalForm, left: _Certificate) -> list[Query] | None:
    """Questions whether what is left is never negative (for an equation: 0); None where it plainly can be."""
    matrix, number = left.matrix, left.number
    if isinstance(read.claim, sp.Eq):
        parts = [cancel(c) for c in (*matrix, number)]
        asked = [
            (sp.Eq(p, 0, evaluate=False), "a coefficient vanishes") for p in dict.fromkeys(parts) if p != 0
        ]
    else:
        used = [i for i in range(matrix.rows) if any(matrix[i, j] != 0 for j in range(matrix.rows))]
        if len(used) > 5:
            return None
        asked = [
            (sp.Ge(m, 0, evaluate=False), "a principal minor is not negative")
            for m in minors(matrix.extract(used, used)) if not (m.is_Rational and m >= 0)
        ]  # fmt: skip
        if not (number.is_Rational and number >= 0):
            asked.append((sp.Ge(number, 0, evaluate=False), "what is left is not negative"))
    if any(c.lhs.is_Number for c, _ in asked):
        return None
    return [Query(read.scalars, c, about) for c, about in asked]


def _look_again(read: NormalForm, left: _Certificate) -> None:
    """The identity that the certificate stands for, at random points.

    Raises: InternalError where it fails.
    """
    with flint.ctx.workprec(evidence.BITS):
        seen = 0
        for point in evidence.points():
            for vector, meaning in read.meanings.items():
                point.vectors[vector.name] = point.coordinates(meaning)
            claim, *hypotheses = (point.gap(r) for r in read.printed)
            for m, gap in zip(left.multipliers, hypotheses, strict=True):
                claim = claim - point.value(m) * gap
            place = [point.coordinates(read.basis.get(v, v)) for v in left.names]
            form = point.value(left.number) + sum(
                (
                    point.value(c) * evidence.dot(x, y)
                    for c, (x, y) in zip(left.matrix, product(place, place), strict=True)
                ),
                flint.arb(0),
            )
            seen += evidence.agree(claim, form) is not None
            if seen == evidence.LOOKS:
                return
