"""The range of one symbol when others are left out: elimination, scaling, projection, enclosure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from fedproof.tuning.algebra.atoms import atoms_of, clauses_from, put
from fedproof.tuning.algebra.cells import decompose
from fedproof.tuning.algebra.clauses import Clause
from fedproof.tuning.algebra.plane import Column, Plane, project
from fedproof.tuning.algebra.reduce import Problem, reduce_free
from fedproof.tuning.algebra.roots import Point
from fedproof.tuning.algebra.scaling import scale_vectors
from fedproof.tuning.algebra.tree import num
from fedproof.tuning.enclosure import enclosed
from fedproof.tuning.range_result import Range, Stretch, from_cells
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import POSITIVE, REAL, Interval

__all__ = ["range_with_free"]


def range_with_free(
    clauses: Sequence[Clause], target: str, free: Sequence[str], domains: Mapping[str, Interval]
) -> Range:
    """The values of `target` for which some values of the free symbols satisfy every clause.

    Raises: InputError naming symbols to supply where nothing could be proved.
    """
    problem = Problem(atoms_of(clauses), tuple(free), (target, *free), domains)
    return replace(_solve(problem, target), free=tuple(free))


def _solve(problem: Problem, target: str) -> Range:
    problem = reduce_free(problem)
    clauses = clauses_from(problem.atoms)
    domain = problem.domains.get(target, REAL)
    if not problem.free:
        return _noted(from_cells(decompose(clauses, target, domain), target, domain), problem)
    scaled = _scaled(problem, target)
    if scaled is not None:
        return scaled
    if len(problem.free) == 1:
        (name,) = problem.free
        plane = project(clauses, target, name, (domain, problem.domains.get(name, REAL)))
        return _noted(from_plane(plane, target), problem)
    found = enclosed(problem, target)
    if found is not None:
        return _noted(found, problem)
    raise InputError(
        f"range of {target}",
        f"{', '.join(problem.free)} left out together",
        "fewer symbols left out",
        f"add a value for {' or '.join(problem.free)}",
    )


def _noted(found: Range, problem: Problem) -> Range:
    return replace(found, notes=(*found.notes, *problem.steps))


def _scaled(problem: Problem, target: str) -> Range | None:
    """Use a change of units: fix a free symbol at 1, or find all positive targets alike."""
    vectors = scale_vectors(problem)
    moving = [v for v in vectors if target in v]
    for v in moving[1:]:  # combine so that the target stays put
        vectors.append(_cancel(v, moving[0], target))
    for vector in vectors:
        name = next((n for n in problem.free if vector.get(n) and problem.domains.get(n) == POSITIVE), None)
        if name is not None and not vector.get(target):
            atoms = put(problem.atoms, name, num(1))
            free = tuple(n for n in problem.free if n != name)
            words = f"{name} = 1 by scaling {', '.join(sorted(n for n, w in vector.items() if w))}"
            return _solve(replace(problem, atoms=atoms, free=free, steps=(*problem.steps, words)), target)
    return None


def _cancel(v: dict[str, Fraction], w: dict[str, Fraction], target: str) -> dict[str, Fraction]:
    """The combination of two exponent vectors that leaves the target alone."""
    factor = v[target] / w[target]
    return {n: v.get(n, Fraction(0)) - factor * w.get(n, Fraction(0)) for n in {*v, *w}}


def from_plane(plane: Plane, target: str) -> Range:
    """Read the answer off the columns."""
    flags = [bool(c.holds) and inside for c, inside in zip(plane.columns, plane.inside, strict=True)]
    stretches: list[Stretch] = []
    start: int | None = None
    for i, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = i
        elif not flag and start is not None:
            stretches.append(_stretch(plane, start, i - 1, target))
            start = None
    open_question = any(c.holds is None for c in plane.columns)
    method = "certified" if open_question else "exact"
    if stretches:
        return Range(target, tuple(stretches), method=method)
    labels = tuple(dict.fromkeys(x for c in plane.columns for x in c.conflict))
    return Range(target, (), method=method, conflict=labels, why=f"{' and '.join(labels)} exclude each other")


def _stretch(plane: Plane, first: int, last: int, target: str) -> Stretch:
    lo, hi = _cut(plane, first, 0), _cut(plane, last, 1)
    binding = (_binding(plane, first - 1, target, -1), _binding(plane, last + 1, target, 1))
    return Stretch(lo, hi, first % 2 == 0, last % 2 == 0, binding)


def _cut(plane: Plane, piece: int, side: int) -> Point | None:
    if piece % 2:
        return plane.points[piece // 2]
    index = piece // 2 - 1 + side
    return plane.points[index] if 0 <= index < len(plane.points) else None


def _binding(plane: Plane, beyond: int, target: str, step: int) -> tuple[str, ...]:
    if not 0 <= beyond < len(plane.columns):
        return ()
    if not plane.inside[beyond]:
        return (f"domain of {target}",)
    column: Column = plane.columns[beyond]
    if not column.conflict and 0 <= beyond + step < len(plane.columns):
        column = plane.columns[beyond + step]
    return column.conflict
