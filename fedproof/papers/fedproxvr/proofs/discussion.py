"""What the text says between the results: gradients a step, the remarks' reasons, estimates of L and lambda.

A local loop takes the D_n gradients of line 4 and then two gradients for each of tau steps, by (8).
"""

from fedproof.papers.fedproxvr.assumptions import SMOOTH, WEAKLY_CONVEX
from fedproof.papers.fedproxvr.proofs.appendix_a import D, eta, j, t
from fedproof.papers.fedproxvr.proofs.lemma1_svrg import X
from fedproof.papers.fedproxvr.proofs.vectors import *
from fedproof.papers.fedproxvr.statements import formulas as f

samples = number("D_n", "D_n")
batch = number("B", "B")
d_n, d_m = number("d_n", r"\tau_nd_{cmp}"), number("d_m", r"\tau_md_{cmp}")
tau_n, tau_m = number("tau_n", r"\tau_n"), number("tau_m", r"\tau_m")
more = number("mu2", r"\mu'")
s2 = number("s2", r"\bar\sigma'^2")
less = number("Theta2", r"\Theta'")
curvature = number("curvature", "h")
low, high = number("low", "s"), number("high", "s'")
way, move = vector("way", r"w^{(t-1)}-\bar w^{(s-1)}"), vector("move", "w^{(t)}-w^{(t-1)}")
#: at two models w and w'
change = number("change", r"\|\nabla f_i(w)-\nabla f_i(w')\|")
dist = number("dist", r"\|w-w'\|")
F0, F1 = number("F0", "F_n(w)"), number("F1", "F_n(w')")
along = number("along", r"\langle\nabla F_n(w),w'-w\rangle")

by = step_writer("fedproxvr", __name__)
COSTS = "Sec. 1, gradients a local step"
_REMARK4, _REMARK5, _ESTIMATE = "Remark 1(4)", "Remark 1(5)", "caption of Fig. 1"

