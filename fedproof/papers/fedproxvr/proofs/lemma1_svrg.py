"""Appendix B.0.2, (56)-(66): Lemma 1 for SVRG."""

from fedproof.papers.fedproxvr.proofs import appendix_a as A
from fedproof.papers.fedproxvr.proofs import lemma1 as B
from fedproof.papers.fedproxvr.proofs.lemma1 import *
from fedproof.papers.fedproxvr.proofs.lemma1_sarah import RIGHT46
from fedproof.papers.fedproxvr.proofs.lemma2 import EQ43
from fedproof.papers.fedproxvr.proofs.lemma2 import alpha as alpha2
from fedproof.papers.fedproxvr.proofs.lemma2 import x as x2
from fedproof.papers.fedproxvr.proofs.lemma2 import y as y2
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

alpha = number("alpha", r"\alpha")
X = sequence("X(t)", r"\mathbb E\|w^{(t)}-\bar w^{(s-1)}\|^2", nonnegative=True)
X0 = number("X0", r"\|w^{(t)}-\bar w^{(s-1)}\|^2")
X1 = number("X1", r"\|w^{(t+1)}-\bar w^{(s-1)}\|^2")
D1 = number("D1", r"\|w^{(t+1)}-w^{(t)}\|^2")
share = number("share", r"\rho_{t+1}")
q = number("q", r"\rho")

by = step_writer("fedproxvr", __name__)

