"""Whether any admissible values exist at all: exact where one symbol is left, by enclosure beyond that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from fedproof.algebra.elimination.problem import Problem
from fedproof.algebra.elimination.reduce import reduce_free
from fedproof.algebra.projection.cells import cut, decompose, stretches
from fedproof.algebra.regions.atoms import Atom, clauses_from, deduce_signs, substitute_in_atoms
from fedproof.algebra.regions.monotonicity import Shape
from fedproof.algebra.roots import Point, compare, enclosure, rational_between, simplest_between
from fedproof.algebra.signs import sign_at, verdict
from fedproof.algebra.tree import names, num
from fedproof.vocabulary.interval import REAL

PRECISIONS = (64, 128, 256, 512)


def at(problem: Problem, name: str, value: Fraction) -> Problem:
    """The problem with a rational value put in for one symbol."""
    free = tuple(n for n in problem.free if n != name)
    return replace(problem, atoms=substitute_in_atoms(problem.atoms, name, num(value)), free=free)


@dataclass(frozen=True, slots=True)
class Squeeze:
    """A free symbol that every atom it shares with others wants in the same direction."""

    name: str
    way: int


def exists(problem: Problem, hint: Squeeze | None = None) -> bool | None:
    """Whether some values of the free symbols satisfy every atom; None where it could not be decided.

    Arguments:
        problem: without a target: every symbol is free.
        hint: a squeeze known to be valid, which saves looking for one.
    """
    used = frozenset(n for a in problem.atoms for n in names(a.gap))
    problem = replace(problem, free=tuple(n for n in problem.free if n in used))
    if len(problem.free) > 1 and hint is None:
        problem = reduce_free(problem)
    if any(not names(a.gap) and not verdict(a.op, sign_at(a.gap, {})) for a in problem.atoms):
        return False
    if not problem.free:
        return True
    if len(problem.free) == 1:
        (name,) = problem.free
        domain = problem.domains.get(name, REAL)
        return any(decompose(clauses_from(problem.atoms), name, domain).admissible)
    for squeeze in (hint,) if hint is not None else squeezes(problem):
        found = _squeezed(problem, squeeze)
        if found is not None:
            return found
    return None


def squeezes(problem: Problem) -> Iterator[Squeeze]:
    """The free symbols that can be pushed to the end of what the atoms about them alone allow."""
    free = set(problem.free)
    for name in problem.free:
        mixed = [a for a in problem.atoms if len(names(a.gap) & free) > 1]
        others = [a for a in problem.atoms if names(a.gap) & free != {name}]
        shape, _ = deduce_signs(others, problem.symbols, problem.domains)
        way = _common_way([a for a in mixed if name in names(a.gap)], name, shape)
        if way is not None:
            yield Squeeze(name, way)


def _common_way(mixed: Sequence[Atom], name: str, shape: Shape) -> int | None:
    """The direction in which every mixed atom gains."""
    ways: set[int] = set()
    for atom in mixed:
        slope = shape.slope(atom.gap, name) if shape.defined(atom.gap) else None
        if slope is None or atom.op not in ("<", "<="):
            return None
        ways |= {1 if slope > 0 else -1} if slope else set()
    return ways.pop() if len(ways) == 1 else None


def _squeezed(problem: Problem, squeeze: Squeeze) -> bool | None:
    """Push a symbol to the algebraic end that the atoms about it alone allow, from both sides of it."""
    name, way = squeeze.name, squeeze.way
    own = [a for a in problem.atoms if names(a.gap) == {name}]
    domain = problem.domains.get(name, REAL)
    cells = decompose(clauses_from(own), name, domain)
    runs = stretches(cells.admissible)
    if not runs:
        return False
    last = runs[-1] if way > 0 else runs[0]
    ends = [cut(cells.points, piece, side) for side, piece in enumerate(last)]
    other, end = ends[::way]
    if end is None:
        return None
    attained = (last[1] if way > 0 else last[0]) % 2 == 1
    relaxed = replace(problem, atoms=tuple(a for a in problem.atoms if a not in own))
    for bits in PRECISIONS:
        inner, outer = _sides(end, other, way, bits)
        inner = end if attained and isinstance(end, Fraction) else inner
        if inner is not None and exists(at(problem, name, inner)):
            return True
        if outer in domain and exists(at(relaxed, name, outer)) is False:
            return False  # everything gains up to the end, but only inside the domain
    return None


def _sides(end: Point, other: Point | None, way: int, bits: int) -> tuple[Fraction | None, Fraction]:
    """Short rationals just inside an end (but beyond the other end) and just outside, or on it."""
    low, high = enclosure(end, bits)
    size = max(abs(low), Fraction(1, 2**bits)) / 2 ** (bits - 8)
    below, above = simplest_between(low - size, low), simplest_between(high, high + size)
    inner, outer = (below, above) if way > 0 else (above, below)
    outer = end if isinstance(end, Fraction) else outer
    if other is None or compare(inner, other) * way > 0:
        return inner, outer
    if compare(other, end) == 0:
        return None, outer
    return rational_between(other, end) if way > 0 else rational_between(end, other), outer
