"""Theorem 5, repaired: the descent of the nonconvex case, a round and all of them."""

from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.proofs.lemma12 import EQ28
from fedproof.papers.flecs.proofs.moments import AWAY, EQ15, EQ16, EQ18_NOISE, FLOOR, OFF
from fedproof.papers.flecs.proofs.rounds import *
from fedproof.papers.flecs.proofs.shifts import NEXT, SAMPLED
from fedproof.papers.flecs.proofs.theorem4 import DIRECTION, OPERATOR
from fedproof.papers.flecs.statements import formulas as f_

by = step_writer("flecs", __name__)
WHERE = "proof of Theorem 5"
#: what the workers compress, in the mean over them
SENT = mean(n2(x(i)))

with printed():
    SMOOTH_F = smooth(F, DF, L, A.SMOOTH_MEAN.id)
    DISSIMILAR = ForEvery(mean(n2(grad(i, u) - DF(u))) <= zeta2, (u,), A.DISSIMILARITY.id)
    #: what it is used for: the models of the run, and the solution
    ALONG = ForEvery(mean(n2(here(i) - N)) <= zeta2, (), A.DISSIMILARITY_ALONG.id, ROUNDS)
    SOLVED = ForEvery(mean(n2(there(i) - DF(ws))) <= zeta2, (), A.DISSIMILARITY_ALONG.id)
    AT_ROUND = by.real("theorem5.dissimilar.round", WHERE)(ALONG.relation, ROUND, DISSIMILAR.at(w))
    AT_SOLUTION = by.real("theorem5.dissimilar.solution", WHERE)(SOLVED.relation, n >= 1, DISSIMILAR.at(ws))
    LEAST = minimises(ws, F, why=A.LEAST.id)
    # -- how far the gradients are from those at the solution
    HERE = by.real("theorem5.here", f"{WHERE}, the mean of the shifts' errors, last line")(
        mean(n2(here(i))) <= n2(N) + zeta2,
        ROUND, MEAN_GRAD.known, MEAN_GRAD.at(w), ALONG.at(k),
    )  # fmt: skip
    THERE = by.real("theorem5.there", f"{WHERE}, the mean of the shifts' errors, last line")(
        mean(n2(there(i))) <= zeta2, n >= 1, SOLUTION.at(), SOLVED.at()
    )
    TWO = by.quad("theorem5.two", f"{WHERE}, two vectors")(n2(u - v) <= 2 * n2(u) + 2 * n2(v))
    APART = by.real("theorem5.apart", f"{WHERE}, a worker's gradients")(
        n2(here(i) - there(i)) <= 2 * n2(here(i)) + 2 * n2(there(i)), TWO.at({u: here(i), v: there(i)})
    )
    GROUND = (MEAN_GRAD.known, SOLUTION.known, ALONG.known, SOLVED.known)
    AWAY5 = by.real("theorem5.away", f"{WHERE}, the mean of the shifts' errors, last line")(
        AWAY <= 2 * n2(N) + 4 * zeta2,
        ROUND, GROUND, APART.at(over=WORKERS), HERE.at(), THERE.at(),
    )  # fmt: skip
    SHIFT_EACH = by.real("theorem5.shift", f"{WHERE}, a worker's next shift")(
        n2(Hk(k + 1, i) - there(i))
        <= (1 - gamma) * n2(h(i) - there(i)) + gamma * n2(here(i) - there(i)) + gamma * noise(i)
        + (gamma**2 * omega - gamma * (1 - gamma)) * n2(x(i)),
        MINE, gamma >= 0, DRAWN, SHIFT.known, EQ28.at(), SAMPLED.at(),
    )  # fmt: skip
    SHIFTS = by.real("theorem5.shifts", f"{WHERE}, the mean of the shifts' errors")(
        NEXT <= (1 - gamma) * OFF + 2 * gamma * n2(N) + 4 * gamma * zeta2 + gamma * FLOOR
        + (gamma**2 * omega - gamma * (1 - gamma)) * SENT,
        ROUND, gamma >= 0, DRAWN, SHIFT.known, GROUND,
        SHIFT_EACH.at(over=WORKERS), AWAY5.at(),
    )  # fmt: skip
    # -- the objective after a step
    LISTING = (AVERAGE.known, STEP.known, SHIFT.known, *OPERATOR)
    STEPPED = by.real("theorem5.step", f"{WHERE}, the objective after the step")(
        F(wp) <= F(w) - alpha * mu1 * n2(N) + L * alpha**2 * mu2**2 / 2 * n2(gt),
        ROUND, DRAWN, MEAN_GRAD.known, AVERAGE.known, OPERATOR, L > 0, alpha > 0, STEP.at(k),
        SMOOTH_F.at(w, wp), DIRECTION.at(), BELOW.at(k, gt),
    )  # fmt: skip
    MOMENT = by.real("theorem5.moment", f"{WHERE}, the second moment")(
        n2(gt) <= omega / n * SENT + FLOOR / n + n2(N),
        ROUND, DRAWN, AVERAGE.known, MEAN_GRAD.known,
        EQ16.at(), EQ15.at(), EQ18_NOISE.at(),
    )  # fmt: skip
    SCALE = L * alpha**2 * mu2**2 / 2
    DESCENT = by.real("theorem5.descent", f"{WHERE}, the objective after the step, last line")(
        F(wp) <= F(w) + alpha * (L * alpha * mu2**2 / 2 - mu1) * n2(N)
        + SCALE * (omega / n * SENT + FLOOR / n),
        ROUND, DRAWN, MEAN_GRAD.known, SMOOTH_F.known, LISTING, L > 0, alpha > 0,
        STEPPED.at(), MOMENT.at(),
    )  # fmt: skip
    # -- a round
    PSI = f_.SHIFTS5
    NUMBERS = (omega >= 0, L > 0, mu1 > 0, mu2 >= mu1, alpha > 0, gamma > 0, c > 0)
    ALL_OF = (*GROUND, *DRAWN, SMOOTH_F.known, *LISTING)
    SQUARES = by.real("theorem5.sent", f"{WHERE}, T(gamma, alpha) <= 0")(
        L * alpha**2 / 2 * SENT >= 0, ROUND, L > 0, squares(x(i), i, n)
    )
    KEPT = by.real("theorem5.kept", f"{WHERE}, a round")(
        PSI * gamma * OFF >= 0, ROUND, NUMBERS, squares(h(i) - there(i), i, n)
    )
    STATE, AFTER = F(w) - F(ws) + PSI * OFF, F(wp) - F(ws) + PSI * NEXT
    FLOOR5 = 2 * c * L * alpha**2 * gamma * zeta2 + (mu2**2 / n + c * gamma) / 2 * L * alpha**2 * FLOOR
    ROUND5 = by.real("theorem5.round.repaired", f"{WHERE}, a round")(
        AFTER <= STATE - alpha * (mu1 - L * alpha * mu2**2 / 2 - c * L * alpha * gamma) * n2(N) + FLOOR5,
        ROUND, NUMBERS, ALL_OF, used(SQUARES), KEPT.at(),
        DESCENT.at(weight=1), SHIFTS.at(weight=PSI), times(L * alpha**2 / 2 * SENT, f_.WEIGHT5),
    )  # fmt: skip
    # -- all rounds
    FALLS = f_.FALLS5
    MEAN5 = total(n2(DF(W(k))), k, 0, K - 1) / K
    BEGUN = F(W(0)) - F(ws) + PSI * mean(n2(Hk(0, i) - there(i)))
    ENDED = F(W(K)) - F(ws) + PSI * mean(n2(Hk(K, i) - there(i)))
    SIZES = (K >= 1, n >= 1, *NUMBERS, f_.WEIGHT5, FALLS > 0)
    GRADIENT = by.real("theorem5.gradient", f"{WHERE}, rearranged")(
        n2(N) <= 2 / (alpha * FALLS) * (STATE - AFTER) + 2 / (alpha * FALLS) * FLOOR5,
        ROUND, NUMBERS, f_.WEIGHT5, FALLS > 0, ALL_OF, ROUND5.at(),
    )  # fmt: skip
    SUMMED = by.real("theorem5.summed", f"{WHERE}, the sum over the rounds")(
        MEAN5 <= 2 / (K * alpha * FALLS) * (BEGUN - ENDED) + 2 / (alpha * FALLS) * FLOOR5,
        SIZES, ALL_OF, GRADIENT.at(over=ROUNDS),
    )  # fmt: skip
    POSITIVE = by.real("theorem5.positive", f"{WHERE}, the last Lyapunov function")(
        ENDED >= 0,
        K >= 1, n >= 1, NUMBERS, LEAST.at(W(K)),
        squares(Hk(K, i) - there(i), i, n),
    )  # fmt: skip
    BEGINNING = ForEvery(Eq(BEGUN, kappa0), (), A.START_NONCONVEX.id)
    REST = (LEAST.known, BEGINNING.known, MEAN_NOISE.known)
    #: Assumption 5 at all points, and that it gives what it is used for
    EVERYWHERE = (DISSIMILAR.known, *(h for h in ALL_OF if h not in (ALONG.known, SOLVED.known)))
    GIVES = (AT_ROUND.at(over=ROUNDS), AT_SOLUTION.at())
    ALONG_SHARP = by.real("theorem5.along.sharpened", "Theorem 5, sharpened")(
        MEAN5 <= f_.SHARP5,
        SIZES, ALL_OF, REST, BEGINNING.at(), MEAN_NOISE.at(),
        SUMMED.at(), POSITIVE.at(),
    )  # fmt: skip
    SHARP = by.real("theorem5.sharpened", "Theorem 5, sharpened")(
        MEAN5 <= f_.SHARP5, SIZES, EVERYWHERE, REST, GIVES, ALONG_SHARP.at()
    )
    WIDER = by.real("theorem5.wider", f"{WHERE}, the last display")(
        f_.SHARP5 <= f_.LAST5,
        K >= 1, n >= 1, L > 0, alpha > 0, gamma > 0, c > 0, sigma2 >= 0, FALLS > 0,
    )  # fmt: skip
    ALONG5 = by.real("theorem5.along", f"{WHERE}, the last display")(
        MEAN5 <= f_.LAST5, SIZES, sigma2 >= 0, ALL_OF, REST, ALONG_SHARP.at(), WIDER.at()
    )
    THEOREM5 = by.real("theorem5.end", f"{WHERE}, the last display")(
        MEAN5 <= f_.LAST5, SIZES, sigma2 >= 0, EVERYWHERE, REST, SHARP.at(), WIDER.at()
    )

ASSUMED = (SMOOTH_F, DISSIMILAR, ALONG, SOLVED, LEAST, BEGINNING)
