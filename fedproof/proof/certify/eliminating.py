"""Weights of hypotheses in a claim linear in numbers: what a term lacks, one hypothesis after another gives.

Where a term of the claim has a coefficient that it may not keep, a hypothesis that speaks of the term takes
it away: its weight is what the coefficient is of the hypothesis' own. Points only choose which; the kernel
checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from fedproof.algebra.cancel import cancel
from fedproof.proof.candidates import values_at
from fedproof.proof.certify.apart import Apart, coefficients, linear
from fedproof.proof.certify.limits import still
from fedproof.proof.certify.multipliers import never_negative
from fedproof.proof.counterexamples import samples
from fedproof.proof.forall import ForAll
from fedproof.proof.rules.finite_instances import counts
from fedproof.proof.rules.query import NotApplicable, is_scalar_relation, relations, scalar_hypotheses
from fedproof.proof.rules.sum import Use, slack_of
from fedproof.proof.rules.summation_ranges import INDEX, runs
from fedproof.proof.step import Step

#: points at which coefficients are looked at, and the largest whole number there
POINTS, LAST = 200, 7
#: how many ways are looked at, and how many are proposed
LOOKS, MOST = 60, 4
#: what is left of parts that cancel, beside their size
ROUNDED = 1e-9

Array = NDArray[np.float64]
#: the indices at which coefficients are looked at
INDICES = np.array([[1.0], [2.0], [4.0]])
#: by name, or by sequences and range, the parts of a coefficient
Row = Mapping[Any, tuple[sp.Expr, ...]]
Weights = Mapping[int, sp.Expr]


def eliminated(step: Step) -> Iterator[tuple[list[tuple[int, Use]], Apart]]:
    """Ways to use the hypotheses so that every term is left with a coefficient that it may keep.

    Arguments:
        step: prepared, with its named parts written out.

    Returns: the hypotheses that enter, by their place, each with its multiplier; and the numbers that have
        coefficients of their own.
    """
    try:
        alone = linear(step)
        if not alone.places:
            return
        table = _Table(step, alone)
    except (NotApplicable, ValueError, ZeroDivisionError, OverflowError):
        return
    said = relations(step)
    given = {k: w for k, (_, w) in enumerate(said) if w is not None}
    for count, found in enumerate(table.ways(given)):
        yield [(k, Use(w, said[k][0])) for k, w in sorted((given | dict(found)).items())], alone
        if count + 1 == MOST:
            return


class _Table:
    """The coefficients of every term in the claim and in what may enter, at points."""

    def __init__(self, step: Step, alone: Apart) -> None:
        slack, self.exactly = slack_of(step.claim)
        self.alone, self.looks = alone, 0
        said = [r for r, _ in relations(step)]
        entering = [
            k
            for k, (r, w) in enumerate(relations(step))
            if w is not None or k in alone.places or not (isinstance(r, ForAll) or is_scalar_relation(r))
        ]
        self.claim = self._row(slack)
        self.rows = {k: self._row(_whole(said[k])) for k in entering}
        self.equal = {k for k in entering if isinstance(said[k], sp.Eq)}
        self.signed = never_negative(step)
        known = [r for r in scalar_hypotheses(step) if not r.free_symbols & alone.names]
        parts = [p for row in (self.claim, *self.rows.values()) for ps in row.values() for p in ps]
        names = {s.name for p in parts for s in p.free_symbols if s != INDEX}
        self.values = samples(known, names, {s.name for s in counts(step)}, LAST, POINTS)
        if not len(next(iter(self.values.values()), ())):
            raise NotApplicable("no point is known where the hypotheses hold")

    def _row(self, slack: sp.Expr) -> Row:
        sums = runs(slack)
        _, found = coefficients(sums.number, self.alone.names)
        row = {x: (c,) for x, c in found.items()}
        for run in sums.runs:
            key = (run.atom, sp.expand(run.lo), sp.expand(run.hi))
            row[key] = (*row.get(key, ()), run.coefficient)
        return row

    def ways(self, given: Weights) -> Iterator[Weights]:
        """Weights of those that have none, with which every term may stay as it is left."""
        left: Row = self.claim
        for k, weight in given.items():
            left = _less(left, weight, self.rows.get(k, {}))
        yield from self._ways(left, {}, frozenset(self.rows) - frozenset(given))

    def _ways(self, left: Row, found: Weights, free: frozenset[int]) -> Iterator[Weights]:
        still()
        self.looks += 1
        bad = [key for key, parts in left.items() if not self._stays(key, parts)]
        if not bad:
            yield found
        if not bad or self.looks > LOOKS:
            return
        for k, weight in self._offers(left, bad, free):
            yield from self._ways(_less(left, weight, self.rows[k]), {**found, k: weight}, free - {k})

    def _offers(self, left: Row, bad: Sequence[Any], free: frozenset[int]) -> Iterator[tuple[int, sp.Expr]]:
        """What may enter next: the only one that speaks of a term, if there is such, else each in turn.

        A term that must be cancelled comes before one that need only not be negative.
        """
        speaking = {key: [k for k in sorted(free) if key in self.rows[k]] for key in bad}
        first = min(bad, key=lambda key: (len(speaking[key]), self._never_negative(key)))
        for key in [first] if len(speaking[first]) <= 1 else bad:
            for k in speaking[key]:
                weight = self._weight(left, k, key)
                if weight is not None:
                    yield k, weight

    def _weight(self, left: Row, k: int, key: Any) -> sp.Expr | None:
        """The weight of a hypothesis with which a term is cancelled, if it may have that."""
        own = self.rows[k].get(key)
        if own is None or not np.any(self._at(own)[0]):
            return None
        ratio = sp.Add(*left[key]) / sp.Add(*own)
        if INDEX in ratio.free_symbols:
            ratio = cancel(ratio)
        if INDEX in ratio.free_symbols:
            return None
        value, _ = self._at((ratio,))
        return cancel(ratio) if k in self.equal or (value >= 0).all() else None

    def _stays(self, key: Any, parts: Sequence[sp.Expr]) -> bool:
        """Whether a term may be left: its coefficient is 0, or not negative and the term neither."""
        value, size = self._at(parts)
        if (np.abs(value) <= ROUNDED * size).all():
            return True
        return not self.exactly and self._never_negative(key) and bool((value >= -ROUNDED * size).all())

    def _never_negative(self, key: Any) -> bool:
        if isinstance(key, sp.Symbol):
            return key in self.alone.signed
        return all(name in self.signed for name, _ in key[0])

    def _at(self, parts: Sequence[sp.Expr]) -> tuple[Array, Array]:
        """A sum at the points, at some indices, and the sum of its parts' absolute values."""
        at = np.array([values_at(p, self.values | {INDEX.name: INDICES}).ravel() for p in parts])
        found = at[:, np.isfinite(at).all(axis=0)]
        return found.sum(axis=0), np.abs(found).sum(axis=0)


def _whole(relation: Any) -> sp.Expr:
    """A hypothesis' slack, summed over its index if it has one."""
    if isinstance(relation, ForAll):
        return sp.Sum(slack_of(relation.relation)[0], (relation.index, relation.lo, relation.hi))
    return slack_of(relation)[0]


def _less(left: Row, weight: sp.Expr, row: Row) -> Row:
    """A row less a multiple of another."""
    taken = {key: tuple(-weight * p for p in parts) for key, parts in row.items()}
    return {key: (*left.get(key, ()), *taken.get(key, ())) for key in dict.fromkeys((*left, *taken))}
