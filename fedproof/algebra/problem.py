"""A question of existence: which symbols are free, and what must hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fedproof.algebra.atoms import Atom
from fedproof.vocabulary.interval import Interval


@dataclass(frozen=True, slots=True)
class Problem:
    """There are values of the free symbols, in their domains, for which all atoms hold.

    Arguments:
        atoms: comparisons.
        free: symbols under "there exists".
        symbols: all symbols, in the order that polynomials use.
        domains: of all symbols.
        steps: what was done to free symbols, in words.
    """

    atoms: tuple[Atom, ...]
    free: tuple[str, ...]
    symbols: tuple[str, ...]
    domains: Mapping[str, Interval]
    steps: tuple[str, ...] = ()

    def without(self, name: str, atoms: Sequence[Atom], words: str) -> Problem:
        """The problem with a free symbol removed."""
        free = tuple(n for n in self.free if n != name)
        return replace(self, atoms=tuple(atoms), free=free, steps=(*self.steps, words))
