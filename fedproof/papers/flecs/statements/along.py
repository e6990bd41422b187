"""Theorem 5 with Assumption 5 where its proof uses it: at the models of the run, and at the solution.

None of this is in the paper. A run shows both where no zeta is known that holds at all points.
"""

from __future__ import annotations

from fedproof.bounds.statement import Statement
from fedproof.papers.flecs.assumptions import DISSIMILARITY, DISSIMILARITY_ALONG
from fedproof.papers.flecs.statements import repaired
from fedproof.papers.flecs.statements.printed import KEY

NOTE = "zeta^2 is the largest of the models that rounds start from, and of the solution."


def _along(of: Statement, name: str) -> Statement:
    id, title = f"{KEY}.{name}", f"{of.title}, zeta along the run"
    return of.assuming(DISSIMILARITY_ALONG, DISSIMILARITY, id=id, title=title, note=NOTE, proof=(id,))


THEOREM5 = _along(repaired.THEOREM5, "theorem5.along")
SHARPENED = _along(repaired.SHARPENED5, "theorem5.along.sharpened")
