"""Why the sharpened problem (23) is convex, where its minimiser lies, and what it tends to.

Coordinates: u = log(mu - lam), r = log tau and b = log(beta L + mu), here called the scale.

Lemma (`CONVEXITY`). G = log of the objective of (20) with theta = `THETA_MATCHED` is jointly convex in
(u, r, b) where q < 1, a convex set.

Proof. (1) log(L + mu) = log(L + lam + e^u) is convex. (2) log theta = (b - u - r)/2 is linear. (3) The terms
that `LEFT` subtracts from 1 are products of constants >= 0 with powers of e^-u and theta, or sums of such,
so the log of their sum is convex, the set where it is negative is convex, and log `LEFT` is concave there.
(4) So log p with p = 1 - q = `PROGRESS` = L/(L + mu) `LEFT` is concave, and p < 1. (5) Theta = (1 - q^2)/(2L)
= p (2 - p)/(2L), whose log has the slope 2 (1 - p)/(2 - p) against log p: it is >= 0 for p <= 1 and falls
as p grows. So log Theta is an increasing concave function of the concave log p, and concave. (6) Hence
G = log(1 + gamma e^r) - log Theta is convex. QED

What is admissible. beta >= 1 and the upper bound on tau together say that a posynomial in (e^u, e^r, e^b) is
at most 1 (`SARAH_SET`, `SARAH_BACK`, `SARAH_STEP`, and the same for SVRG, whose (L + mu)/mt is
1 + (L + lam) e^-u); short steps are a lower bound on u
(`SHORT_SET`, `SHORT_BACK`). So the admissible set is convex. G rises with b, since theta does and p falls
with theta; hence the least admissible beta is the best, its b is a convex function of (u, r), and G there is
convex in (u, r). So the best whole tau is the floor or the ceiling of the best real one.

Where q < 1 the variables are bounded: `SHORT_SET` and `TAU_ABOVE` from below; from above since the objective
exceeds L + mu, by `FACTOR_BELOW`. At gamma = 0 it falls with theta, which tends to 0 as tau grows.
"""

from fedproof.bounds.claims import Composition, LogConvex
from fedproof.bounds.statement import Condition, Def, Statement
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements import sharp_formulas as g
from fedproof.papers.fedproxvr.statements.printed import KEY, STRONGLY_CONVEX
from fedproof.papers.fedproxvr.statements.sharpened import CONTRACTS, DEVIATION, FACTOR, STEP
from fedproof.vocabulary.source import Source

by = step_writer(KEY, __name__, "problem (23), sharpened")
#: the progress of a round, 1 - q
p = number("p")
#: Theta in terms of it
FACTOR_OF_PROGRESS = sp.factor(g.FACTOR.doit().subs(q, 1 - p))

