"""Whether any admissible values exist at all: exact where one symbol is left, by enclosure beyond that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from fedproof.tuning.algebra.atoms import Atom, clauses_from, learn, put
from fedproof.tuning.algebra.cells import decompose
from fedproof.tuning.algebra.reduce import Problem, reduce_free
from fedproof.tuning.algebra.region import Region
from fedproof.tuning.algebra.roots import Point, enclosure, simplest_between
from fedproof.tuning.algebra.signs import sign_at, verdict
from fedproof.tuning.algebra.slope import Shape
from fedproof.tuning.algebra.tree import names, num
from fedproof.vocabulary.interval import REAL

__all__ = ["at", "exists"]

PRECISIONS = (64, 128, 256, 512)


def at(problem: Problem, name: str, value: Fraction) -> Problem:
    """The problem with a rational value put in for one symbol."""
    free = tuple(n for n in problem.free if n != name)
    return replace(problem, atoms=put(problem.atoms, name, num(value)), free=free)


def exists(problem: Problem) -> bool | None:
    """Whether some values of the free symbols satisfy every atom; None where it could not be decided.

    Arguments:
        problem: without a target: every symbol is free.
    """
    used = frozenset(n for a in problem.atoms for n in names(a.gap))
    problem = replace(problem, free=tuple(n for n in problem.free if n in used))
    if len(problem.free) > 1:
        problem = reduce_free(problem)
    if any(not names(a.gap) and not verdict(a.op, sign_at(a.gap, {})) for a in problem.atoms):
        return False
    if not problem.free:
        return True
    if len(problem.free) == 1:
        (name,) = problem.free
        domain = problem.domains.get(name, REAL)
        return any(decompose(clauses_from(problem.atoms), name, domain).admissible)
    for name in problem.free:
        found = _squeezed(problem, name)
        if found is not None:
            return found
    return None


def _squeezed(problem: Problem, name: str) -> bool | None:
    """Push a symbol to the algebraic end that the atoms about it alone allow, from both sides of it."""
    own = [a for a in problem.atoms if names(a.gap) == {name}]
    mixed = [a for a in problem.atoms if name in names(a.gap) and names(a.gap) != {name}]
    way = _common_way(problem, mixed, name)
    if way is None or not own:
        return None
    domain = problem.domains.get(name, REAL)
    cells = decompose(clauses_from(own), name, domain)
    runs = cells.runs()
    if not runs:
        return False
    last = runs[-1] if way > 0 else runs[0]
    end = cells.cut(last[1], 1) if way > 0 else cells.cut(last[0], 0)
    other = cells.cut(last[0], 0) if way > 0 else cells.cut(last[1], 1)
    if end is None:
        return None
    rest = [a for a in problem.atoms if a not in own]
    for bits in PRECISIONS:
        inner, outer = _sides(end, other, way, bits)
        if exists(at(problem, name, inner)):
            return True
        if exists(at(replace(problem, atoms=tuple(rest)), name, outer)) is False:
            return False
    return None


def _common_way(problem: Problem, mixed: Sequence[Atom], name: str) -> int | None:
    """The direction in which every mixed atom gains."""
    facts = tuple(k.fact for k in learn(problem.atoms, problem.symbols, problem.domains))
    shape = Shape(Region(problem.symbols, problem.domains, facts))
    slopes = [shape.slope(a.gap, name) if shape.defined(a.gap) else None for a in mixed]
    if not slopes or any(s is None for s in slopes):
        return None
    known = [s for s in slopes if s]
    if not known or any((s > 0) != (known[0] > 0) for s in known):
        return None
    return 1 if known[0] > 0 else -1


def _sides(end: Point, other: Point | None, way: int, bits: int) -> tuple[Fraction, Fraction]:
    """Short rationals just inside and just outside an end."""
    low, high = enclosure(end, bits)
    size = max(abs(low), Fraction(1, 2**bits)) / 2 ** (bits - 8)
    below, above = simplest_between(low - size, low), simplest_between(high, high + size)
    if isinstance(end, Fraction):
        below = above = end
    inner, outer = (below, above) if way > 0 else (above, below)
    if other is not None and not isinstance(end, Fraction):
        near = enclosure(other, bits)
        inner = max(inner, near[1]) if way > 0 else min(inner, near[0])
    return inner, outer
