"""Lemma 1, Theorem 1 and problem (23) as sharp as elementary arguments make them, for the same algorithm.

None of this is in the paper. Where the printed proof loses, and what replaces it:
Lemma 2 is an equality, since the proximal step on a quadratic is a gradient step on J_n of size
1/(beta L + mu); so (29) is replaced by the descent lemma for J_n. (47) and (57)-(66) are replaced by exact
counts of how often each local step occurs. (71) and (72) lose factors of 2 to Young's inequality where a
variance decomposition and Minkowski's inequality do not. (79)-(85) bound the inner product and the square
apart, although one long step cannot make both bad.
"""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.assumptions import INEXACT, INEXACT_SQUARED
from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements import sharp_formulas as g
from fedproof.papers.fedproxvr.statements.printed import (
    ENOUGH_ROUNDS,
    GLOBAL,
    KEY,
    LOCAL,
    MT,
    SOLVABLE,
    STRONGLY_CONVEX,
    SVRG_A,
)

DEVIATION = Def(letter(q), g.DEVIATION, "sharpened Theorem 1", report=True)
FACTOR = Def(letter(Theta), g.FACTOR, "sharpened Theorem 1", report=True)
with printed():
    THETA = Def(
        letter(theta),
        g.THETA_LEAST,
        "least theta allowed by the sharpened Lemma 1",
        report=True,
        facts=(theta > 0, g.LOWER <= tau + 1),
    )
THETA_MATCHED = Def(letter(theta), g.THETA_MATCHED, "least theta, tau for tau + 1", report=True)

with printed():
    STEP = Condition("beta >= 1", beta >= 1, "step sizes up to 1/L")
    LOWER = Condition("(13) lower, sharpened", g.LOWER <= tau + 1, "sharpened Lemma 1")
    SVRG_LOWER = Condition("(14) lower, sharpened", g.LOWER <= tau + 1, "sharpened Lemma 1")
    SARAH_BETA = Condition("(13) beta, sharpened", g.SARAH_BETA, "sharpened Lemma 1, in place of (13) upper")
    SVRG_BETA = Condition("(14) beta, sharpened", g.SVRG_BETA, "sharpened Lemma 1, in place of (14) upper")
    SVRG_FEW = Condition("(14) upper, few local steps", g.SVRG_STEPS <= g.SVRG_UPPER, "sharpened Lemma 1")
    SARAH_UPPER = Condition(
        "(13) upper, sharpened", tau <= g.SARAH_UPPER, "(13) beta, sharpened, at the least theta"
    )
    SVRG_UPPER = Condition(
        "(14) upper, sharpened", tau + 1 <= g.SVRG_REACH, "(14) beta, sharpened, at the least theta"
    )
    SHORT = Condition("short steps", g.SHORT, "the smoothness bound is minimal at 1/L")
    CONTRACTS = Condition("q < 1", q < 1, "sharpened Theorem 1")


def _lemma1(
    variant: str, part: str, conditions: tuple[Condition, Condition], last: str, few: bool = False
) -> Statement:
    return Statement(
        f"{KEY}.lemma1.{variant}.{'few.' if few else ''}sharpened",
        f"Lemma 1 ({variant.upper()}{', few local steps' if few else ''}), sharpened",
        Source(KEY, f"Lemma 1({part}); the sharpened form is not in the paper"),
        letters(L, lam, mu, beta, tau, theta),
        Bound("local_inexactness_rms", theta),
        where=(MT,),
        conditions=(STRONGLY_CONVEX, STEP, *conditions),
        assumptions=LOCAL,
        amends=f"{KEY}.lemma1.{variant}",
        note="In mean square, which implies (11). "
        + (
            "Admits larger step sizes where local steps are few."
            if few
            else "Any number of steps, if enough."
        ),
        proof=(f"{KEY}.sharp.{variant}.{last}",),
        grants=(INEXACT.id, INEXACT_SQUARED.id),
    )


LEMMA1_SARAH = _lemma1("sarah", "a", (LOWER, SARAH_BETA), "any")
LEMMA1_SVRG = _lemma1("svrg", "b", (SVRG_LOWER, SVRG_BETA), "many")
LEMMA1_SVRG_FEW = _lemma1("svrg", "b", (SVRG_LOWER, SVRG_FEW), "lemma1", few=True)

_USES = (f"{KEY}.lemma1.sarah.sharpened", f"{KEY}.lemma1.svrg.sharpened")

EQ87 = Statement(
    f"{KEY}.eq87.sharpened",
    "Descent of one round, sharpened",
    Source(KEY, "proof of Theorem 1, eq. (87); the sharpened form is not in the paper"),
    letters(L, lam, sigma2, mu, theta),
    Bound("descent", Theta, ">="),
    where=(MT, DEVIATION, FACTOR),
    conditions=(STRONGLY_CONVEX, SHORT, CONTRACTS),
    assumptions=(*GLOBAL, INEXACT_SQUARED.id),
    uses=_USES,
    amends=f"{KEY}.eq87",
    proof=(f"{KEY}.direct.sharp.eq87",),
)

