"""Theorem 5 with Assumption 5 where its proof uses it: at the models of the run, and at the solution.

None of this is in the paper. A run shows both where no zeta is known that holds at all points.
"""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.statement import Statement
from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.statements import repaired
from fedproof.papers.flecs.statements.printed import KEY


def _along(of: Statement, id: str, proof: str) -> Statement:
    """A statement with the weaker assumption, by a step that needs no more."""
    weaker = {A.DISSIMILARITY.id: A.DISSIMILARITY_ALONG.id}
    return replace(
        of,
        id=f"{KEY}.{id}",
        source=replace(of.source, where=f"{of.source.where}; with less assumed than in the paper"),
        title=f"{of.title}, zeta along the run",
        assumptions=tuple(weaker.get(a, a) for a in of.assumptions),
        amends=of.id,
        note="zeta^2 is the largest of the models that rounds start from, and of the solution.",
        proof=(f"{KEY}.{proof}",),
    )


THEOREM5 = _along(repaired.THEOREM5, "theorem5.along", "theorem5.along")
SHARPENED = _along(repaired.SHARPENED5, "theorem5.along.sharpened", "theorem5.along.sharpened")