with printed():
    STEP = -(beta / 3 - 1) * (1 / (L * beta**2)) * G(t)
    RIGHT56A = STEP + L / beta * X(t) - L * MARGIN * D(t + 1)
    EQ56A = by.sum("eq56a", "above eq. (56)")(
        J(t + 1) - J(t) <= RIGHT56A,
        STEPSIZE,
        t >= 0,
        local_step(BY_BETA),
        A.EQ35.at({n2(A.grad - A.v): err(t), n2(A.w - A.start): X(t)}),
    )
    EQ57 = by.quad("eq57")(
        n2(A.after - A.start) <= (1 + 1 / alpha) * n2(A.w - A.start) + (1 + alpha) * n2(A.after - A.w),
        alpha > 0,
        EQ43.at({x2: A.after - A.w, y2: A.w - A.start, alpha2: alpha}),
        reads=((alpha, r"\alpha"),),
    )
    ROOT = sp.sqrt(a * (t + 1))
    EQ58A = by.real("eq58a", "eq. (58), <=")(
        -D1 <= -1 / (1 + alpha) * X1 + (1 + 1 / alpha) / (1 + alpha) * X0,
        alpha > 0,
        EQ57.at({n2(A.after - A.start): X1, n2(A.w - A.start): X0, n2(A.after - A.w): D1}),
    )
    EQ58B = by.real("eq58b", "eq. (58), =")(
        Eq(-1 / (1 + ROOT) * X1 + (1 + 1 / ROOT) / (1 + ROOT) * X0, -1 / (1 + ROOT) * X1 + 1 / ROOT * X0),
        (a > 0, t >= 0),
    )
    EQ58 = by.sum("eq58")(
        -D1 <= -1 / (1 + ROOT) * X1 + 1 / ROOT * X0,
        (a > 0, t >= 0),
        EQ58A.at({alpha: ROOT}),
        EQ58B.at(),
    )

    def _right56(root: sp.Expr) -> sp.Expr:
        return STEP + L * (1 / beta + 1 / root * MARGIN) * X(t) - L / (root + 1) * MARGIN * X(t + 1)

    BETA = beta >= sp.Rational(4, 5)
    EQ56 = by.sum("eq56")(
        RIGHT56A <= _right56(sp.sqrt(a * t)),
        STEPSIZE,
        (BETA, a > 0),
        assume("unstated: t >= 1", t >= 1),
        EQ58.at({t: t - 1, X0: X(t), X1: X(t + 1), D1: D(t + 1)}),
        note="Printed with a t under the roots, which leaves t = 0 without a meaning; (58) and (59) have "
        "a (t+1). True as printed from t = 1 on, by Young's inequality with weight sqrt(a t).",
    )
    EQ56_REPAIRED = by.sum("eq56.repaired")(
        RIGHT56A <= _right56(ROOT),
        STEPSIZE,
        (BETA, a > 0, t >= 0),
        EQ58.at({X0: X(t), X1: X(t + 1), D1: D(t + 1)}),
        repairs="fedproxvr.eq56",
        note="With the weight that (58) states; what (59) sums, from t = 0 on.",
    )
    RIGHT59 = (
        RIGHT46
        - total(L / (1 + ROOT) * MARGIN * X(t + 1), t, 0, tau)
        + total(L * (1 / ROOT * MARGIN + 1 / beta) * X(t), t, 1, tau)
    )
    EQ59 = by.sum("eq59")(
        J(tau + 1) - J(0) <= RIGHT59,
        STEPSIZE,
        (BETA, a > 0, tau >= 0),
        EQ56A.at(over=(t, 0, tau)),
        EQ56_REPAIRED.at(over=(t, 0, tau)),
        times(
            L * (1 / beta + 1 / sp.sqrt(a) * MARGIN),
            Eq(X(0), 0),
            "definition: line 4 of Algorithm 1, w^(0) is the start",
        ),
    )
    DELTA = 1 / (1 + ROOT) - 1 / sp.sqrt(a * (t + 2))
    RIGHT60 = RIGHT46 - total(L * (DELTA * MARGIN - 1 / beta) * X(t + 1), t, 0, tau)
    EQ60 = by.sum("eq60")(RIGHT59 <= RIGHT60, STEPSIZE, BETA, a > 0, tau >= 0)
    GAP = sp.sqrt(a * (t + 2)) - (1 + ROOT)
    UPTO = (a > 0, t >= 0, t <= tau, f.SVRG_SIDE)
    EQ63A = by.real("eq63a", "eq. (63), =")(
        Eq(DELTA, GAP / (sp.sqrt(a * (t + 2)) * (1 + ROOT))),
        (a > 0, t >= 0),
    )
    EQ64 = by.real("eq64", "eqs. (64), (65), from (65)")(GAP >= 1, *UPTO)
    EQ65 = by.real("eq65", "eqs. (64), (65), from (64)")(
        f.SVRG_SIDE,
        (a > 0, tau >= 0),
        GAP.subs(t, tau) >= 1,
    )
    EQ63B = by.real("eq63b", "eq. (63), >=")(
        GAP / (sp.sqrt(a * (t + 2)) * (1 + ROOT)) >= 1 / (a * (t + 2)),
        *UPTO,
        EQ64.at(),
        note="Printed for 1 <= t; (61) needs t = 0 as well, where it holds too.",
    )
    EQ63 = by.sum("eq63")(DELTA >= 1 / (a * (t + 2)), *UPTO, used(EQ63A, EQ63B))
    RIGHT61 = RIGHT46 - total(L * (1 / (a * (t + 2)) * MARGIN - 1 / beta) * X(t + 1), t, 0, tau)
    EQ61 = by.sum("eq61")(
        RIGHT60 <= RIGHT61,
        STEPSIZE,
        (BETA, a > 0, tau >= 0, f.SVRG_SIDE),
        EQ63.at(over=(t, 0, tau), weight=L * MARGIN * X(t + 1)),
    )
    EQ66 = by.real("eq66")(
        1 / (a * (t + 2)) * MARGIN >= 1 / beta,
        (beta > 0, a > 0, t >= 0, t <= tau, tau <= f.SVRG_UPPER),
        note="What (62) needs of tau.",
    )
    EQ62 = by.sum("eq62")(
        RIGHT61 <= RIGHT46,
        STEPSIZE,
        (a > 0, tau >= 0, tau <= f.SVRG_UPPER),
        EQ66.at(over=(t, 0, tau)),
    )
    DESCENT_SVRG = by.sum("eq62.sum")(
        WEIGHT * MAPPINGS <= J(0) - J(tau + 1),
        STEPSIZE,
        (BETA, a > 0, tau >= 0, f.SVRG_SIDE, tau <= f.SVRG_UPPER),
        used(EQ59, EQ60, EQ61, EQ62),
        note="As above (49).",
    )
    LIMITS = (a > 0, f.SVRG_SIDE, tau <= f.SVRG_UPPER)
    #: the same by weights q (tau - t) in place of 1/(1 + sqrt(a (t + 1))): no divisor speaks of t
    WEIGHED = by.quad("eq62.young", "(57), with other weights")(
        share * n2(A.after - A.start) - (share + 2 * share**2) * n2(A.w - A.start) <= n2(A.after - A.w),
        (share >= 0, 2 * share <= 1),
    )
    WIDE = by.real("eq62.wide", "below (14)")(16 * (tau + 1) <= a, (a > 0, tau >= 0, f.SVRG_SIDE))
    ROOM = by.real("eq62.room", "(14), second inequality")(
        16 * (tau + 1) * (tau + 2) <= beta * MARGIN,
        (a > 0, tau >= 0, f.SVRG_SIDE, tau <= f.SVRG_UPPER),
        WIDE.at(),
    )
    CHEAP = by.real("eq62.cheap", "(62), with other weights")(
        1 / beta <= MARGIN * (q - 2 * (q * (tau - t)) ** 2),
        (beta > 0, MARGIN > 0, q >= 0, t >= 0, t <= tau),
        1 / beta <= MARGIN * (q - 2 * (q * tau) ** 2),
    )
    LINEAR = by.sum("eq62.linear", "(59)-(62), with other weights")(
        WEIGHT * MAPPINGS <= J(0) - J(tau + 1),
        STEPSIZE,
        (BETA, MARGIN > 0, tau >= 0, q >= 0, 2 * q * tau <= 1),
        1 / beta <= MARGIN * (q - 2 * (q * tau) ** 2),
        EQ56A.at(over=(t, 0, tau)),
        WEIGHED.at(
            {
                share: q * (tau - t),
                n2(A.after - A.start): X(t + 1),
                n2(A.w - A.start): X(t),
                n2(A.after - A.w): D(t + 1),
            },
            over=(t, 0, tau),
            weight=L * MARGIN,
        ),
        times(
            L / beta + L * MARGIN * (q * tau + 2 * (q * tau) ** 2),
            Eq(X(0), 0),
            "definition: line 4 of Algorithm 1, w^(0) is the start",
        ),
        CHEAP.at(over=(t, 1, tau), weight=L * X(t)),
    )
    ENOUGH = by.real("eq62.enough", "(62), with other weights")(
        1 / beta <= MARGIN * (q - 2 * (q * tau) ** 2),
        (beta > 0, tau >= 0, MARGIN > 0, 16 * (tau + 1) * (tau + 2) <= beta * MARGIN),
        Eq(4 * (tau + 1) ** 2 * q, 1),
    )
    DIRECT = by.sum("eq62.direct", "(59)-(62), with other weights")(
        WEIGHT * MAPPINGS <= J(0) - J(tau + 1),
        STEPSIZE,
        (BETA, MARGIN > 0, a > 0, tau >= 0, f.SVRG_SIDE, tau <= f.SVRG_UPPER),
        ROOM.at(),
        ENOUGH.at({q: 1 / (4 * (tau + 1) ** 2)}),
        LINEAR.at({q: 1 / (4 * (tau + 1) ** 2)}),
        note="As above (49), from the same inequalities for one local step.",
    )

EQ53 = B.bound53("eq53.svrg", DIRECT, *LIMITS)
BOUND = B.bound54("eq54.svrg", EQ53, *LIMITS)
SQUARED = B.squared("eq11.svrg.squared", BOUND, *LIMITS)
CRITERION = B.criterion("eq11.svrg", SQUARED, *LIMITS)
