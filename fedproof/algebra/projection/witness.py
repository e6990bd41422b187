"""A point that satisfies everything, looked for on a grid of powers of two and checked exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fedproof.algebra.arithmetic import Reals
from fedproof.algebra.regions.atoms import Atom
from fedproof.algebra.signs import sign_at, verdict
from fedproof.algebra.tree import fold_tree
from fedproof.vocabulary.interval import REAL, Interval

Array: TypeAlias = NDArray[np.float64]
POINTS = 60_000
TRIES = 3
SIZES = (range(-10, 17), range(-64, 65))
"""Exponents of two: of usual numbers, and where none of them serves."""


def witness(
    atoms: Sequence[Atom], free: Sequence[str], domains: Mapping[str, Interval]
) -> dict[str, Fraction] | None:
    """Values of the free symbols, in their domains, for which every atom holds; None if none was found.

    >>> from fedproof.algebra.tree import Add, Sym, num
    >>> from fedproof.vocabulary.interval import POSITIVE
    >>> witness([Atom((), "<", Add((Sym("x"), num(-3))))], ["x"], {"x": POSITIVE})["x"] > 3
    True
    """
    tried = (_on_grid(atoms, free, domains, sizes) for sizes in SIZES)
    return next((found for found in tried if found is not None), None)


def _on_grid(
    atoms: Sequence[Atom], free: Sequence[str], domains: Mapping[str, Interval], sizes: range
) -> dict[str, Fraction] | None:
    """Values on one grid; None if none was found."""
    lines = [_candidates(domains.get(n, REAL), len(free), sizes) for n in free]
    grids = np.meshgrid(*([_FLOATS.constant(v) for v in line] for line in lines), indexing="ij")
    where: dict[str, Array] = {n: g.ravel() for n, g in zip(free, grids, strict=True)}
    worst = np.full(grids[0].size if grids else 1, np.inf)
    with np.errstate(all="ignore"):
        for atom in atoms:
            worst = np.minimum(worst, _room(atom, where))
    places = list(product(*lines))
    for i in np.argsort(-worst)[:TRIES]:
        if worst[i] >= 0:
            values = dict(zip(free, places[int(i)], strict=True))
            if all(verdict(a.op, sign_at(a.gap, values)) for a in atoms):
                return values
    return None


def _candidates(domain: Interval, count: int, exponents: range) -> list[Fraction]:
    """Powers of two away from 0 and from the ends, few enough for all combinations to be tried."""
    each = int(POINTS ** (1 / max(count, 1)))
    anchors = [e for e in (domain.lo, domain.hi) if e is not None] or [Fraction(0)]
    step = 1
    while True:
        sizes = [Fraction(2) ** k for k in exponents[::step]]
        around = {a + s for a in anchors for s in [Fraction(0), *sizes, *(-v for v in sizes)]}
        found = sorted(v for v in around if v in domain)
        if len(found) <= max(each, 3) or step > 8:
            return found
        step += 1


def _room(atom: Atom, where: Mapping[str, Array]) -> Array:
    """How far inside its condition each point lies, between -1 and 1; -1 where it is undefined."""
    gap: Any = fold_tree(atom.gap, _FLOATS, where.__getitem__, {})
    gap = {"==": -np.abs(gap), "!=": np.abs(gap)}.get(atom.op, gap)
    room = np.where(np.isinf(gap), np.sign(gap), gap / (1 + np.abs(gap)))
    return np.where(np.isnan(room), -1.0, room)


class _Floats(Reals):
    """Doubles; a number too large for them, and what is undefined, is nan."""

    def constant(self, value: Fraction) -> Any:
        try:
            return float(value)
        except OverflowError:
            return math.nan

    def power(self, a: Any, exponent: int) -> Any:
        return a ** np.float64(exponent)


_FLOATS = _Floats()
