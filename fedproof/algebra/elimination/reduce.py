"""Symbols that are left out, sent to the value that admits most, where their effect is monotone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fedproof.algebra.elimination.problem import Problem
from fedproof.algebra.elimination.solving import (
    by_discriminant,
    by_equation,
    explicit,
    numerator,
    square_root,
)
from fedproof.algebra.regions.atoms import (
    Atom,
    deduce_signs,
    mentions,
    rooted_signs,
    simplify_atoms,
    substitute_in_atoms,
)
from fedproof.algebra.regions.limits import limit
from fedproof.algebra.regions.monotonicity import Shape
from fedproof.algebra.regions.region import STRICT, Region
from fedproof.algebra.rewriting import simplified
from fedproof.algebra.tree import Power, Sym, Tree, add, extreme, names, negative, num
from fedproof.vocabulary.interval import POSITIVE, REAL


@dataclass(frozen=True, slots=True)
class _Bound:
    """The symbol lies on one side of a tree that does not contain it."""

    tree: Tree
    strict: bool
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _View:
    """One free symbol: the atoms that keep, help or hurt when it moves, and what is known without it."""

    name: str
    still: tuple[Atom, ...]
    moving: tuple[tuple[Atom, int], ...]
    outer: Shape

    def side(self, direction: int) -> list[tuple[Atom, int]]:
        """The atoms that gain when the symbol moves in a direction, with their slopes."""
        return [(a, s) for a, s in self.moving if s * direction > 0]


def reduce_free(problem: Problem) -> Problem:
    """Remove free symbols as long as one can be sent to its best value, without changing the answer."""
    while True:
        shape, known = deduce_signs(problem.atoms, problem.symbols, problem.domains)
        atoms = simplify_atoms(problem.atoms, shape, known)
        shape = Shape(shape.region, rooted_signs(atoms, shape))
        atoms = tuple(_shorter(a, shape) for a in atoms)
        free = tuple(n for n in problem.free if mentions(atoms, n))
        problem = replace(problem, atoms=atoms, free=free)
        smaller = _first(_by_discriminant(problem, shape, n) for n in free)
        smaller = smaller or _first(_without_one(problem, shape, n) for n in free)
        smaller = smaller or _first(
            by_equation(problem, n, _outer(problem, shape, n), numerator) for n in free
        )
        if smaller is None:
            return problem
        problem = smaller


def _shorter(atom: Atom, shape: Shape) -> Atom:
    """The atom without symbols that a factor 0 takes away, where it is defined."""
    gap = simplified(atom.gap)
    return replace(atom, gap=gap) if names(gap) < names(atom.gap) and shape.defined(atom.gap) else atom


def _first(problems: Iterator[Problem | None]) -> Problem | None:
    return next((p for p in problems if p is not None), None)


def _outer(problem: Problem, shape: Shape, name: str) -> Shape:
    """What is known without one symbol."""
    position = problem.symbols.index(name)
    facts = tuple(f for f in shape.region.facts if f.poly.degrees()[position] == 0)
    return Shape(Region(problem.symbols, problem.domains, facts))


def _by_discriminant(problem: Problem, shape: Shape, name: str) -> Problem | None:
    outer = _outer(problem, shape, name)
    atoms = by_discriminant(problem.atoms, name, problem.domains.get(name), outer)
    return None if atoms is None else problem.without(name, atoms, f"{name} by its discriminant")


def _without_one(problem: Problem, shape: Shape, name: str) -> Problem | None:
    outer = _outer(problem, shape, name)
    solved = by_equation(problem, name, outer, explicit) or by_equation(problem, name, outer, square_root)
    if solved is not None:
        return solved
    still = tuple(a for a in problem.atoms if name not in names(a.gap))
    moving: list[tuple[Atom, int]] = []
    for atom in problem.atoms:
        if name not in names(atom.gap):
            continue
        slope = shape.slope(atom.gap, name) if atom.op in ("<", "<=") else None
        if not slope or not shape.defined(atom.gap):
            return None
        moving.append((atom, slope))
    view = _View(name, still, tuple(moving), outer)
    first = 1 if len(view.side(1)) >= len(view.side(-1)) else -1
    return _pin(problem, view, first) or _pin(problem, view, -first)


def _pin(problem: Problem, view: _View, direction: int) -> Problem | None:
    """Move the symbol in one direction as far as the atoms that this hurts, and the domain, allow."""
    hurt = _bounds(problem, view, direction)
    if hurt is None:
        return None
    if not hurt:
        turned = Sym(view.name) if direction > 0 else negative(Sym(view.name))
        return _to_infinity(problem, view, direction, turned, "without bound")
    best = _tightest(hurt, view, direction)
    if best is None:
        return None
    words = f"at its {'largest' if direction > 0 else 'smallest'}"
    if best.strict:
        step = Power(Sym(view.name), -1)
        turned = add(best.tree, negative(step) if direction > 0 else step)
        return _to_infinity(problem, view, direction, turned, f"{words}, not attained", best)
    moved = substitute_in_atoms([a for a, _ in view.side(direction)], view.name, best.tree, best.labels)
    gaps = tuple(_apart(best, near, direction) for near in _domain_bound(problem, view, -direction))
    return problem.without(view.name, (*view.still, *moved, *gaps), f"{view.name} {words}")


def _apart(best: _Bound, near: _Bound, direction: int) -> Atom:
    gap = add(best.tree, negative(near.tree))
    strict = best.strict or near.strict
    return Atom(best.labels, "<" if strict else "<=", gap if direction > 0 else negative(gap))


def _bounds(problem: Problem, view: _View, direction: int) -> list[_Bound] | None:
    """Explicit bounds on the far side; None if an atom there cannot be solved for the symbol."""
    found = list(_domain_bound(problem, view, direction))
    for atom, _ in view.side(-direction):
        solved = explicit(atom, view.name, view.outer)
        if solved is None:
            return None
        found.append(_Bound(solved[1], atom.op == "<", atom.labels))
    return found


def _domain_bound(problem: Problem, view: _View, direction: int) -> tuple[_Bound, ...]:
    domain = problem.domains.get(view.name, REAL)
    end, is_open = (domain.hi, domain.hi_open) if direction > 0 else (domain.lo, domain.lo_open)
    return () if end is None else (_Bound(num(end), is_open, ()),)


def _tightest(bounds: list[_Bound], view: _View, direction: int) -> _Bound | None:
    """The bound that is surely the tightest, or the smaller (larger) of all."""
    left = list(bounds)
    for b in bounds:
        others = [o for o in left if o is not b]
        if any(_tighter(o, b, view, direction) for o in others):
            left = others
    if len(left) == 1:
        return left[0]
    if any(b.strict for b in left):
        return None
    tree = left[0].tree
    for b in left[1:]:
        tree = extreme(tree, b.tree, -direction)
    return _Bound(tree, False, tuple(dict.fromkeys(x for b in left for x in b.labels)))


def _tighter(a: _Bound, b: _Bound, view: _View, direction: int) -> bool:
    """Whether a surely implies b."""
    gap = add(b.tree, negative(a.tree))
    gap = gap if direction > 0 else negative(gap)
    sign = view.outer.sign(gap)
    if sign is None or not view.outer.defined(gap):
        return False
    return sign == STRICT or (sign >= 0 and (a.strict or not b.strict))


def _to_infinity(
    problem: Problem, view: _View, direction: int, turned: Tree, words: str, end: _Bound | None = None
) -> Problem | None:
    """The symbol runs towards an end it does not reach: every atom is replaced by its limit."""
    domains = {**problem.domains, view.name: POSITIVE}
    shape = Shape(Region(problem.symbols, domains, view.outer.region.facts))
    labels = end.labels if end is not None else ()
    limits: tuple[Atom, ...] = ()
    for atom, slope in view.side(direction):
        found = limit(substitute_in_atoms([atom], view.name, turned)[0].gap, view.name, shape)
        if found is None or (found.value is not None and abs(slope) != STRICT):
            return None
        if found.infinite > 0:
            continue
        value = num(-1) if found.value is None else found.value
        limits += (Atom(tuple(dict.fromkeys((*atom.labels, *labels))), "<", value),)
    near = _domain_bound(problem, view, -direction) if end is not None else ()
    gaps = tuple(_apart(end, b, direction) for b in near if end is not None)
    return problem.without(view.name, (*view.still, *limits, *gaps), f"{view.name} {words}")
