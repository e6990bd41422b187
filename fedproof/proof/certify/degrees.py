"""Degrees by which all that is known is homogeneous: only products of one degree can cancel each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import flint

from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, Monomial, Polynomial

Degree = tuple[int, ...]
_Linear = dict[int, Fraction]


class Degrees:
    """All degrees by which polynomials are homogeneous.

    Arguments:
        forms: what the polynomials are about.
        values: the polynomials.
    """

    def __init__(self, forms: Forms, values: Iterable[Polynomial]) -> None:
        self.forms = forms
        self.own: dict[int, _Linear] = {}
        self.rows: list[_Linear] = []
        for value in values:
            self._homogeneous(value)
        places = sorted({p for row in (*self.rows, *self.own.values()) for p in row})
        self.basis = _kernel(self.rows, places)
        #: denominators: of roots up to the sixth, and of the gradings
        self.scales = [60 * lcm(*(c.denominator for c in b.values())) for b in self.basis]

    def _of_atom(self, a: int) -> _Linear:
        found = self.own.get(a)
        if found is None:
            atom = self.forms.atoms[a]
            radicand = self.forms.radicand(a)
            if atom.kind == "ip":
                found = {}
                for b in self.forms.pieces(a):
                    found = _plus(found, {b: Fraction(1)}, Fraction(1))
            elif radicand is not None:
                inside = self._homogeneous(radicand.above)
                for f, e in radicand.below.items():
                    inside = _plus(inside, self._homogeneous(dict(f)), Fraction(-e))
                found = {p: c / atom.parts[1] for p, c in inside.items()}
            else:
                found = {a: Fraction(1)}
            self.own[a] = found
        return found

    def _of(self, m: Monomial) -> _Linear:
        total: _Linear = {}
        for a, e in m:
            total = _plus(total, self._of_atom(a), Fraction(e))
        return total

    def _homogeneous(self, value: Polynomial) -> _Linear:
        """The degree of the first monomial; the others are to have it too."""
        first, *others = (self._of(m) for m in value) if value else ({},)
        self.rows += [row for row in (_plus(o, first, Fraction(-1)) for o in others) if row]
        return first

    def of(self, m: Monomial) -> Degree:
        """The degree of a monomial, in every grading."""
        own = self._of(m)
        degrees = (sum((c * basis.get(p, 0) for p, c in own.items()), Fraction(0)) for basis in self.basis)
        return tuple(int(d * scale) for d, scale in zip(degrees, self.scales, strict=True))

    def common(self, value: Polynomial) -> Degree | None:
        """The degree of a polynomial; None where it is not homogeneous."""
        found = {self.of(m) for m in value}
        return found.pop() if len(found) == 1 else None

    @property
    def none(self) -> Degree:
        """The degree of numbers."""
        return self.of(ONE)


def _plus(one: Mapping[int, Fraction], other: Mapping[int, Fraction], scale: Fraction) -> _Linear:
    total = dict(one)
    for p, c in other.items():
        value = total.pop(p, Fraction(0)) + scale * c
        if value:
            total[p] = value
    return total


def _kernel(rows: Sequence[_Linear], places: Sequence[int]) -> list[_Linear]:
    """A basis of what solves all rows."""
    if not places:
        return []
    table = flint.fmpq_mat(max(len(rows), 1), len(places))
    at = {p: i for i, p in enumerate(places)}
    for i, row in enumerate(rows):
        for p, c in row.items():
            table[i, at[p]] = flint.fmpq(c.numerator, c.denominator)
    reduced, rank = table.rref()
    leads = [next(k for k in range(len(places)) if reduced[i, k] != 0) for i in range(rank)]
    found = []
    for k in range(len(places)):
        if k in leads:
            continue
        solution: _Linear = {places[k]: Fraction(1)}
        for i, lead in enumerate(leads):
            value: Any = -reduced[i, k]
            if value != 0:
                solution[places[lead]] = Fraction(int(value.p), int(value.q))
        found.append(solution)
    return found
