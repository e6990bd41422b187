"""Lemma 1 for SVRG without any limit on the number of local steps.

The direction is unbiased, so the descent lemma loses no more than K rho/2 times the variance, and the drift
|w - w_0| is at most |grad J_n(w) - grad J_n(w_0)| / mt, whose cross term telescopes once more.
"""

from fedproof.papers.fedproxvr.assumptions import WEAKLY_CONVEX
from fedproof.papers.fedproxvr.proofs import sharp_lemma1 as few
from fedproof.papers.fedproxvr.proofs.lemma2 import start
from fedproof.papers.fedproxvr.proofs.sharp_lemma1 import *
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import sharp_formulas as g

by = step_writer("fedproxvr", __name__, "Lemma 1 (SVRG), sharpened")
w = vector("w", "w^{(t)}")
plus = vector("plus", "w^{(t+1)}")
error = vector("deviation", r"(v^{(t)}-\nabla F_n(w^{(t)}))")
grad_F = vector("grad_F", r"\nabla F_n(w^{(t)})")
grad_J = vector("grad_J", r"\nabla J_n(w^{(t)})")
last = vector("last", r"w^{(\tau+1)}")
A = number("A")
J0 = number("J0", "J_n(w^{(t)})")
J1 = number("J1", "J_n(w^{(t+1)})")
rho = number("rho", r"\rho")
chi = number("chi", r"\chi")
C = sequence("C", r"\mathbb E\langle\nabla J_n(w^{(\cdot)}),\nabla J_n(\bar w^{(s-1)})\rangle")
P = sequence("P", r"\mathbb E\langle w^{(\cdot)}-\bar w^{(s-1)},\nabla J_n(\bar w^{(s-1)})\rangle")

