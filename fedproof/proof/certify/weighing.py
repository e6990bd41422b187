"""Weights of hypotheses in a claim linear in sums: a linear programme over points proposes them.

Nothing rests on what it says: its weights are used in a proof that the kernel checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csc_matrix

from fedproof.algebra.cancel import cancel
from fedproof.proof.certify.limits import left
from fedproof.proof.certify.multipliers import (
    Multiple,
    Source,
    cancelling,
    complexity,
    multiple,
    said,
    sequences,
    sources,
)
from fedproof.proof.counterexamples import not_negative, samples, values_at
from fedproof.proof.forall import ForAll
from fedproof.proof.rules.finite_instances import counts
from fedproof.proof.rules.query import NotApplicable, relations, scalar_hypotheses
from fedproof.proof.rules.sum import Use, slack_of
from fedproof.proof.rules.summation_ranges import INDEX, Atom, LinearSums, runs
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step

#: points at which the programme looks, and the last index there
POINTS, LAST = 80, 9
#: how many multiples are looked at, in rounds
MOST, ROUNDS = 400, 6
#: a weight that is smaller is none; how far one may be from a fraction, and how long that may be
SMALL, CLOSE, LONG = 1e-7, 1e-5, 720

Array = NDArray[np.float64]
#: by the sequences of a term its coefficients, an index a row and a point a column
Table = dict[Atom, Array]
Weighed = list[tuple[sp.Expr, Multiple]]


def proposed(step: Step) -> Iterator[list[tuple[int, Use]]]:
    """Ways to use the hypotheses, with what numbers suggest for those that have no multiplier.

    Arguments:
        step: prepared, with its named parts written out.

    Returns: the hypotheses that enter, by their place, each with its multiplier.
    """
    try:
        yield from map(_together, _Programme(step).rounds())
    except (NotApplicable, ValueError, ZeroDivisionError):
        return


def _together(weights: Weighed) -> list[tuple[int, Use]]:
    """Of each hypothesis one multiplier."""
    found: dict[tuple[int, Use], sp.Expr] = {}
    for weight, m in weights:
        bare = (m.place, replace(m.use, factor=sp.Integer(1)))
        found[bare] = found.get(bare, sp.Integer(0)) + weight * m.use.factor
    return [(place, replace(use, factor=factor)) for (place, use), factor in found.items()]


class _Programme:
    """The multiples under consideration, and what they come to at points where the hypotheses hold."""

    def __init__(self, step: Step) -> None:
        slack, self.exactly = slack_of(step.claim)
        self.claim = runs(slack)
        known = scalar_hypotheses(step)
        names = {s.name for e in said(step) for s in e.free_symbols if s != INDEX}
        self.values = samples(known, names, {s.name for s in counts(step)}, LAST - 2, POINTS)
        self.size = len(next(iter(self.values.values()), ()))
        if not self.size:
            raise NotApplicable("no point is known where the hypotheses hold")
        self.sequences = sequences(step)
        self.indices = {r.index.name for r, _ in relations(step) if isinstance(r, ForAll)}
        self.divisors = not_negative(known) | self.indices
        self.fixed, self.sources = sources(step)
        self.chosen: dict[Any, Multiple] = {}

    def rounds(self) -> Iterator[Weighed]:
        """Weights by multiples that can cancel a term of the claim, then also a term of those, and so on."""
        wanted = [self.claim, *(m.value for m in self.fixed)]
        for _ in range(ROUNDS):
            found = self.weights()
            if found is not None:
                yield found
            following = [
                new
                for target, source in product(wanted, self.sources)
                for factor in cancelling(source, target, self.sequences)
                if len(self.chosen) < MOST and (new := self._offer(source, factor)) is not None
            ]
            if not following:
                return
            wanted = [m.value for m in sorted(following, key=lambda m: complexity(m.use.factor))]

    def _offer(self, source: Source, factor: sp.Expr) -> Multiple | None:
        """A hypothesis with a multiplier that is new and may stand before it."""
        with sp.evaluate(True):
            factor = cancel(factor) if factor.is_rational_function() else sp.simplify(factor)
            below = sp.denom(sp.together(factor)).free_symbols
        if not all(x.is_nonnegative or x.name in self.divisors for x in below):
            return None
        _, equal = slack_of(getattr(source.use.relation, "relation", source.use.relation))
        sign = 1 if equal else self._sign(factor)
        if not sign:
            return None
        factor = sign * factor / abs(factor.as_coeff_Mul()[0])
        key = (source.place, source.use.relation, factor)
        if key in self.chosen:
            return None
        try:
            self.chosen[key] = multiple(source.place, replace(source.use, factor=factor))
        except NotApplicable:
            return None
        return self.chosen[key]

    def _sign(self, factor: sp.Expr) -> int:
        """1 or -1 where a factor has one sign at all points, else 0."""
        terms = [t for t in factor.atoms(sp.Function) if is_sequence_term(t)]
        if not all(t.is_nonnegative for t in terms):
            return 0
        rest = factor.xreplace(dict.fromkeys(terms, sp.Integer(1)))
        seen = np.concatenate([self._at(rest, dict.fromkeys(self.indices, j)) for j in (1, 2, 4)])
        seen = seen[np.isfinite(seen)]
        return 0 if not len(seen) else 1 if (seen >= 0).all() else -1 if (seen <= 0).all() else 0

    def _at(self, e: sp.Expr, indices: dict[str, int]) -> Array:
        here = {name: np.full(self.size, float(j)) for name, j in indices.items()}
        return values_at(e, self.values | here)

    def table(self, value: LinearSums) -> Table:
        """The coefficient of every term, and the number, at every point."""
        found: Table = {(): self._at(value.number, {})[None, :]}
        for run in value.runs:
            lo, hi = self._at(run.lo, {}), self._at(run.hi, {})
            here = found.setdefault(run.atom, np.zeros((LAST + 2, self.size)))
            for j in range(-1, LAST + 1):
                own = self._at(run.coefficient, {INDEX.name: j})
                here[j + 1] += np.where((lo <= j) & (j <= hi), own, 0.0)
        return found

    def weights(self) -> Weighed | None:
        """Weights with which what is left of the claim has a sign at every point, in fractions."""
        columns = list(self.chosen.values())
        tables = [self.table(m.value) for m in columns]
        target = self.table(self.claim)
        for m in self.fixed:
            for atom, part in self.table(m.value).items():
                target[atom] = target.get(atom, np.zeros_like(part)) - part
        equal, least = self._rows(target, tables)
        found = _solved(columns, equal, least)
        return None if found is None else [*found, *((sp.Integer(1), m) for m in self.fixed)]

    def _rows(self, target: Table, tables: Sequence[Table]) -> tuple[Array, Array]:
        """What must be 0 and what not negative: a row a term at a point, the claim's coefficient last."""
        equal, least = list[Array](), list[Array]()
        for atom, shape in {a: part.shape for t in (target, *tables) for a, part in t.items()}.items():
            block = np.stack([t.get(atom, np.zeros(shape)).ravel() for t in (*tables, target)], axis=1)
            size = np.abs(block).max(axis=1)
            block = block[np.isfinite(size) & (size > 0)]
            block = block / np.abs(block).max(axis=1, keepdims=True)
            signed = not self.exactly and all(self.sequences[name](1).is_nonnegative for name, _ in atom)
            (least if signed else equal).append(np.unique(np.round(block, 12), axis=0))
        none = np.zeros((0, len(tables) + 1))
        return np.vstack([none, *equal]), np.vstack([none, *least])


