"""Free symbols removed by scaling: conditions that do not see a common change of units."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fedproof.algebra.polynomials import Poly
from fedproof.algebra.problem import Problem
from fedproof.algebra.quotient import fold
from fedproof.vocabulary.interval import REAL

Row = list[Fraction]


def scale_vectors(problem: Problem) -> list[dict[str, Fraction]]:
    """A basis of the exponents w such that x_i -> t^w_i x_i, t > 0, changes no condition and no domain.

    >>> from fedproof.algebra.atoms import Atom
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
    basis = _nullspace([[Fraction(r.get(j, 0)) for j in range(width)] for r in rows], width)
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


def _nullspace(rows: Sequence[Row], width: int) -> list[Row]:
    reduced: list[tuple[int, Row]] = []
    for row in rows:
        current = list(row)
        for pivot, other in reduced:
            if current[pivot]:
                factor = current[pivot]
                current = [c - factor * o for c, o in zip(current, other, strict=True)]
        lead = next((j for j, c in enumerate(current) if c), None)
        if lead is None:
            continue
        current = [c / current[lead] for c in current]
        reduced = [
            (p, [o - other[lead] * c for o, c in zip(other, current, strict=True)]) for p, other in reduced
        ]
        reduced.append((lead, current))
    pivots = {p for p, _ in reduced}
    basis: list[Row] = []
    for free in (j for j in range(width) if j not in pivots):
        vector = [Fraction(int(j == free)) for j in range(width)]
        for pivot, row in reduced:
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis
