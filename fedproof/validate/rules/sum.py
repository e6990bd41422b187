"""Claims linear in sums of sequences with a symbolic number of terms.

A claim is proved by multipliers: its slack minus multiplier times each hypothesis' slack has, at every term
of every sequence, a coefficient >= 0 (for a sequence of any sign: 0). Which sums a term lies in decides its
coefficient, so every combination is one question for the engines; no case is tried at a fixed number of
terms. Small numbers of terms only ever refute.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import sympy as sp

from fedproof.bounds.sequences import is_sequence_term
from fedproof.bounds.step import ForAll, Step
from fedproof.validate.rules.question import NotApplicable, Question, Reduction
from fedproof.validate.rules.runs import INDEX, Atom, Run, Runs, runs
from fedproof.validate.rules.scope import plain, relations, scalars

__all__ = ["instances", "reductions"]

#: the numbers of terms at which a false claim is looked for
SMALL = (0, 1, 2, 3)


def reductions(step: Step) -> Iterator[Reduction]:
    """By the multipliers given; a hypothesis without one enters once, one on plain numbers not at all."""
    slack, sense = _slack(step.claim)
    known = _known(step)
    asked: list[Question] = []
    for relation, weight in relations(step):
        if weight is None and not isinstance(relation, ForAll) and plain(relation):
            continue
        factor = sp.Integer(1) if weight is None else weight
        body = relation.relation if isinstance(relation, ForAll) else relation
        own, equal = _slack(body)
        term = sp.Mul(factor, own, evaluate=False)
        if isinstance(relation, ForAll):
            term = sp.Sum(term, (relation.index, relation.lo, relation.hi))
        slack = sp.Add(slack, sp.Mul(-1, term, evaluate=False), evaluate=False)
        if not equal:
            asked += _not_negative(factor, relation, known)
    total = runs(slack)
    asked += [Question((*known, *q.given), q.claim, q.about) for q in total.obligations]
    asked += _coefficients(step, total, known, sense)
    yield Reduction(tuple(asked), ("rule",), "the coefficient of every term")


def _known(step: Step) -> tuple[sp.Basic, ...]:
    return scalars(step)


def _slack(relation: sp.Basic) -> tuple[sp.Expr, bool]:
    """What is >= 0 where the relation holds, and whether it is an equation."""
    left, right = relation.args
    if isinstance(relation, (sp.Ge, sp.Gt)):
        left, right = right, left
    elif not isinstance(relation, (sp.Le, sp.Lt, sp.Eq)):
        raise NotApplicable(f"{relation} is not <=, >= or =")
    difference = sp.Add(right, sp.Mul(-1, left, evaluate=False), evaluate=False)
    return difference, isinstance(relation, sp.Eq)


def _not_negative(
    factor: sp.Expr, relation: sp.Basic | ForAll, known: tuple[sp.Basic, ...]
) -> list[Question]:
    about = "a multiplier is not negative"
    terms = [a for a in factor.atoms(sp.Function) if is_sequence_term(a)]
    if any(not t.is_nonnegative for t in terms):
        raise NotApplicable(f"the sign of the multiplier {factor} is not known")
    named = {t: sp.Symbol(f"c_{t.func.__name__}", real=True) for t in terms}
    given = [*known, *(sp.Ge(s, 0, evaluate=False) for s in named.values())]
    if isinstance(relation, ForAll):
        given += [relation.lo <= relation.index, relation.index <= relation.hi]
    claim = sp.Ge(factor.xreplace(named), 0, evaluate=False)
    return [] if factor.is_Number and factor >= 0 else [Question(tuple(given), claim, about)]


def _coefficients(step: Step, total: Runs, known: tuple[sp.Basic, ...], exactly: bool) -> list[Question]:
    signs = _signs(step)
    by_atom: dict[Atom, list[Run]] = {}
    for run in total.runs:
        by_atom.setdefault(run.atom, []).append(run)
    asked = [] if total.number == 0 else [_ask(known, total.number, exactly, "what has no sequence")]
    for atom, found in by_atom.items():
        free = exactly or not all(signs.get(name, False) for name, _ in atom)
        name = " ".join(f"{n}(j{'' if d == 0 else f'{d:+}'})" for n, d in atom)
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
    counts = sorted(
        set().union(*(_counts(e) for e in (step.claim, *(r for r, _ in relations(step))))), key=str
    )
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
        given += [sp.Ge(named[t], 0, evaluate=False) for t in sorted(terms, key=str) if t.is_nonnegative]
        said = ", ".join(f"{s} = {v}" for s, v in at.items())
        yield Question(tuple(_put(g, named) for g in given), _put(claim, named), said)


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
    return relation.func(*(side.xreplace(named) for side in relation.args), evaluate=False)


def _spelled(relation: sp.Basic, at: dict[sp.Symbol, sp.Integer]) -> sp.Basic:
    return relation.func(*(_spell(side.xreplace(at)) for side in relation.args), evaluate=False)


def _spell(expr: sp.Expr) -> sp.Expr:
    """An expression with every sum written out."""
    if isinstance(expr, sp.Sum):
        body = expr.func(expr.function, *expr.limits[:-1]) if len(expr.limits) > 1 else expr.function
        index, lo, hi = expr.limits[-1]
        return sp.Add(*(_spell(body.subs(index, k)) for k in range(int(lo.doit()), int(hi.doit()) + 1)))
    if not expr.args:
        return expr
    return expr.func(*(_spell(a) for a in expr.args))


def _written_out(relation: sp.Basic | ForAll, at: dict[sp.Symbol, sp.Integer]) -> list[sp.Basic]:
    if not isinstance(relation, ForAll):
        return [relation if plain(relation) else _spelled(relation, at)]
    lo, hi = (int(sp.sympify(e, strict=True).xreplace(at).doit()) for e in (relation.lo, relation.hi))
    return [_spelled(relation.relation, at | {relation.index: sp.Integer(k)}) for k in range(lo, hi + 1)]
