"""A free symbol that an equation determines: its value put in everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from fedproof.algebra.atoms import Atom, substitute_in_atoms
from fedproof.algebra.monotonicity import Shape
from fedproof.algebra.problem import Problem
from fedproof.algebra.tree import Tree, add, names, negative, num
from fedproof.vocabulary.interval import REAL, Interval

Rule: TypeAlias = Callable[[Atom, str, Shape], tuple[int, Tree] | None]


def by_equation(problem: Problem, name: str, outer: Shape, by: Rule) -> Problem | None:
    """The problem without `name`, or None where no equation determines it.

    Arguments:
        problem: what must hold.
        name: the symbol.
        outer: what is known without it.
        by: solves an equation for it: name = E.
    """
    for atom in problem.atoms:
        if atom.op != "==" or name not in names(atom.gap):
            continue
        solved = by(atom, name, outer)
        if solved is None:
            continue
        rest = substitute_in_atoms([a for a in problem.atoms if a is not atom], name, solved[1], atom.labels)
        rest += _in_domain(solved[1], problem.domains.get(name, REAL), atom.labels)
        if not outer.defined(solved[1]) or not outer.defined(atom.gap):  # keep the demand that both exist
            rest += substitute_in_atoms([atom], name, solved[1])
        return problem.without(name, rest, f"{name} from {', '.join(atom.labels)}")
    return None


def _in_domain(tree: Tree, domain: Interval, labels: tuple[str, ...]) -> tuple[Atom, ...]:
    out: tuple[Atom, ...] = ()
    if domain.lo is not None:
        out += (Atom(labels, "<" if domain.lo_open else "<=", add(tree, num(-domain.lo))),)
    if domain.hi is not None:
        out += (Atom(labels, "<" if domain.hi_open else "<=", add(num(domain.hi), negative(tree))),)
    return out
