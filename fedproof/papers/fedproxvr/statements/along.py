"""Theorem 1 with (5) where its proof uses it: at the models of the run, in the mean over clients and draws.

None of this is in the paper. Real data have no finite sigma of (5) at all models; a run shows its own.
"""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.statement import Statement
from fedproof.papers.fedproxvr.assumptions import DISSIMILAR, DISSIMILAR_ALONG
from fedproof.papers.fedproxvr.statements import printed, sharpened
from fedproof.papers.fedproxvr.statements.printed import KEY

NOTE = "sigma^2 is the largest of the models that rounds start from, of the mean over the clients."


def _along(of: Statement, id: str, *proof: str) -> Statement:
    """A statement with the weaker assumption, by steps that need no more."""
    weaker = {DISSIMILAR.id: DISSIMILAR_ALONG.id}
    return replace(
        of,
        id=f"{KEY}.{id}",
        source=replace(of.source, where=f"{of.source.where}; with less assumed than in the paper"),
        title=f"{of.title}, with (5) along the run",
        assumptions=tuple(weaker.get(a, a) for a in of.assumptions),
        amends=of.id,
        note=NOTE,
        proof=proof,
    )


THEOREM1 = _along(printed.THEOREM1, "theorem1.along", f"{KEY}.direct.along.theorem1")
SHARPENED = _along(sharpened.THEOREM1, "theorem1.along.sharpened", f"{KEY}.direct.sharp.along.theorem1")
SARAH, SVRG = (
    _along(of, f"certified.{variant}.along", of.proof[0], f"{KEY}.direct.sharp.along.theorem1")
    for variant, of in (("sarah", sharpened.CERTIFIED_SARAH), ("svrg", sharpened.CERTIFIED_SVRG))
)
