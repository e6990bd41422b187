"""Identities: both sides equal wherever the conditions hold."""

from __future__ import annotations

import sympy as sp

from fedproof.bounds.claims import Identity
from fedproof.bounds.statement import Statement
from fedproof.validate.claims.relation import judge_relation
from fedproof.validate.statement_verdict import StatementVerdict


def judge(statement: Statement) -> StatementVerdict:
    """Decide an identity like any other relation under the conditions, unless it defines a choice."""
    claim = statement.claim
    assert isinstance(claim, Identity)
    left, right = statement.expand(claim.left), statement.expand(claim.right)
    if any(sp.Eq(left, right, evaluate=False) == c.relation for c in statement.admissible):
        return StatementVerdict(
            statement.id, "holds", ("definition",), "the equation is its own condition: it defines a choice"
        )
    return judge_relation(statement, (), sp.Eq(claim.left, claim.right, evaluate=False))
