"""Claims linear in sums of sequences with a symbolic number of terms.

A claim is proved by multipliers: its slack minus multiplier times each hypothesis' slack has, at every term
of every sequence, a coefficient >= 0 (for a sequence of any sign: 0). Which sums a term lies in decides its
coefficient, so every combination is one question for the engines; no case is tried at a fixed number of
terms. Small numbers of terms (`few`) only ever refute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

import flint
import sympy as sp

from fedproof.algebra.balls import ball_of
from fedproof.algebra.cancel import cancel
from fedproof.algebra.expressions import replaced
from fedproof.proof.forall import ForAll, ordered, within
from fedproof.proof.rules import identity_testing as evidence
from fedproof.proof.rules.finite_instances import counts
from fedproof.proof.rules.finite_instances import instances as instances
from fedproof.proof.rules.query import (
    NotApplicable,
    Query,
    Reduction,
    is_scalar_relation,
    relations,
    scalar_hypotheses,
)
from fedproof.proof.rules.summation_ranges import INDEX, Atom, LinearSums, SummationRange, runs
from fedproof.proof.rules.well_formed import definedness_conditions
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step

#: ways for the hypotheses without a multiplier to enter that are looked at, and that are tried
MOST, TRIES = 4000, 24
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def reductions(step: Step) -> Iterator[Reduction]:
    """By the multipliers given; a hypothesis without one enters once, or at one index, or not at all.

    One on plain numbers enters only with a multiplier.
    """
    choices = islice(
        product(*(options(step, relation, weight) for relation, weight in relations(step))), MOST
    )
    problem: NotApplicable | None = None
    found = False
    for chosen in islice(sorted(choices, key=lambda c: sum(o.rank for o in c)), TRIES):
        try:
            reduction = _reduction(step, [o for o in chosen if o.factor != 0])
        except NotApplicable as why:
            problem = problem or why
            continue
        found = True
        yield reduction
    if problem is not None and not found:
        raise problem


@dataclass(frozen=True)
class Use:
    """A way in which a hypothesis enters.

    Arguments:
        factor: its multiplier; 0 where it does not enter.
        relation: itself, or for one index of its range.
        inside: that the index is in the range, to be proved.
        rank: how late it is tried.
    """

    factor: sp.Expr
    relation: sp.Basic | ForAll
    inside: tuple[sp.Basic, ...] = ()
    rank: int = 0


def options(step: Step, relation: sp.Basic | ForAll, weight: sp.Expr | None) -> list[Use]:
    """The ways to use a hypothesis: with its weight, as it stands, not at all, or at one index."""
    if weight is not None:
        return [Use(weight, relation)]
    found = [Use(_ONE, relation), Use(_ZERO, relation, rank=1)]
    if not isinstance(relation, ForAll):
        return [Use(_ZERO, relation)] if is_scalar_relation(relation) else found
    for place in _places_of(step.claim, relation):
        inside = within(relation.lo, place, relation.hi)
        found.append(Use(_ONE, replace(relation, lo=place, hi=place), inside, rank=1))
    return found


def _places_of(claim: sp.Basic, relation: ForAll) -> list[sp.Expr]:
    """The indices at which a hypothesis speaks of a single term of the claim."""
    bound = {limit[0] for s in claim.atoms(sp.Sum) for limit in s.limits}
    single = [t for t in _terms_in(claim) if not t.args[0].free_symbols & bound]
    moving = [t for t in _terms_in(relation.relation) if relation.index in t.args[0].free_symbols]
    places = [
        sp.expand(t.args[0] - u.args[0] + relation.index) for t in single for u in moving if t.func == u.func
    ]
    return list(dict.fromkeys(p for p in places if relation.index not in p.free_symbols))


def _terms_in(expr: sp.Basic) -> list[sp.Expr]:
    return sorted((t for t in expr.atoms(sp.Function) if is_sequence_term(t)), key=str)


def _reduction(step: Step, used: Sequence[Use]) -> Reduction:
    """By hypotheses with their multipliers."""
    slack, exactly = slack_of(step.claim)
    known = scalar_hypotheses(step)
    asked: list[Query] = []
    for use in used:
        factor, relation = use.factor, use.relation
        own, equal = slack_of(relation.relation if isinstance(relation, ForAll) else relation)
        term = sp.Mul(factor, own, evaluate=False)
        if isinstance(relation, ForAll):
            term = sp.Sum(term, (relation.index, relation.lo, relation.hi))
        slack = sp.Add(slack, sp.Mul(-1, term, evaluate=False), evaluate=False)
        asked += [Query(known, r, "an index is in its range") for r in use.inside]
        asked += _allowed(factor, relation, equal, known)
    total = runs(slack)
    _look_again(step, used, total)
    asked += [Query((*known, *q.given), q.claim, q.about) for q in total.obligations]
    asked += _coefficients(step, total, known, exactly)
    return Reduction(tuple(asked), ("rule",), "the coefficient of every term")


def slack_of(relation: sp.Basic) -> tuple[sp.Expr, bool]:
    """What is >= 0 where the relation holds, and whether it is an equation."""
    if not isinstance(relation, (sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq)):
        raise NotApplicable(f"{relation} is not <=, >= or =")
    low, high = ordered(relation)
    difference = sp.Add(high, sp.Mul(-1, low, evaluate=False), evaluate=False)
    return difference, isinstance(relation, sp.Eq)


def _allowed(
    factor: sp.Expr, relation: sp.Basic | ForAll, equal: bool, known: tuple[sp.Basic, ...]
) -> list[Query]:
    """A multiplier must have a value, and for an inequality none below 0."""
    if factor.is_Rational and (equal or factor >= 0):
        return []
    if factor.has(sp.Sum):
        raise NotApplicable(f"the multiplier {factor} is a sum")
    if isinstance(relation, ForAll):
        known = (*known, *within(relation.lo, relation.index, relation.hi))
    if equal:
        return definedness_conditions(known, factor, "a multiplier has a value")
    terms = sorted((a for a in factor.atoms(sp.Function) if is_sequence_term(a)), key=str)
    if any(not t.is_nonnegative for t in terms):
        raise NotApplicable(f"the sign of the multiplier {factor} is not known")
    named = {t: sp.Symbol(str(t), real=True) for t in terms}
    given = (*known, *(sp.Ge(s, 0, evaluate=False) for s in named.values()))
    claim = sp.Ge(replaced(factor, named), 0, evaluate=False)
    return [Query(given, claim, "a multiplier is not negative")]


def _look_again(step: Step, used: Sequence[Use], total: LinearSums) -> None:
    """Claim less hypotheses against the runs, term by term, at random points.

    Raises: InternalError where they differ.
    """
    symbols = counts(step)
    with flint.ctx.workprec(evidence.BITS):
        seen = 0
        for point in evidence.points(symbols):
            gap = point.gap(step.claim)
            for use in used:
                gap = gap - _weighed(point, use.factor, use.relation)
            seen += evidence.agree(gap, _added_up(point, total)) is not None
            if seen == evidence.LOOKS:
                return


def _weighed(point: evidence.Point, factor: sp.Expr, relation: sp.Basic | ForAll) -> flint.arb:
    if not isinstance(relation, ForAll):
        return point.value(factor) * point.gap(relation)
    lo, hi = point.whole(relation.lo), point.whole(relation.hi)
    if hi < lo - 1:
        return flint.arb("nan")  # a range that ends before it starts is left to the rule
    at = ({relation.index.name: k} for k in range(lo, hi + 1))
    return sum((point.value(factor, k) * point.gap(relation.relation, k) for k in at), flint.arb(0))


def _added_up(point: evidence.Point, total: LinearSums) -> flint.arb:
    value = point.value(total.number)
    for run in total.runs:
        away = [(name, point.whole(d)) for name, d in run.atom]
        for j in range(point.whole(run.lo), point.whole(run.hi) + 1):
            part = point.value(run.coefficient, {INDEX.name: j})
            for name, d in away:
                part = part * ball_of(point.term(name, j + d))
            value = value + part
    return value


def _coefficients(step: Step, total: LinearSums, known: tuple[sp.Basic, ...], exactly: bool) -> list[Query]:
    signs = _signs(step)
    by_atom: dict[Atom, list[SummationRange]] = {}
    for run in total.runs:
        by_atom.setdefault(run.atom, []).append(run)
    asked = []
    if isinstance(step.claim, (sp.Lt, sp.Gt)):
        asked.append(Query(known, sp.Gt(total.number, 0, evaluate=False), "what has no sequence"))
    elif total.number != 0:
        asked.append(_ask(known, total.number, exactly, "what has no sequence"))
    for atom, found in by_atom.items():
        free = exactly or not all(signs[name] for name, _ in atom)
        name = " ".join(f"{n}(j)" if d == 0 else f"{n}(j + {d})" for n, d in atom)
        for where, inside in _places(found):
            value = sp.Add(*(r.coefficient for r in inside))
            if value != 0 and cancel(value) != 0:
                asked.append(_ask((*known, *where), value, free, f"coefficient of {name}"))
    return asked


def _ask(given: tuple[sp.Basic, ...], value: sp.Expr, exactly: bool, about: str) -> Query:
    relation = sp.Eq if exactly else sp.Ge
    return Query(given, relation(value, 0, evaluate=False), about)


def _places(ranges: list[SummationRange]) -> Iterator[tuple[tuple[sp.Basic, ...], list[SummationRange]]]:
    """Every way for an index to lie below, in or above each run, and the runs it is in."""
    ends = list(dict.fromkeys((r.lo, r.hi) for r in ranges))
    for sides in product(("below", "in", "above"), repeat=len(ends)):
        inside = [e for e, s in zip(ends, sides, strict=True) if s == "in"]
        if not inside:
            continue
        where: list[sp.Basic] = []
        for (lo, hi), side in zip(ends, sides, strict=True):
            if side == "in":
                where += within(lo, INDEX, hi)
            elif side == "below":
                where.append(sp.Le(INDEX, lo - 1, evaluate=False))
            else:
                where.append(sp.Ge(INDEX, hi + 1, evaluate=False))
        if not _impossible(where):
            yield tuple(where), [r for r in ranges if (r.lo, r.hi) in inside]


def _impossible(where: list[sp.Basic]) -> bool:
    """Whether a lower and an upper end of the index are a number apart and cross."""
    above = [r.lhs if r.rhs == INDEX else r.rhs for r in where if (r.rhs == INDEX) != isinstance(r, sp.Ge)]
    below = [r.rhs for r in where if isinstance(r, sp.Le) and r.lhs == INDEX]
    gaps = [sp.expand(b - a) for a in above for b in below]
    return any(g.is_Integer and g < 0 for g in gaps)


def _signs(step: Step) -> dict[str, bool]:
    exprs = [step.claim, *(r.relation if isinstance(r, ForAll) else r for r, _ in relations(step))]
    terms = {a for e in exprs for a in e.atoms(sp.Function) if is_sequence_term(a)}
    return {t.func.__name__: bool(t.is_nonnegative) for t in terms}
