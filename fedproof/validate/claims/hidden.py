"""Bounds up to a constant that the text hides: true where a proof gives one, false where no constant does."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.claims import Bound, Hidden
from fedproof.bounds.statement import Statement
from fedproof.validate.claims import bound
from fedproof.validate.statement_verdict import StatementVerdict


def judge(statement: Statement) -> StatementVerdict:
    """Read the verdict off the last steps of the proof, which bound the metric with some constant."""
    claim = statement.claim
    assert isinstance(claim, Hidden)
    if claim.factor is None:
        return StatementVerdict(statement.id, "open", (), "no constant is known with which it holds")
    with_constant = Bound(claim.metric, claim.factor * claim.expr)
    found = bound.judge(replace(statement, claim=with_constant))
    if found.verdict in ("holds", "holds amended"):
        return replace(found, detail=f"with the constant {claim.factor}: {found.detail}")
    return found
