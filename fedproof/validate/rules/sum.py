"""Claims linear in sums of sequences with a symbolic number of terms.

A claim is proved by multipliers: its slack minus multiplier times each hypothesis' slack has, at every term
of every sequence, a coefficient >= 0 (for a sequence of any sign: 0). Which sums a term lies in decides its
coefficient, so every combination is one question for the engines; no case is tried at a fixed number of
terms. Small numbers of terms only ever refute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, product

import flint
import sympy as sp

from fedproof.bounds.binding import put
from fedproof.bounds.sequences import is_sequence_term
from fedproof.bounds.step import ForAll, Step
from fedproof.validate.rules import evidence
from fedproof.validate.rules.language import where_defined
from fedproof.validate.rules.question import NotApplicable, Question, Reduction
from fedproof.validate.rules.runs import INDEX, Atom, Run, Runs, runs
from fedproof.validate.rules.scope import plain, relations, scalars

__all__ = ["instances", "reductions"]

#: the numbers of terms at which a false claim is looked for
SMALL = (0, 1, 2, 3)
#: choices of hypotheses without a multiplier
TRIES = 12
_ONE = sp.Integer(1)


def reductions(step: Step) -> Iterator[Reduction]:
    """By the multipliers given; a hypothesis without one enters once, or not at all where that fails.

    One on plain numbers enters only with a multiplier.
    """
    weighed = [
        (relation, weight)
        for relation, weight in relations(step)
        if weight != 0  # one of 0 is for a step that is used here
        and (weight is not None or isinstance(relation, ForAll) or not plain(relation))
    ]
    free = [i for i, (_, weight) in enumerate(weighed) if weight is None]
    problem: NotApplicable | None = None
    found = False
    for left_out in islice(chain.from_iterable(combinations(free, k) for k in range(len(free) + 1)), TRIES):
        used = [
            (_ONE if weight is None else weight, relation)
            for i, (relation, weight) in enumerate(weighed)
            if i not in left_out
        ]
        try:
            reduction = _reduction(step, used)
        except NotApplicable as why:
            problem = problem or why
            continue
        found = True
        yield reduction
    if problem is not None and not found:
        raise problem


def _reduction(step: Step, used: Sequence[tuple[sp.Expr, sp.Basic | ForAll]]) -> Reduction:
    """By hypotheses with their multipliers."""
    slack, exactly = _slack(step.claim)
    known = scalars(step)
    asked: list[Question] = []
    for factor, relation in used:
        own, equal = _slack(relation.relation if isinstance(relation, ForAll) else relation)
        term = sp.Mul(factor, own, evaluate=False)
        if isinstance(relation, ForAll):
            term = sp.Sum(term, (relation.index, relation.lo, relation.hi))
        slack = sp.Add(slack, sp.Mul(-1, term, evaluate=False), evaluate=False)
        asked += _allowed(factor, relation, equal, known)
    total = runs(slack)
    _look_again(step, used, total)
    asked += [Question((*known, *q.given), q.claim, q.about) for q in total.obligations]
    asked += _coefficients(step, total, known, exactly)
    return Reduction(tuple(asked), ("rule",), "the coefficient of every term")


def _slack(relation: sp.Basic) -> tuple[sp.Expr, bool]:
    """What is >= 0 where the relation holds, and whether it is an equation."""
    left, right = relation.args
    if isinstance(relation, (sp.Ge, sp.Gt)):
        left, right = right, left
    elif not isinstance(relation, (sp.Le, sp.Lt, sp.Eq)):
        raise NotApplicable(f"{relation} is not <=, >= or =")
    difference = sp.Add(right, sp.Mul(-1, left, evaluate=False), evaluate=False)
    return difference, isinstance(relation, sp.Eq)


def _allowed(
    factor: sp.Expr, relation: sp.Basic | ForAll, equal: bool, known: tuple[sp.Basic, ...]
) -> list[Question]:
    """A multiplier must have a value, and for an inequality none below 0."""
    if factor.is_Rational and (equal or factor >= 0):
        return []
    if factor.has(sp.Sum):
        raise NotApplicable(f"the multiplier {factor} is a sum")
    if isinstance(relation, ForAll):
        known = (
            *known,
            sp.Le(relation.lo, relation.index, evaluate=False),
            sp.Le(relation.index, relation.hi, evaluate=False),
        )
    if equal:
        return where_defined(known, factor, "a multiplier has a value")
    terms = sorted((a for a in factor.atoms(sp.Function) if is_sequence_term(a)), key=str)
    if any(not t.is_nonnegative for t in terms):
        raise NotApplicable(f"the sign of the multiplier {factor} is not known")
    named = {t: sp.Symbol(str(t), real=True) for t in terms}
    given = (*known, *(sp.Ge(s, 0, evaluate=False) for s in named.values()))
    with sp.evaluate(False):
        claim = sp.Ge(factor.xreplace(named), 0)
    return [Question(given, claim, "a multiplier is not negative")]


def _look_again(step: Step, used: Sequence[tuple[sp.Expr, sp.Basic | ForAll]], total: Runs) -> None:
    """Claim less hypotheses against the runs, term by term, at random points.

    Raises: InternalError where they differ.
    """
    counts = _all_counts(step)
    with flint.ctx.workprec(evidence.BITS):
        seen = 0
        for point in evidence.points(counts):
            gap = point.gap(step.claim)
            for factor, relation in used:
                gap = gap - _weighed(point, factor, relation)
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


def _added_up(point: evidence.Point, total: Runs) -> flint.arb:
    value = point.value(total.number)
    for run in total.runs:
        away = [(name, point.whole(d)) for name, d in run.atom]
        for j in range(point.whole(run.lo), point.whole(run.hi) + 1):
            part = point.value(run.coefficient, {INDEX.name: j})
            for name, d in away:
                part = part * evidence.exact(point.term(name, j + d))
            value = value + part
    return value


def _coefficients(step: Step, total: Runs, known: tuple[sp.Basic, ...], exactly: bool) -> list[Question]:
    signs = _signs(step)
    by_atom: dict[Atom, list[Run]] = {}
    for run in total.runs:
        by_atom.setdefault(run.atom, []).append(run)
    asked = []
    if isinstance(step.claim, (sp.Lt, sp.Gt)):
        asked.append(Question(known, sp.Gt(total.number, 0, evaluate=False), "what has no sequence"))
    elif total.number != 0:
        asked.append(_ask(known, total.number, exactly, "what has no sequence"))
    for atom, found in by_atom.items():
        free = exactly or not all(signs[name] for name, _ in atom)
        name = " ".join(f"{n}(j)" if d == 0 else f"{n}(j + {d})" for n, d in atom)
        for where, inside in _places(found):
            value = sp.Add(*(r.coefficient for r in inside))
            if value != 0 and sp.cancel(value) != 0:
                asked.append(_ask((*known, *where), value, free, f"coefficient of {name}"))
    return asked


def _ask(given: tuple[sp.Basic, ...], value: sp.Expr, exactly: bool, about: str) -> Question:
    relation = sp.Eq if exactly else sp.Ge
    return Question(given, relation(value, 0, evaluate=False), about)


def _places(found: list[Run]) -> Iterator[tuple[tuple[sp.Basic, ...], list[Run]]]:
    """Every way for an index to lie below, in or above each run, and the runs it is in."""
    ends = list(dict.fromkeys((r.lo, r.hi) for r in found))
    for sides in product(("below", "in", "above"), repeat=len(ends)):
        inside = [e for e, s in zip(ends, sides, strict=True) if s == "in"]
        if not inside:
            continue
        where: list[sp.Basic] = []
        for (lo, hi), side in zip(ends, sides, strict=True):
            if side == "in":
                where += [sp.Le(lo, INDEX, evaluate=False), sp.Le(INDEX, hi, evaluate=False)]
            else:
                end = (
                    sp.Le(INDEX, lo - 1, evaluate=False)
                    if side == "below"
                    else sp.Ge(INDEX, hi + 1, evaluate=False)
                )
                where.append(end)
        if not _impossible(where):
            yield tuple(where), [r for r in found if (r.lo, r.hi) in inside]


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


def instances(step: Step) -> Iterator[Question]:
    """The step with few terms, every term a number of its own."""
    known = scalars(step)
    counts = _all_counts(step)
    for values in product(SMALL, repeat=len(counts)):
        at = dict(zip(counts, (sp.Integer(v) for v in values), strict=True))
        if any(r.xreplace(at) == sp.false for r in known) or _longer_than_empty(step, at):
            continue
        given: list[sp.Basic] = [sp.Eq(s, v, evaluate=False) for s, v in at.items()]
        for relation, _ in relations(step):
            given += _written_out(relation, at)
        claim = _spelled(step.claim, at)
        terms = {t for r in (claim, *given) for t in r.atoms(sp.Function) if is_sequence_term(t)}
        named = {t: sp.Symbol(f"{t.func.__name__}_{t.args[0]}".replace("-", "m"), real=True) for t in terms}
        given += [s for t in sorted(terms, key=str) for s in _sign(t, named[t])]
        said = ", ".join(f"{s} = {v}" for s, v in at.items())
        yield Question(tuple(_put(g, named) for g in given), _put(claim, named), said)


def _sign(term: sp.Expr, name: sp.Symbol) -> tuple[sp.Basic, ...]:
    if term.is_positive:
        return (sp.Gt(name, 0, evaluate=False),)
    return (sp.Ge(name, 0, evaluate=False),) if term.is_nonnegative else ()


def _all_counts(step: Step) -> list[sp.Symbol]:
    """The symbols that count terms, and so stand for whole numbers."""
    return sorted(set().union(*(_counts(e) for e in (step.claim, *(r for r, _ in relations(step))))), key=str)


def _counts(expr: sp.Basic | ForAll) -> set[sp.Symbol]:
    """Symbols in the ends of sums, of hypotheses for every index and in the places of single terms."""
    if isinstance(expr, ForAll):
        ends = {x for e in (expr.lo, expr.hi) for x in e.free_symbols}
        return (_counts(expr.relation) - {expr.index}) | {x for x in ends if isinstance(x, sp.Symbol)}
    bound = {b[0] for s in expr.atoms(sp.Sum) for b in s.limits}
    found = {x for s in expr.atoms(sp.Sum) for b in s.limits for e in b[1:] for x in e.free_symbols}
    found |= {x for t in expr.atoms(sp.Function) if is_sequence_term(t) for x in t.args[0].free_symbols}
    return {x for x in found - bound if isinstance(x, sp.Symbol)}


def _longer_than_empty(step: Step, at: dict[sp.Symbol, sp.Integer]) -> bool:
    """Whether some sum ends more than one before it starts, where its value is a convention."""
    sums = {
        s
        for e in (step.claim, *(r for r, _ in relations(step) if isinstance(r, sp.Basic)))
        for s in e.atoms(sp.Sum)
    }
    lengths = [(b[2] - b[1]).xreplace(at).doit() for s in sums for b in s.limits]
    return any(n.is_Integer and n < -1 for n in lengths)


def _put(relation: sp.Basic, named: dict[sp.Basic, sp.Symbol]) -> sp.Basic:
    with sp.evaluate(False):
        return relation.xreplace(named)


def _spelled(relation: sp.Basic, at: dict[sp.Symbol, sp.Integer]) -> sp.Basic:
    with sp.evaluate(False):
        return relation.func(*(_spell(put(side, at)) for side in relation.args))


def _spell(expr: sp.Expr) -> sp.Expr:
    """An expression with every sum written out and every place a number."""
    if is_sequence_term(expr):
        return expr.func(_number(expr.args[0]))
    if isinstance(expr, sp.Sum):
        index, lo, hi = expr.limits[-1]
        with sp.evaluate(True):
            body = sp.Sum(expr.function, *expr.limits[:-1]) if len(expr.limits) > 1 else expr.function
        terms = [_spell(put(body, {index: sp.Integer(k)})) for k in range(_number(lo), _number(hi) + 1)]
        return sp.Add(*terms) if len(terms) > 1 else terms[0] if terms else sp.Integer(0)
    if not expr.args:
        return expr
    return expr.func(*(_spell(a) for a in expr.args))


def _number(expr: sp.Expr) -> int:
    with sp.evaluate(True):
        value = expr.doit()
    if not value.is_Integer:
        raise NotApplicable(f"{expr} is not a whole number")
    return int(value)


def _written_out(relation: sp.Basic | ForAll, at: dict[sp.Symbol, sp.Integer]) -> list[sp.Basic]:
    if not isinstance(relation, ForAll):
        return [relation if plain(relation) else _spelled(relation, at)]
    lo, hi = (_number(e.xreplace(at)) for e in (relation.lo, relation.hi))
    return [_spelled(relation.relation, at | {relation.index: sp.Integer(k)}) for k in range(lo, hi + 1)]
