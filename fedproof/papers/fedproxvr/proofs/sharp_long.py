"""Lemma 1 for SARAH without any limit on the number of local steps.

Successive steps shrink, since J_n is strongly convex: |w+ - w|^2 <= (1 - delta k^2)|w - w-|^2 with
k = 1/(beta L + mu), so their sum is bounded and the errors beyond tau_0 = (beta - 1)(beta + mu/L) steps
cost no more than what the average gains.
"""

from fedproof.papers.fedproxvr.assumptions import SMOOTH, WEAKLY_CONVEX
from fedproof.papers.fedproxvr.proofs import sharp_lemma1 as few
from fedproof.papers.fedproxvr.proofs.sharp_lemma1 import *
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import sharp_formulas as g

by = step_writer("fedproxvr", __name__, "Lemma 1, sharpened, any number of local steps")
z = vector("z", "(w^{(t)}-w^{(t-1)})")
after = vector("after", "(w^{(t+1)}-w^{(t)})")
direction = vector("direction", r"(v^{(t)}+\mu(w^{(t)}-\bar w^{(s-1)}))")
earlier = vector("direction_before", r"(v^{(t-1)}+\mu(w^{(t-1)}-\bar w^{(s-1)}))")
A, P0 = numbers("A P0")
rho = number("rho", r"\rho")
chi = number("chi", r"\chi")

with printed():
    MARGIN = assume("definition: mt = mu - lam", Eq(mu, mt + lam))
    NONCONVEX = assume("meaning: lam, the extent of non-convexity", lam >= 0)
    START = (MARGIN, NONCONVEX, assume("meaning: a squared norm", G0 >= 0))
    #: 1/(beta L + mu), the size of the gradient step
    K = 1 / (beta * L + mu)
    DELTA = 2 * beta * L * mt + mu**2 - L**2
    NEXT = by.quad("sharp.next")(
        Eq(after, z - K * (moved_f + mu * z)),
        SIZES,
        assume(
            "definition: (8a), and sharp.step at t - 1 and at t",
            Eq(after, -K * direction),
            Eq(direction, earlier + moved_f + mu * z),
            Eq(earlier, -(beta * L + mu) * z),
        ),
    )
    SHRINK = by.mean("sharp.shrink")(
        n2(after) <= (1 - K**2 * DELTA) * n2(z),
        SIZES,
        mt > 0,
        NEXT.at(),
        assume(SAMPLING, Eq(ip(moved_f - moved_F, z), 0)),
        assume(SMOOTH.id, n2(moved_f) <= L**2 * n2(z)),
        assume(WEAKLY_CONVEX.id, ip(z, moved_F + mu * z) >= mt * n2(z)),
        note="J_n is mt-strongly convex: successive steps of SARAH shrink.",
    )
    TRAVELLED = by.sum("sharp.travelled")(
        DELTA * total(D(j), j, 1, tau + 1) <= G0,
        SIZES,
        (mt > 0, tau >= 0, DELTA > 0),
        START,
        times(1 / K**2, Eq(D(1), K**2 * G0), "definition: the first step is -K grad F_n"),
        SHRINK.at({n2(after): D(j + 1), n2(z): D(j)}, over=(j, 1, tau), weight=1 / K**2),
    )
    LONG_SUM = by.sum("sharp.sarah.long.sum")(
        K / 2 * total(grad(t), t, 0, tau)
        <= J(0) - J(tau + 1) + K / 2 * L**2 * (tau - g.SARAH_UPPER) / DELTA * G0,
        SIZES,
        (mt > 0, tau >= g.SARAH_UPPER, tau >= 0, DELTA > 0),
        START,
        few.DESCENT.at(few.PUT, over=(t, 0, tau)),
        assume("definition: v^(0) is the full gradient", Eq(err(0), 0)),
        few.SARAH_ERRORS.at(over=(t, 1, tau)),
        TRAVELLED.at(),
        note="Errors beyond tau_0 steps are paid by the bounded sum of the steps.",
    )
    LONG_RETURNED = by.sum("sharp.sarah.long.returned")(
        E2 <= ((beta * L + mu) / (mt * (tau + 1)) + L**2 / DELTA * (tau - g.SARAH_UPPER) / (tau + 1)) * G0,
        SIZES,
        (mt > 0, tau >= g.SARAH_UPPER, tau >= 0, DELTA > 0),
        START,
        assume(UNIFORM, Eq(E2, 1 / (tau + 1) * total(grad(t), t, 0, tau))),
        LONG_SUM.at(weight=2 * (beta * L + mu) / (tau + 1)),
        assume("meaning: w_n^* minimises J_n", Js <= J(tau + 1)),
        few.GAP.at({n2(few.at_start): G0, few.J0: J(0)}),
    )
    LARGE_BETA = by.real("sharp.sarah.beta")(
        L <= theta**2 * mt * beta,
        SIZES,
        (mt > 0, theta > 0, g.LOWER <= g.SARAH_UPPER + 1),
    )
    FAST = by.real("sharp.sarah.delta")(
        L**2 <= theta**2 * DELTA,
        SIZES,
        (mt > 0, theta > 0, theta <= 1, L <= theta**2 * mt * beta),
        note="The condition on beta makes the steps shrink fast enough.",
    )
    POSITIVE = by.real("sharp.sarah.positive")(DELTA > 0, (L > 0, theta > 0, L**2 <= theta**2 * DELTA))
    SHARE = by.real("sharp.sarah.share")(
        A * theta**2 / (tau + 1) + rho / P0 * (tau - chi) / (tau + 1) <= theta**2,
        (tau >= 0, tau >= chi, theta > 0, A <= chi + 1, rho <= theta**2 * P0, P0 > 0),
    )
    MANY = by.sum("sharp.sarah.many")(
        E2 <= theta**2 * G0,
        SIZES,
        (mt > 0, theta > 0, theta <= 1, tau >= 0),
        (g.LOWER <= tau + 1, g.LOWER <= g.SARAH_UPPER + 1, tau >= g.SARAH_UPPER),
        START,
        used(LARGE_BETA, FAST),
        POSITIVE.at(),
        LONG_RETURNED.at(),
        SHARE.at({A: g.LOWER, rho: L**2, P0: DELTA, chi: g.SARAH_UPPER}),
    )
    FEW = by.sum("sharp.sarah.few")(
        E2 <= theta**2 * G0,
        SIZES,
        (mt > 0, theta > 0, theta <= 1, tau >= 0),
        (g.LOWER <= tau + 1, g.SARAH_BETA, tau <= g.SARAH_UPPER),
        assume("meaning: a squared norm", G0 >= 0),
        few.SARAH.at(),
    )
    SARAH = by.cases("sharp.sarah.any")(
        E2 <= theta**2 * G0,
        SIZES,
        (mt > 0, theta > 0, theta <= 1, tau >= 0, g.LOWER <= tau + 1, g.SARAH_BETA),
        START,
        used(FEW, MANY),
    )
