"""The line cut at every point where a condition can change; the truth of each condition on each piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import flint

from fedproof.algebra.polynomials import Poly, polynomial_in
from fedproof.algebra.quotient import Folded, fold, norm
from fedproof.algebra.regions.clauses import Clause
from fedproof.algebra.roots import Point, compare, isolate, rational_between
from fedproof.algebra.signs import holds
from fedproof.algebra.tree import Tree, names
from fedproof.vocabulary.interval import Interval


@dataclass(frozen=True, slots=True)
class Cells:
    """Pieces of the line: open interval, point, open interval, ..., open interval.

    Arguments:
        points: the cuts, ascending.
        clauses: the conditions.
        truth: for each condition its truth on the 2 len(points) + 1 pieces; None outside the domain.
        inside: whether a piece lies in the domain.
    """

    points: tuple[Point, ...]
    clauses: tuple[Clause, ...]
    truth: tuple[tuple[bool | None, ...], ...]
    inside: tuple[bool, ...]

    @property
    def admissible(self) -> tuple[bool, ...]:
        """Whether all conditions hold, piece by piece."""
        return tuple(inside and all(row[i] for row in self.truth) for i, inside in enumerate(self.inside))

    def failing(self, piece: int) -> tuple[str, ...]:
        """Labels of the conditions that fail on a piece."""
        failing = (c for c, row in zip(self.clauses, self.truth, strict=True) if row[piece] is False)
        return tuple(dict.fromkeys(label for c in failing for label in c.labels))

    def conflict(self) -> tuple[int, ...]:
        """Positions of a smallest set of conditions that nothing in the domain satisfies together."""
        everything = frozenset(i for i, inside in enumerate(self.inside) if inside)
        masks = [frozenset(i for i in everything if not row[i]) for row in self.truth]
        for size in range(len(masks) + 1):
            for chosen in combinations(range(len(masks)), size):
                if everything <= frozenset().union(*(masks[i] for i in chosen)):
                    return chosen
        return ()


def stretches(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """Maximal stretches of pieces with a flag, as (first, last) positions.

    >>> stretches([True, True, False, True])
    [(0, 1), (3, 3)]
    """
    runs: list[tuple[int, int]] = []
    for i, flag in enumerate(flags):
        if flag and runs and runs[-1][1] == i - 1:
            runs[-1] = (runs[-1][0], i)
        elif flag:
            runs.append((i, i))
    return runs


def cut(points: Sequence[Point], piece: int, side: int) -> Point | None:
    """The left (side 0) or right (side 1) end of a piece of the line; None is unbounded."""
    index = piece // 2 if piece % 2 else piece // 2 - 1 + side
    return points[index] if 0 <= index < len(points) else None


def decompose(clauses: Sequence[Clause], name: str, domain: Interval) -> Cells:
    """Cut the domain of one symbol at every root and decide every condition on every piece, exactly.

    Arguments:
        clauses: conditions in which `name` is the only symbol.
        name: the symbol.
        domain: its domain.
    """
    cuts = [p for c in clauses for part in c.parts for p in critical(part.gap, name)]
    points, samples, inside = sampled(cuts, domain)
    truth = tuple(_row(c, name, samples, inside) for c in clauses)
    return Cells(points, tuple(clauses), truth, inside)


def _row(clause: Clause, name: str, samples: list[Point], inside: Iterable[bool]) -> tuple[bool | None, ...]:
    gaps = [(part, part.gap) for part in clause.parts]
    fixed = all(holds(part, {}, gap) for part, gap in gaps if name not in names(gap))
    return tuple(
        fixed and all(holds(part, {name: p}, gap) for part, gap in gaps if name in names(gap))
        if use
        else None
        for p, use in zip(samples, inside, strict=True)
    )


def sampled(
    cuts: Iterable[flint.fmpz_poly], domain: Interval
) -> tuple[tuple[Point, ...], list[Point], tuple[bool, ...]]:
    """The roots and ends inside a domain, a sample for every piece, and whether it lies in the domain."""
    ends = [flint.fmpz_poly([-e.numerator, e.denominator]) for e in (domain.lo, domain.hi) if e is not None]
    points = tuple(p for p in isolate([*cuts, *ends]) if _inside(p, domain, closed=True))
    samples: list[Point] = [rational_between(None, points[0] if points else None)]
    for i, p in enumerate(points):
        samples += [p, rational_between(p, points[i + 1] if i + 1 < len(points) else None)]
    return points, samples, tuple(_inside(p, domain) for p in samples)


def _inside(point: Point, domain: Interval, closed: bool = False) -> bool:
    low = 1 if domain.lo is None else compare(point, domain.lo)
    high = -1 if domain.hi is None else compare(point, domain.hi)
    return (low > 0 or (low == 0 and (closed or not domain.lo_open))) and (
        high < 0 or (high == 0 and (closed or not domain.hi_open))
    )


def critical(gap: Tree, name: str) -> list[flint.fmpz_poly]:
    """Polynomials among whose roots the sign or the definedness of an expression in one symbol changes."""
    if name not in names(gap):
        return []
    folded = fold(gap, [name])
    return [polynomial_in(norm(p, folded), 0) for p in boundary(folded)]


def boundary(folded: Folded) -> list[Poly]:
    """Numerator, divisors and radicands, radicals still inside."""
    polys = [folded.value.top, *(d.value.top for d in folded.duties)]
    polys += [d.value.bottom for d in folded.duties if d.kind == "nonneg"]
    return [p for p in polys if not p.is_constant()]