with printed():
    #: the size of the gradient step, that times the smoothness of J_n, and what the drift costs
    K = 1 / (beta * L + mu)
    RHO = (L + mu) / (beta * L + mu)
    CHI = L**2 * (L + mu) / (mt**2 * (beta * L + mu))
    STEPPED = by.quad("sharp.svrg.step")(
        Eq(plus, w - K * (grad_J + error)),
        SIZES,
        few.PLAIN_STEP.at(),
        assume("definition: the error of the direction", Eq(few.v, grad_F + error)),
        assume("definition: J_n by (6), (7)", Eq(grad_F, grad_J - mu * (w - start))),
    )
    UNBIASED = by.mean("sharp.svrg.descent")(
        J1 <= J0 - K * (1 - RHO / 2) * n2(grad_J) + K * RHO / 2 * n2(error),
        SIZES,
        few.SURROGATE_SMOOTH.at({few.w: w, few.J0: J0, few.J1: J1}),
        STEPPED.at(),
        assume(SAMPLING, Eq(ip(error, grad_J), 0)),
    )
    FAR = by.mean("sharp.svrg.far")(
        n2(w - start) <= 1 / mt**2 * (n2(grad_J) + n2(at_start) - 2 * ip(grad_J, at_start)),
        mt > 0,
        assume(WEAKLY_CONVEX.id, mt * n2(w - start) <= ip(grad_J - at_start, w - start)),
        note="J_n is mt-strongly convex.",
    )
    MOVES = by.mean("sharp.svrg.moves")(
        Eq(ip(plus - start, at_start), ip(w - start, at_start) - K * ip(grad_J, at_start)),
        SIZES,
        STEPPED.at(),
        assume(SAMPLING, Eq(ip(error, at_start), 0)),
    )
    ABOVE = by.quad("sharp.svrg.above")(
        J0 + ip(last - start, at_start) <= J1,
        mt > 0,
        assume(WEAKLY_CONVEX.id, J0 + ip(at_start, last - start) + mt / 2 * n2(last - start) <= J1),
        note="J_n is mt-strongly convex.",
    )
    SUM = by.sum("sharp.svrg.long.sum")(
        K / 2 * (2 - RHO - CHI) * total(grad(t), t, 0, tau)
        <= (1 - CHI) * (J(0) - J(tau + 1)) + K * CHI / 2 * (tau + 1) * G0,
        SIZES,
        (mt > 0, tau >= 0),
        UNBIASED.at(
            {n2(grad_J): grad(t), n2(error): err(t), J0: J(t), J1: J(t + 1)}, over=(t, 0, tau), weight=1
        ),
        assume("definition: v^(0) is the full gradient", Eq(err(0), 0)),
        few.SVRG_ERROR.at({n2(few.error): err(t), n2(few.here - start): X(t)}, over=(t, 1, tau)),
        FAR.at(
            {n2(w - start): X(t), n2(grad_J): grad(t), n2(at_start): G0, ip(grad_J, at_start): C(t)},
            over=(t, 0, tau),
            weight=K * RHO * L**2 / 2,
        ),
        MOVES.at(
            {ip(plus - start, at_start): P(t + 1), ip(w - start, at_start): P(t), ip(grad_J, at_start): C(t)},
            over=(t, 0, tau),
        ),
        assume("definition: w^(0) is the round's start", Eq(P(0), 0)),
        ABOVE.at({J0: J(0), J1: J(tau + 1), ip(last - start, at_start): P(tau + 1)}, weight=CHI),
    )
    RETURNED = by.sum("sharp.svrg.long.returned")(
        (2 - RHO - CHI) * E2 <= ((1 - CHI) * ((beta * L + mu) / (mt * (tau + 1))) + CHI) * G0,
        SIZES,
        (mt > 0, tau >= 0, RHO + CHI <= 2, CHI <= 1),
        times(2 - RHO - CHI, Eq(E2, 1 / (tau + 1) * total(grad(t), t, 0, tau)), UNIFORM),
        SUM.at(weight=2 * (beta * L + mu) / (tau + 1)),
        times(2 * (1 - CHI) * (beta * L + mu) / (tau + 1), Js <= J(tau + 1), "meaning: w_n^* minimises J_n"),
        few.GAP.at(
            {n2(few.at_start): G0, few.J0: J(0)}, weight=(1 - CHI) * (beta * L + mu) / (mt * (tau + 1))
        ),
    )
    CHEAP = by.real("sharp.svrg.chi")(CHI <= (1 - RHO) * theta**2, SIZES, (mt > 0, theta > 0, g.SVRG_BETA))
    LARGE = by.real("sharp.svrg.rho")(RHO <= 1, SIZES)
    ENOUGH = by.real("sharp.svrg.enough")(
        (beta * L + mu) / (mt * (tau + 1)) <= theta**2,
        (mt > 0, theta > 0, tau >= 0, g.LOWER <= tau + 1),
    )
    SHARE = by.real("sharp.svrg.share")(
        E2 <= theta**2 * G0,
        ((2 - rho - chi) * E2 <= ((1 - chi) * A + chi) * G0, A <= theta**2, chi >= 0),
        (rho >= 0, rho <= 1, chi <= (1 - rho) * theta**2, theta > 0, theta <= 1),
        assume("meaning: a squared norm", G0 >= 0),
    )
    ONE_OF = by.real("sharp.svrg.one")(
        chi <= 1,
        (rho <= 1, rho >= 0, chi <= (1 - rho) * theta**2, theta > 0, theta <= 1),
    )
    BOTH = by.real("sharp.svrg.both")(
        rho + chi <= 2,
        (rho <= 1, chi <= (1 - rho) * theta**2, theta > 0, theta <= 1),
    )
    POSITIVE = by.real("sharp.svrg.positive")(RHO >= 0, SIZES)
    SMALL = by.real("sharp.svrg.small")(CHI >= 0, SIZES, mt > 0)
    SVRG = by.real("sharp.svrg.many")(
        E2 <= theta**2 * G0,
        SIZES,
        (mt > 0, theta > 0, theta <= 1, tau >= 0, g.LOWER <= tau + 1, g.SVRG_BETA),
        assume("meaning: a squared norm", G0 >= 0),
        used(CHEAP, LARGE, SMALL, POSITIVE),
        BOTH.at({rho: RHO, chi: CHI}),
        ONE_OF.at({rho: RHO, chi: CHI}),
        used(RETURNED, ENOUGH),
        SHARE.at({rho: RHO, chi: CHI, A: (beta * L + mu) / (mt * (tau + 1))}),
    )
