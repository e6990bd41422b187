"""Free symbols removed by scaling: conditions that do not see a common change of units."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint

from fedproof.algebra.elimination.problem import Problem
from fedproof.algebra.polynomials import Poly
from fedproof.algebra.quotient import fold
from fedproof.vocabulary.interval import REAL


def scale_vectors(problem: Problem) -> list[dict[str, Fraction]]:
    """A basis of the exponents w such that x_i -> t^w_i x_i, t > 0, changes no condition and no domain.

    >>> from fedproof.algebra.regions.atoms import Atom
    >>> from fedproof.algebra.tree import Sym, add, negative
    >>> from fedproof.vocabulary.interval import POSITIVE
    >>> gap = add(Sym("x"), negative(Sym("y")))
    >>> space = {"x": POSITIVE, "y": POSITIVE}
    >>> [sorted(v) for v in scale_vectors(Problem((Atom((), "<", gap),), ("y",), ("x", "y"), space))]
    [['x', 'y']]
    """
    count = len(problem.symbols)
    rows: list[dict[int, int]] = []
    width = count
    for atom in problem.atoms:
        folded = fold(atom.gap, problem.symbols)
        ratios = [folded.value, *(d.value for d in folded.duties)]
        polys = [p for r in (*ratios, *(r.value for r in folded.radicands)) for p in (r.top, r.bottom)]
        for poly in polys:
            rows += _equal_weights(poly, count, width)
        for i, r in enumerate(folded.radicands):
            top, bottom = (_exponents(p, count, width) for p in (r.value.top, r.value.bottom))
            rows.append(_add({width + i: r.index}, _add(bottom, top, -1), 1))
        width += len(folded.radicands)
    for i, name in enumerate(problem.symbols):
        domain = problem.domains.get(name, REAL)
        if domain.hi is not None or (domain.lo is not None and domain.lo != 0):
            rows.append({i: 1})
    basis = _nullspace([[r.get(j, 0) for j in range(width)] for r in rows], width)
    found = [{n: v[i] for i, n in enumerate(problem.symbols) if v[i]} for v in basis]
    return [f for f in found if f]


def _exponents(poly: Poly, count: int, width: int, monom: tuple[int, ...] | None = None) -> dict[int, int]:
    """Exponents of one monomial; radicals of the atom at hand start at `width`."""
    first = poly.monoms()[0] if monom is None else monom
    return {(i if i < count else width + i - count): int(e) for i, e in enumerate(first[:-1]) if e}


def _equal_weights(poly: Poly, count: int, width: int) -> list[dict[int, int]]:
    if poly.is_zero():
        return []
    first = _exponents(poly, count, width)
    return [_add(_exponents(poly, count, width, m), first, -1) for m in poly.monoms()[1:]]


def _add(a: dict[int, int], b: dict[int, int], factor: int) -> dict[int, int]:
    return {k: a.get(k, 0) + factor * b.get(k, 0) for k in {*a, *b}}


def _nullspace(rows: Sequence[Sequence[int]], width: int) -> list[list[Fraction]]:
    """One vector for each column without a pivot."""
    echelon, rank = flint.fmpq_mat(len(rows), width, [c for row in rows for c in row]).rref()
    table = [[Fraction(int(c.p), int(c.q)) for c in row] for row in echelon.table()[:rank]]
    pivots = [next(j for j, c in enumerate(row) if c) for row in table]
    basis = []
    for free in sorted({*range(width)} - {*pivots}):
        vector = [Fraction(int(j == free)) for j in range(width)]
        for pivot, row in zip(pivots, table, strict=True):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis
