"""The strongest statements about the same algorithm: for strongly convex losses, for any server step size.

None of this is in the paper. The drift of a round is bounded by its mean over the local steps, so that no
recursion is summed; the errors of a round are orthogonal to what is known when it begins; and of the
server's step only what it costs beyond the exact one is paid.
"""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.composite.assumptions import BOUNDED_BELOW, PROX_PL_WEAK, STRONGLY_CONVEX
from fedproof.papers.composite.notation import *
from fedproof.papers.composite.statements import strengthened_formulas as f
from fedproof.papers.composite.statements.formulas import SHARP35, SHARP36_VARIANCE
from fedproof.papers.composite.statements.printed import ETA_T, KEY, LOCAL_STEPS, SAMPLED, STEP, STEPS
from fedproof.papers.composite.statements.sharpened import FREE, MU, SHARP_SERVER

with printed():
    STEP_SC = Condition("eta~ <= mu_sc/(10 L^2)", f.STEP_SC, "in place of Theorem 3.8, first condition")

CONTRACTION_SC = Def(letter(kept_sc_sharp), f.CONTRACTION_SC, "sharpened Theorem 3.8")


def _source(where: str) -> Source:
    return Source(KEY, f"{where}; this form is not in the paper")


def _residual(variance: sp.Expr) -> Def:
    return Def(letter(res_sigma), variance, "second term", report=True)


THEOREM38 = Statement(
    f"{KEY}.theorem3.8.sharpened",
    "Theorem 3.8, for any convex penalty and longer steps",
    _source("Theorem 3.8"),
    letters(*FREE, mu_sc, *STEPS, Omega1_sc, R),
    Bound("squared_distance", f.DISTANCE),
    where=(ETA_T, CONTRACTION_SC, _residual(f.DISTANCE_VARIANCE)),
    conditions=(LOCAL_STEPS, STEP_SC, SHARP_SERVER),
    assumptions=(*SAMPLED, STRONGLY_CONVEX.id, BOUNDED_BELOW.id),
    amends=f"{KEY}.theorem3.8",
    note="Of the distance alone. Omega_sc^1 is |P^1 - x*|^2 plus, as c_i^1 = 0, (eta tau)^2 times the mean "
    "of |grad f_i - grad f|^2 at P^1; the proof starts from it with the second part over 9. With full "
    "gradients the distance falls to 0, whatever the penalty. F* is finite where F is strongly convex.",
    proof=(f"{KEY}.theorem3.8.sharpened.end",),
)

with printed():
    LOCAL_STEP = Condition("eta~ <= eta_g/(10 L)", f.LOCAL_STEP, "eta tau <= 1/(10 L), in place of (13)")
    _START = gap + L**2 * eta_t * (1 / n * (n * (eta**2 * tau**2 * zeta2)))
    _SIMPLE = gap + (L * eta * tau) ** 2 * eta_t * zeta2
    _LESS35 = f.ANY35 <= SHARP35
    _LESS36 = f.ANY36_VARIANCE <= SHARP36_VARIANCE
    _BELOW = (Omega1_hat <= Omega1,)

CONTRACTION_ANY = Def(letter(kept_any), f.CONTRACTION_ANY, "Theorem 3.6 for any server step size")
ANY = (LOCAL_STEPS, STEP, LOCAL_STEP)
POTENTIAL = (
    "The potential is F - F* plus L^2 eta~ times the spread of the corrections. Its first value is, as "
    "c_i^1 = 0, F(P^1) - F* + (eta tau L)^2 eta~ times the mean of |grad f_i - grad f|^2 at P^1 "
    "(composite.any_server.start); any larger number will do, among them Omega^1 of (10)."
)

THEOREM35 = Statement(
    f"{KEY}.theorem3.5.any_server.sharpened",
    "Theorem 3.5, for any convex penalty and any server step size",
    _source("Theorem 3.5"),
    letters(*FREE, *STEPS, Omega1_hat, R),
    Bound("mean_squared_prox_gradient", f.ANY35),
    where=(ETA_T, _residual(f.ANY35_VARIANCE)),
    conditions=ANY,
    assumptions=(*SAMPLED, BOUNDED_BELOW.id),
    amends=f"{KEY}.theorem3.5",
    note=f"{POTENTIAL} A server step size below 1 asks for eta tau <= 1/(10 L) and nothing else.",
    proof=(f"{KEY}.any.theorem3.5.end",),
)

THEOREM36 = Statement(
    f"{KEY}.theorem3.6.any_server.sharpened",
    "Theorem 3.6, for any convex penalty and any server step size",
    _source("Theorem 3.6"),
    letters(*FREE, mu, *STEPS, Omega1_hat, R),
    Bound("objective_gap", f.ANY36),
    where=(ETA_T, CONTRACTION_ANY, _residual(f.ANY36_VARIANCE)),
    conditions=(*ANY, MU),
    assumptions=(*SAMPLED, PROX_PL_WEAK.id),
    amends=f"{KEY}.theorem3.6",
    note=f"{POTENTIAL} Of the objective alone, which the potential bounds.",
    proof=(f"{KEY}.any.theorem3.6.end",),
)

START = Statement(
    f"{KEY}.any_server.start",
    "The weighted potential at the start",
    Source(KEY, "eq. (10) at r = 1, with L^2 eta~ before the spread; not in the paper"),
    letters(L, n, tau, eta, eta_g, gap, zeta2),
    Identity(Omega1_hat, _SIMPLE),
    where=(ETA_T, Def(letter(Omega1_hat), _START, "with c_i^1 = 0", report=True)),
    conditions=(LOCAL_STEPS,),
    note="zeta^2 is the mean over the clients of |grad f_i - grad f|^2 at P^1.",
)

DOMINATES35 = Statement(
    f"{KEY}.theorem3.5.any_server.dominates",
    "Where both apply, the bound for any server step size is at most the other sharpened one",
    _source("Theorem 3.5"),
    letters(*FREE, *STEPS, Omega1, Omega1_hat, R),
    Implies(_BELOW, _LESS35),
    (ETA_T,),
    (LOCAL_STEPS, STEP, SHARP_SERVER),
    uses=(f"{KEY}.theorem3.5.sharpened", f"{KEY}.theorem3.5.any_server.sharpened"),
)
DOMINATES36 = Statement(
    f"{KEY}.theorem3.6.any_server.dominates",
    "Where both apply, the residual for any server step size is at most the other sharpened one",
    _source("Theorem 3.6"),
    letters(*FREE, mu, *STEPS),
    Implies((), _LESS36),
    (ETA_T,),
    (LOCAL_STEPS, STEP, SHARP_SERVER, MU),
    uses=(f"{KEY}.theorem3.6.sharpened", f"{KEY}.theorem3.6.any_server.sharpened"),
)
