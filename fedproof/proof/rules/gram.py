"""Linear combinations of vectors, and quadratic forms in them as Gram matrices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import sympy as sp

from fedproof.algebra.cancel import cancel, determinant
from fedproof.algebra.expressions import replaced
from fedproof.proof.rules.query import NotApplicable, is_scalar_relation
from fedproof.proof.vectors import Vector, ip, n2

Combination = dict[Vector, sp.Expr]


def is_vector(expr: sp.Basic) -> bool:
    """Whether an expression is a linear combination of vectors, the number 0 left aside."""
    if isinstance(expr, Vector):
        return True
    if isinstance(expr, (sp.Add, sp.Mul)):
        return any(is_vector(a) for a in expr.args)
    return False


def combination(expr: sp.Expr) -> Combination:
    """The coefficients of a linear combination of vectors.

    >>> x, y = Vector("x"), Vector("y")
    >>> combination(2 * (x - y)) == {x: 2, y: -2}
    True
    """
    return dict(_combination(expr))


@cache
def _combination(expr: sp.Expr) -> tuple[tuple[Vector, sp.Expr], ...]:
    if isinstance(expr, Vector):
        return ((expr, sp.Integer(1)),)
    if not is_vector(expr) and expr.doit() == 0:
        return ()
    if isinstance(expr, sp.Add):
        total: dict[Vector, list[sp.Expr]] = {}
        for part in expr.args:
            for v, c in _combination(part):
                total.setdefault(v, []).append(c)
        sums = ((v, cs[0] if len(cs) == 1 else cancel(sp.Add(*cs))) for v, cs in total.items())
        return tuple((v, c) for v, c in sums if c != 0)
    if isinstance(expr, sp.Mul):
        inner = [a for a in expr.args if is_vector(a)]
        if len(inner) == 1:
            others = [a for a in expr.args if a is not inner[0]]
            if not all(is_scalar_relation(a) for a in others):
                raise NotApplicable(f"{expr} must have plain numbers before its vectors")
            factor = sp.Mul(*(a.doit() for a in others))
            return tuple((v, factor * c) for v, c in _combination(inner[0]))
    raise NotApplicable(f"{expr} is not a linear combination of vectors")


def entry(x: Vector, y: Vector) -> sp.Symbol:
    """The symbol of the inner product of two vectors; no symbol of a step has such a name."""
    a, b = sorted((x.name, y.name))
    return sp.Symbol(f"<{a}, {b}>", real=True)


def _product(a: sp.Expr, b: sp.Expr) -> sp.Expr:
    left, right = combination(a), combination(b)
    return sp.Add(*(c * d * entry(x, y) for x, c in left.items() for y, d in right.items()))


def vectors_of(expr: sp.Basic) -> sp.Basic:
    """An expression or relation with every inner product in terms of Gram entries."""
    return replaced(expr, {f: _product(f.args[0], f.args[-1]) for f in expr.atoms(ip, n2)})


def defined(given: Sequence[sp.Basic]) -> tuple[dict[Vector, sp.Expr], list[sp.Basic]]:
    """Equations that give a vector by others, to be substituted, and what remains."""
    meanings: dict[Vector, sp.Expr] = {}
    rest: list[sp.Basic] = []
    for relation in given:
        if isinstance(relation, sp.Eq) and (is_vector(relation.lhs) or is_vector(relation.rhs)):
            left, right = (replaced(side, meanings) for side in relation.args)
            vector, meaning = _solved(left, right, relation)
            if vector is not None:
                meanings = {v: replaced(e, {vector: meaning}) for v, e in meanings.items()} | {
                    vector: meaning
                }
        else:
            rest.append(relation)
    return meanings, [replaced(r, meanings) for r in rest]


def _solved(left: sp.Expr, right: sp.Expr, relation: sp.Basic) -> tuple[Vector | None, sp.Expr]:
    """The vector that an equation gives: a side by itself, else one with a number before it."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Vector) and one not in other.free_symbols:
            return one, other
    rows = combination(left), combination(right)
    gap = {v: cancel(rows[0].get(v, 0) - rows[1].get(v, 0)) for v in sorted({*rows[0], *rows[1]}, key=str)}
    gap = {v: c for v, c in gap.items() if c != 0}
    if not gap:
        return None, sp.Integer(0)
    for v, c in gap.items():
        if c.is_Rational:
            return v, sp.Add(*(-d / c * w for w, d in gap.items() if w != v))
    raise NotApplicable(f"{relation} must give one vector by others: write Eq(x, ...)")


def compact(relations: Sequence[sp.Basic]) -> tuple[list[sp.Basic], dict[Vector, sp.Expr]]:
    """The relations in as few vectors as their inner products speak of, and what those vectors are.

    Points that occur only in differences cost a vector less: any values of the new vectors are taken by some
    values of the old ones, for they are independent combinations of them.
    """
    arguments = sorted(
        {a for r in relations for f in r.atoms(ip, n2) for a in f.args}, key=sp.default_sort_key
    )
    rows = [combination(a) for a in arguments]
    names = sorted({v for row in rows for v in row}, key=lambda v: v.name)
    if any(not c.is_Rational for row in rows for c in row.values()):
        return list(relations), {v: v for v in names}
    matrix = sp.Matrix(len(rows), len(names), lambda i, j: rows[i].get(names[j], 0))
    pivots = matrix.T.rref()[1]
    if len(pivots) == len(names):
        return list(relations), {v: v for v in names}
    basis = matrix.extract(list(pivots), list(range(len(names))))
    # a vector with a name that no vector of a step has, unless it is that vector
    chosen = [arguments[i] for i in pivots]
    fresh = [e if isinstance(e, Vector) else Vector(f"({e})") for e in chosen]
    weights = (basis * basis.T).inv()
    meaning = {
        a: sp.Add(*(c * v for c, v in zip(matrix[i, :] * basis.T * weights, fresh, strict=True)))
        for i, a in enumerate(arguments)
    }
    put = {f: f.func(*(meaning[a] for a in f.args)) for r in relations for f in r.atoms(ip, n2)}
    return [replaced(r, put) for r in relations], dict(zip(fresh, chosen, strict=True))


def in_coordinates(expr: sp.Basic, dimension: int) -> sp.Basic:
    """An expression or relation for vectors of R^dimension, in their coordinates."""

    def coordinate(e: sp.Expr, i: int) -> sp.Expr:
        return sp.Add(*(c * sp.Symbol(f"{v.name}_{i + 1}", real=True) for v, c in combination(e).items()))

    def product(a: sp.Expr, b: sp.Expr) -> sp.Expr:
        return sp.Add(*(coordinate(a, i) * coordinate(b, i) for i in range(dimension)))

    return replaced(expr, {f: product(f.args[0], f.args[-1]) for f in expr.atoms(ip, n2)})


def minors(matrix: sp.Matrix) -> list[sp.Expr]:
    """The principal minors of a symmetric matrix, none negative exactly where it is positive semidefinite."""
    n = matrix.rows
    chosen = [list(rows) for k in range(1, n + 1) for rows in combinations(range(n), k)]
    return [sp.factor(determinant(matrix.extract(rows, rows))) for rows in chosen]
