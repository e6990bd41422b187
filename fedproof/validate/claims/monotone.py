"""Monotonicity: refuted by two exact points, proved by the sign of the derivative."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.bounds.claims import Monotone
from fedproof.bounds.statement import Statement
from fedproof.proof.counterexamples import breaks, find_counterexample, find_hidden_counterexample
from fedproof.proof.instance import Instance, at
from fedproof.proof.prove_or_refute import prove_or_refute
from fedproof.validate.statement_verdict import StatementVerdict, judgement, standing, told


def judge(statement: Statement) -> StatementVerdict:
    """Decide whether an expression increases or decreases in a symbol under the conditions.

    The conditions admit an interval of the symbol when the others are fixed, so that the sign of
    the derivative decides; a refutation shows two values of the symbol themselves.
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
        slope = sp.diff(expr.doit(), x)
        decision = prove_or_refute(
            facts, sp.Ge(slope, 0) if rising else sp.Le(slope, 0), source=statement.source
        )
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
    return judgement(statement, decision, f"the derivative in {x.name} is never {word}: ")
