"""Lemma 1, Theorem 1, Corollary 1, the equations between them and the chain they close."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.assumptions import DISSIMILAR, INEXACT, INEXACT_SQUARED, SMOOTH, WEAKLY_CONVEX
from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.statements import formulas as f

KEY = "fedproxvr"
LOCAL = (SMOOTH.id, WEAKLY_CONVEX.id)
GLOBAL = (*LOCAL, DISSIMILAR.id)

MT = Def(letter(mt), f.MU_TILDE, "below (7)", facts=(mt > 0,))
FACTOR = Def(letter(Theta), f.FACTOR, "below (17)", report=True)
THETA = Def(letter(theta), f.THETA_LEAST, "least theta allowed by (13), (14)", report=True)

with printed():
    STRONGLY_CONVEX = Condition("mu > lam", mu > lam, "standing, below (7)")
    LOWER_SIGN = Condition("(13) sign", Integer(0) <= f.LOWER, "(13), first inequality")
    LOWER = Condition("(13) lower", f.LOWER <= tau, "(13), (55)")
    SARAH_UPPER = Condition("(13) upper", tau <= f.SARAH_UPPER, "(13), (48)")
    SVRG_LOWER_SIGN = Condition("(14) sign", Integer(0) <= f.LOWER, "(14), first inequality")
    SVRG_LOWER = Condition("(14) lower", f.LOWER <= tau, "(14), (55)")
    SVRG_UPPER = Condition("(14) upper", tau <= f.SVRG_UPPER, "(14), (66)")
    SVRG_SIDE = Condition("(14) exists a", f.SVRG_SIDE, "below (14), (65)")
    BETA = Condition("beta > 3", beta > 3, "(15), (24)")
    POSITIVE_FACTOR = Condition("Theta > 0", Theta > 0, "below (17)")
    SOLVABLE = Condition("theta <= 1", theta <= 1, "below (11)")
    ENOUGH_ROUNDS = Condition("(18)", f.ROUNDS <= T, "(18)")

SVRG_A = Chosen(
    letter(a),
    f.SVRG_BEST_A,
    settles=("(14) exists a",),
    why="the side condition is sqrt(a) >= 2 (sqrt(tau+1) + sqrt(tau+2)), and the upper bound of (14) "
    "falls as a grows, so the least a admits the most",
)

LEMMA1_SARAH = Statement(
    "fedproxvr.lemma1.sarah",
    "Lemma 1 (SARAH)",
    Source(KEY, "Lemma 1(a), eq. (13)"),
    letters(L, lam, mu, beta, tau, theta),
    Bound("local_inexactness", theta),
    where=(MT,),
    conditions=(STRONGLY_CONVEX, LOWER_SIGN, LOWER, SARAH_UPPER),
    assumptions=LOCAL,
    note="With beta > 3 the first inequality of (13) says no more than mu > lam.",
    proof=("fedproxvr.eq11.sarah.squared", "fedproxvr.eq11.sarah"),
    grants=(INEXACT.id, INEXACT_SQUARED.id),
)

LEMMA1_SVRG = replace(
    LEMMA1_SARAH,
    id="fedproxvr.lemma1.svrg",
    title="Lemma 1 (SVRG)",
    source=Source(KEY, "Lemma 1(b), eq. (14)"),
    conditions=(STRONGLY_CONVEX, SVRG_LOWER_SIGN, SVRG_LOWER, SVRG_UPPER, SVRG_SIDE),
    chosen=(SVRG_A,),
    note="The free weight a of the proof is eliminated exactly.",
    proof=("fedproxvr.eq11.svrg.squared", "fedproxvr.eq11.svrg"),
)

with printed():
    EQ15_RELATION = Eq(f.LOWER, f.SARAH_UPPER)
    EQ16_RELATION = Eq(tau, f.SARAH_UPPER)
    EQ22_RELATION = Eq(theta**2, f.THETA2_MATCHED)

EQ15 = Statement(
    "fedproxvr.eq15",
    "The least step-size parameter (SARAH)",
    Source(KEY, "Remark 1(3), eq. (15)"),
    letters(L, lam, mu, beta, theta),
    Identity(f.LOWER, f.SARAH_UPPER),
    where=(MT,),
    conditions=(STRONGLY_CONVEX, BETA, Condition("(15)", EQ15_RELATION, "(15)")),
    note="An equation to be solved for beta, not an identity: the condition and the claim coincide.",
)

EQ16 = Statement(
    "fedproxvr.eq16",
    "The local steps at the least step-size parameter (SARAH)",
    Source(KEY, "Remark 1(3), eq. (16)"),
    letters(beta, tau),
    Identity(tau, f.SARAH_UPPER),
    conditions=(BETA, Condition("(16)", EQ16_RELATION, "(16)")),
    note="A choice of tau, not an identity: the condition and the claim coincide.",
)

EQ22 = Statement(
    "fedproxvr.eq22",
    "The inexactness that (15) leaves",
    Source(KEY, "eq. (22)"),
    letters(L, lam, mu, beta, theta),
    Implies((EQ15_RELATION,), EQ22_RELATION),
    where=(MT,),
    conditions=(STRONGLY_CONVEX, BETA, Condition("(22)", EQ22_RELATION, "(22)")),
    uses=("fedproxvr.eq15",),
)

THEOREM1 = Statement(
    "fedproxvr.theorem1",
    "Theorem 1",
    Source(KEY, "Theorem 1, eq. (17)"),
    letters(L, lam, sigma2, mu, theta, Delta, T),
    Bound("mean_squared_gradient", f.MEAN_GRADIENT),
    where=(MT, FACTOR),
    conditions=(STRONGLY_CONVEX, POSITIVE_FACTOR),
    assumptions=(*GLOBAL, INEXACT.id, INEXACT_SQUARED.id),
    uses=("fedproxvr.lemma1.sarah", "fedproxvr.lemma1.svrg"),
    note="Takes theta as given, in mean square, which is what the conditions in Lemma 1 give by (54); with "
    "(11) alone (70) would not follow. fedproxvr.certified.* closes the chain from beta and tau.",
    proof=("fedproxvr.direct.theorem1",),
)

EQ87 = replace(
    THEOREM1,
    id="fedproxvr.eq87",
    title="Descent of one round",
    source=Source(KEY, "proof of Theorem 1, eq. (87)"),
    letters=letters(L, lam, sigma2, mu, theta),
    claim=Bound("descent", Theta, ">="),
    note="",
    proof=("fedproxvr.direct.eq87",),
)
COROLLARY1 = replace(
    THEOREM1,
    id="fedproxvr.corollary1",
    title="Corollary 1",
    source=Source(KEY, "Corollary 1, eq. (18)"),
    letters=letters(L, lam, sigma2, mu, theta, Delta, eps, T),
    claim=Bound("mean_squared_gradient", eps),
    conditions=(*THEOREM1.conditions, ENOUGH_ROUNDS),
    uses=(THEOREM1.id,),
    note="",
    proof=("fedproxvr.direct.corollary1",),
)

EQ19 = Statement(
    "fedproxvr.eq19",
    "Total training time",
    Source(KEY, "eq. (19)"),
    letters(T, d_com, d_cmp, tau),
    Identity(time, f.TRAINING_TIME),
    where=(Def(letter(time), f.TRAINING_TIME, "(19)", report=True),),
    note="A definition: synchronous rounds, one upload and tau local steps each.",
)

PROBLEM20 = Statement(
    "fedproxvr.problem20",
    "Least training time, in four variables",
    Source(KEY, "problem (20)-(21)"),
    letters(L, lam, sigma2, gamma, mu, theta, beta, tau),
    Minimum(f.OBJECTIVE, (mu, theta, beta, tau)),
    where=(MT, FACTOR),
    conditions=(
        STRONGLY_CONVEX,
        BETA,
        Condition("(15)", EQ15_RELATION, "(15)"),
        Condition("(16)", EQ16_RELATION, "(16)"),
        POSITIVE_FACTOR,
    ),
    uses=("fedproxvr.eq15", "fedproxvr.eq16", "fedproxvr.theorem1"),
)

MATCHED_TAU = Def(letter(tau), f.SARAH_UPPER, "(16)", report=True)
with printed():
    MATCHED_THETA = Def(letter(theta), f.THETA2_MATCHED ** (Integer(1) / 2), "(22)", report=True)

PROBLEM23 = Statement(
    "fedproxvr.problem23",
    "Least training time, in two variables (SARAH)",
    Source(KEY, "problem (23)-(24)"),
    letters(L, lam, sigma2, gamma, mu, beta),
    Minimum(f.OBJECTIVE, (mu, beta)),
    where=(MT, MATCHED_TAU, MATCHED_THETA, FACTOR),
    conditions=(STRONGLY_CONVEX, BETA, POSITIVE_FACTOR),
    uses=("fedproxvr.problem20", "fedproxvr.eq22"),
    note="Called non-convex in print, which it is in (mu, beta); it is convex in (log(mu-lam), log tau).",
)


def _certified(variant: str, upper: tuple[Condition, ...], chosen: tuple[Chosen, ...]) -> Statement:
    return Statement(
        f"fedproxvr.certified.{variant}",
        f"Lemma 1 and Theorem 1 with theta eliminated ({variant.upper()})",
        Source(KEY, f"Lemma 1({'a' if variant == 'sarah' else 'b'}), Theorem 1 and Corollary 1, chained"),
        letters(L, lam, sigma2, mu, beta, tau, Delta, T, eps),
        Bound("mean_squared_gradient", f.MEAN_GRADIENT),
        where=(MT, THETA, FACTOR, Def(letter(T_eps), f.ROUNDS, "(18)", report=True)),
        conditions=(STRONGLY_CONVEX, BETA, *upper, SOLVABLE, POSITIVE_FACTOR),
        chosen=chosen,
        assumptions=GLOBAL,
        uses=(f"fedproxvr.lemma1.{variant}", "fedproxvr.theorem1", "fedproxvr.corollary1"),
        note="theta is the least value that the lower bound on tau allows; Theta falls as theta grows.",
        proof=(f"fedproxvr.eq11.{variant}.squared", f"fedproxvr.eq11.{variant}", "fedproxvr.direct.theorem1"),
    )


CERTIFIED_SARAH = _certified("sarah", (SARAH_UPPER,), ())
CERTIFIED_SVRG = _certified("svrg", (SVRG_UPPER, SVRG_SIDE), (SVRG_A,))
