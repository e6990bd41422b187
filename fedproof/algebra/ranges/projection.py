"""The range of one symbol when others are left out: elimination, scaling, projection, enclosure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain

import flint

from fedproof.algebra.elimination.problem import Cuts, Problem, connected_components, least_part
from fedproof.algebra.elimination.reduce import reduce_free
from fedproof.algebra.elimination.scaling import scale_vectors
from fedproof.algebra.projection.cells import decompose, sampled
from fedproof.algebra.projection.iterated_projection import project_to_line
from fedproof.algebra.projection.plane import Column, Plane, project
from fedproof.algebra.projection.projection_polynomials import effort
from fedproof.algebra.projection.witness import witness
from fedproof.algebra.ranges.existence import at, exists
from fedproof.algebra.ranges.monotone_range import enclosed
from fedproof.algebra.ranges.result import Range, excluded, from_cells, from_plane, refuse
from fedproof.algebra.regions.atoms import atoms_of, clauses_from, deduce_signs, substitute_in_atoms
from fedproof.algebra.regions.clauses import Clause
from fedproof.algebra.regions.region import STRICT
from fedproof.algebra.roots import Point, Root, compare, rational_between
from fedproof.algebra.signs import sign_at, verdict
from fedproof.algebra.tree import Sym, num
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import REAL, Interval

EFFORT = 10**8
#: pieces of the target's line in each of which a question is asked, and where a sketch is enough
PIECES, FEW_PIECES = 60, 12


def range_with_free(
    clauses: Sequence[Clause],
    target: str,
    free: Sequence[str],
    domains: Mapping[str, Interval],
    cuts: Cuts = "all",
) -> Range:
    """The values of `target` for which some values of the free symbols satisfy every clause.

    Unless all `cuts` are asked for, irrational ends may be left open, and what binds is not said.

    Raises: InputError naming symbols to supply where nothing could be proved.
    """
    problem = Problem(atoms_of(clauses), tuple(free), (target, *free), domains, cuts=cuts)
    return replace(_solve(problem, target), free=tuple(free))


def _solve(problem: Problem, target: str) -> Range:
    problem = reduce_free(problem)
    for part, rest in connected_components(problem, target):
        found = _any(part)
        if found is False:
            labels = tuple(dict.fromkeys(label for a in part.atoms for label in a.labels))
            return _noted(Range(target, (), conflict=labels, why=excluded(labels, part.free)), problem)
        if found:
            return _solve(rest, target)
    domain = problem.domains.get(target, REAL)
    if not problem.free:
        cells = decompose(clauses_from(problem.atoms), target, domain)
        return _noted(from_cells(cells, target, domain), problem)
    return _scaled(problem, target) or _noted(_projected(problem, target), problem)


def _projected(problem: Problem, target: str) -> Range:
    """With one free symbol the plane; with several an enclosure or one sample for each piece of the line."""
    if len(problem.free) == 1:
        (name,) = problem.free
        clauses = clauses_from(problem.atoms)
        if effort(clauses, target, name) <= EFFORT:
            domains = problem.domains.get(target, REAL), problem.domains.get(name, REAL)
            plane = project(clauses, target, name, domains, problem.cuts)
            return from_plane(plane, target, problem.free)
    found = None
    if any(target in v for v in scale_vectors(problem)):  # all positive values are alike, and all negative
        found = _sampled(problem, target, [flint.fmpz_poly([0, 1])])
    found = found or enclosed(problem, target)
    if found is None and len(problem.free) > 1:
        domains_of = {n: problem.domains.get(n, REAL) for n in problem.symbols}
        cuts = project_to_line(problem.atoms, target, problem.free, domains_of)
        found = None if cuts is None else _sampled(problem, target, cuts)
    return found or refuse(problem.free, target)


def _sampled(problem: Problem, target: str, cuts: Iterable[flint.fmpz_poly]) -> Range | None:
    """Between these cuts the answer does not change: one rational sample in each piece of the line."""
    points, samples, inside = sampled(cuts, problem.domains.get(target, REAL))
    if len(points) > (FEW_PIECES if problem.cuts == "none" else PIECES):
        return None
    truth: list[bool | None] = []
    for p, use in zip(samples, inside, strict=True):
        known = not use or isinstance(p, Root)
        truth.append((None if use else False) if known else _any(at(problem, target, _rational(p))))
        if not known and truth[-1] is None:
            return None
    if problem.cuts != "all" and (any(truth) or problem.cuts == "none"):
        columns = [Column(holds) for holds in truth]
    else:
        columns = [_column(problem, target, i, samples, inside, truth) for i in range(len(samples))]
    return from_plane(Plane(points, tuple(columns), inside), target, problem.free)


def _column(
    problem: Problem,
    target: str,
    i: int,
    samples: Sequence[Point],
    inside: Sequence[bool],
    truth: Sequence[bool | None],
) -> Column:
    """One piece: an irrational cut by witnesses; what binds where nothing is admissible beyond an end."""
    here, point = truth[i], samples[i]
    near = [k for k in (i - 1, i + 1) if 0 <= k < len(samples)]
    if here is None and isinstance(point, Root) and all(truth[k] for k in near):
        return _witnessed(problem, target, point, [samples[k] for k in near])
    if here is False and inside[i] and any(truth[k] for k in near):
        return Column(False, _conflict(at(problem, target, _rational(point))))
    return Column(here)


def _rational(point: Point) -> Fraction:
    assert isinstance(point, Fraction)
    return point


def _conflict(problem: Problem) -> tuple[str, ...]:
    """Labels of a part of the atoms that already excludes everything, found by leaving atoms out."""
    binding = least_part(problem.atoms, lambda part: _any(replace(problem, atoms=tuple(part))) is False)
    return tuple(dict.fromkeys(label for a in binding for label in a.labels))


def _any(problem: Problem) -> bool | None:
    """Whether any values of the free symbols exist, by a witness or by recursion on one of them."""
    if witness(problem.atoms, problem.free, problem.domains) is not None:
        return True
    found = exists(problem)
    if found is not None:
        return found
    try:
        return not _along(problem, problem.free[0]).empty
    except InputError:
        return None


def _along(problem: Problem, name: str) -> Range:
    """The range of one of the free symbols."""
    return _solve(replace(problem, free=tuple(n for n in problem.free if n != name), cuts="alone"), name)


def _witnessed(problem: Problem, target: str, cut: Root, near: Sequence[Point]) -> Column:
    """At an irrational cut between two admissible pieces: values that work next to it, tried on it."""
    beside = [at(problem, target, _rational(p)) for p in near]
    found = chain((witness(b.atoms, b.free, b.domains) for b in beside), map(_values, beside))
    holds = any(
        values is not None
        and all(verdict(a.op, sign_at(a.gap, {target: cut, **values})) for a in problem.atoms)
        for values in found
    )
    return Column(True if holds else None)


def _values(problem: Problem) -> dict[str, Point] | None:
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


def _noted(answer: Range, problem: Problem) -> Range:
    return replace(answer, notes=(*answer.notes, *problem.steps))


def _scaled(problem: Problem, target: str) -> Range | None:
    """Use a change of units: fix a free symbol at 1."""
    vectors = scale_vectors(problem)
    if not vectors:
        return None
    shape, _ = deduce_signs(problem.atoms, problem.symbols, problem.domains)
    positive = {n for n in problem.free if shape.sign(Sym(n)) == STRICT}
    moving = [v for v in vectors if target in v]
    for v in moving[1:]:  # combine so that the target stays put
        first, factor = moving[0], v[target] / moving[0][target]
        vectors.append({n: v.get(n, Fraction(0)) - factor * first.get(n, Fraction(0)) for n in {*v, *first}})
    for vector in vectors:
        name = next((n for n in problem.free if vector.get(n) and n in positive), None)
        if name is not None and not vector.get(target):
            atoms = substitute_in_atoms(problem.atoms, name, num(1))
            free = tuple(n for n in problem.free if n != name)
            words = f"{name} = 1 by scaling {', '.join(sorted(n for n, w in vector.items() if w))}"
            return _solve(replace(problem, atoms=atoms, free=free, steps=(*problem.steps, words)), target)
    return None
