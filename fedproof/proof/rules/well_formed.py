"""What proof steps may say, and where what they say is defined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import evaluated
from fedproof.proof.forall import ForAll, within
from fedproof.proof.rules.gram import combination, is_vector
from fedproof.proof.rules.query import NotApplicable, Query, is_scalar_relation
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step
from fedproof.proof.vectors import Vector, ip, n2

_PARTS = (sp.Add, sp.Mul, sp.Abs, sp.Max, sp.Min)


def check_well_formed(step: Step) -> None:
    """Whether a prepared step says only what its rule understands.

    Raises: NotApplicable naming the first thing that is not.
    """
    if step.rule in ("interval", "cite"):
        return
    bodies = [g.relation.relation if isinstance(g.relation, ForAll) else g.relation for g in step.given]
    ranges = [g.relation for g in step.given if isinstance(g.relation, ForAll)]
    ends = [e for r in ranges for e in (r.lo, r.hi)]
    weights = [g.weight for g in step.given if g.weight is not None]
    for relation in (step.claim, *bodies):
        for side in relation.args:
            if isinstance(relation, sp.Eq) and any(is_vector(a) for a in relation.args):
                combination(side)
            else:
                _understood(side)
    for expr in (*ends, *weights, *(p.expr for p in step.lets), *(f for p in step.lets for f in p.facts)):
        for side in expr.args if isinstance(expr, sp.core.relational.Relational) else (expr,):
            _understood(side)
    _check_kind(step, [step.claim, *bodies, *weights, *(p.expr for p in step.lets)])


def _check_kind(step: Step, said: list[Any]) -> None:
    for expr in said:
        spatial = bool(expr.atoms(Vector, ip, n2))
        serial = expr.has(sp.Sum) or any(is_sequence_term(a) for a in expr.atoms(sp.Function))
        if (spatial and step.rule != "quad") or (serial and step.rule != "sum"):
            kind = "vectors" if spatial and step.rule != "quad" else "sequences"
            raise NotApplicable(
                f"{expr} speaks of {kind}; use rule='{'quad' if kind == 'vectors' else 'sum'}'"
            )


def _understood(expr: sp.Expr) -> None:
    if isinstance(expr, Vector):
        raise NotApplicable(f"the vector {expr} stands where a number belongs")
    if isinstance(expr, (sp.Rational, sp.Symbol)):
        return
    if isinstance(expr, (ip, n2)):
        for a in expr.args:
            combination(a)
        return
    if is_sequence_term(expr):
        _place(expr)
    elif isinstance(expr, sp.Sum):
        _ends(expr)
        _understood(expr.function)
    elif isinstance(expr, sp.Pow):
        exponent = expr.exp.doit()
        if not isinstance(exponent, sp.Rational):
            raise NotApplicable(f"the exponent of {expr} is not a rational number")
        _understood(expr.base)
    elif isinstance(expr, _PARTS):
        for a in expr.args:
            _understood(a)
    else:
        raise NotApplicable(f"{expr} has no meaning in real algebra")


def _place(term: sp.Expr) -> None:
    if len(term.args) != 1 or not is_scalar_relation(term.args[0]):
        raise NotApplicable(f"{term} must have one index, a whole number")
    _understood(term.args[0])


def _ends(total: sp.Sum) -> None:
    for limit in total.limits:
        if len(limit) != 3 or not all(is_scalar_relation(e) for e in limit[1:]):
            raise NotApplicable(f"{total} must run from one whole number to another")
        for e in limit[1:]:
            _understood(e)


def partial(expr: Any) -> bool:
    """Whether an expression has a divisor or a root, so that it may be undefined somewhere."""
    powers = (p for p in expr.atoms(sp.Pow) if not (p.base.is_number and evaluated(p.base).is_positive))
    return any(not (e := p.exp.doit()).is_Integer or e < 0 for p in powers)


def definedness_conditions(known: tuple[Any, ...], expr: Any, about: str) -> list[Query]:
    """Questions whether every divisor and root of real numbers in an expression or relation is defined.

    What a sum says is asked for every index of the sum.
    """
    asked: dict[tuple[Any, ...], list[sp.Expr]] = {}
    for where, part in _partial_parts(expr, ()):
        asked.setdefault(where, []).append(part)
    found = []
    for where, parts in asked.items():
        said = sp.Add(*dict.fromkeys(parts), evaluate=False) if len(parts) > 1 else parts[0]
        found.append(Query((*known, *where), sp.Eq(said, said, evaluate=False), about))
    return found


def _partial_parts(expr: Any, where: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], sp.Expr]]:
    if not partial(expr):
        return
    if isinstance(expr, sp.Expr) and is_scalar_relation(expr):
        yield where, expr
    elif isinstance(expr, sp.Sum):
        for index, lo, hi in reversed(expr.limits):
            for end in (lo, hi):
                yield from _partial_parts(end, where)
            where = (*where, *within(lo, index, hi))
        yield from _partial_parts(expr.function, where)
    else:
        for a in expr.args:
            yield from _partial_parts(a, where)
