"""A question of existence: which symbols are free, what must hold, and the parts that share no symbol."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from fedproof.algebra.regions.atoms import Atom
from fedproof.algebra.tree import names
from fedproof.vocabulary.interval import Interval

T = TypeVar("T")
#: which irrational values are decided, such as ends: all; those where nothing else is admissible; or none
Cuts = Literal["all", "alone", "none"]


@dataclass(frozen=True, slots=True)
class Problem:
    """There are values of the free symbols, in their domains, for which all atoms hold.

    Arguments:
        atoms: comparisons.
        free: symbols under "there exists".
        symbols: all symbols, in the order that polynomials use.
        domains: of all symbols.
        steps: what was done to free symbols, in words.
        cuts: which irrational values are asked about.
    """

    atoms: tuple[Atom, ...]
    free: tuple[str, ...]
    symbols: tuple[str, ...]
    domains: Mapping[str, Interval]
    steps: tuple[str, ...] = ()
    cuts: Cuts = "all"

    def without(self, name: str, atoms: Sequence[Atom], words: str) -> Problem:
        """The problem with a free symbol removed."""
        free = tuple(n for n in self.free if n != name)
        return replace(self, atoms=tuple(atoms), free=free, steps=(*self.steps, words))


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


def least_part(items: Sequence[T], excludes: Callable[[list[T]], bool]) -> list[T]:
    """Items that by themselves still exclude everything, found by leaving each out in turn.

    >>> least_part([1, 5, 2, 7], lambda part: sum(part) >= 7)
    [7]
    """
    remaining = list(items)
    for item in items:
        fewer = [i for i in remaining if i is not item]
        if excludes(fewer):
            remaining = fewer
    return remaining