def _solved(columns: Sequence[Multiple], equal: Array, least: Array) -> Weighed | None:
    """The shortest weights w with target - table w = 0, and >= 0, that are short fractions."""
    if not columns:
        return None if np.any(equal) or np.any(least < 0) else []
    found = linprog(
        np.array([1 + 0.05 * complexity(m.use.factor) for m in columns] * 2),
        A_ub=csc_matrix(np.hstack([least[:, :-1], -least[:, :-1]])),
        b_ub=least[:, -1],
        A_eq=csc_matrix(np.hstack([equal[:, :-1], -equal[:, :-1]])),
        b_eq=equal[:, -1],
        bounds=[(0, 1e4)] * len(columns) + [(0, 1e4 if m.equal else 0) for m in columns],
        method="highs-ds",
        options={"time_limit": left(10.0)},
    )
    if found.status != 0:
        return None
    weights = found.x[: len(columns)] - found.x[len(columns) :]
    taken = [(w, m) for w, m in zip(weights, columns, strict=True) if abs(w) > SMALL]
    short = [Fraction(float(w)).limit_denominator(LONG) for w, _ in taken]
    if any(abs(float(f) - w) > CLOSE * max(1, abs(w)) for f, (w, _) in zip(short, taken, strict=True)):
        return None
    return [(sp.Rational(f.numerator, f.denominator), m) for f, (_, m) in zip(short, taken, strict=True)]
