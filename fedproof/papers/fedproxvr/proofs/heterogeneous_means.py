"""Sec. 3 repaired: Theorem 1 as printed, with other means of the clients' L_n and lambda_n.

L stands for the root mean square of the L_n, and mu - lam for m with
1/m^2 = E_n[(1 + sigma_n^2)/(mu - lambda_n)^2]/(1 + sigma^2). Both are no worse than the largest L_n and the
largest lambda_n, and for equal constants nothing changes.
"""

from fedproof.papers.fedproxvr.assumptions import HETEROGENEOUS
from fedproof.papers.fedproxvr.proofs.lemma3 import DIVERGENCE, EQ71, EQ72_YOUNG, EQ73
from fedproof.papers.fedproxvr.proofs.means import MEAN_BELOW_RMS, SCHWARZ, one
from fedproof.papers.fedproxvr.proofs.means import x as any_x
from fedproof.papers.fedproxvr.proofs.means import y as any_y
from fedproof.papers.fedproxvr.proofs.round_vectors import *
from fedproof.papers.fedproxvr.proofs.telescoping import (
    ENDS,
    LEAST_LOSS,
    ROUNDS,
    SMALL,
    Fp,
    Fs,
    g,
    gradient,
    r,
    slope,
    start2,
)
from fedproof.papers.fedproxvr.proofs.telescoping import F as loss
from fedproof.papers.fedproxvr.proofs.theorem1 import EQ84, MU_THETA, NAMED, SPREAD, in_expectation
from fedproof.papers.fedproxvr.proofs.theorem1_descent import GLOBAL_JENSEN, apart, inner, mean_size, size

mtn = number("mtn", r"(\mu-\lambda_n)")
reach = number("reach", r"\tfrac{1+\sigma_n^2}{(\mu-\lambda_n)^2}")
q = sequence("q(n)", r"\tfrac{1+\sigma_n^2}{(\mu-\lambda_n)^2}", nonnegative=True)
ell = sequence("ell(n)", "L_n", nonnegative=True)
A = sequence("A(n)", r"L_n\,\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|", nonnegative=True)
margin = sequence("margin(n)", r"(\mu-\lambda_n)")
rho = number("rho", r"(\mathbb E_n(\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|)^2)^{1/2}")
pulled = number("pulled", r"\mathbb E_n[L_n\,\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|]")
far = number("far", r"\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|")
far2 = number("far2", r"\mathbb E\|\bar w^{(s-1)}-w_n^{(s)}\|^2")

POSITIVE = (mu > 0, L > 0, mt > 0, theta > 0, sigma2 >= 0)
by = step_writer("fedproxvr", __name__, "Sec. 3, heterogeneous L_n and lambda_n, repaired")
#: two numbers under roots
one_part, other_part = number("one_part", r"\phi"), number("other_part", r"\psi")

