"""Lemmas 10 and 11 line by line, as printed: what is meant is proved, and a slip has an instance.

The instances of Lemma 10 are one worker whose message is exact, and two workers at the solution.
"""

from fedproof.papers.flecs.proofs.moments import (
    AWAY,
    EACH,
    EQ15,
    EQ16,
    EQ18_NOISE,
    EQ19,
    FLOOR,
    HELD,
    JENSEN,
    SAMPLED,
    UNSEEN,
)
from fedproof.papers.flecs.proofs.rounds import *
from fedproof.papers.flecs.proofs.shifts import ROOM, STEPS, TO_OWN, TO_SHIFT

by = step_writer("flecs", __name__)
W10, W11 = "proof of Lemma 10", "proof of Lemma 11"
#: of an instance: E|g~ - grad F|^2, E|g~ - g_k|^2, E|g~ - h_*^1|^2, |grad f - h|^2, E|grad f - g|^2
gap, sent = (
    number("gap", r"\mathbb E\|\tilde g_k-\nabla F\|^2"),
    number("sent", r"\mathbb E\|\tilde g_k-g_k\|^2"),
)
off = number("off", r"\mathbb E\|\tilde g_k-h_*^1\|^2")
apart = number("apart", r"\tfrac1n\sum_i\|\nabla f_i-h_k^i\|^2")
spread = number("spread", r"\tfrac1n\sum_i\mathbb E\|\nabla f_i-g_k^i\|^2")
H0, G0, S0 = vectors("H0 G0 S0")

