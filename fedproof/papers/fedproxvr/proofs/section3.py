"""Sec. 3 and below (7): the losses, assumption (5), the surrogate and the proximal operator."""

from fedproof.papers.fedproxvr.proofs.lemma3 import DIVERGENCE, EQ72_YOUNG, SIGMA2
from fedproof.papers.fedproxvr.proofs.means import m
from fedproof.papers.fedproxvr.proofs.means import x as any_x
from fedproof.papers.fedproxvr.proofs.round_vectors import *

size_of = sequence("D(n)", "D_n", nonnegative=True)
losses = sequence("S(n)", r"\textstyle\sum_{i\in\mathcal D_n}f_i(w)")
F = sequence("F(n)", "F_n(w)")
D_all = number("D_all", "D")
weight = number("weight", "p_n")
V_n = number("V_n", r"\|\nabla F_n(w)-\nabla\bar F(w)\|^2")
Bd = number("Bd", "B")
client = number("client", "n")
hn = number("hn", "h_n")
hbar = number("hbar", r"\bar h")
s0 = number("s0", "s")
point = number("point", "w")
free = vector("free", "w")
given_point = vector("given_point", "x")
prox = vector("prox", r"\mathrm{prox}_{\eta h_s}(x)")
eta = number("eta", r"\eta")

by = step_writer("fedproxvr", __name__, "Sec. 3, (5) and B-local dissimilarity")
QUADRATIC = "Sec. 3, (5) and convex quadratics"

with printed():
    SIZES = assume("meaning: data sizes", D_all > 0)
    EQ2_WEIGHTS = by.sum("eq2.weights")(
        Eq(total(size_of(n) / D_all, *CLIENT), 1),
        CLIENTS,
        SIZES,
        assume("definition: D, above (1)", Eq(total(size_of(n), *CLIENT), D_all)),
    )
    EQ2 = by.sum("eq2", "eqs. (1), (2)")(
        Eq(total(size_of(n) / D_all * F(n), *CLIENT), 1 / D_all * total(losses(n), *CLIENT)),
        CLIENTS,
        SIZES,
        assume("definition: (1)", ForAll(Eq(size_of(n) * F(n), losses(n)), *CLIENT)),
        note="The global loss is the mean over all samples. Where w lies is said twice, as R^l with l >= d "
        "and as R^d; nothing depends on it. Of the examples, the hinge loss has no Lipschitz gradient, (3).",
    )
    VARIANCE = by.quad("section3.variance", mean=r"\mathbb E_n")(
        Eq(n2(any_x - m), n2(any_x) - n2(m)),
        assume("meaning: m is the mean of x over the clients", Eq(ip(any_x - m, m), 0)),
    )
    HERE = {n2(any_x - m): average(V(n)), n2(any_x): average(G(n)), n2(m): B2}
    B_TO_5 = by.sum("section3.b_to_5")(
        p(client) * V(client) <= (Bd**2 - 1) * B2,
        assume("meaning: a client", client >= 1, client <= N),
        assume("meaning: a squared norm", B2 >= 0),
        assume("definition: B-local dissimilarity of [16]", average(G(n)) <= Bd**2 * B2),
        VARIANCE.at(HERE),
    )
    B_TO_SIGMA = by.real("section3.b_to_5.sigma")(
        V_n <= (Bd**2 - 1) / weight * B2,
        assume("definition: D_n/D of a client with data", weight > 0),
        assume("meaning: a squared norm", B2 >= 0),
        B_TO_5.at({p(client) * V(client): weight * V_n}),
        note="(5) with sigma_n^2 = (B^2 - 1) D/D_n: B-local dissimilarity is a special case, as claimed.",
    )
    FROM_5 = by.sum("section3.b_from_5")(
        average(G(n)) <= (1 + sigma2) * B2,
        CLIENTS,
        VARIANCE.at(HERE),
        DIVERGENCE.at({n2(grad - bar): V(n), sigma**2: sg(n), n2(bar): B2}, over=CLIENT),
        SIGMA2,
        note="The other way round with B^2 = 1 + sigma^2: for clients with data the two are one assumption.",
    )
    GROWS = by.real("section3.quadratic.grows", QUADRATIC)(
        sp.Abs(hn - hbar) * sp.Abs(point) <= sp.Abs(hn - hbar) / hbar * sp.Abs(hbar * point),
        (hn >= 0, hbar > 0),
        note="F_n = h_n/2 w^2 satisfies (5) with a fixed sigma_n, at every w.",
    )
    UNBOUNDED = by.real("section3.quadratic.unbounded", QUADRATIC)(
        sp.Abs(hn - hbar) * sp.Abs(point) > s0,
        (s0 >= 0, hn >= 0, hbar > 0, hn > hbar, point >= (s0 + 1) / (hn - hbar)),
        note="And its divergence exceeds any bound s, which the assumption of [31] does not allow.",
    )
    STATIONARY = by.quad("section3.stationary", "Sec. 3, what (5) asks")(
        n2(grad) <= 0,
        assume("meaning: a stationary point of the global loss", n2(bar) <= 0),
        DIVERGENCE.at(),
        EQ72_YOUNG.at(),
        note="It is stationary for every client: convex quadratics with different minimisers do not "
        "satisfy (5), whatever sigma_n.",
    )
    EQ7 = by.quad("eq7", "below (7), h_s is mu-strongly convex")(
        Eq(
            mu / 2 * n2(local - start),
            mu / 2 * n2(free - start) + ip(mu * (free - start), local - free) + mu / 2 * n2(local - free),
        ),
        mu > 0,
    )
    EQ10 = by.quad("eq10", "eqs. (9), (10)")(
        Eq(
            mu / 2 * n2(free - start)
            + 1 / (2 * eta) * n2(free - given_point)
            - (mu / 2 * n2(prox - start) + 1 / (2 * eta) * n2(prox - given_point)),
            (mu / 2 + 1 / (2 * eta)) * n2(free - prox),
        ),
        (eta > 0, mu >= 0),
        assume("definition: (10)", Eq(prox, eta / (1 + eta * mu) * (mu * start + 1 / eta * given_point))),
        note="So (10) is the one minimiser of (9).",
    )
