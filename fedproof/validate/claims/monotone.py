"""Monotonicity: refuted by two exact points, proved by the sign of the derivative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.bounds.claims import Monotone
from fedproof.bounds.statement import Statement
from fedproof.proof.counterexamples import breaks, find_counterexample, find_hidden_counterexample
from fedproof.proof.instance import Instance, at
from fedproof.proof.prove_or_refute import RelationVerdict, prove_or_refute
from fedproof.proof.rules.query import Query
from fedproof.validate.claims.relation import affine, unless_vacuous
from fedproof.validate.statement_verdict import StatementVerdict, judgement, standing, told


def judge(statement: Statement) -> StatementVerdict:
    """Decide whether an expression increases or decreases in a symbol under the conditions.

    The sign of the derivative decides where the conditions admit an interval of the symbol when the others
    are fixed: it is proved from those that are affine in it alone, so that it has that sign between any two
    values that are admitted. A refutation shows two values of the symbol themselves.
    """
    claim = statement.claim
    assert isinstance(claim, Monotone)
    facts, x = standing(statement), claim.symbol
    expr = statement.expand(claim.expr)
    later = sp.Symbol(f"{x.name}_later", real=True)
    moved = {x: later}
    rising = claim.direction == "increasing"
    with printed():
        after = expr.xreplace(moved)
    relation = sp.Le(expr, after, evaluate=False) if rising else sp.Ge(expr, after, evaluate=False)
    moved_facts = (*facts, *(f.xreplace(moved) for f in facts), x < later)
    point = told(statement)
    if point is None or not breaks(moved_facts, relation, point):
        point = find_counterexample(moved_facts, relation, batches=2)
    if point is None:
        decision = _by_slope(statement, facts, expr, x, rising)
        if decision.verdict in ("refuted", "open"):
            point = find_hidden_counterexample(moved_facts, relation)
    if point is not None:
        found = Instance(moved_facts, relation, point)
        detail = f"not {claim.direction} in {x.name}: at {at(point)}: {found.sides}"
        return StatementVerdict(statement.id, "refuted", ("exact witness",), detail, point, found)
    if decision.verdict == "refuted":
        decision = replace(
            decision, verdict="open", instance=None, detail=f"its derivative {decision.detail}"
        )
    if decision.verdict != "holds":
        return judgement(statement, decision)
    word = "negative" if rising else "positive"
    said = judgement(statement, decision, f"the derivative in {x.name} is never {word}: ")
    return unless_vacuous(statement, said)


def _by_slope(
    statement: Statement, facts: Sequence[sp.Basic], expr: sp.Expr, x: sp.Symbol, rising: bool
) -> RelationVerdict:
    """What is decided of the derivative, where the expression is defined between any two admitted values."""
    known = tuple(f for f in facts if x not in f.free_symbols or affine(f, {x}))
    slope = sp.diff(expr.doit(), x)
    sign = _sign(slope, rising)
    proof = [Query(known, sign)]
    if not _undefined_at(expr) <= _undefined_at(slope):
        proof.append(Query(known, sp.Le(expr, expr, evaluate=False), "it is defined"))
    return prove_or_refute(known, sign, [proof], statement.source)


def _sign(slope: sp.Expr, rising: bool) -> sp.Basic:
    """That a derivative has the sign of the direction."""
    return sp.Ge(slope, 0) if rising else sp.Le(slope, 0)


def slope_sign(statement: Statement) -> sp.Basic:
    """What a proof of a monotone claim shows of the derivative."""
    claim = statement.claim
    assert isinstance(claim, Monotone)
    slope = sp.diff(statement.expand(claim.expr).doit(), claim.symbol)
    return _sign(slope, claim.direction == "increasing")


def _undefined_at(expr: sp.Expr) -> set[sp.Expr]:
    """What divisors and roots are taken of."""
    powers = expr.doit().atoms(sp.Pow)
    return {p.base for p in powers if not (p.exp.is_Integer and p.exp > 0)}