with printed():
    #: exp b
    SCALE = beta * L + mu
    #: what heterogeneity and inexactness leave of 1
    LEFT = (
        1
        - sigma2 / (1 + sqrt(1 + sigma2)) * (L + lam) / (2 * mt)
        - sqrt(1 + sigma2) * theta * (1 + (L + lam) / mt)
    )
    #: 1 - q
    PROGRESS = L / (L + mu) * LEFT
    #: the least mu - lam that `SHORT` allows
    LEAST_MARGIN = L * (L + lam) / (lam + sqrt(lam**2 + 2 * L * lam + 2 * L**2))

    #: the upper bounds on tau as posynomials
    _SARAH = (L + mu) / SCALE + L**2 * tau / SCALE**2
    _SVRG = (L + mu) / SCALE + L**2 * ((L + mu) / mt) * (tau + 1) / SCALE**2

    _POINT = (L > 0, lam >= 0, mt > 0, Eq(mu, lam + mt))
    _STEPS = (L > 0, mu > 0, tau > 0)
    _BEFORE = (*_POINT, sigma2 >= 0, theta > 0)
    _MATCHED = (*_POINT, beta >= 1, tau > 0, theta > 0, Eq(theta**2 * mt * tau, SCALE))
    SARAH_SET = by.real("convex.sharpened.sarah")(_SARAH <= 1, _STEPS, beta >= 1, tau <= g.SARAH_UPPER)
    SARAH_BACK = by.real("convex.sharpened.sarah_back")(tau <= g.SARAH_UPPER, _STEPS, beta > 0, _SARAH <= 1)
    SVRG_SET = by.real("convex.sharpened.svrg")(
        _SVRG <= 1, _STEPS, mt > 0, beta >= 1, tau + 1 <= g.SVRG_REACH
    )
    SVRG_BACK = by.real("convex.sharpened.svrg_back")(
        tau + 1 <= g.SVRG_REACH, _STEPS, mt > 0, beta > 0, _SVRG <= 1
    )
    SARAH_STEP = by.real("convex.sharpened.sarah_step")(beta >= 1, _STEPS, beta > 0, _SARAH <= 1)
    SVRG_STEP = by.real("convex.sharpened.svrg_step")(beta >= 1, _STEPS, mt > 0, beta > 0, _SVRG <= 1)
    SHORT_SET = by.real("convex.sharpened.short")(mt >= LEAST_MARGIN, _POINT, g.SHORT)
    SHORT_BACK = by.real("convex.sharpened.short_back")(g.SHORT, _POINT, mt >= LEAST_MARGIN)
    PROGRESS_BELOW = by.real("convex.sharpened.progress_below")((1 - g.DEVIATION) * (L + mu) < L, _BEFORE)
    FACTOR_BELOW = by.real("convex.sharpened.factor_below")(
        g.FACTOR * (L + mu) < 1, L > 0, mu > 0, q < 1, (1 - q) * (L + mu) < L
    )
    TAU_ABOVE = by.real("convex.sharpened.tau_above")(tau > 1, _MATCHED, sigma2 >= 0, g.DEVIATION < 1)
    #: at the least theta of the closed chain itself
    _CHAIN = (*_POINT, beta >= 1, tau > 0, theta > 0, Eq(theta**2 * mt * (tau + 1), SCALE))
    CHAIN_TAU_ABOVE = by.real("convex.sharpened.chain_tau_above")(
        mt * tau > 3 * L, _CHAIN, theta * (L + mu) < mt
    )
    CHAIN_THETA_BELOW = by.real("convex.sharpened.chain_theta_below")(
        theta * (L + mu) < mt, _BEFORE, g.DEVIATION < 1
    )
    MT = Def(letter(mt), f.MU_TILDE, "below (7)", facts=(mt > 0, Eq(mu, lam + mt)))
    THETA = Def(
        letter(theta),
        g.THETA_MATCHED,
        "least theta allowed by the sharpened Lemma 1, tau for tau + 1",
        facts=(theta > 0,),
    )

CONVEXITY = Statement(
    f"{KEY}.convexity.sharpened",
    "The training time of (20) is log-convex, sharpened",
    Source(KEY, "problem (20)-(24); this lemma is not in the paper"),
    letters(L, lam, sigma2, gamma, mu, beta, tau),
    LogConvex(
        f.OBJECTIVE,
        (mu, beta, tau),
        ((mt, mt), (tau, tau), (beta, SCALE)),
        ((mt, mt, "affine"), (tau, tau, "affine"), (SCALE, SCALE, "affine"), (mu, lam + mt, "convex")),
        (Composition(Theta, FACTOR_OF_PROGRESS, p, PROGRESS, (p > 0, p <= 1)),),
    ),
    (MT, THETA, DEVIATION, FACTOR),
    (STRONGLY_CONVEX, STEP, Condition("tau > 0", tau > 0, "log tau"), CONTRACTS),
    uses=(f"{KEY}.problem23.sharpened",),
    note="It makes the minimum that `tune` certifies for the sharpened form a global one.",
)
