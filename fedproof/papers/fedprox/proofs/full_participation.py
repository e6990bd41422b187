"""Remark 2: FedProx with every device in every round, and besides with (B, 0)-LGD.

The draws of a round are the devices, each once, so that their mean is the global one and nothing is random.
"""

from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.proofs import rates, theorem1
from fedproof.papers.fedprox.proofs.rounds import *
from fedproof.papers.fedprox.proofs.theorem1 import CHANGE, DELTA, EQ11, LOSSES, NUMBERS, ORACLE, RESIDUAL
from fedproof.papers.fedprox.statements import complexity as m
from fedproof.papers.fedprox.statements import formulas as f

by = step_writer("fedprox", __name__)
#: of any vectors: the gradient, the mean of the local gradients, the oracle's residual
h, d, q, p = vectors("h d q p")
step, r, s = number("step", r"\eta"), number("r"), number("s")
d_j, g, g_j = drawn_gradient(local), DR(w), drawn_gradient(w)

with printed():
    EVERYONE = ForEvery(Eq(DR(u), mean(drawn_gradient(u))), (u,), A.FULL.id, ROUNDS)
    ALIKE = ForEvery(mean(n2(drawn_gradient(u))) <= B_lgd**2 * n2(DR(u)), (u,), A.LGD.id, ROUNDS)
    ORACLES = (*LOSSES, ORACLE.known, CHANGE.known)
    CHANGES = by.real("remark2.changes", "Remark 2, what the mean of the gradients changes by")(
        n2(g - mean(d_j)) <= L**2 * (G + RESIDUAL) ** 2 * eta**2,
        NUMBERS, ROUND, ORACLES, EVERYONE.at(t, w),
        jensen(g_j - d_j, j, I), theorem1.CHANGES.at(over=DRAWS),
    )  # fmt: skip
    DESCENT = by.quad("remark2.descent", "Remark 2, of any vectors")(
        -step * ip(h, d - q) + L * step**2 / 2 * n2(d - q)
        <= -step / 4 * n2(h) + step / 2 * n2(h - d) + 4 * step / 3 * n2(q),
        L > 0, step > 0, 3 * L * step <= 1,
    )  # fmt: skip
    SMALL = by.real("remark2.residual", "Remark 2, the oracle")(
        RESIDUAL <= 2 * L * G * eta, NUMBERS, I >= 1, f.ORACLE1, theorem1.FINE.at()
    )
    SUM = by.real("remark2.sum", "Remark 2, the terms of a round")(
        eta / 2 * L**2 * (G + r) ** 2 * eta**2 + 4 * eta / 3 * r**2 <= 7 * L**2 * G**2 * eta**3,
        eta > 0, L > 0, G >= 0, 3 * L * eta <= 1, r >= 0, r <= 2 * L * G * eta,
    )  # fmt: skip
    ASSUMED = (*ORACLES, AVERAGE.known, theorem1.SMOOTH_R.known, EVERYONE.known)
    FALLS = by.real("remark2.round", "Remark 2, a round")(
        R(x) <= R(w) - eta / 4 * n2(g) + 7 * L**2 * G**2 * eta**3,
        NUMBERS, ROUND, 3 * L * eta <= 1, f.ORACLE1, ASSUMED,
        AVERAGE.at(t), times(1, theorem1.SMOOTH_R.at(w, x)),
        DESCENT.at({h: g, d: mean(d_j), q: DELTA, step: eta}, weight=1),
        CHANGES.at(weight=eta / 2), EQ11.at(weight=4 * eta / 3),
        SMALL.at(), SUM.at({r: RESIDUAL}, weight=1),
    )  # fmt: skip
    WHOLE = (*NUMBERS, T >= 1, I >= 1, 3 * L * eta <= 1, *f.ORACLE1)
    AVERAGED = by.real("remark2.averaged", "Remark 2, the mean over the rounds")(
        MEAN1 <= 4 / (eta * T) * (R(W(0)) - R(W(T))) + 28 * L**2 * G**2 * eta**2,
        WHOLE, ASSUMED, FALLS.at(over=ROUNDS),
    )  # fmt: skip
    GENERAL = by.real("remark2.general", "Remark 2, with the gap at the start")(
        MEAN1 <= m.FULL,
        WHOLE, ASSUMED, theorem1.START.at(W(T)), AVERAGED.at(),
    )  # fmt: skip
    SET = Eq(eta, f.CUBE_ROOT / (3 * L))
    STEPSIZE = by.real("remark2.stepsize", "Remark 2, the step size")(
        3 * L * eta <= 1, L > 0, T >= 1, SET, rates.CUBE.at()
    )
    POSITIVE = by.real("remark2.stepsize.positive", "Remark 2, the step size")(eta > 0, L > 0, T >= 1, SET)
    RATE = by.real("remark2.rate", "Remark 2, the rate")(
        m.FULL <= m.FULL_RATE, L > 0, Delta >= 0, T >= 1, SET
    )
    REMARK2 = by.real("remark2", "Remark 2")(
        MEAN1 <= m.FULL_RATE,
        L > 0, G >= 0, eps >= 0, Delta >= 0, T >= 1, I >= 1, SET, f.ORACLE1,
        ASSUMED, theorem1.START.known, used(STEPSIZE, POSITIVE),
        GENERAL.at(), RATE.at(),
    )  # fmt: skip
    # -- with (B, 0)-LGD
    MOVED = by.quad("remark2.lgd.vectors", "Remark 2, how far a device goes, of any vectors")(
        n2(p) <= 9 * step**2 / 2 * (n2(h) + s),
        L > 0, step > 0, 3 * L * step <= 1, s >= 0,
        n2(p + step * d) <= step**2 * s, n2(h - d) <= L**2 * n2(p),
    )  # fmt: skip
    FAR = by.real("remark2.lgd.far", "Remark 2, how far a device goes")(
        n2(local - w) <= 9 * eta**2 / 2 * (n2(g_j) + RESIDUAL**2),
        NUMBERS, INSIDE, 3 * L * eta <= 1, LOSSES, ORACLE.known, CHANGE.at(t, j, w, local),
        MOVED.at({p: local - w, d: d_j, h: g_j, step: eta, s: RESIDUAL**2}), used(theorem1.LEMMA5),
    )  # fmt: skip
    FAR_CHANGES = by.real("remark2.lgd.changes", "Remark 2, what a device's gradient changes by")(
        n2(g_j - d_j) <= 9 * L**2 * eta**2 / 2 * (n2(g_j) + RESIDUAL**2),
        NUMBERS, INSIDE, 3 * L * eta <= 1, LOSSES, ORACLE.known,
        CHANGE.at(t, j, w, local), FAR.at(),
    )  # fmt: skip
    LGD_CHANGES = by.real("remark2.lgd.mean", "Remark 2, what the mean of the gradients changes by")(
        n2(g - mean(d_j)) <= 9 * L**2 * eta**2 / 2 * (B_lgd**2 * n2(g) + RESIDUAL**2),
        NUMBERS, ROUND, 3 * L * eta <= 1, ORACLES, EVERYONE.at(t, w),
        jensen(g_j - d_j, j, I), FAR_CHANGES.at(over=DRAWS),
        ALIKE.at(t, w),
    )  # fmt: skip
    LGD_DESCENT = by.quad("remark2.lgd.descent", "Remark 2, of any vectors")(
        -step * ip(h, d - q) + L * step**2 / 2 * n2(d - q)
        <= -3 * step / 8 * n2(h) + step / 2 * n2(h - d) + 5 * step / 2 * n2(q),
        L > 0, step > 0, 3 * L * step <= 1,
    )  # fmt: skip
    LGD_SHARE = by.real("remark2.lgd.share", "Remark 2, a part of the gradient")(
        9 * L**2 * step**2 * B_lgd**2 / 4 <= rational(1, 8),
        step > 0, L > 0, B_lgd >= 0, 5 * L * B_lgd * step <= 1,
    )  # fmt: skip
    LGD_SUM = by.quad("remark2.lgd.sum", "Remark 2, the terms of a round")(
        -3 * step / 8 * n2(h) + step / 2 * (9 * L**2 * step**2 / 2 * (B_lgd**2 * n2(h) + r))
        + 5 * step / 2 * r
        <= -step / 4 * n2(h) + 3 * step * r,
        step > 0, L > 0, 3 * L * step <= 1, B_lgd >= 0, 5 * L * B_lgd * step <= 1, r >= 0, LGD_SHARE.at(),
    )  # fmt: skip
    LGD_ASSUMED = (*ASSUMED, ALIKE.known)
    LGD_FALLS = by.real("remark2.lgd.round", "Remark 2, a round")(
        R(x) <= R(w) - eta / 4 * n2(g) + 3 * eta * RESIDUAL**2,
        NUMBERS, ROUND, 3 * L * eta <= 1, B_lgd >= 0, 5 * L * B_lgd * eta <= 1, LGD_ASSUMED,
        AVERAGE.at(t), times(1, theorem1.SMOOTH_R.at(w, x)),
        LGD_DESCENT.at({h: g, d: mean(d_j), q: DELTA, step: eta}, weight=1),
        LGD_CHANGES.at(weight=eta / 2), EQ11.at(weight=5 * eta / 2),
        LGD_SUM.at({h: g, step: eta, r: RESIDUAL**2}, weight=1),
    )  # fmt: skip
    LGD_WHOLE = (*NUMBERS, T >= 1, I >= 1, 3 * L * eta <= 1, B_lgd >= 0, 5 * L * B_lgd * eta <= 1)
    LGD_AVERAGED = by.real("remark2.lgd.averaged", "Remark 2, the mean over the rounds")(
        MEAN1 <= 4 / (eta * T) * (R(W(0)) - R(W(T))) + 12 * RESIDUAL**2,
        LGD_WHOLE, LGD_ASSUMED, LGD_FALLS.at(over=ROUNDS),
    )  # fmt: skip
    LGD = by.real("remark2.lgd", "Remark 2, with (B, 0)-LGD")(
        MEAN1 <= m.FULL_LGD,
        LGD_WHOLE, LGD_ASSUMED, theorem1.START.at(W(T)), LGD_AVERAGED.at(),
    )  # fmt: skip
