"""Theorem 1 with (5) where its proof uses it: at the models of the run, in the mean over clients and draws.

None of this is in the paper. Real data have no finite sigma of (5) at all models; a run shows its own.
"""

from __future__ import annotations

from fedproof.bounds.statement import Statement
from fedproof.papers.fedproxvr.assumptions import DISSIMILAR, DISSIMILAR_ALONG
from fedproof.papers.fedproxvr.statements import printed, sharpened
from fedproof.papers.fedproxvr.statements.printed import KEY

NOTE = "sigma^2 is the largest of the models that rounds start from, of the mean over the clients."
_PRINTED, _SHARP = f"{KEY}.direct.along.theorem1", f"{KEY}.direct.sharp.along.theorem1"


def _along(of: Statement, id: str, *proof: str) -> Statement:
    title = f"{of.title}, with (5) along the run"
    return of.assuming(DISSIMILAR_ALONG, DISSIMILAR, id=f"{KEY}.{id}", title=title, note=NOTE, proof=proof)


THEOREM1 = _along(printed.THEOREM1, "theorem1.along", _PRINTED)
SHARPENED = _along(sharpened.THEOREM1, "theorem1.along.sharpened", _SHARP)
SARAH = _along(sharpened.CERTIFIED_SARAH, "certified.sarah.along", sharpened.CERTIFIED_SARAH.proof[0], _SHARP)
SVRG = _along(sharpened.CERTIFIED_SVRG, "certified.svrg.along", sharpened.CERTIFIED_SVRG.proof[0], _SHARP)
