"""Multipliers of hypotheses that may cancel terms of a claim linear in sums: a programme chooses of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.rules.query import relations, scalar_hypotheses
from fedproof.proof.rules.sum import Use, options, slack_of
from fedproof.proof.rules.summation_ranges import INDEX, LinearSums, SummationRange, runs
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step

#: by its name the function whose values are a sequence's terms
Sequences = Mapping[str, Any]


@dataclass(frozen=True)
class Multiple:
    """A hypothesis with a multiplier.

    Arguments:
        place: which hypothesis.
        use: it, with its multiplier.
        equal: whether it is an equation, so that its weight may have any sign.
        value: its slack times the multiplier, as runs.
    """

    place: int
    use: Use
    equal: bool
    value: LinearSums


@dataclass(frozen=True)
class Source:
    """A hypothesis that may enter with any multiplier.

    Arguments:
        place: which hypothesis.
        use: it, with the multiplier 1.
        equal: whether it is an equation.
        terms: of its slack, those that no sum is around: coefficient and terms of sequences.
        value: its slack as runs.
    """

    place: int
    use: Use
    equal: bool
    terms: tuple[tuple[sp.Expr, tuple[sp.Expr, ...]], ...]
    value: LinearSums


def said(step: Step) -> list[sp.Basic]:
    """Every expression that a step speaks of."""
    found: list[sp.Basic] = [step.claim]
    for relation, _ in relations(step):
        found += [relation.relation, relation.lo, relation.hi] if isinstance(relation, ForAll) else [relation]
    return found


def sequences(step: Step) -> dict[str, Any]:
    """The sequences that a step speaks of."""
    terms = (t for e in said(step) for t in e.atoms(sp.Function) if is_sequence_term(t))
    return {t.func.__name__: t.func for t in terms}


def never_negative(step: Step) -> frozenset[str]:
    """The sequences whose terms are >= 0: by what they are, or where a hypothesis says so for an index."""
    found = {name for name, head in sequences(step).items() if head(1).is_nonnegative}
    for relation, _ in relations(step):
        if isinstance(relation, ForAll) and not isinstance(relation.relation, sp.Ne):
            slack, _ = slack_of(relation.relation)
            scale, term = sp.expand(slack).as_coeff_Mul()
            if scale > 0 and is_sequence_term(term):
                found.add(term.func.__name__)
    return frozenset(found)


def multiple(place: int, use: Use) -> Multiple:
    """A hypothesis with its multiplier, summed over its index if it has one."""
    relation = use.relation
    own, equal = slack_of(relation.relation if isinstance(relation, ForAll) else relation)
    term = sp.Mul(use.factor, own, evaluate=False)
    if isinstance(relation, ForAll):
        term = sp.Sum(term, (relation.index, relation.lo, relation.hi))
    return Multiple(place, use, equal, runs(term))


def involved(step: Step) -> tuple[sp.Basic, ...]:
    """The inequalities between numbers that speak of several: a multiplier may serve better than a search."""
    return tuple(r for r in scalar_hypotheses(step) if not isinstance(r, sp.Eq) and len(r.free_symbols) > 2)


def sources(step: Step, more: Sequence[sp.Basic]) -> tuple[list[Multiple], list[Source]]:
    """Hypotheses with a multiplier, and those that may have any: of numbers alone those of `more`."""
    fixed, found = [], []
    for place, (relation, weight) in enumerate(relations(step)):
        if weight is not None:
            fixed.append(multiple(place, Use(weight, relation)))
            continue
        own, _ = slack_of(relation.relation if isinstance(relation, ForAll) else relation)
        ways = [u for u in options(step, relation, None) if u.factor != 0]
        for way in [Use(sp.Integer(1), relation)] if relation in more else ways:
            whole = multiple(place, way)
            found.append(Source(place, way, whole.equal, tuple(_terms(own)), whole.value))
    return fixed, found


def _terms(slack: sp.Expr) -> Iterator[tuple[sp.Expr, tuple[sp.Expr, ...]]]:
    for part in sp.Add.make_args(sp.expand(slack)):
        terms: list[sp.Expr] = []
        rest: list[sp.Expr] = []
        for factor in sp.Mul.make_args(part):
            base, power = factor.as_base_exp()
            known = is_sequence_term(base) and power.is_Integer and power > 0
            terms += [base] * int(power) if known else []
            rest += [] if known else [factor]
        if terms and not any(
            e.has(sp.Sum) or is_sequence_term(a) for e in rest for a in (e, *e.atoms(sp.Function))
        ):
            yield sp.Mul(*rest), tuple(terms)


def cancelling(source: Source, target: LinearSums, named: Sequences) -> Iterator[sp.Expr]:
    """Multipliers with which a term of a hypothesis is a term of the target."""
    relation = source.use.relation
    if isinstance(relation, ForAll):
        for (rest, terms), run in product(source.terms, target.runs):
            yield from _aligned(rest, terms, relation.index, run, named)
        return
    whole = _expanded(source.value.number)
    for own, other in product(_split(whole), _split(target.number)):
        if own != whole or not source.equal or len(_split(whole)) == 1:
            yield other / own
    for one, run in product(source.value.runs, target.runs):
        single = one.lo == one.hi
        if one.atom != run.atom:
            continue
        ends = (_expanded(run.lo - one.lo), _expanded(run.hi - one.hi))
        if ends.count(0) < (1 if single else 2):
            continue
        for part in _split(run.coefficient):
            ratio = (part / one.coefficient).xreplace({INDEX: one.lo} if single else {})
            if INDEX not in ratio.free_symbols:
                yield ratio


@lru_cache(maxsize=5000)
def _expanded(e: sp.Expr) -> sp.Expr:
    """An expression multiplied out: the same few are asked for again and again."""
    return sp.expand(e)


@lru_cache(maxsize=5000)
def _split(e: sp.Expr) -> tuple[sp.Expr, ...]:
    """A sum, and its terms."""
    parts = tuple(p for p in sp.Add.make_args(_expanded(e)) if p != 0)
    return (e, *parts) if len(parts) > 1 else parts


def _aligned(
    rest: sp.Expr, terms: Sequence[sp.Expr], index: sp.Symbol, run: SummationRange, named: Sequences
) -> Iterator[sp.Expr]:
    """Those with which a term for each index is a term of a run, its first sequence at the same place."""
    first = terms[0]
    wanted = [(t.func.__name__, _expanded(t.args[0])) for t in terms]
    for name, away in run.atom:
        if name != first.func.__name__:
            continue
        at = _expanded(first.args[0] - away)
        if index not in at.free_symbols:
            continue
        more = [(n, _expanded(at + d)) for n, d in run.atom]
        if any(wanted.count(k) > more.count(k) for k in wanted):
            continue
        for k in wanted:
            more.remove(k)
        for part in _split(run.coefficient):
            yield sp.Mul(part.xreplace({INDEX: at}), *(named[n](e) for n, e in more)) / rest


@lru_cache(maxsize=5000)
def complexity(factor: sp.Expr) -> int:
    """How long a multiplier is."""
    return int(sp.count_ops(factor))
