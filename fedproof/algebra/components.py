"""Conditions that share no symbol, directly or through others, taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fedproof.algebra.atoms import Atom
from fedproof.algebra.problem import Problem
from fedproof.algebra.tree import names


def connected_components(problem: Problem, target: str) -> Iterator[tuple[Problem, Problem]]:
    """Each part of the problem that the target does not reach, and the rest without that part.

    >>> from fedproof.algebra.tree import Sym
    >>> both = Atom((), "<", Sym("x")), Atom((), "<", Sym("y"))
    >>> part, rest = next(connected_components(Problem(both, ("y",), ("x", "y"), {}), "x"))
    >>> part.free, rest.free
    (('y',), ())
    """
    left = set(problem.free)
    while left:
        group = _reached(problem.atoms, min(left))
        left -= group
        if target in group:
            continue
        own = tuple(a for a in problem.atoms if names(a.gap) & group)
        rest = tuple(a for a in problem.atoms if a not in own)
        yield (
            replace(problem, atoms=own, free=tuple(n for n in problem.free if n in group), steps=()),
            replace(problem, atoms=rest, free=tuple(n for n in problem.free if n not in group)),
        )


def _reached(atoms: tuple[Atom, ...], start: str) -> set[str]:
    """The symbols that share conditions with a symbol, directly or through others."""
    group = {start}
    while True:
        wider = group.union(*(names(a.gap) for a in atoms if names(a.gap) & group))
        if wider == group:
            return group
        group = wider
