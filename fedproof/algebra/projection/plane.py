"""Two symbols, one of them under "there exists": the exact projection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from fedproof.algebra.elimination.problem import Cuts
from fedproof.algebra.polynomials import Poly, polynomial_in
from fedproof.algebra.projection.cells import Cells, boundary, cut, decompose, sampled, stretches
from fedproof.algebra.projection.projection_polynomials import boundaries, projected, resultant, slim
from fedproof.algebra.quotient import fold, norm
from fedproof.algebra.regions.atoms import atoms_of, deduce_signs
from fedproof.algebra.regions.clauses import Clause, substitute_values
from fedproof.algebra.regions.monotonicity import Shape
from fedproof.algebra.regions.region import STRICT
from fedproof.algebra.roots import Point, Root, compare, rational_between
from fedproof.algebra.signs import holds
from fedproof.algebra.tree import Comparison, Sym, add, names, negative, num
from fedproof.vocabulary.interval import Interval


@dataclass(frozen=True, slots=True)
class Column:
    """One piece of the target's line with what is known about the free symbol above it.

    Arguments:
        holds: whether some value of the free symbol is admissible; None where it was not decided.
        conflict: labels of a smallest conflicting set where there is none.
        cells: the column at a rational sample, where one was cut.
    """

    holds: bool | None
    conflict: tuple[str, ...] = ()
    cells: Cells | None = None


@dataclass(frozen=True, slots=True)
class Plane:
    """The target's line cut where the column above it can change.

    Arguments:
        points: the cuts, ascending.
        columns: open interval, point, open interval, ..., as in `Cells`.
        inside: whether a piece lies in the target's domain.
    """

    points: tuple[Point, ...]
    columns: tuple[Column, ...]
    inside: tuple[bool, ...]


def project(
    clauses: Sequence[Clause],
    target: str,
    free: str,
    domains: tuple[Interval, Interval],
    cuts: Cuts = "all",
) -> Plane:
    """The values of `target` for which some value of `free` satisfies every clause.

    Arguments:
        clauses: conditions in these two symbols.
        target, free: their names.
        domains: of target and of free.
        cuts: which irrational ones are decided.

    Method: between neighbouring roots of the contents, leading coefficients, discriminants and pairwise
    resultants of all boundary polynomials the column of cells does not change: one rational sample decides.
    """
    robust = _robust(clauses, (target, free), domains)
    both, alone = boundaries(clauses, target, free)
    points, samples, inside = sampled(alone + projected(both, domains[1]), domains[0])
    columns = [
        _column(clauses, target, free, domains[1], p) if use and isinstance(p, Fraction) else Column(False)
        for p, use in zip(samples, inside, strict=True)
    ]
    left = cuts == "none" or (cuts == "alone" and any(column.holds for column in columns))
    for i, p in enumerate(samples):
        if isinstance(p, Root) and inside[i]:
            if left:
                columns[i] = Column(None)
                continue
            around = columns[i - 1 : i + 2 : 2]
            columns[i] = _irrational(clauses, robust, (target, free), domains[1], p, around)
    return Plane(points, tuple(columns), inside)


def _column(clauses: Sequence[Clause], target: str, free: str, domain: Interval, at: Fraction) -> Column:
    cells = decompose(substitute_values(clauses, {target: at}), free, domain)
    if any(cells.admissible):
        return Column(True, (), cells)
    labels = (label for i in cells.conflict() for label in cells.clauses[i].labels)
    return Column(False, tuple(dict.fromkeys(labels)), cells)


def _irrational(
    clauses: Sequence[Clause],
    robust: Sequence[Sequence[bool]],
    symbols: tuple[str, str],
    domain: Interval,
    at: Root,
    around: Sequence[Column],
) -> Column:
    """Whether some value of the free symbol is admissible exactly above an irrational cut."""
    target, free = symbols
    for y in _witnesses(around):
        if all(holds(p, {target: at}) for c in substitute_values(clauses, {free: y}) for p in c.parts):
            return Column(True)
    sides = [c.cells for c in around if c.cells is not None]
    if any(not _hold_robustly(cells, firm) for cells in sides for firm in robust):
        return Column(False, next((c.conflict for c in around if c.conflict), ()))
    return _column_above(clauses, symbols, domain, at)


def _witnesses(around: Iterable[Column]) -> Iterable[Fraction]:
    for column in around:
        cells = column.cells
        if cells is None:
            continue
        for first, last in stretches(cells.admissible):
            lo, hi = cut(cells.points, first, 0), cut(cells.points, last, 1)
            if lo is None or hi is None or compare(lo, hi) != 0:
                yield rational_between(lo, hi)
            elif isinstance(lo, Fraction):
                yield lo


def _robust(
    clauses: Sequence[Clause], symbols: tuple[str, str], domains: tuple[Interval, Interval]
) -> tuple[tuple[bool, ...], ...]:
    """Sets of clauses that may be taken as strict, with radicands positive wherever all clauses hold.

    Where such clauses hold, they hold in a neighbourhood: the set they describe is open. Non-strict ones
    count together if one small move of the free symbol makes all of them strict at once.
    """
    space = dict(zip(symbols, domains, strict=True))
    shape, _ = deduce_signs(atoms_of(clauses), symbols, space)
    return tuple(
        tuple(all(_may_be_strict(p, shape, symbols[1], way, domains[1]) for p in c.parts) for c in clauses)
        for way in (1, -1)
    )


def _may_be_strict(part: Comparison, shape: Shape, free: str, way: int, domain: Interval) -> bool:
    if not shape.firm(part.gap):
        return False
    if part.op in ("<", "!="):
        return True
    slope = shape.slope(part.gap, free) if part.op == "<=" and free in names(part.gap) else None
    if slope is None or slope * way != STRICT:
        return False
    end = domain.hi if way > 0 else domain.lo
    if end is None or (domain.hi_open if way > 0 else domain.lo_open):
        return True
    gap = add(num(end), negative(Sym(free)))
    return shape.sign(gap if way > 0 else negative(gap)) == STRICT


def _hold_robustly(cells: Cells, robust: Sequence[bool]) -> bool:
    """Whether the robust clauses by themselves hold somewhere in a column.

    Where they do not, next to a cut, they do not at the cut either: their projection is open.
    """
    rows = [row for row, firm in zip(cells.truth, robust, strict=True) if firm]
    return any(inside and all(row[i] for row in rows) for i, inside in enumerate(cells.inside))


def _column_above(clauses: Sequence[Clause], symbols: tuple[str, str], domain: Interval, at: Root) -> Column:
    """Cut the column above an irrational point at conjugate-free polynomials and decide every piece."""
    target, free = symbols
    cuts: list[flint.fmpz_poly] = []
    work = 0
    for clause in clauses:
        for part in clause.parts:
            if free not in names(part.gap):
                continue
            folded = fold(part.gap, [target, free])
            for poly in boundary(folded):
                thin = slim(norm(poly, folded))
                work = max(work, at.poly.degree() * thin.degrees()[1])
                if work > LIMIT:
                    return Column(None)
                cuts.append(_over(thin, at))
    _, samples, inside = sampled(cuts, domain)
    found = any(
        all(holds(p, {target: at, free: y}) for c in clauses for p in c.parts)
        for y, use in zip(samples, inside, strict=True)
        if use
    )
    return Column(found)


LIMIT = 400


def _over(poly: Poly, at: Root) -> flint.fmpz_poly:
    """A polynomial in the free symbol that vanishes where `poly` does above a root."""
    ctx = poly.context()
    turned = ctx.from_dict({(m[1], m[0]): c for m, c in poly.to_dict().items()})
    least = ctx.from_dict({(0, i): int(c) for i, c in enumerate(at.poly.coeffs()) if c})
    if not turned.degrees()[1]:
        return polynomial_in(turned, 0)
    result = resultant(turned, least)
    if result.is_zero():  # poly is a multiple of the minimal polynomial: divide it out
        factor = ctx.from_dict({(i, 0): int(c) for i, c in enumerate(at.poly.coeffs()) if c})
        return _over(poly / factor, at)
    return result
