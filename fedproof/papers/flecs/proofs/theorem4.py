"""Theorem 4, repaired: the descent (22) and the Lyapunov function (24)-(26), over all rounds."""

from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.proofs.moments import AWAY, EQ14, FLOOR, OFF, TOWARD_AN
from fedproof.papers.flecs.proofs.rounds import *
from fedproof.papers.flecs.proofs.shifts import EQ20_MEAN, NEXT, ROOM
from fedproof.papers.flecs.statements import formulas as f_

by = step_writer("flecs", __name__)
GAP = F(w) - F(ws)

with printed():
    LOSSES = (SMOOTH.known, CONVEX.known, MEAN_F.known, MEAN_GRAD.known, SOLUTION.known)
    y = w - (here(i) - there(i)) / L
    COCOERCIVE = by.real("eq22.cocoercive", "above (22), a worker's loss")(
        f(i, ws) + ip(there(i), w - ws) + n2(here(i) - there(i)) / (2 * L) <= f(i, w),
        MINE, L > 0, SMOOTH.at(i, w, y), CONVEX.at(i, ws, y),
    )  # fmt: skip
    ZERO = by.real("eq22.zero", "above (22), the gradients at the solution")(
        Eq(total(ip(there(i), w - ws), i, 1, n), 0), n >= 1, MEAN_GRAD.at(ws), SOLUTION.at()
    )
    BREGMAN = by.real("eq22.away", "above (22), the gradients' distances")(
        AWAY <= 2 * L * GAP,
        ROUND, L > 0, LOSSES, MEAN_F.at(w), MEAN_F.at(ws),
        COCOERCIVE.at(over=WORKERS), ZERO.at(),
    )  # fmt: skip
    POLYAK = by.real("eq22.polyak", "above (22), strong convexity")(
        2 * mu * GAP <= n2(N), mu > 0, STRONG.at(w, ws)
    )
    SMOOTH_EACH = by.real("theorem4.smooth.worker", "proof of Theorem 4, a worker's loss after the step")(
        f(i, wp) <= f(i, w) + ip(here(i), wp - w) + L / 2 * n2(wp - w), MINE, SMOOTH.at(i, w, wp)
    )
    SMOOTH_MEAN = by.real("theorem4.smooth", "proof of Theorem 4, the objective after the step")(
        F(wp) <= F(w) + ip(N, wp - w) + L / 2 * n2(wp - w),
        ROUND, LOSSES, MEAN_GRAD.at(w), MEAN_F.at(w), MEAN_F.at(wp),
        SMOOTH_EACH.at(over=WORKERS),
    )  # fmt: skip
    DIRECTION = by.real("theorem4.direction", "proof of Theorem 4, the direction")(
        ip(N, Ak(k, gt)) >= mu1 * n2(N),
        ROUND, DRAWN, AVERAGE.known, MEAN_GRAD.known,
        SYMMETRIC.at(k, N, gt), ABOVE.at(k, N),
        TOWARD_AN[2].at(), TOWARD_AN[3].at(),
    )  # fmt: skip
    OPERATOR = (SYMMETRIC.known, ABOVE.known, BELOW.known)
    STEPPED = by.real("theorem4.step", "proof of Theorem 4, the objective after the step")(
        F(wp) <= F(w) - alpha * mu1 * n2(N) + L * alpha**2 * mu2**2 / 2 * n2(gt),
        ROUND, LOSSES, DRAWN, AVERAGE.known, OPERATOR, L > 0, alpha > 0, STEP.at(k),
        SMOOTH_MEAN.at(), DIRECTION.at(), BELOW.at(k, gt),
    )  # fmt: skip
    NUMBERS = (omega >= 0, L > 0, mu > 0, mu1 > 0, mu2 >= mu1, alpha > 0, gamma >= 0, c >= 0)
    ALL_OF = (*LOSSES, *DRAWN, AVERAGE.known, *OPERATOR, STRONG.known, STEP.known, SHIFT.known)
    SCALE = L * alpha**2 * mu2**2 / 2
    EQ22 = by.real("eq22.repaired", "(22) and (23)")(
        F(wp) - F(ws)
        <= (1 - 2 * alpha * mu * mu1 + L**2 * mu2**2 * alpha**2 * (2 * omega / n + 1)) * GAP
        + L * mu2**2 * alpha**2 * omega / n * OFF + L * mu2**2 * alpha**2 * (1 + omega) * FLOOR / (2 * n),
        ROUND, NUMBERS, ALL_OF,
        STEPPED.at(weight=1), EQ14.at(weight=SCALE), POLYAK.at(weight=alpha * mu1),
        BREGMAN.at(),
    )  # fmt: skip
    SHIFTS = by.real("eq26.shifts", "(25) and (26), the shifts")(
        NEXT <= (1 - gamma) * OFF + 2 * gamma * L * GAP + gamma * FLOOR,
        ROUND, NUMBERS, ROOM, ALL_OF, EQ20_MEAN.at(), BREGMAN.at(),
    )  # fmt: skip
    GAP_POSITIVE = by.real("theorem4.gap", "Theorem 4, the gap")(
        GAP >= 0,
        ROUND, L > 0, LOSSES, BREGMAN.at(),
        squares(here(i) - there(i), i, n),
    )  # fmt: skip
    #: in place of the printed conditions on alpha and c
    STEPSIZE, LYAPUNOV = f_.STEPSIZE4, f_.LYAPUNOV4
    OF_GAP, OF_SHIFTS = alpha * GAP, L * mu2**2 * alpha**2 * OFF
    GAP_WEIGHT = by.real("eq26.gap", "(26), the gap's factor")(
        OF_GAP >= 0, ROUND, NUMBERS, ALL_OF, GAP_POSITIVE.at()
    )
    SHIFT_WEIGHT = by.real("eq26.shift", "(26), the shifts' factor")(
        OF_SHIFTS >= 0,
        ROUND, NUMBERS, squares(h(i) - there(i), i, n),
    )  # fmt: skip
    PSI, KEEPS = f_.SHIFTS4, f_.KEEPS
    FLOOR_OF_ROUND = ((omega + 1) / (2 * n) + gamma * c) * L * mu2**2 * alpha**2
    EQ26 = by.real("eq26.repaired", "(26), a round")(
        F(wp) - F(ws) + PSI * NEXT <= KEEPS * (GAP + PSI * OFF) + FLOOR_OF_ROUND * FLOOR,
        ROUND, NUMBERS, ROOM, ALL_OF, used(GAP_WEIGHT, SHIFT_WEIGHT),
        EQ22.at(), SHIFTS.at(), STEPSIZE, LYAPUNOV,
    )  # fmt: skip
    # -- all rounds
    AFTER = F(W(K)) - F(ws) + PSI * mean(n2(Hk(K, i) - there(i)))
    BEGUN = F(W(0)) - F(ws) + PSI * mean(n2(Hk(0, i) - there(i)))
    STATE = F(W(k)) - F(ws) + PSI * mean(n2(Hk(k, i) - there(i)))
    SIZES = (K >= 0, n >= 1, *NUMBERS, ROOM, STEPSIZE, LYAPUNOV, alpha * mu * mu1 <= 2)
    RECURSION = by.real("theorem4.recursion", "end of the proof of Theorem 4")(
        AFTER <= KEEPS**K * BEGUN + FLOOR_OF_ROUND * FLOOR * (1 - KEEPS**K) / (1 - KEEPS),
        SIZES, ALL_OF, EQ26.at(over=ROUNDS),
        recursion(STATE, k, K, KEEPS, FLOOR_OF_ROUND * FLOOR),
    )  # fmt: skip
    BEGINNING = ForEvery(Eq(BEGUN, Psi0), (), A.START.id)
    r, q, d = numbers("r q d")
    SERIES = by.real("theorem4.series", "end of the proof of Theorem 4, the sum of the powers")(
        d * alpha**2 * (1 - r) / (1 - KEEPS) <= d * (2 * alpha / (mu * mu1)),
        alpha > 0, mu > 0, mu1 > 0, d >= 0, r >= 0,
    )  # fmt: skip
    POSITIVE = by.real("theorem4.keeps", "Theorem 4, the factor")(KEEPS >= 0, alpha * mu * mu1 <= 2)
    OF_FLOOR = ((omega + 1) / (2 * n) + gamma * c) * L * mu2**2 * sigma2
    FLOOR_POSITIVE = by.real("theorem4.floor", "Theorem 4, the floor")(
        OF_FLOOR >= 0, omega >= 0, n >= 1, gamma >= 0, c >= 0, L > 0, sigma2 >= 0
    )
    THEOREM4 = by.real("theorem4.end", "Theorem 4, after K rounds")(
        AFTER <= f_.THEOREM4,
        SIZES, sigma2 >= 0, ALL_OF, BEGINNING.known, MEAN_NOISE.known, BEGINNING.at(), MEAN_NOISE.at(),
        used(POSITIVE, FLOOR_POSITIVE), power(KEEPS, K), RECURSION.at(),
        SERIES.at({r: KEEPS**K, d: OF_FLOOR}),
    )  # fmt: skip
