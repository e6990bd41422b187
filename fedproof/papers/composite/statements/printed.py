"""Theorems 3.5, 3.6 and 3.8 and Lemmas A.1 and A.2, as printed."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.composite.assumptions import (
    BOUNDED_BELOW,
    CONVEX,
    INDEPENDENT,
    LIPSCHITZ,
    PROX_PL,
    SMOOTH,
    STRONGLY_CONVEX,
    SUBGRADIENTS,
    UNBIASED,
    VARIANCE,
    WHOLE_PAST,
)
from fedproof.papers.composite.notation import *
from fedproof.papers.composite.statements import formulas as f

KEY = "composite"
#: Assumptions 3.1, 3.2 and 3.4; what their text leaves between the lines is not among them
LOCAL = (CONVEX.id, SUBGRADIENTS.id, SMOOTH.id, UNBIASED.id, VARIANCE.id)
#: the same without bounded subgradients, and with what the proofs need
SAMPLED = (CONVEX.id, SMOOTH.id, LIPSCHITZ.id, UNBIASED.id, VARIANCE.id, INDEPENDENT.id, WHOLE_PAST.id)

ETA_T = Def(letter(eta_t), f.ETA_T, "Algorithm 1, line 2", report=True, facts=(eta_t > 0,))
#: a name for the power, which the proofs take from round to round
CONTRACTION = Def(letter(kept), f.CONTRACTION, "Theorem 3.6")
CONTRACTION_SC = Def(letter(kept_sc), f.CONTRACTION_SC, "Theorem 3.8")

with printed():
    LOCAL_STEPS = Condition("tau >= 1", tau >= 1, "Algorithm 1, line 6")
    STEP = Condition("(13) step", f.STEP, "(13), first inequality")
    SERVER = Condition("(13) server", f.SERVER, "(13), second inequality")
    LEMMA_STEP = Condition("eta~ <= eta_g/(sqrt(20) L)", f.LEMMA_STEP, "Lemma A.1")
    STEP_SC = Condition("Theorem 3.8 step", f.STEP_SC, "Theorem 3.8, first condition")
    SERVER_SC = Condition("Theorem 3.8 server", Eq(eta_g, sqrt(n)), "Theorem 3.8, second condition")

COMMON = (L, n, tau, b, sigma2, B_g)
STEPS = (eta, eta_g)


def _residuals(variance: sp.Expr, subgradients: sp.Expr, where: str) -> tuple[Def, Def]:
    """The two sources of a residual, shown beside the verdict of a check."""
    return (
        Def(letter(res_sigma), variance, f"{where}, second term", report=True),
        Def(letter(res_g), subgradients, f"{where}, third term", report=True),
    )


RESIDUALS35 = _residuals(f.THEOREM35_VARIANCE, f.THEOREM35_SUBGRADIENTS, "Theorem 3.5")
RESIDUALS36 = _residuals(f.THEOREM36_VARIANCE, f.THEOREM36_SUBGRADIENTS, "Theorem 3.6")
RESIDUALS38 = _residuals(f.THEOREM38_VARIANCE, f.THEOREM38_SUBGRADIENTS, "Theorem 3.8")

THEOREM35 = Statement(
    f"{KEY}.theorem3.5",
    "Theorem 3.5 (general non-convex case)",
    Source(KEY, "Theorem 3.5"),
    letters(*COMMON, *STEPS, Omega1, R),
    Bound("mean_squared_prox_gradient", f.THEOREM35),
    where=(ETA_T, *RESIDUALS35),
    conditions=(LOCAL_STEPS, STEP, SERVER),
    assumptions=(*LOCAL, BOUNDED_BELOW.id),
    uses=(f"{KEY}.lemmaA1", f"{KEY}.lemmaA2"),
    proof=(f"{KEY}.theorem3.5.end",),
)

THEOREM36 = replace(
    THEOREM35,
    id=f"{KEY}.theorem3.6",
    title="Theorem 3.6 (proximal PL inequality case)",
    source=Source(KEY, "Theorem 3.6"),
    letters=letters(*COMMON, mu, *STEPS, Omega1, R),
    claim=Bound("potential", f.THEOREM36),
    where=(ETA_T, CONTRACTION, *RESIDUALS36),
    assumptions=(*LOCAL, PROX_PL.id),
    proof=(f"{KEY}.theorem3.6.end",),
)

THEOREM38 = Statement(
    f"{KEY}.theorem3.8",
    "Theorem 3.8 (strongly convex case)",
    Source(KEY, "Theorem 3.8, from the conference paper [33, Thm. 3.4]"),
    letters(*COMMON, mu_sc, *STEPS, Omega1_sc, R),
    Bound("distance_potential", f.THEOREM38),
    where=(ETA_T, CONTRACTION_SC, *RESIDUALS38),
    conditions=(LOCAL_STEPS, STEP_SC, SERVER_SC),
    assumptions=(*LOCAL, STRONGLY_CONVEX.id),
    note="Cited in print: its own proof is in the conference paper. The proof here is ours; it gives 25.5 "
    "for 30 and needs no B_g.",
    proof=(f"{KEY}.theorem3.8.end",),
)

LEMMA_A1 = Statement(
    f"{KEY}.lemmaA1",
    "Lemma A.1",
    Source(KEY, "Lemma A.1, eq. (21)"),
    letters(*COMMON, *STEPS, G2, LamSq),
    Bound("local_drift", f.DRIFT),
    where=(ETA_T,),
    conditions=(LOCAL_STEPS, LEMMA_STEP),
    assumptions=LOCAL,
    note="Printed without an expectation around the squared prox-gradient; both sides are of one round.",
    proof=(f"{KEY}.lemmaA1.end",),
)

LEMMA_A2 = replace(
    LEMMA_A1,
    id=f"{KEY}.lemmaA2",
    title="Lemma A.2",
    source=Source(KEY, "Lemma A.2"),
    letters=(*LEMMA_A1.letters, *letters(moved)),
    claim=Bound("correction_spread", f.SPREAD),
    uses=(LEMMA_A1.id,),
    note="The term in the movement of the server's model is subtracted on the left in print.",
    proof=(f"{KEY}.lemmaA2.end",),
)
