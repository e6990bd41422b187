"""What runs on data are said to show: recorded with a reason why it is not decided."""

from __future__ import annotations

from fedproof.bounds.claims import Reported
from fedproof.bounds.statement import Statement
from fedproof.validate.statement_verdict import StatementVerdict


def judge(statement: Statement) -> StatementVerdict:
    """Open: the runs behind it, their data and their seeds are not in the text."""
    claim = statement.claim
    assert isinstance(claim, Reported)
    said = f"a run on data ({claim.data}), not a consequence of the statements"
    seen = f"; {claim.figure} compares it with runs on {claim.differs}" if claim.figure else ""
    return StatementVerdict(statement.id, "open", (), said + seen)
