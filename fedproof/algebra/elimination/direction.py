"""Whether the answer only grows (or only shrinks) along the target, in suitable coordinates of the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fedproof.algebra.elimination.problem import Problem
from fedproof.algebra.regions.atoms import Atom, deduce_signs, simplify_atoms, substitute_in_atoms
from fedproof.algebra.regions.monotonicity import Shape
from fedproof.algebra.regions.region import STRICT
from fedproof.algebra.tree import Add, Mul, Power, Sym, Tree, add, mul, names
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE


def direction(problem: Problem, target: str) -> int | None:
    """1 if admissible targets stay admissible when they grow, -1 if when they shrink, else None.

    A free symbol y > 0 may be measured in powers of the target (y = k x^w): if in such coordinates every
    condition moves one way, so does the answer.
    """
    for candidate in _coordinates(problem, target):
        shape, known = deduce_signs(candidate.atoms, candidate.symbols, candidate.domains)
        atoms = simplify_atoms(candidate.atoms, shape, known)
        for way in (1, -1):
            if all(_moves(a, target, way, shape) for a in atoms):
                return way
    return None


def _coordinates(problem: Problem, target: str) -> Iterator[Problem]:
    yield problem
    if problem.domains.get(target) not in (POSITIVE, NONNEGATIVE):
        return
    for name in problem.free:
        if problem.domains.get(name) not in (POSITIVE, NONNEGATIVE):
            continue
        for power in (1, 2, -1):
            unit: Tree = Sym(target) if power == 1 else Power(Sym(target), power)
            yield replace(problem, atoms=substitute_in_atoms(problem.atoms, name, Mul((Sym(name), unit))))


def _moves(atom: Atom, target: str, way: int, shape: Shape) -> bool:
    """Whether the atom, perhaps after division by a power of the target, gains in this direction."""
    if target not in names(atom.gap):
        return True
    if atom.op not in ("<", "<=") or not shape.defined(atom.gap):
        return False
    positive = shape.sign(Sym(target)) == STRICT
    for power in (0, 1, 2) if positive else (0,):
        slope = shape.slope(_divided(atom.gap, target, power), target)
        if slope is not None and slope * way >= 0:
            return True
    return False


def _divided(gap: Tree, target: str, power: int) -> Tree:
    if not power:
        return gap
    unit = Power(Sym(target), -power)
    return add(*(mul(t, unit) for t in gap.args)) if isinstance(gap, Add) else mul(gap, unit)
