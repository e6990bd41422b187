"""Bounds on what a run does: not decidable from parameters alone."""

from __future__ import annotations

from fedproof.bounds.statement import Statement
from fedproof.validate.judgement import Judgement

__all__ = ["judge"]


def judge(statement: Statement) -> Judgement:
    """A bound is open until every step of its proof is decided; runs are compared by `validate`."""
    return Judgement(
        statement.id, "open", (), "its proof is not audited yet; `validate` compares it with runs"
    )
