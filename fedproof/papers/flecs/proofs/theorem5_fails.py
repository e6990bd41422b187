"""Theorem 5 and Corollary 6 as printed: nothing bounds c from below, T has lost a factor of its second term.

Two workers with the losses w^2/2 + w and w^2/2 - w: F(w) = w^2/2 and zeta = 1. Full gradients, A = 1, w_0 = 0
is the solution, h_0 = 0. Each compressor sends nothing or twice the vector, each with probability 1/2: it is
in U(1). So g~_0 is the mean of two independent numbers that are 0 or 2, and 0 or -2.
"""

from fedproof.papers.flecs.notation import *
from fedproof.papers.flecs.statements import formulas as f
from fedproof.proof.prelude import *

by = step_writer("flecs", __name__)
first, second, gap = number("first", r"\tilde g_0^1"), number("second", r"\tilde g_0^2"), number("gap")
#: E w_1^2, the sum of E w_k^2 over the rounds from the third, E|grad F|^2 at the drawn model
w_1, later = number("w_1", r"\mathbb E w_1^2"), number("later", r"\textstyle\sum_{k\ge2}\mathbb E w_k^2")
drawn = number("drawn", r"\mathbb E\|\nabla F(\bar w)\|^2")
_TWO = (
    "instance: two workers with w^2/2 + w and w^2/2 - w, A = 1, w_0 = 0, h_0 = 0, Q(x) is 0 or 2 x, no noise"
)

with printed():
    SENT = assume(_TWO, Eq(w_1, alpha**2 * (0**2 + 1**2 + (-1) ** 2 + 0**2) / 4))
    DRAWN = assume(_TWO, Eq(drawn, (0 + w_1 + later) / K), later >= 0)
    CONSTANTS = assume(
        _TWO,
        Eq(L, 1), Eq(mu1, 1), Eq(mu2, 1), Eq(n, 2), Eq(omega, 1), Eq(sigma2, 0), Eq(zeta2, 1),
        Eq(kappa0, c * alpha**2 / 2),
    )  # fmt: skip
    DOMAIN = (
        L > 0, mu1 > 0, mu2 >= mu1, omega > 0, n >= 1, sigma2 >= 0, zeta2 >= 0, alpha > 0, gamma > 0, c > 0,
        K >= 1, f.PRINTED_STEP5, f.PRINTED_SHIFT5,
    )  # fmt: skip
    LEAST = by.real("theorem5.fails.least", "Theorem 5, two workers")(
        alpha**2 / (2 * K) <= drawn, K >= 2, SENT, DRAWN
    )
    NOTE = (
        "As c falls the bound tends to 0 for any admitted alpha and gamma, and the messages' variance is not "
        "in it. The proof's T has (gamma^2 omega - gamma (1 - gamma))/n for c L alpha^2/2 times that. gamma "
        "lies between both roots of T as printed, and the last display of the proof, of which (5) has a "
        "misprint, breaks likewise. That some c serves is true and empty: near its ceiling the bound grows "
        "without limit."
    )
    FAILS = by.real("theorem5.fails", "Theorem 5")(
        alpha**2 / (2 * K) <= f.THEOREM5,
        DOMAIN, f.PRINTED_WEIGHT5, CONSTANTS, Eq(K, 2),
        flaw="gap",
        witness=values(
            "L=1 mu1=1 mu2=1 n=2 omega=1 sigma2=0 zeta2=1 K=2 alpha=1/2 gamma=1/4 c=1/100 kappa0=1/800"
        ),
        note=NOTE,
    )  # fmt: skip
    FAILS_LAST = by.real("theorem5.fails.last", "proof of Theorem 5, the last display")(
        alpha**2 / (2 * K) <= f.PRINTED_LAST5,
        DOMAIN, f.PRINTED_WEIGHT5, CONSTANTS, Eq(K, 2),
        flaw="gap",
        witness=values(
            "L=1 mu1=1 mu2=1 n=2 omega=1 sigma2=0 zeta2=1 K=2 alpha=1/2 gamma=1/4 c=1/100 kappa0=1/800"
        ),
        note=NOTE,
    )  # fmt: skip
    FAILS6 = by.real("corollary6.fails", "Corollary 6")(
        alpha**2 / (2 * K) <= f.COROLLARY6,
        DOMAIN, 2 * mu1 > 1, Eq(alpha, f.STEP6), CONSTANTS, Eq(K, 4),
        flaw="gap",
        witness=values(
            "L=1 mu1=1 mu2=1 n=2 omega=1 sigma2=0 zeta2=1 K=4 gamma=1/4 c=1/1000 alpha=1000/2001 "
            "kappa0=500/4004001"
        ),
        note="By Theorem 5; see there.",
    )  # fmt: skip
