"""Implications: refuted by an exact point, proved by two engines, open otherwise."""

from __future__ import annotations

from fedproof.bounds.claims import Implies
from fedproof.bounds.statement import Statement
from fedproof.validate.claims.relation import judge_relation
from fedproof.validate.statement_verdict import StatementVerdict


def judge(statement: Statement) -> StatementVerdict:
    """Decide whether the hypotheses imply the conclusion."""
    claim = statement.claim
    assert isinstance(claim, Implies)
    return judge_relation(statement, claim.given, claim.then, claim.via)
