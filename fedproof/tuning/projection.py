"""The range of one symbol when others are left out: elimination, scaling, projection, enclosure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from fedproof.tuning.algebra.atoms import atoms_of, clauses_from, learn, put
from fedproof.tuning.algebra.cells import decompose
from fedproof.tuning.algebra.clauses import Clause
from fedproof.tuning.algebra.outline import effort
from fedproof.tuning.algebra.plane import Column, Plane, project, sampled
from fedproof.tuning.algebra.reduce import Problem, reduce_free
from fedproof.tuning.algebra.region import STRICT, Region
from fedproof.tuning.algebra.roots import Point, Root, compare, float_near, rational_between
from fedproof.tuning.algebra.scaling import scale_vectors
from fedproof.tuning.algebra.signs import sign_at, verdict
from fedproof.tuning.algebra.slope import Shape
from fedproof.tuning.algebra.space import shadow
from fedproof.tuning.algebra.tree import Sym, num
from fedproof.tuning.enclosure import enclosed
from fedproof.tuning.existence import at, exists
from fedproof.tuning.range_result import Range, Stretch, from_cells
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import REAL, Interval

__all__ = ["range_with_free"]

EFFORT = 10**8
PIECES = 60


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
        if effort(clauses, target, name) > EFFORT:
            return _noted(enclosed(problem, target) or _refuse(problem, target), problem)
        plane = project(clauses, target, name, (domain, problem.domains.get(name, REAL)))
        return _noted(from_plane(plane, target), problem)
    found = enclosed(problem, target) or _in_space(problem, target)
    if found is not None:
        return _noted(found, problem)
    return _refuse(problem, target)


def _refuse(problem: Problem, target: str) -> Range:
    names = problem.free
    raise InputError(
        f"range of {target}",
        f"{', '.join(names)} left out" + (" together" if len(names) > 1 else ""),
        "fewer symbols left out, or numbers with fewer digits",
        f"add a value for {' or '.join(names)}",
    )


def _in_space(problem: Problem, target: str) -> Range | None:
    """Several free symbols, small polynomials: one rational sample in each piece of the target's line."""
    domains = {n: problem.domains.get(n, REAL) for n in problem.symbols}
    cuts = shadow(problem.atoms, target, problem.free, domains)
    if cuts is None:
        return None
    points, samples, inside = sampled(cuts, domains[target])
    if len(points) > PIECES:
        return None
    columns: list[Column] = []
    for p, use in zip(samples, inside, strict=True):
        if not use or isinstance(p, Root):
            columns.append(Column(False if not use else None))
            continue
        answer = _any(at(problem, target, p))
        if answer is None:
            return None
        columns.append(Column(answer))
    for i, p in enumerate(samples):
        if isinstance(p, Root) and inside[i] and columns[i - 1].holds and columns[i + 1].holds:
            columns[i] = _witnessed(problem, target, p, samples[i - 1], samples[i + 1])
    return from_plane(Plane(points, tuple(columns), inside), target)


def _any(problem: Problem) -> bool | None:
    """Whether any values of the free symbols exist, by recursion on one of them."""
    found = exists(problem)
    if found is not None:
        return found
    try:
        return not _along(problem, problem.free[0]).empty
    except InputError:
        return None


def _along(problem: Problem, name: str) -> Range:
    """The range of one of the free symbols."""
    return _solve(replace(problem, free=tuple(n for n in problem.free if n != name)), name)


def _witnessed(problem: Problem, target: str, cut: Root, *near: Point) -> Column:
    """At an irrational cut between two admissible pieces: values that work next to it, tried on it."""
    for p in near:
        assert isinstance(p, Fraction)
        values = _witness(at(problem, target, p))
        if values is not None and all(
            verdict(a.op, sign_at(a.gap, {target: cut, **values})) for a in problem.atoms
        ):
            return Column(True)
    return Column(None)


def _witness(problem: Problem) -> dict[str, Point] | None:
    """Rational values of all free symbols, one fixed after the other."""
    values: dict[str, Point] = {}
    while problem.free:
        name = problem.free[0]
        try:
            found = _along(problem, name)
        except InputError:
            return None
        if found.empty:
            return None
        stretch = found.stretches[-1]
        if stretch.lo is not None and stretch.hi is not None and compare(stretch.lo, stretch.hi) == 0:
            if not isinstance(stretch.lo, Fraction):
                return None
            value = stretch.lo
        else:
            value = rational_between(stretch.lo, stretch.hi)
        values[name] = value
        problem = at(problem, name, value)
    return values


def _noted(found: Range, problem: Problem) -> Range:
    return replace(found, notes=(*found.notes, *problem.steps))


def _scaled(problem: Problem, target: str) -> Range | None:
    """Use a change of units: fix a free symbol at 1, or find all positive targets alike."""
    vectors = scale_vectors(problem)
    facts = tuple(k.fact for k in learn(problem.atoms, problem.symbols, problem.domains)) if vectors else ()
    shape = Shape(Region(problem.symbols, problem.domains, facts))
    positive = {n for n in problem.free if shape.sign(Sym(n)) == STRICT}
    moving = [v for v in vectors if target in v]
    for v in moving[1:]:  # combine so that the target stays put
        vectors.append(_cancel(v, moving[0], target))
    for vector in vectors:
        name = next((n for n in problem.free if vector.get(n) and n in positive), None)
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
    unsure = [plane.points[i // 2] for i, c in enumerate(plane.columns) if c.holds is None]
    method = "certified" if unsure else "exact"
    notes = tuple(f"not decided whether {target} = {float_near(p):.12g} itself is admissible" for p in unsure)
    if stretches:
        return Range(target, tuple(stretches), method=method, notes=notes)
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