THEOREM1 = replace(
    EQ87,
    id=f"{KEY}.theorem1.sharpened",
    title="Theorem 1, sharpened",
    source=Source(KEY, "Theorem 1, eq. (17); the sharpened form is not in the paper"),
    letters=letters(L, lam, sigma2, mu, theta, Delta, T),
    claim=Bound("mean_squared_gradient", f.MEAN_GRADIENT),
    uses=(*_USES, EQ87.id),
    amends=f"{KEY}.theorem1",
    proof=(f"{KEY}.direct.sharp.theorem1",),
)
COROLLARY1 = replace(
    EQ87,
    id=f"{KEY}.corollary1.sharpened",
    title="Corollary 1, sharpened",
    source=Source(KEY, "Corollary 1, eq. (18); the sharpened form is not in the paper"),
    letters=letters(L, lam, sigma2, mu, theta, Delta, eps, T),
    claim=Bound("mean_squared_gradient", eps),
    conditions=(*EQ87.conditions, ENOUGH_ROUNDS),
    uses=(THEOREM1.id,),
    amends=f"{KEY}.corollary1",
    proof=(f"{KEY}.direct.sharp.corollary1",),
)


def _certified(variant: str, part: str, upper: Condition, last: str) -> Statement:
    return Statement(
        f"{KEY}.certified.{variant}.sharpened",
        f"Lemma 1 and Theorem 1, sharpened, with theta eliminated ({variant.upper()})",
        Source(
            KEY,
            f"Lemma 1({part}), Theorem 1 and Corollary 1, chained; the sharpened form is not in the paper",
        ),
        letters(L, lam, sigma2, mu, beta, tau, Delta, T, eps),
        Bound("mean_squared_gradient", f.MEAN_GRADIENT),
        where=(MT, THETA, DEVIATION, FACTOR, Def(letter(T_eps), f.ROUNDS, "(18)", report=True)),
        conditions=(STRONGLY_CONVEX, STEP, upper, SOLVABLE, SHORT, CONTRACTS),
        assumptions=GLOBAL,
        uses=(
            f"{KEY}.lemma1.{variant}.sharpened",
            f"{KEY}.theorem1.sharpened",
            f"{KEY}.corollary1.sharpened",
        ),
        amends=f"{KEY}.certified.{variant}",
        proof=(f"{KEY}.sharp.{variant}.{last}", f"{KEY}.direct.sharp.theorem1"),
    )


CERTIFIED_SARAH = _certified("sarah", "a", SARAH_UPPER, "any")
CERTIFIED_SVRG = _certified("svrg", "b", SVRG_UPPER, "many")

with printed():
    ENOUGH = Condition(
        "enough margin", 5 * theta**4 * mt**2 > 9 * 128 * L**2, "theta^2 (mu - lam) > 3 sqrt(128/5) L"
    )
    _ROOM = f.LOWER / beta <= f.SVRG_UPPER / beta

REMARK1_1_SVRG_REPAIRED = Statement(
    f"{KEY}.remark1.1.svrg.repaired",
    "For every theta and large enough mu, some beta and tau satisfy (14)",
    Source(KEY, "Remark 1(1)"),
    letters(L, lam, mu, theta),
    Exists(letters(beta), (beta > 3, _ROOM)),
    (MT, Def(letter(tau), f.LOWER, "the least tau of (14)", facts=(tau > 0,))),
    (STRONGLY_CONVEX, ENOUGH),
    (SVRG_A,),
    uses=(f"{KEY}.lemma1.svrg",),
    amends=f"{KEY}.remark1.1.svrg",
    note="With the least tau of (14) there is room below its upper bound once beta is large.",
)

with printed():
    _FROM = g.LOWER - 1 <= tau

REMARK1_1_SVRG = Statement(
    f"{KEY}.remark1.1.svrg.sharpened",
    "For every theta, and whatever mu, some beta and tau satisfy the sharpened (14)",
    Source(KEY, "Remark 1(1); the sharpened form is not in the paper"),
    letters(L, lam, mu, theta),
    Exists(letters(beta, tau), (beta >= 1, _FROM, g.SVRG_BETA)),
    (MT,),
    (STRONGLY_CONVEX,),
    uses=(f"{KEY}.lemma1.svrg.sharpened",),
    amends=f"{KEY}.remark1.1.svrg",
    note="What the remark says is true of the algorithm; only the printed (14) does not give it.",
)

PROBLEM23 = Statement(
    f"{KEY}.problem23.sharpened",
    "Least training time, sharpened (SARAH)",
    Source(KEY, "problem (23)-(24); the sharpened form is not in the paper"),
    letters(L, lam, sigma2, gamma, mu, beta, tau),
    Minimum(f.OBJECTIVE, (mu, beta, tau)),
    where=(MT, THETA_MATCHED, DEVIATION, FACTOR),
    conditions=(STRONGLY_CONVEX, STEP, SARAH_UPPER, SHORT, CONTRACTS),
    uses=(f"{KEY}.certified.sarah.sharpened",),
    amends=f"{KEY}.problem23",
    note="Log-convex in the logs of mu - lam, beta L + mu and tau.",
)
