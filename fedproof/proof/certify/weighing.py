"""Weights of hypotheses in a claim linear in sums: a linear programme over points proposes them.

Nothing rests on what it says: its weights are used in a proof that the kernel checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csc_matrix

from fedproof.algebra.cancel import cancel
from fedproof.algebra.expressions import evaluated, names_in
from fedproof.proof.candidates import values_at
from fedproof.proof.certify.limits import left, still
from fedproof.proof.certify.multipliers import (
    Multiple,
    Source,
    cancelling,
    complexity,
    involved,
    multiple,
    never_negative,
    said,
    sequences,
    sources,
)
from fedproof.proof.counterexamples import not_negative, samples
from fedproof.proof.forall import ForAll
from fedproof.proof.rules.finite_instances import counts
from fedproof.proof.rules.query import NotApplicable, relations, scalar_hypotheses
from fedproof.proof.rules.sum import Use, slack_of
from fedproof.proof.rules.summation_ranges import INDEX, Atom, LinearSums, runs
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step

#: points that are known, at which the programme looks first, and that it adds; and the last index there
POINTS, FIRST, MORE, LAST = 3000, 60, 30, 9
#: how often it looks again, at points where its weights do not serve
AGAIN = 8
#: how many multiples are looked at, in rounds
MOST, ROUNDS = 400, 6
#: a weight that is smaller is none, and so is what is left over where it is small beside its parts
SMALL, CLOSE = 1e-7, 1e-9
#: what is left of parts that cancel, beside their size
ROUNDED = 1e-13
#: the largest denominators of weights, the first that serves is taken
LONG = (1, 2, 12, 120, 720)

Array = NDArray[np.float64]
Places = NDArray[np.int64]
#: the indices at which a term's coefficient is looked at, and those at which the sign of a multiplier is
INDICES, SOME = np.arange(-1.0, LAST + 1)[:, None], np.array([[1.0], [2.0], [4.0]])
#: by the sequences of a term its coefficients, an index a row and a point a column
Table = dict[Atom, Array]
Weighed = list[tuple[sp.Expr, Multiple]]
NOWHERE: Mapping[str, Array] = {}


def proposed(step: Step) -> Iterator[list[tuple[int, Use]]]:
    """Ways to use the hypotheses, with what numbers suggest for those that have no multiplier.

    Arguments:
        step: prepared, with its named parts written out.

    Returns: the hypotheses that enter, by their place, each with its multiplier.
    """
    many = involved(step)
    for more in [many, ()] if many else [()]:
        try:
            yield from map(_together, _Programme(step, more).rounds())
        except (NotApplicable, ValueError, ZeroDivisionError, OverflowError):
            continue


def _together(weights: Weighed) -> list[tuple[int, Use]]:
    """Of each hypothesis one multiplier."""
    found: dict[tuple[int, Use], sp.Expr] = {}
    for weight, m in weights:
        bare = (m.place, replace(m.use, factor=sp.Integer(1)))
        found[bare] = found.get(bare, sp.Integer(0)) + weight * m.use.factor
    return [(place, replace(use, factor=factor)) for (place, use), factor in found.items()]


class _Programme:
    """The multiples under consideration, and what they come to at points where the other hypotheses hold."""

    def __init__(self, step: Step, more: Sequence[sp.Basic]) -> None:
        slack, self.exactly = slack_of(step.claim)
        self.claim = runs(slack)
        known = [h for h in scalar_hypotheses(step) if h not in more]
        names = {s.name for e in said(step) for s in e.free_symbols if s != INDEX}
        self.values = samples(known, names, {s.name for s in counts(step)}, LAST - 2, POINTS)
        size = len(next(iter(self.values.values()), ()))
        self.whole = np.arange(size)
        self.near = self.whole[:: max(1, size // FIRST)]
        if not size:
            raise NotApplicable("no point is known where the hypotheses hold")
        self.sequences = sequences(step)
        self.signed = never_negative(step)
        self.indices = {r.index.name for r, _ in relations(step) if isinstance(r, ForAll)}
        self.divisors = not_negative(known) | self.indices
        self.fixed, self.sources = sources(step, more)
        self.chosen: dict[Any, Multiple] = {}
        self.seen: set[Any] = set()
        #: of the first of the chosen what they come to at the points near
        self.tables: list[Table] = []

    def rounds(self) -> Iterator[Weighed]:
        """Weights by multiples that can cancel a term of the claim, then also a term of those, and so on."""
        wanted = [self.claim, *(m.value for m in self.fixed)]
        for _ in range(ROUNDS):
            with np.errstate(all="ignore"):  # what is undefined at a point is left out
                found = self.weights()
            if found is not None:
                yield found
            following: list[Multiple] = []
            for target, source in product(wanted, self.sources):
                still()
                if len(self.chosen) >= MOST:
                    break
                offered = (self._offer(source, f) for f in cancelling(source, target, self.sequences))
                following += [m for m in offered if m is not None]
            if not following:
                return
            wanted = [m.value for m in sorted(following, key=lambda m: complexity(m.use.factor))]

    def _offer(self, source: Source, factor: sp.Expr) -> Multiple | None:
        """A hypothesis with a multiplier that is new and may stand before it."""
        if (source.place, source.use.relation, factor) in self.seen:
            return None
        self.seen.add((source.place, source.use.relation, factor))
        factor = _cancelled(factor)
        below = sp.fraction(factor)[1].free_symbols
        if factor == 0 or not all(x.is_nonnegative or x.name in self.divisors for x in below):
            return None
        sign = 1 if source.equal else self._sign(factor)
        if not sign:
            return None
        factor = sign * factor
        key = (source.place, source.use.relation, factor / abs(factor.as_coeff_Mul()[0]))
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
        powers = factor.as_powers_dict()
        if not all(t.func.__name__ in self.signed or _even(powers.get(t)) for t in terms):
            return 0
        rest = factor.xreplace(dict.fromkeys(terms, sp.Integer(1)))
        seen = self._at(rest, self.whole, dict.fromkeys(self.indices, SOME))
        seen = seen[np.isfinite(seen)]
        return 0 if not len(seen) else 1 if (seen >= 0).all() else -1 if (seen <= 0).all() else 0

    def _at(self, e: sp.Expr, points: Places, indices: Mapping[str, Array] = NOWHERE) -> Array:
        """An expression at points, for every one of some indices: these a row, the points a column."""
        here = {name: self.values[name][points] for name in names_in(e) & self.values.keys()}
        shape = np.broadcast_shapes(points.shape, *(j.shape for j in indices.values()))
        return np.broadcast_to(values_at(e, here | dict(indices)), shape)

    def table(self, value: LinearSums, points: Places) -> Table:
        """The coefficient of every term, and the number, at points."""
        found: Table = {(): self._at(value.number, points)[None, :]}
        for run in value.runs:
            lo, hi = self._at(run.lo, points), self._at(run.hi, points)
            own = self._at(run.coefficient, points, {INDEX.name: INDICES})
            here = found.setdefault(run.atom, np.zeros((len(INDICES), len(points))))
            here += np.where((lo <= INDICES) & (hi >= INDICES), own, 0.0)
        return found

    def weights(self) -> Weighed | None:
        """Weights with which what is left of the claim has a sign at every point, in short fractions."""
        for _ in range(AGAIN):
            found = self._solved()
            if found is None:
                return None
            tables = [self.table(m.value, self.whole) for _, m in found]
            wrong = self.whole[:0]
            for longest in LONG:
                short = [(sp.Rational(*_fraction(w, longest).as_integer_ratio()), m) for w, m in found]
                wrong = self._wrong([float(w) for w, _ in short], tables)
                if not len(wrong):
                    return [*short, *((sp.Integer(1), m) for m in self.fixed)]
            more = np.setdiff1d(wrong[:MORE], self.near)
            if not len(more):
                return None
            self._look_at(more)
        return None

    def _look_at(self, points: Places) -> None:
        """Add points to those near."""
        columns = zip(self.tables, self.chosen.values(), strict=False)
        self.tables = [_beside(known, self.table(m.value, points)) for known, m in columns]
        self.target = _beside(self.target, self._target(points))
        self.near = np.concatenate([self.near, points])

    @cached_property
    def target(self) -> Table:
        """What the multiples must come to at the points near."""
        return self._target(self.near)

    @cached_property
    def target_everywhere(self) -> Table:
        """What they must come to at all points."""
        return self._target(self.whole)

    def _target(self, points: Places) -> Table:
        """The claim's slack less that of the hypotheses that have a multiplier; rounding errors are 0."""
        target = self.table(self.claim, points)
        size = {atom: np.abs(part) for atom, part in target.items()}
        for m in self.fixed:
            for atom, part in self.table(m.value, points).items():
                target[atom] = target.get(atom, np.zeros_like(part)) - part
                size[atom] = size.get(atom, np.zeros_like(part)) + np.abs(part)
        return {a: np.where(np.abs(part) <= ROUNDED * size[a], 0.0, part) for a, part in target.items()}

    def _solved(self) -> list[tuple[float, Multiple]] | None:
        columns = list(self.chosen.values())
        self.tables += [self.table(m.value, self.near) for m in islice(columns, len(self.tables), None)]
        equal, least = self._rows(self.target, self.tables)
        return _solved(columns, equal, least)

    def _wrong(self, weights: Sequence[float], tables: Sequence[Table]) -> Places:
        """The points at which weights do not serve, the worst first."""
        target = dict(self.target_everywhere)
        size = {atom: np.abs(part) for atom, part in target.items()}
        for weight, table in zip(weights, tables, strict=True):
            for atom, part in table.items():
                target[atom] = target.get(atom, np.zeros_like(part)) - weight * part
                size[atom] = size.get(atom, np.zeros_like(part)) + np.abs(weight * part)
        worst = np.zeros(len(self.whole))
        for atom, part in target.items():
            left_over = -part if self._signed(atom) else np.abs(part)
            ratio = np.where(size[atom] > 0, left_over / np.maximum(size[atom], 1e-300), 0.0)
            worst = np.maximum(worst, np.nan_to_num(ratio, nan=0.0, posinf=0.0).max(axis=0))
        places = np.argsort(-worst, kind="stable")
        return places[worst[places] > CLOSE]

    def _signed(self, atom: Atom) -> bool:
        """Whether a term that is left may stand where its coefficient is not negative."""
        odd = [name for (name, _), count in Counter(atom).items() if count % 2]
        return not self.exactly and all(name in self.signed for name in odd)

    def _rows(self, target: Table, tables: Sequence[Table]) -> tuple[Array, Array]:
        """What must be 0 and what not negative: a row a term at a point, the claim's coefficient last."""
        equal, least = list[Array](), list[Array]()
        for atom, shape in {a: part.shape for t in (target, *tables) for a, part in t.items()}.items():
            block = np.stack([t.get(atom, np.zeros(shape)).ravel() for t in (*tables, target)], axis=1)
            size = np.abs(block).max(axis=1)
            block = block[np.isfinite(size) & (size > 0)]
            block = block / np.abs(block).max(axis=1, keepdims=True)
            (least if self._signed(atom) else equal).append(np.unique(np.round(block, 12), axis=0))
        none = np.zeros((0, len(tables) + 1))
        return np.vstack([none, *equal]), np.vstack([none, *least])


def _beside(one: Table, other: Table) -> Table:
    """What is known of the same terms at some points, and at others."""
    return {atom: np.concatenate([part, other[atom]], axis=1) for atom, part in one.items()}


def _cancelled(factor: sp.Expr) -> sp.Expr:
    """A rational function over one denominator, roots of numbers being names in it."""
    with sp.evaluate(True):
        if not factor.is_rational_function():
            return factor
        roots = (p for p in factor.atoms(sp.Pow) if p.exp.is_Rational and p.exp.q > 1)
        named = {p: sp.Symbol(f"root of {p}", positive=True) for p in roots if evaluated(p.base).is_positive}
        return cancel(factor.xreplace(named)).xreplace({name: p for p, name in named.items()})


def _even(power: sp.Expr | None) -> bool:
    return power is not None and power.is_Integer and power % 2 == 0


def _fraction(weight: float, longest: int) -> Fraction:
    return Fraction(float(weight)).limit_denominator(longest)


def _solved(columns: Sequence[Multiple], equal: Array, least: Array) -> list[tuple[float, Multiple]] | None:
    """The least weights w with target - table w = 0, and >= 0."""
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
    return [(w, m) for w, m in zip(weights, columns, strict=True) if abs(w) > SMALL]