with printed():
    _LATER = {beta: beta2}
    EACH = (samples + 2 * tau) / (tau + 1)
    CHEAPER = by.real("section1.gradients", COSTS)(
        EACH < samples,
        (samples > 2, tau > 0),
        note="Gradient descent takes D_n a step; true for every D_n > 2, with any number of local steps.",
    )
    SHARE = by.real("section1.gradients.share", COSTS)(
        EACH / samples <= 1 / (tau + 1) + 2 / samples,
        (samples > 0, tau >= 0),
        note="A small part of D_n where there are many samples and several local steps.",
    )
    PRICE = by.real("section1.gradients.full", COSTS)(
        EACH > 1,
        (samples >= 1, tau > 0),
        note="SGD takes one a step; the rest is what the full gradient of line 4 costs.",
    )
    BATCHES = by.real("section5.gradients", "Sec. 5, mini-batches")(
        (samples + 2 * batch * tau) / (tau + 1) < samples,
        (tau > 0, batch > 0, samples > 2 * batch),
        note="The same with mini-batches of B.",
    )
    SYNCHRONOUS = by.real("section4.synchronous", "below (11), with the delays of (19)")(
        Eq(d_com + d_n, d_com + d_m),
        assume("definition: (19), a local step takes d_cmp", Eq(d_n, d_cmp * tau_n), Eq(d_m, d_cmp * tau_m)),
        assume("definition: below (11), the same tau for all devices", Eq(tau_n, tau), Eq(tau_m, tau)),
        note="As (19) counts: with one d_cmp for all devices they finish a round together.",
    )
    INSTANCE = assume(
        "instance: within Lemma 1 (SARAH), where (15) gives beta = 12",
        *(Eq(L, 1), Eq(mu, 156), Eq(mt, 156 - rational(44, 315)), Eq(theta, rational(15, 19))),
    )
    LEAST = by.real("remark1.3.least", "Remark 1(3), an instance")(
        Eq(f.LOWER, f.SARAH_UPPER),
        INSTANCE,
        assume("definition: beta = 12", Eq(beta, 12)),
        note="Both are 84: at beta = 12 the one number of local steps that (13) admits.",
    )
    FEWER = by.real("remark1.3.fewer", "Remark 1(3), an instance; not in the paper")(
        f.LOWER.xreplace(_LATER) <= 13,
        INSTANCE,
        assume("definition: another beta", Eq(beta2, 76)),
        note="13 steps are enough for (13) here, fewer than at the least beta, fedproxvr.remark1.3.least.",
    )
    STEP = by.real("remark1.4.step", _REMARK4)(
        eta / (1 + eta * more) < eta / (1 + eta * mu),
        (eta > 0, mu >= 0, more > mu),
        note="A larger mu makes the steps of line 8 shorter, by fedproxvr.algorithm1.line8.",
    )
    CONTRACTS = by.real("remark1.4.contracts", _REMARK4)(
        1 - (curvature + more) / (beta * L + more) <= 1 - (curvature + mu) / (beta * L + mu),
        (beta > 0, L > 0, mu >= 0, more > mu, curvature <= beta * L),
        note="What a step of line 8 with full gradients leaves of grad J_n, if F_n = h/2 w^2. The remark is "
        "of the number of steps that (13) asks for, which is enough for every loss and for drawn gradients.",
    )
    APART = by.mean("remark1.5.apart", f"{_REMARK5}, from t - 1 to t")(
        n2(way) + n2(move) <= n2(way + move),
        assume("unstated: the step does not turn back", ip(way, move) >= 0),
    )
    STABLE = by.sum("remark1.5.stable", f"{_REMARK5}, (33) against (35)")(
        total(L**2 * D(j), j, 1, t) <= L**2 * X(t),
        t >= 0,
        assume("definition: line 4 of Algorithm 1", Eq(X(0), 0)),
        assume(
            "unstated: no step turns back, by fedproxvr.remark1.5.apart",
            ForAll(X(j - 1) + D(j) <= X(j), j, 1, t),
        ),
        note="At the same models the bound (33) on SARAH's error is at most the bound (35) on SVRG's, as "
        "long as no step turns back.",
    )
    ESTIMATE_L = by.real("figure1.estimate.L", _ESTIMATE)(
        change / dist <= L,
        (dist > 0, L > 0),
        assume("meaning: a norm", change >= 0),
        assume(SMOOTH.id, change**2 <= L**2 * dist**2),
        note="A sample's change of gradient between two models estimates L, from below.",
    )
    ESTIMATE_LAM = by.real("figure1.estimate.lam", _ESTIMATE)(
        2 * (F0 + along - F1) / dist**2 <= lam,
        dist > 0,
        assume(WEAKLY_CONVEX.id, F0 + along <= F1 + lam / 2 * dist**2),
        note="And so does a difference of values with lambda.",
    )
    THETA_FALLS = by.real("eq22.falls", "eq. (22); Sec. 4.3, discussion of Fig. 1")(
        f.THETA2_MATCHED.xreplace(_LATER) <= f.THETA2_MATCHED,
        (L > 0, mt > 0, mu > 0, beta > 3, beta2 >= beta),
        note="A larger beta goes with a smaller theta, and with a larger tau by (16).",
    )
    TAU_RISES = by.real("eq16.rises", "eq. (16); Sec. 4.3, discussion of Fig. 1")(
        f.SARAH_UPPER <= f.SARAH_UPPER.xreplace(_LATER),
        (beta > 3, beta2 >= beta),
    )
    ROOTS = by.real("theorem1.sigma2.root", "Theorem 1")(
        sqrt(low) <= sqrt(high),
        (low >= 0, high >= low),
    )
    HETEROGENEITY = by.real("theorem1.sigma2", "Theorem 1; Sec. 4.3, discussion of Fig. 1")(
        f.DESCENT.xreplace({sigma2: s2}) <= f.DESCENT,
        (L > 0, mt > 0, mu > 0, theta > 0, sigma2 >= 0, s2 >= sigma2),
        ROOTS.at({low: 2 * (1 + sigma2), high: 2 * (1 + s2)}),
        ROOTS.at({low: (1 + theta**2) * (1 + sigma2), high: (1 + theta**2) * (1 + s2)}),
        note="mu x Theta falls as sigma2 grows: a larger mu or a smaller theta makes up for it.",
    )
    FEWER_ROUNDS = by.real("eq18.rounds", "eq. (18); Sec. 5, small gamma")(
        f.ROUNDS.xreplace({Theta: less}) <= f.ROUNDS,
        (Delta >= 0, eps > 0, Theta > 0, less >= Theta),
        note="With eq22.falls and remark2.2.theta: a larger beta and tau take fewer rounds, so less "
        "communication.",
    )