with printed():
    CLIENT72 = by.quad("heterogeneous.means.gradient")(
        n2(grad) <= 2 * (1 + sigma**2) * n2(bar),
        EQ72_YOUNG.at(),
        DIVERGENCE.at(),
        note="(72) for one client.",
    )
    CLIENT71 = by.mean("heterogeneous.means.reach")(
        n2(local - start) <= 4 * (1 + theta**2) * reach * n2(bar),
        assume(HETEROGENEOUS.id, mtn > 0),
        assume("definition: its reach", Eq(reach, (1 + sigma**2) / mtn**2)),
        EQ71.at({mt: mtn}),
        CLIENT72.at(),
        note="(71) with lambda_n, then (72) for one client.",
    )
    MEAN71 = by.sum("heterogeneous.means.mean_reach")(
        average(R2(n)) <= 4 * SPREAD / mt**2 * B**2,
        POSITIVE,
        CLIENTS,
        assume("definition: its reach", ForAll(Eq(q(n), (1 + sg(n)) / margin(n) ** 2), *CLIENT)),
        assume(HETEROGENEOUS.id, ForAll(margin(n) > 0, *CLIENT)),
        CLIENT71.at(
            {n2(local - start): R2(n), reach: q(n), sigma**2: sg(n), mtn: margin(n), n2(bar): B**2},
            weight=p(n),
            over=CLIENT,
        ),
        times(
            4 * (1 + theta**2) * B**2,
            Eq(average(q(n)), (1 + sigma2) / mt**2),
            "definition: mu - lam stands for m, see above",
        ),
        note="(74), (75).",
    )
    LEMMA3 = by.sum("heterogeneous.means.lemma3")(
        moved <= 4 * SPREAD / mt**2 * B**2,
        POSITIVE,
        CLIENTS,
        EQ73.at({n2(server - start): moved, n2(local - start): average(R2(n))}),
        MEAN71.at(),
        note="Lemma 3.",
    )
    SMOOTH_MEAN = by.sum("heterogeneous.means.smooth")(
        size <= L * apart,
        CLIENTS,
        L > 0,
        assume("meaning: a norm", apart >= 0),
        GLOBAL_JENSEN.at({mean_size: average(X(n))}),
        assume(HETEROGENEOUS.id, ForAll(X(n) <= apart * ell(n), *CLIENT)),
        MEAN_BELOW_RMS.at({ip(any_x, one): average(ell(n)), norm(any_x): L}),
        note="F is L-smooth, as L is at least the mean of the L_n.",
    )
    DESCENT = by.cite("heterogeneous.means.smooth.descent")(
        F1 - F0 <= ip(bar, server - start) + L / 2 * STEP2,
        L > 0,
        assume(
            HETEROGENEOUS.id,
            SMOOTH_MEAN.at({size: norm(bar_end - bar), apart: norm(server - start)}).relation,
        ),
        note="Lemma 1.2.3 of [21]: a loss with an L-Lipschitz gradient lies below its quadratic model.",
    )
    ROUND_DESCENT = by.quad("heterogeneous.means.smooth.round")(
        F1 - F0 <= ip(bar, server - start) + L / 2 * STEP2, L > 0, DESCENT.at()
    )
    EQ79 = inner("heterogeneous.means.eq79", ROUND_DESCENT)
    EXPECTED = in_expectation("heterogeneous.means.expected", EQ79)
    EQ80 = by.sum("heterogeneous.means.eq80")(
        D <= 1 / mu * B * average(A(n)) + 1 / mu * B * average(Q(n)) - 1 / mu * B**2 + L / 2 * moved,
        (mu > 0, L > 0),
        CLIENTS,
        assume("meaning: a norm", B >= 0),
        EXPECTED.at(NAMED),
        assume(HETEROGENEOUS.id, ForAll(H(n) <= A(n), *CLIENT)),
        note="(80)-(82) with L_n inside the mean.",
    )
    SQUARES = by.real("heterogeneous.means.squares")(
        far**2 <= far2,
        assume("meaning: a mean of norms", far >= 0),
        MEAN_BELOW_RMS.at({ip(any_x, one): far, n2(any_x): far2}),
    )
    RMS = by.sum("heterogeneous.means.rms")(
        rho**2 <= average(R2(n)),
        CLIENTS,
        assume("definition: rho", Eq(rho**2, average(W(n) * W(n)))),
        SQUARES.at({far**2: W(n) * W(n), far2: R2(n)}, over=CLIENT),
    )
    EQ83 = by.real("heterogeneous.means.eq83")(
        pulled <= L * (2 / mt * sqrt(SPREAD) * B),
        POSITIVE,
        assume("meaning: norms", B >= 0, rho >= 0),
        SCHWARZ.at({ip(any_x, any_y): pulled, norm(any_x): L, norm(any_y): rho}),
        RMS.at({average(R2(n)): far2}),
        MEAN71.at({average(R2(n)): far2}),
        note="The mean over the clients of L_n times E|w_n - start|, by Cauchy and Schwarz.",
    )
    EQ83_NAMED = by.real("heterogeneous.means.eq83.named")(
        pulled <= L * (2 / mt * u * B),
        POSITIVE,
        assume("meaning: norms", B >= 0, rho >= 0),
        (u >= 0, Eq(u**2, SPREAD)),
        EQ83.at(),
    )
    #: (17) has the root of a product, (83) the product of roots
    ROOTS = by.real("heterogeneous.means.roots")(
        Eq(sqrt(one_part * other_part), sqrt(one_part) * sqrt(other_part)), one_part >= 0, other_part >= 0
    )
    EQ87 = by.sum("heterogeneous.means.eq87")(
        D <= -Theta * B**2,
        POSITIVE,
        CLIENTS,
        NORMS,
        assume("meaning: a norm", rho >= 0),
        EQ80.at(),
        EQ83_NAMED.at({u: sqrt(SPREAD), pulled: average(A(n))}),
        EQ84.at({sqrt(2 * (1 + sigma2)): v}),
        LEMMA3.at({SPREAD: u**2}),
        ROOTS.at({one_part: 1 + sigma2, other_part: 1 + theta**2}),
        assume("definition: mu Theta, below (17)", Eq(kept, MU_THETA)),
        assume("definition: Theta, below (17)", Eq(Theta, 1 / mu * kept)),
        lets=(Let(u, sqrt(SPREAD)), Let(v, sqrt(2 * (1 + sigma2)))),
    )

    HISTORY = by.sum("heterogeneous.means.history")(
        expected(fall(i)) <= -Theta * expected(start2(i)),
        POSITIVE,
        DRAWS,
        EQ87.at({D: fall(i), B**2: start2(i)}, over=OUTCOME),
    )
    GRADIENT = gradient("heterogeneous.means.gradient.loss", DESCENT)
    THEOREM1 = by.sum("heterogeneous.means.theorem1")(
        1 / T * ENDS <= Delta / (Theta * T),
        POSITIVE,
        Theta > 0,
        ROUNDS,
        assume("definition: no lambda_n is negative, so m <= mu", mu >= mt),
        HISTORY.at({expected(fall(i)): loss(r) - loss(r - 1), expected(start2(i)): g(r - 1)}, over=(r, 1, T)),
        GRADIENT.at({n2(slope): g(T), Fp: loss(T)}),
        assume(LEAST_LOSS, Fs <= loss(T)),
        assume("definition: Delta, above Theorem 1", Eq(loss(0) - Fs, Delta)),
        SMALL.at(),
        note="(17) for L and mu - lam as said above.",
    )
