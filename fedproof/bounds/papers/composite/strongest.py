"""The strongest statements about the same algorithm: for strongly convex losses, for any server step size.

None of this is in the paper. The drift of a round is bounded by its mean over the local steps, so that no
recursion is summed; the errors of a round are orthogonal to what is known when it begins; and of the
server's step only what it costs beyond the exact one is paid.
"""

from __future__ import annotations

from fedproof.bounds.claims import Bound
from fedproof.bounds.expressions import printed
from fedproof.bounds.papers.composite import strongest_formulas as f
from fedproof.bounds.papers.composite.assumptions import STRONGLY_CONVEX
from fedproof.bounds.papers.composite.sharpened import FREE, SHARP_SERVER
from fedproof.bounds.papers.composite.statements import ETA_T, KEY, LOCAL_STEPS, SAMPLED, STEPS
from fedproof.bounds.papers.composite.symbols import (
    Omega1_sc,
    R,
    kept_sc_sharp,
    letter,
    letters,
    mu_sc,
    res_sigma,
)
from fedproof.bounds.statement import Condition, Def, Statement
from fedproof.vocabulary.source import Source

with printed():
    STEP_SC = Condition("eta~ <= mu_sc/(10 L^2)", f.STEP_SC, "in place of Theorem 3.8, first condition")

KEPT_SC = Def(letter(kept_sc_sharp), f.KEPT_SC, "sharpened Theorem 3.8")


def _source(where: str) -> Source:
    return Source(KEY, f"{where}; this form is not in the paper")


def _residual(variance: object) -> Def:
    return Def(letter(res_sigma), variance, "second term", report=True)


THEOREM38 = Statement(
    f"{KEY}.theorem3.8.sharpened",
    "Theorem 3.8, for any convex penalty and longer steps",
    _source("Theorem 3.8"),
    letters(*FREE, mu_sc, *STEPS, Omega1_sc, R),
    Bound("squared_distance", f.DISTANCE),
    where=(ETA_T, KEPT_SC, _residual(f.DISTANCE_VARIANCE)),
    conditions=(LOCAL_STEPS, STEP_SC, SHARP_SERVER),
    assumptions=(*SAMPLED, STRONGLY_CONVEX.id),
    amends=f"{KEY}.theorem3.8",
    note="Of the distance alone. Omega_sc^1 is |P^1 - x*|^2 plus, as c_i^1 = 0, (eta tau)^2 times the mean "
    "of |grad f_i - grad f|^2 at P^1; the proof starts from it with the second part over 9. With full "
    "gradients the distance falls to 0, whatever the penalty.",
    proof=(f"{KEY}.theorem3.8.sharpened.end",),
)