with printed():
    # -- (13)
    MEAN13 = by.real("eq13.worker", "(13), a worker's gradient at the server")(
        Eq(n2(Ck(k, i, h(i) + message(i)) - g(i)), 0),
        MINE, HELD, Q_MEAN.at(k, i, x(i)), C_LINEAR.at(k, i, h(i), message(i), 1),
    )  # fmt: skip
    DOMAIN = (L > 0, mu > 0, mu1 > 0, mu2 >= mu1, omega > 0, n >= 1)
    EQ13 = by.real("eq13.spread", "(13), the second inequality")(
        gap <= omega / n**2 * apart,
        DOMAIN,
        assume(
            "instance: one worker with w^2/2 at w = 0, h = 0, Q(x) = x, its sample is -1 or 1",
            Eq(L, 1), Eq(mu, 1), Eq(n, 1), Eq(gap, 1), Eq(apart, 0),
        ),
        flaw="misprint",
        witness=values("L=1 mu=1 mu1=1 mu2=1 omega=1/100 n=1 gap=1 apart=0"),
        note="Meant are g_k for grad F(w_k) and g_k^i for grad f_i(w_k), as (15) has them; with full "
        "gradients they are the same.",
    )  # fmt: skip
    EQ13_MEANT = by.real("eq13.spread.repaired", "(13), the second inequality")(
        n2(gt - SAMPLED) <= omega / n**2 * total(n2(x(i)), i, 1, n),
        ROUND, DRAWN, AVERAGE.known, EQ15.at(),
        repairs="flecs.eq13.spread",
    )  # fmt: skip
    EQ14 = by.real("eq14.index", "(14), the left side")(
        off <= 2 * omega / n * 0 + (2 * omega / n + 1) * 0 + (1 + omega) * sigma2 / n,
        DOMAIN, sigma2 >= 0,
        assume(
            "instance: two workers with w^2/2 + w and w^2/2 - w at w = 0, h_i = h_*^i, no noise",
            Eq(L, 1), Eq(mu, 1), Eq(n, 2), Eq(sigma2, 0), Eq(off, 1),
        ),
        flaw="rendering",
        witness=values("L=1 mu=1 mu1=1 mu2=1 omega=1/100 n=2 sigma2=0 off=1"),
        note="On the page, or in its scan, h_*^i on the left has an index that nothing binds; the proof has "
        "h_* = grad F(w*) = 0.",
    )  # fmt: skip
    EQ14_FIRST = by.real("eq14.first", f"{W10}, the last display, first line")(
        n2(gt) <= 2 * omega / n**2 * total(n2(here(i) - there(i)) + n2(h(i) - there(i)), i, 1, n)
        + omega / n**2 * total(noise(i), i, 1, n) + AWAY + FLOOR / n,
        ROUND, omega >= 0, DRAWN, AVERAGE.known, MEAN_GRAD.known, SOLUTION.known,
        EQ19.at(over=WORKERS), used(EQ15, EQ16, EQ18_NOISE, JENSEN),
        note="The sum is read to reach to sigma_i^2.",
    )  # fmt: skip
    EQ14_LAST = by.real("eq14.last", f"{W10}, the last display, second line")(
        n2(gt - DF(ws)) <= 2 * omega / n**2 * total(n2(h(i) - there(i)), i, 1, n)
        + (2 * omega / n + 1) * AWAY + (1 + omega) * FLOOR / n,
        ROUND, omega >= 0, DRAWN, AVERAGE.known, MEAN_GRAD.known, SOLUTION.known, SOLUTION.at(),
        EQ14_FIRST.at(),
        repairs="flecs.eq14.index",
    )  # fmt: skip
    # -- (15)
    EQ15_FIRST = by.real("eq15.first", "(15), the first line")(
        Eq(sent, spread),
        DOMAIN,
        assume(
            "instance: one worker with w^2/2 at w = 0, h = 0, Q(x) = x, its sample is -1 or 1",
            Eq(L, 1), Eq(mu, 1), Eq(n, 1), Eq(sent, 0), Eq(spread, 1),
        ),
        flaw="misprint",
        witness=values("L=1 mu=1 mu1=1 mu2=1 omega=1/100 n=1 sent=0 spread=1"),
        note="grad f_i(w_k) for g_k^i; the second line has it right.",
    )  # fmt: skip
    EQ15_SECOND = by.real("eq15.second", "(15), the second line")(
        Eq(n2(gt - SAMPLED), n2(total(error(i), i, 1, n) / n)), ROUND, AVERAGE.at(k),
        repairs="flecs.eq15.first",
    )  # fmt: skip
    # -- (16)-(19)
    EQ18_FIRST = by.real("eq18.first", "(18), the first line")(
        n2(gt) <= omega / n**2 * total(n2(x(i)), i, 1, n) + n2(SAMPLED - N) + n2(N),
        ROUND, DRAWN, AVERAGE.known, MEAN_GRAD.known, EQ15.at(), EQ16.at(),
    )  # fmt: skip
    TOWARD = by.real("eq18.toward", "(18), a sample and the gradient at the solution")(
        n2(here(i) - there(i)) <= n2(g(i) - there(i)),
        MINE, UNSEEN, S_THERE.at(k, i, i),
        S_SYMMETRIC.at(k, i, g(i), here(i)), S_SYMMETRIC.at(k, i, g(i), there(i)),
    )  # fmt: skip
    EQ18 = by.real("eq18")(
        n2(gt) <= omega / n**2 * total(n2(x(i)), i, 1, n) + mean(n2(g(i) - there(i))) + FLOOR / n,
        ROUND, DRAWN, AVERAGE.known, MEAN_GRAD.known, SOLUTION.known,
        EQ18_FIRST.at(), EQ18_NOISE.at(), JENSEN.at(),
        TOWARD.at(over=WORKERS),
    )  # fmt: skip
    # -- Lemma 11
    AFTER = n2(h(i) + gamma * message(i) - there(i))
    START = n2(h(i) - there(i))
    L11_FIRST = by.real("lemma11.line2", f"{W11}, second line")(
        Eq(AFTER, START + 2 * ip(gamma * message(i), h(i) - there(i)) + n2(gamma * message(i))), MINE
    )
    L11_SECOND = by.real("lemma11.line3", f"{W11}, third line")(
        AFTER <= START + 2 * gamma * ip(x(i), h(i) - there(i)) + gamma**2 * (omega + 1) * n2(x(i)),
        MINE, DRAWN,
        EACH.at(), TO_OWN.at(), TO_SHIFT.at(),
    )  # fmt: skip
    SENT = by.real("lemma11.sent", f"{W11}, fourth line")(gamma * n2(x(i)) >= 0, gamma >= 0)
    L11_THIRD = by.real("lemma11.line4", f"{W11}, fourth line")(
        AFTER <= START + 2 * gamma * ip(x(i), h(i) - there(i)) + gamma * n2(x(i)),
        MINE, STEPS, DRAWN, L11_SECOND.at(), ROOM, SENT.at(),
    )  # fmt: skip
    L11_SIXTH = by.quad("lemma11.line6", f"{W11}, sixth line")(
        Eq(
            2 * gamma * ip(G0 - H0, H0 - S0) + gamma * n2(G0 - H0),
            gamma * ip(G0 - H0, 2 * H0 - 2 * S0 + G0 - H0),
        )
    )
    L11_SLIP = by.quad("lemma11.line7", f"{W11}, seventh line")(
        Eq(gamma * ip(G0 - H0, 2 * H0 - 2 * S0 + G0 - H0), gamma * ip(G0 - H0, H0 + G0 - 2 * H0)),
        gamma > 0, omega > 0, gamma * (1 + omega) <= 1,
        flaw="rendering",
        note="The page, or its scan, has 2 h_k^i for 2 h_*^i; the next line has it right.",
    )  # fmt: skip
    L11_SEVENTH = by.quad("lemma11.line7.meant", f"{W11}, seventh line")(
        Eq(gamma * ip(G0 - H0, 2 * H0 - 2 * S0 + G0 - H0), gamma * ip(G0 - H0, H0 + G0 - 2 * S0)),
        repairs="flecs.lemma11.line7",
    )
    L11_EIGHTH = by.quad("lemma11.line8", f"{W11}, eighth line")(
        Eq(gamma * ip(G0 - H0, H0 + G0 - 2 * S0), gamma * n2(G0 - S0) - gamma * n2(S0 - H0))
    )
