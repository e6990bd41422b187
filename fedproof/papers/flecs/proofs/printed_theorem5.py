"""Theorem 5, its proof line by line as printed: T, the conditions of (5) on alpha and gamma, its last term.

The instances have one worker with w^2/2 and A = 1.
"""

from fedproof.papers.flecs.proofs import theorem5 as t5
from fedproof.papers.flecs.proofs.lemma12 import EQ28
from fedproof.papers.flecs.proofs.moments import EQ16, FLOOR, OFF, TOWARD_N
from fedproof.papers.flecs.proofs.moments import SAMPLED as SAMPLES
from fedproof.papers.flecs.proofs.rounds import *
from fedproof.papers.flecs.proofs.shifts import NEXT
from fedproof.papers.flecs.proofs.theorem5 import GROUND, LISTING, SENT, SMOOTH_F
from fedproof.papers.flecs.statements import formulas as f_

by = step_writer("flecs", __name__)
WHERE = "proof of Theorem 5"
ERRORS = f"{WHERE}, the mean of the shifts' errors"
q, r = numbers("q r")
off = number("off", r"\tfrac1n\sum_i\|h_k^i-h_*^i\|^2")
after = number("after", r"\tfrac1n\sum_i\mathbb E\|h_{k+1}^i-h_*^i\|^2")
sent = number("sent", r"\tfrac1n\sum_i\|g_k^i-h_k^i\|^2")
apart = number("apart", r"\tfrac1n\sum_i\|h_*^i\|^2")
SPREAD = gamma**2 * omega - gamma * (1 - gamma)

