"""Steps about sums with few terms, written out: they can refute and never prove."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import sympy as sp

from fedproof.algebra.expressions import rebuilt, replaced
from fedproof.proof.forall import ForAll
from fedproof.proof.rules.query import NotApplicable, Query, is_scalar_relation, relations, scalar_hypotheses
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step
from fedproof.proof.substitution import substitute

#: the numbers of terms at which a false claim is looked for
SMALL = (0, 1, 2, 3)


def instances(step: Step) -> Iterator[Query]:
    """The step with few terms, every term a number of its own."""
    known = scalar_hypotheses(step)
    symbols = counts(step)
    for values in dict.fromkeys((*product(SMALL, repeat=len(symbols)), *_witnessed(step, symbols))):
        at = dict(zip(symbols, (sp.Integer(v) for v in values), strict=True))
        if any(r.xreplace(at) == sp.false for r in known) or longer_than_empty(step, at):
            continue
        given: list[sp.Basic] = [sp.Eq(s, v, evaluate=False) for s, v in at.items()]
        for relation, _ in relations(step):
            given += _written_out(relation, at)
        claim = _spelled(step.claim, at)
        terms = {t for r in (claim, *given) for t in r.atoms(sp.Function) if is_sequence_term(t)}
        named = {t: sp.Symbol(f"{t.func.__name__}_{t.args[0]}".replace("-", "m"), real=True) for t in terms}
        given += [s for t in sorted(terms, key=str) for s in _sign(t, named[t])]
        said = ", ".join(f"{s} = {v}" for s, v in at.items())
        yield Query(tuple(replaced(g, named) for g in given), replaced(claim, named), said)


def _witnessed(step: Step, symbols: list[sp.Symbol]) -> Iterator[tuple[int, ...]]:
    """The numbers of terms in the witness that comes with a step, if it names them all."""
    told = dict(step.witness)
    if symbols and all(told.get(s.name, "").isdigit() for s in symbols):
        yield tuple(int(told[s.name]) for s in symbols)


def _sign(term: sp.Expr, name: sp.Symbol) -> tuple[sp.Basic, ...]:
    if term.is_positive:
        return (sp.Gt(name, 0, evaluate=False),)
    return (sp.Ge(name, 0, evaluate=False),) if term.is_nonnegative else ()


def counts(step: Step) -> list[sp.Symbol]:
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


def longer_than_empty(step: Step, at: dict[sp.Symbol, sp.Integer]) -> bool:
    """Whether some sum ends more than one before it starts, where its value is a convention."""
    sums = {
        s
        for e in (step.claim, *(r for r, _ in relations(step) if isinstance(r, sp.Basic)))
        for s in e.atoms(sp.Sum)
    }
    lengths = [(b[2] - b[1]).xreplace(at).doit() for s in sums for b in s.limits]
    return any(n.is_Integer and n < -1 for n in lengths)


def _spelled(relation: sp.Basic, at: dict[sp.Symbol, sp.Integer]) -> sp.Basic:
    return rebuilt(relation, [_spell(substitute(side, at)) for side in relation.args])


def _spell(expr: sp.Expr) -> sp.Expr:
    """An expression with every sum written out and every place a number."""
    if is_sequence_term(expr):
        return expr.func(_number(expr.args[0]))
    if isinstance(expr, sp.Sum):
        index, lo, hi = expr.limits[-1]
        body = sp.Sum(expr.function, *expr.limits[:-1]) if len(expr.limits) > 1 else expr.function
        terms = [
            _spell(substitute(body, {index: sp.Integer(k)})) for k in range(_number(lo), _number(hi) + 1)
        ]
        return sp.Add(*terms, evaluate=False) if len(terms) > 1 else terms[0] if terms else sp.Integer(0)
    if not expr.args:
        return expr
    return rebuilt(expr, [_spell(a) for a in expr.args])


def _number(expr: sp.Expr) -> int:
    value = expr.doit()
    if not value.is_Integer:
        raise NotApplicable(f"{expr} is not a whole number")
    return int(value)


def _written_out(relation: sp.Basic | ForAll, at: dict[sp.Symbol, sp.Integer]) -> list[sp.Basic]:
    if not isinstance(relation, ForAll):
        return [relation if is_scalar_relation(relation) else _spelled(relation, at)]
    lo, hi = (_number(e.xreplace(at)) for e in (relation.lo, relation.hi))
    return [_spelled(relation.relation, at | {relation.index: sp.Integer(k)}) for k in range(lo, hi + 1)]
