"""Theorems 2 and 4: (12)-(15), (18)-(21) and their ends, for whatever the draws of a round take as losses."""

from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.proofs.rounds import *
from fedproof.papers.fedprox.proofs.weakly_convex import LEMMA7, LEMMA8, f, step, z
from fedproof.papers.fedprox.proofs.weakly_convex import u as any_u
from fedproof.papers.fedprox.proofs.weakly_convex import w as any_w
from fedproof.papers.fedprox.statements.formulas import GENERAL2, K, general2

by = step_writer("fedprox", __name__)
Env, DEnv, Best = (
    Function("Env", r"\bar R_{\rho}"),
    Field("DEnv", r"\nabla\bar R_{\rho}"),
    Field("Best", r"\mathrm{prox}_{\rho\bar R}"),
)
wb = Best(w)

with printed():
    KAP, KAP_R = 1 / eta - nu, 1 / rho - nu
    CHORDS = weakly_convex_chord(drawn, nu, A.WEAKLY_CONVEX.id, EVERY)
    CHORD_R = weakly_convex_chord(R, nu, A.WEAKLY_CONVEX.id)
    LOCAL = prox(local, drawn, w, eta, A.EXACT.id, EVERY)
    NEAREST_R = prox(wb, R, w, rho, A.ENVELOPE.id, ROUNDS)
    VALUE, LEAST = envelope_value(Env, R, Best, rho, A.ENVELOPE.id), envelope(Env, R, rho, A.ENVELOPE.id)
    KNOWN_BEST = ForEvery(Eq(held(wb), wb), (), A.UNIFORM.id, ROUNDS)
    LOCALS = (CHORDS.known, LIPSCHITZ.known, LOCAL.known)
    HERE = {f(any_u): drawn(any_u), z: local, any_w: w, step: eta}
    #: nu eta < 1 is Lemma 8's condition, the others are Theorem 2's
    STEPSIZES, ENVELOPES = (eta > 0, G >= 0, nu * eta < 1), (rho > 0, eta <= rho, 2 * nu * rho < 1)
    EQ12 = by.real("eq12")(
        drawn(local) + n2(local - w) / (2 * eta)
        <= drawn(u) + n2(u - w) / (2 * eta) - KAP / 2 * n2(local - u),
        eta > 0, INSIDE, LOCALS[0], LOCALS[2], LEMMA7.at({**HERE, any_u: u}),
    )  # fmt: skip
    MOVED_EACH = by.real("lemma8.local", "Lemmas 8 and 12, of a draw")(
        norm(local - w) <= G * eta, eta > 0, G >= 0, INSIDE, LOCALS, LEMMA8.at(HERE)
    )
    EACH_SQUARED = by.real("lemma8.squared", "Lemmas 8 and 12, of a draw, squared")(
        n2(local - w) <= (G * eta) ** 2, eta > 0, G >= 0, INSIDE, LOCALS, MOVED_EACH.at()
    )
    EQ13 = by.real("eq13")(
        drawn(w) + n2(local - w) / (2 * eta)
        <= drawn(wb) + n2(wb - w) / (2 * eta) - KAP / 2 * n2(local - wb) + G**2 * eta,
        eta > 0, G >= 0, INSIDE, LOCALS,
        LIPSCHITZ.at(t, j, w, local),
        MOVED_EACH.at(),
        EQ12.at({u: wb}),
    )  # fmt: skip
    MEAN13 = by.real("eq13.mean", "below (13), the mean over the draws")(
        mean(drawn(w)) + n2(x - w) / (2 * eta)
        <= mean(drawn(wb)) + n2(wb - w) / (2 * eta) - KAP / 2 * n2(x - wb) + G**2 * eta,
        STEPSIZES, ROUND, LOCALS, AVERAGE.at(t),
        EQ13.at(over=DRAWS),
        jensen(local - w, j, I),
        jensen(local - wb, j, I),
    )  # fmt: skip
    EXPECTED13 = by.real("eq13.expected", "below (13), the expectation")(
        R(w) + n2(x - w) / (2 * eta) <= R(wb) + n2(wb - w) / (2 * eta) - KAP / 2 * n2(x - wb) + G**2 * eta,
        STEPSIZES, ROUND, LOCALS, AVERAGE.known,
        KNOWN.at(t), KNOWN_BEST.at(t),
        UNBIASED.at(t, w), UNBIASED.at(t, wb),
        MEAN13.at(),
    )  # fmt: skip
    MOVED_SQUARED = by.real("moved.squared", "below (14), the server's model")(
        n2(x - w) <= (G * eta) ** 2,
        eta > 0, G >= 0, ROUND, LOCALS, AVERAGE.at(t),
        jensen(local - w, j, I),
        EACH_SQUARED.at(over=DRAWS),
    )  # fmt: skip
    MOVED = by.real("moved", "below (14), the server's model")(
        norm(x - w) <= G * eta, eta > 0, G >= 0, ROUND, LOCALS, AVERAGE.known, MOVED_SQUARED.at()
    )
    RISES = by.real("eq14.risk", "above (14), the risk")(
        R(x) - R(w) <= G**2 * eta,
        eta > 0, G >= 0, ROUND, LOCALS, AVERAGE.known, LIPSCHITZ_R.at(x, w), MOVED.at(),
    )  # fmt: skip
    ASSUMED = (*LOCALS, AVERAGE.known, KNOWN.known, KNOWN_BEST.known, UNBIASED.known, LIPSCHITZ_R.known)
    EQ14 = by.real("eq14")(
        R(x) + n2(x - w) / (2 * eta)
        <= R(wb) + n2(wb - w) / (2 * eta) - KAP / 2 * n2(x - wb) + 2 * G**2 * eta,
        STEPSIZES, ROUND, ASSUMED, used(EXPECTED13, RISES),
    )  # fmt: skip
    RISK = (CHORD_R.known, NEAREST_R.known)
    EQ15 = by.real("eq15")(
        R(wb) + n2(wb - w) / (2 * rho) <= R(x) + n2(x - w) / (2 * rho) - KAP_R / 2 * n2(wb - x),
        rho > 0, 0 <= t, t <= T - 1, RISK,
        LEMMA7.at({f(any_u): R(any_u), z: wb, any_w: w, step: rho, any_u: x}),
    )  # fmt: skip
    SUMMED = by.real("eq15.summed", "below (15)")(
        (1 / eta - 1 / rho) / 2 * n2(x - w)
        <= (1 / eta - 1 / rho) / 2 * n2(wb - w) - K / 2 * n2(wb - x) + 2 * G**2 * eta,
        STEPSIZES, rho > 0, ROUND, ASSUMED, RISK, used(EQ14, EQ15),
    )  # fmt: skip
    POSITIVE = by.real("theorem2.positive", "below (15), the sign of the divisor")(K > 0, eta > 0, *ENVELOPES)
    NEARER = by.real("eq15.nearer", "below (15), rearranged")(
        n2(x - wb) <= (1 / eta - 1 / rho) / K * n2(wb - w) + 4 * G**2 * eta / K,
        STEPSIZES, ENVELOPES, ROUND, ASSUMED, RISK, POSITIVE.at(), SUMMED.at(weight=2 / K),
    )  # fmt: skip
    FALLS = by.real("theorem2.round", "proof of Theorem 2, the envelope after a round")(
        Env(x) <= Env(w) - (1 / rho - nu) / (rho * K) * n2(wb - w) + 2 * G**2 * eta / (rho * K),
        STEPSIZES, ENVELOPES, ROUND, ASSUMED, RISK,
        VALUE.at(w), LEAST.at(x, wb), POSITIVE.at(), NEARER.at(),
    )  # fmt: skip
    GRADIENT = ForEvery(Eq(DEnv(v), (v - Best(v)) / rho), (v,), A.ENVELOPE_GRADIENT.id)
    START = ForEvery(Env(W(0)) - Env(v) <= Delta_rho, (v,), A.START.id)
    WHOLE = (*STEPSIZES, *ENVELOPES, T >= 1, I >= 1)
    BY_GRADIENT = by.real("theorem2.gradient", "proof of Theorem 2, a round")(
        (1 - rho * nu) / K * n2(DEnv(w)) <= Env(w) - Env(x) + 2 * G**2 * eta / rho / K,
        STEPSIZES, ENVELOPES, ROUND, ASSUMED, RISK, VALUE.known, LEAST.known, GRADIENT.at(w),
        POSITIVE.at(), FALLS.at(),
    )  # fmt: skip
    AVERAGED = by.real("theorem2.averaged", "proof of Theorem 2, the mean over the rounds")(
        total(n2(DEnv(W(t))), t, 0, T - 1) / T
        <= general2(Env(W(0)) - Env(W(T))),
        WHOLE, ASSUMED, RISK, VALUE.known, LEAST.known, GRADIENT.known, POSITIVE.at(),
        BY_GRADIENT.at(over=ROUNDS),
    )  # fmt: skip
    ALL = (*ASSUMED, *RISK, VALUE.known, LEAST.known, GRADIENT.known, START.known)
    GENERAL = by.real("theorem2.general", "proof of Theorem 2, with the gap at the start")(
        total(n2(DEnv(W(t))), t, 0, T - 1) / T
        <= GENERAL2,
        WHOLE, ALL, POSITIVE.at(), START.at(W(T)), AVERAGED.at(),
    )  # fmt: skip