with printed():
    # -- the objective after a step
    FIRST = by.real("theorem5.line1", f"{WHERE}, first line")(
        F(wp) <= F(w) - alpha * ip(N, Ak(k, gt)) + L * alpha**2 / 2 * n2(Ak(k, gt)),
        0 <= k, k <= K - 1, STEP.at(k), SMOOTH_F.at(w, wp),
    )  # fmt: skip
    CENTRED = by.real("theorem5.centred", f"{WHERE}, third line")(
        Eq(n2(SAMPLES), n2(SAMPLES - N) + n2(N)),
        ROUND, DRAWN, MEAN_GRAD.known, TOWARD_N[3].at(),
    )  # fmt: skip
    THIRD = by.real("theorem5.line3", f"{WHERE}, third line")(
        Eq(n2(gt), n2(gt - SAMPLES) + n2(SAMPLES)),
        ROUND, DRAWN, AVERAGE.known, MEAN_GRAD.known, EQ16.at(), CENTRED.at(),
    )  # fmt: skip
    NOISE_POSITIVE = by.real("theorem5.noise.worker", f"{WHERE}, a worker's noise")(
        noise(i) >= 0, MINE, NOISE.at(k, i)
    )
    FLOOR_POSITIVE = by.real("theorem5.noise", f"{WHERE}, the workers' noise")(
        FLOOR >= 0, ROUND, NOISE.known, NOISE_POSITIVE.at(over=WORKERS)
    )
    SHARED = by.real("theorem5.shared", f"{WHERE}, the noise of the mean")(q / n <= q, n >= 1, q >= 0)
    FIFTH = by.real("theorem5.line5", f"{WHERE}, fourth and fifth line")(
        F(wp) <= F(w) + alpha * (L * alpha * mu2**2 / 2 - mu1) * n2(N)
        + L * alpha**2 * mu2**2 / 2 * (omega / n**2) * total(n2(x(i)), i, 1, n)
        + L * alpha**2 * mu2**2 / 2 * FLOOR,
        ROUND, DRAWN, MEAN_GRAD.known, SMOOTH_F.known, LISTING, L > 0, alpha > 0,
        FLOOR_POSITIVE.at(), t5.DESCENT.at(), SHARED.at({q: FLOOR}),
    )  # fmt: skip
    # -- the mean of the shifts' errors
    DOMAIN = (
        L > 0, mu1 > 0, mu2 >= mu1, omega > 0, n >= 1, sigma2 >= 0, zeta2 >= 0, alpha > 0, gamma > 0, c > 0,
        f_.PRINTED_STEP5, f_.PRINTED_SHIFT5, f_.PRINTED_WEIGHT5,
    )  # fmt: skip
    ONES = "L=1 mu1=1 mu2=1 omega=1 n=1 sigma2=0 zeta2=0 alpha=1/2 gamma=1/4 c=1/100"
    SHIFTS_FIRST = by.real("theorem5.shifts.line2", f"{ERRORS}, second line")(
        NEXT <= (1 - gamma) * OFF + gamma * mean(n2(g(i) - there(i))) + SPREAD * SENT,
        ROUND, DRAWN, SHIFT.known, EQ28.at(over=WORKERS),
    )  # fmt: skip
    SHIFTS_SLIP = by.real("theorem5.shifts.line3", f"{ERRORS}, third line")(
        after <= (1 - gamma) * off + 2 * gamma * sent + 2 * gamma * apart + SPREAD * sent,
        DOMAIN,
        assume(
            "instance: one worker with w^2/2 at w = 1, h = 1: nothing is sent",
            Eq(L, 1), Eq(n, 1), Eq(after, 1), Eq(off, 1), Eq(sent, 0), Eq(apart, 0),
        ),
        flaw="rendering",
        witness=values(f"{ONES} after=1 off=1 sent=0 apart=0"),
        note="The page, or its scan, has |g_k^i - h_k^i|^2 for |g_k^i|^2; the next line has what is meant.",
    )  # fmt: skip
    SPLIT = by.real("theorem5.split", f"{ERRORS}, third line")(
        n2(g(i) - there(i)) <= 2 * n2(g(i)) + 2 * n2(there(i)), t5.TWO.at({u: g(i), v: there(i)})
    )
    SHIFTS_THIRD = by.real("theorem5.shifts.line3.meant", f"{ERRORS}, third line")(
        NEXT
        <= (1 - gamma) * OFF + 2 * gamma * mean(n2(g(i))) + 2 * gamma * mean(n2(there(i))) + SPREAD * SENT,
        ROUND, gamma >= 0, DRAWN, SHIFT.known, SHIFTS_FIRST.at(),
        SPLIT.at(over=WORKERS),
        repairs="flecs.theorem5.shifts.line3",
    )  # fmt: skip
    ALONE = by.real("theorem5.alone", f"{ERRORS}, fourth line")(
        n2(g(i)) <= n2(here(i)) + noise(i),
        MINE, UNBIASED.at(k, i), S_HERE.at(k, i, i), NOISE.at(k, i), S_SYMMETRIC.at(k, i, g(i), here(i)),
    )  # fmt: skip
    SHIFTS_FOURTH = by.real("theorem5.shifts.line4", f"{ERRORS}, fourth line")(
        NEXT <= (1 - gamma) * OFF + 2 * gamma * mean(n2(here(i))) + 2 * gamma * FLOOR
        + 2 * gamma * mean(n2(there(i))) + SPREAD * SENT,
        ROUND, gamma >= 0, DRAWN, SHIFT.known, SHIFTS_THIRD.at(),
        ALONE.at(over=WORKERS),
    )  # fmt: skip
    SHIFTS_LAST = by.real("theorem5.shifts.line5", f"{ERRORS}, last line")(
        NEXT <= (1 - gamma) * OFF + 2 * gamma * n2(N) + 4 * gamma * zeta2 + SPREAD * SENT + 2 * gamma * FLOOR,
        ROUND, gamma >= 0, DRAWN, SHIFT.known, GROUND,
        SHIFTS_FOURTH.at(), t5.HERE.at(), t5.THERE.at(),
    )  # fmt: skip
    # -- T
    FIRST_OF_T, HALF = L * alpha**2 * mu2**2 / 2 * (omega / n**2), c * L * alpha**2 / 2
    FACTOR = by.real("theorem5.T.factor", f"{WHERE}, the Lyapunov function after a round, last line")(
        FIRST_OF_T * sent + HALF * (SPREAD / n) * sent <= (FIRST_OF_T + SPREAD / n) * sent,
        DOMAIN, sent >= 0,
        flaw="gap",
        witness=values(f"{ONES} sent=1"),
        note="c L alpha^2/2 before the second term of T is lost in this line: the conditions on alpha and "
        "gamma are those under which what is left is not positive.",
    )  # fmt: skip
    FACTOR_MEANT = by.real("theorem5.T.factor.meant", f"{WHERE}, the Lyapunov function after a round")(
        Eq(
            FIRST_OF_T * sent + HALF * (SPREAD / n) * sent,
            L * alpha**2 / (2 * n) * (mu2**2 * omega / n - c * gamma * (1 - gamma * (1 + omega))) * sent,
        ),
        n >= 1,
        repairs="flecs.theorem5.T.factor",
    )  # fmt: skip
    T_PRINTED = (L * alpha**2 * mu2**2 / 2 * (omega / n) + SPREAD) / n
    T = by.real("theorem5.T", f"{WHERE}, T(gamma, alpha) <= 0")(
        T_PRINTED <= 0,
        DOMAIN,
        flaw="gap",
        witness=values("L=1 mu1=1 mu2=1 omega=1 n=1 sigma2=0 zeta2=0 alpha=1/2 gamma=1/100 c=1/100"),
        note="T is a quadratic in gamma: gamma must be at least its lesser root too.",
    )  # fmt: skip
    BETWEEN = by.real("theorem5.T.roots", f"{WHERE}, T(gamma, alpha) <= 0")(
        (omega + 1) * gamma**2 - gamma + q <= 0,
        omega >= 0, r >= 0, Eq(r**2, 1 - 4 * (omega + 1) * q),
        2 * (omega + 1) * gamma <= 1 + r, 2 * (omega + 1) * gamma >= 1 - r,
    )  # fmt: skip
    T_MEANT = by.real("theorem5.T.repaired", f"{WHERE}, T(gamma, alpha) <= 0")(
        n * T_PRINTED <= 0,
        omega >= 0, n >= 1, L > 0, r >= 0, Eq(r**2, 1 - 2 * L * alpha**2 * omega * (omega + 1) * mu2**2 / n),
        2 * (omega + 1) * gamma <= 1 + r, 2 * (omega + 1) * gamma >= 1 - r,
        BETWEEN.at({q: L * alpha**2 * mu2**2 * omega / (2 * n)}),
        note="r is the root in the printed condition.",
        repairs="flecs.theorem5.T",
    )  # fmt: skip
    # -- the end
    LAST = by.real("theorem5.end.zeta", f"{WHERE}, the sum and the last display")(
        f_.LAST5 <= f_.PRINTED_LAST5,
        K >= 1, L > 0, alpha > 0, c > 0, zeta2 >= 0, f_.FALLS5 > 0, gamma <= 1,
        note="zeta^2 without the factor gamma of the line before.",
    )  # fmt: skip
    EQ5 = by.real("eq5.noise", "(5), the last term")(
        (mu2**2 + 2 * c * gamma) / f_.FALLS5 * L * alpha * sigma2
        <= (mu2**2 + 2 * c) / f_.FALLS5_PRINTED * L * sigma2,
        DOMAIN, f_.FALLS5_PRINTED > 0,
        flaw="misprint",
        witness=values(
            "L=1 mu1=1 mu2=1 omega=1/100 n=1 sigma2=1 zeta2=0 alpha=3/2 gamma=1/2 c=1/1000"
        ),
        note="(5) and (30) have 2 c and 2 c L alpha for 2 c gamma and 2 c L alpha gamma, and lack alpha; "
        "where 2 mu1 - L alpha mu2^2 < 2 c L alpha the term would even be negative.",
    )  # fmt: skip
    EQ5_SHORT = by.real("eq5.noise.short", "(5), the last term")(
        (mu2**2 + 2 * c * gamma) / f_.FALLS5 * L * alpha * sigma2
        <= (mu2**2 + 2 * c) / f_.FALLS5_PRINTED * L * sigma2,
        L > 0, alpha > 0, alpha <= 1, gamma > 0, gamma <= 1, c > 0, sigma2 >= 0, f_.FALLS5_PRINTED > 0,
        f_.FALLS5 >= f_.FALLS5_PRINTED,
        repairs="flecs.eq5.noise",
    )  # fmt: skip
