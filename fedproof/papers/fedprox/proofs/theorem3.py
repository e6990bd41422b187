"""Theorem 3, repaired: a draw is a device and its minibatch, and both vary.

s_{t,xi} is the gradient of the risk of draw xi's device at w_t, s_{t,xi,i} that of its i-th sample's loss.
"""

from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.proofs import rates, theorem1
from fedproof.papers.fedprox.proofs.rates import most
from fedproof.papers.fedprox.proofs.rounds import *
from fedproof.papers.fedprox.proofs.theorem1 import (
    ALONG,
    CHANGE,
    DELTA,
    EQ10,
    EQ11,
    GRADIENT_R,
    JENSEN,
    LEMMA4_MEAN,
    LOSSES,
    MEANS,
    NUMBERS,
    ORACLE,
    RESIDUAL,
    SAMPLED,
    SMOOTH_R,
    START,
    UNIFORM,
    d,
    d_j,
    dbar,
    free,
    g,
    h,
    k,
    m,
    p,
    q,
    r,
    s,
    step,
)  # fmt: skip
from fedproof.papers.fedprox.statements import formulas as f

by = step_writer("fedprox", __name__)
i = sp.Symbol("i", integer=True)
#: the mean over the i-th sample of draw xi, its gradient, the device's gradient
Pick, Sample, Device = (
    Field("Pick", r"\mathbb E_{z_{#2,#3}}[#4]"),
    Field("Sample", r"s_{#1,#2,#3}"),
    Field("Device", r"s_{#1,#2}"),
)
SAMPLES = (i, 1, b)
EACH_SAMPLE = (*EVERY, SAMPLES)
first, second, device = drawn_gradient(w), DPhi(t, k, w), Device(t, j)
one, other = Sample(t, j, i), Sample(t, j, k)


def pick(vector: Any) -> Any:
    """A vector with the i-th sample of draw xi averaged out."""
    return Pick(t, j, i, vector)


with printed():
    # -- what is assumed of samples and devices
    BATCH = ForEvery(Eq(first, total(one, *SAMPLES) / b), (), A.BATCHES.id, EVERY)
    SHORT = ForEvery(n2(one) <= G**2, (), A.LIPSCHITZ.id, EACH_SAMPLE)
    PICKED = ForEvery(Eq(pick(one), device), (), A.BATCHES.id, EACH_SAMPLE)
    PICK_SYMMETRIC = ForEvery(Eq(ip(pick(u), v), ip(u, pick(v))), (u, v), A.BATCHES.id, EACH_SAMPLE)
    PICK_DEVICE = ForEvery(Eq(pick(device), device), (), A.BATCHES.id, EACH_SAMPLE)
    PICK_OTHER = ForEvery(Eq(pick(other), other), (), A.BATCHES.id, (*EACH_SAMPLE, (k, 1, i - 1)))
    PICK_RISK = ForEvery(Eq(pick(g), g), (), A.BATCHES.id, EACH_SAMPLE)
    DIFFER = ForEvery(n2(device - g) <= H2, (), A.DISSIMILARITY.id, EVERY)
    EARLIER = free(second, A.SAMPLING.id, (k, 1, j - 1))
    PICKS = tuple(
        said.known for said in (BATCH, SHORT, PICKED, PICK_SYMMETRIC, PICK_DEVICE, PICK_OTHER, PICK_RISK)
    )
    OF_DRAWS = (*PICKS, DIFFER.known, EARLIER.known, *SAMPLED)
    OF_SAMPLE = (1 <= i, i <= b, *INSIDE)

    # -- the samples of a draw
    SAMPLE_SPREAD = by.real("lemma11.sample", "Lemma 11, a sample")(
        n2(one - device) <= G**2,
        OF_SAMPLE, SHORT.at(t, j, i), PICKED.at(t, j, i), PICK_DEVICE.at(t, j, i),
        PICK_SYMMETRIC.at(t, j, i, one, device),
    )  # fmt: skip
    SAMPLES_APART = by.real("lemma11.samples", "Lemma 11, two samples")(
        Eq(ip(other - device, one - device), 0),
        OF_SAMPLE, 1 <= k, k <= i - 1, PICKED.at(t, j, i), PICK_DEVICE.at(t, j, i), PICK_OTHER.at(t, j, i, k),
        PICK_SYMMETRIC.at(t, j, i, one, device), PICK_SYMMETRIC.at(t, j, i, one, other),
    )  # fmt: skip
    SAMPLES_APART_SUM = by.real("lemma11.samples.sum", "Lemma 11, a sample and those before it")(
        Eq(ip(total(other - device, k, 1, i - 1), one - device), 0),
        OF_SAMPLE, PICKS, SAMPLES_APART.at(over=(k, 1, i - 1)),
    )  # fmt: skip
    SAMPLES_MEAN = by.real("lemma11.batch", "Lemma 11, a minibatch")(
        n2(first - device) <= G**2 / b,
        INSIDE, b >= 1, PICKS, BATCH.at(t, j),
        square_of_sum(one - device, i, b),
        SAMPLES_APART_SUM.at(over=SAMPLES),
        SAMPLE_SPREAD.at(over=SAMPLES),
    )  # fmt: skip
    SAMPLE_DEVICE = by.real("lemma11.across", "Lemma 11, a sample and its device")(
        Eq(ip(one - device, device - g), 0),
        OF_SAMPLE, PICKED.at(t, j, i), PICK_DEVICE.at(t, j, i), PICK_RISK.at(t, j, i),
        PICK_SYMMETRIC.at(t, j, i, one, device), PICK_SYMMETRIC.at(t, j, i, one, g),
    )  # fmt: skip
    BATCH_DEVICE = by.real("lemma11.across.batch", "Lemma 11, a minibatch and its device")(
        Eq(ip(first - device, device - g), 0),
        INSIDE, b >= 1, PICKS, BATCH.at(t, j), SAMPLE_DEVICE.at(over=SAMPLES),
    )  # fmt: skip
    SPREAD = by.real("lemma11.draw", "Lemma 11, a draw")(
        n2(first - g) <= f.SPREAD3,
        INSIDE, b >= 1, PICKS, DIFFER.at(t, j), used(SAMPLES_MEAN), BATCH_DEVICE.at(),
    )  # fmt: skip

    # -- the draws of a round
    RISK_CENTRED = by.real("lemma11.draws", "Lemma 11, two draws")(
        Eq(ip(second - g, first - g), 0),
        INSIDE, 1 <= k, k <= j - 1, theorem1.FREE_G.at(t, j), theorem1.MEAN_G.at(t, j), EARLIER.at(t, j, k),
        theorem1.SYMMETRIC.at(t, j, first, g), theorem1.SYMMETRIC.at(t, j, first, second),
    )  # fmt: skip
    DRAWS_SUM = by.real("lemma11.draws.sum", "Lemma 11, a draw and those before it")(
        Eq(ip(total(second - g, k, 1, j - 1), first - g), 0),
        INSIDE, OF_DRAWS, RISK_CENTRED.at(over=(k, 1, j - 1)),
    )  # fmt: skip
    FIRST = by.real("lemma11.first.mean", "Lemma 11, the draws at the round's start")(
        n2(mean(first) - g) <= f.SPREAD3 / I,
        ROUND, b >= 1, OF_DRAWS,
        square_of_sum(first - g, j, I),
        DRAWS_SUM.at(over=DRAWS),
        SPREAD.at(over=DRAWS),
    )  # fmt: skip
    CLOSE = f.REPAIRED_ORACLE3[0]
    RESIDUAL_SMALL = by.real("lemma11.residual", "(16), the oracle")(RESIDUAL <= G, NUMBERS, CLOSE)
    EQ16_SQUARED = by.real("eq16.numbers", "(16), squared")(
        (step * (G + r)) ** 2 <= 4 * G**2 * step**2, step > 0, G >= 0, r >= 0, r <= G
    )
    EQ16 = by.real("eq16")(
        n2(local - w) <= 4 * G**2 * eta**2,
        NUMBERS, INSIDE, LOSSES, ORACLE.known, CLOSE,
        used(RESIDUAL_SMALL), EQ16_SQUARED.at({step: eta, r: RESIDUAL}), EQ10.at(),
    )  # fmt: skip
    CHANGES = by.real("lemma11.changes", "Lemma 11, what a draw's gradient changes by")(
        n2(first - d_j) <= 4 * L**2 * G**2 * eta**2,
        NUMBERS, INSIDE, LOSSES, ORACLE.known, CHANGE.known, CLOSE,
        CHANGE.at(t, j, w, local), EQ16.at(),
    )  # fmt: skip
    SECOND_MEAN = by.real("lemma11.changes.mean", "Lemma 11, what the mean changes by")(
        n2(mean(first - d_j)) <= 4 * L**2 * G**2 * eta**2,
        NUMBERS, ROUND, LOSSES, ORACLE.known, CHANGE.known, CLOSE,
        jensen(first - d_j, j, I), CHANGES.at(over=DRAWS),
    )  # fmt: skip
    TWO = by.quad("lemma11.two", "Lemma 11, two vectors")(n2(p - q) <= 2 * n2(p) + 2 * n2(q))
    SECOND_DRAW = by.real("lemma11.second.draw", "Lemma 11, the second bound, by any draw")(
        n2(g - dbar) <= 4 * L**2 * G**2 * eta**2,
        NUMBERS, INSIDE, LOSSES, ORACLE.known, CHANGE.known, CLOSE, UNIFORM,
        JENSEN.at({p: g - dbar, q: first - d_j}), used(MEANS, CHANGES),
    )  # fmt: skip
    LEMMA11_SECOND = by.real("lemma11.second.sharpened", "Lemma 11, the second bound")(
        n2(g - dbar) <= 4 * L**2 * G**2 * eta**2,
        NUMBERS, ROUND, LOSSES, ORACLE.known, CHANGE.known, CLOSE, UNIFORM,
        SECOND_DRAW.at({j: sp.Integer(1)}),
        note="Without Lemmas 1 to 3 and 10: Jensen's inequality over the draw is enough.",
    )  # fmt: skip

    # -- the descent, of any vectors
    ZETA1 = by.quad("theorem3.zeta1", "proof of Theorem 3, zeta_1")(
        -step * ip(h, d - q) + L * step**2 / 2 * n2(d - q)
        <= -step / 2 * n2(h) + step / 2 * n2(h - m) + step * G * r + L * step**2 * (n2(d) + r**2),
        L > 0, step > 0, G >= 0, r >= 0, n2(h) <= G**2, n2(q) <= r**2, times(-step, Eq(ip(d - m, h), 0)),
        ALONG.at(), TWO.at({p: d}, weight=L * step**2 / 2),
    )  # fmt: skip
    ZETA2 = by.quad("theorem3.zeta2", "proof of Theorem 3, zeta_2")(
        -step * ip(h, d - q) + L * step**2 / 2 * n2(d - q)
        <= -step / 4 * n2(h) + step / 2 * n2(h - m) + 2 * L * step**2 * n2(d - h) + step * G * r
        + L * step**2 * r**2,
        L > 0, step > 0, G >= 0, r >= 0, n2(h) <= G**2, n2(q) <= r**2, Eq(ip(d - m, h), 0),
        8 * L * step <= 1, TWO.at({p: d - h, q: -h}), ZETA1.at(),
    )  # fmt: skip
    FINE = by.real("theorem3.residual", "proof of Theorem 3, the last inequality")(
        RESIDUAL <= L * G * eta / (b * I), NUMBERS, I >= 1, b >= 1, f.REPAIRED_ORACLE3
    )
    LAST = by.real("theorem3.last.repaired", "proof of Theorem 3, the last inequality")(
        eta / 2 * (4 * L**2 * G**2 * eta**2) + 2 * L * eta**2 * (8 * L**2 * G**2 * eta**2 + 2 * s / I)
        + eta * G * r + L * eta**2 * r**2
        <= 4 * L**2 * G**2 * eta**3 + 21 * L * eta**2 * s / (4 * I),
        eta > 0, L > 0, G >= 0, I >= 1, b >= 1, r >= 0, r <= L * G * eta / (b * I), s >= G**2 / b,
        8 * L * eta <= 1,
    )  # fmt: skip

    SPREAD_LEAST = by.real("theorem3.spread", "proof of Theorem 3, the spread")(
        f.SPREAD3 >= G**2 / b, b >= 1, H2 >= 0
    )


# -- a round, and all of them


def assumed(of_draws: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the rounds rest on, with what is assumed of the draws."""
    others = (ORACLE, CHANGE, AVERAGE, SMOOTH_R, LIPSCHITZ_R)
    return (*LOSSES, *(said.known for said in others), *of_draws)


def rounds(
    names: tuple[str, ...], where: str, first_mean: Step, of_draws: tuple[Any, ...], *more: Any
) -> tuple[Step, ...]:
    """From what the draws at a round's start vary by to the bound of all rounds, however they are drawn."""
    known = assumed(of_draws)
    with printed():
        limits = (8 * L * eta <= 1, H2 >= 0, b >= 1, *f.REPAIRED_ORACLE3, *more)
        whole = (*NUMBERS, T >= 1, I >= 1, *limits)
        near = by.real(names[0], "Lemma 11, the first bound")(
            n2(mean(d_j) - g) <= 8 * L**2 * G**2 * eta**2 + 2 * f.SPREAD3 / I,
            NUMBERS, ROUND, b >= 1, *more, LOSSES, ORACLE.known, CHANGE.known, CLOSE, of_draws,
            TWO.at({p: mean(first) - g, q: mean(first - d_j)}),
            first_mean.at(), SECOND_MEAN.at(),
            note="The text divides by bI, as if the bI samples were drawn independently; those of a draw "
            "share a device. With G^2/b + H^2 for G^2/b it is right.",
            repairs="fedprox.lemma11.first",
        )  # fmt: skip
        zeta3 = by.real(names[1], f"{where}, zeta_3")(
            R(x) <= R(w) - eta / 4 * n2(g) + eta / 2 * (4 * L**2 * G**2 * eta**2)
            + 2 * L * eta**2 * (8 * L**2 * G**2 * eta**2 + 2 * f.SPREAD3 / I)
            + eta * G * RESIDUAL + L * eta**2 * RESIDUAL**2,
            NUMBERS, ROUND, limits, known, AVERAGE.at(t),
            used(GRADIENT_R, EQ11, LEMMA4_MEAN),
            times(1, SMOOTH_R.at(w, x)),
            ZETA2.at({h: g, d: mean(d_j), m: dbar, q: DELTA, step: eta, r: RESIDUAL}, weight=1),
            LEMMA11_SECOND.at(weight=eta / 2), near.at(weight=2 * L * eta**2),
        )  # fmt: skip
        falls = by.real(names[2], f"{where}, a round")(
            R(x) <= R(w) - eta / 4 * n2(g) + 4 * L**2 * G**2 * eta**3 + 21 * L * eta**2 * f.SPREAD3 / (4 * I),
            NUMBERS, ROUND, limits, known,
            zeta3.at(), used(FINE, SPREAD_LEAST), LAST.at({r: RESIDUAL, s: f.SPREAD3}),
        )  # fmt: skip
        gradient = by.real(names[3], f"{where}, rearranged")(
            n2(g) <= f.repaired3(4 / eta * (R(w) - R(x)), f.SPREAD3),
            NUMBERS, ROUND, limits, known, falls.at(),
        )  # fmt: skip
        averaged = by.real(names[4], f"{where}, the mean over the rounds")(
            MEAN1 <= f.repaired3(4 / (eta * T) * (R(W(0)) - R(W(T))), f.SPREAD3),
            whole, known, gradient.at(over=ROUNDS),
        )  # fmt: skip
        general = by.real(names[5], f"{where}, with the gap at the start")(
            MEAN1 <= f.REPAIRED3,
            whole, known, START.at(W(T)), averaged.at(),
        )  # fmt: skip
    return near, zeta3, falls, gradient, averaged, general


_NAMES = (
    "lemma11.first.repaired", "theorem3.zeta3", "theorem3.round", "theorem3.gradient", "theorem3.averaged",
    "theorem3.general.repaired",
)  # fmt: skip
ASSUMED = assumed(OF_DRAWS)
*_, GENERAL = ROUNDS3 = rounds(_NAMES, "proof of Theorem 3", FIRST, OF_DRAWS)
with printed():
    # -- the printed step size, with the draws that count for bI
    TERMS = by.real("theorem3.terms", "end of the proof of Theorem 3, three terms")(
        f.repaired3(4 / (eta * T) * Delta, s)
        <= f.explicit3(most),
        L > 0, G > 0, Delta >= 0, T >= 1, I >= 1, s > 0, pace_b > 0, Eq(eta, pace_b / (8 * L)),
        Eq(J * s, G**2 * I),
        J > 0, 1 / (T * pace_b) <= most, pace_b**2 <= most, pace_b / J <= most,
    )  # fmt: skip
    AT_J = {
        rates.c: f.CUBE_ROOT, rates.s: sqrt(J / T), rates.q: sqrt(1 / (T * J)), I: J, pace: pace_b,
    }  # fmt: skip
    SET3 = (Eq(pace_b, f.REPAIRED_PACE3), Eq(eta, pace_b / (8 * L)), Eq(J, f.DRAWS3))
    ROOTS = rates.ROOTS.at({I: J})
    AT_PACE = tuple(
        part.at(AT_J) for part in (rates.PACE, rates.START_TERM, rates.DRIFT_TERM, rates.SPREAD_TERM)
    )
    COUNTED = by.real("theorem3.draws", "Theorem 3, the draws that count")(
        J > 0, Eq(J, f.DRAWS3), G > 0, I >= 1, b >= 1, H2 >= 0
    )
    PRODUCT = by.real("theorem3.draws.spread", "Theorem 3, the draws that count")(
        Eq(J * f.SPREAD3, G**2 * I), Eq(J, f.DRAWS3), G > 0, I >= 1, b >= 1, H2 >= 0
    )
    VARIES = by.real("theorem3.varies", "Theorem 3, the spread")(f.SPREAD3 > 0, G > 0, b >= 1, H2 >= 0)
    SIZES3 = (L > 0, G > 0, H2 >= 0, b >= 1, T >= 1, I >= 1, *SET3)
    RATE = by.real("theorem3.rate", "end of the proof of Theorem 3, with constants")(
        f.REPAIRED3 <= f.EXPLICIT3,
        SIZES3, Delta >= 0, used(COUNTED, PRODUCT, VARIES), ROOTS, AT_PACE,
        TERMS.at({most: f.REPAIRED_RATE3, s: f.SPREAD3}),
    )  # fmt: skip
    SMALL = by.real("theorem3.stepsize.small", "Theorem 3, the step size")(
        8 * L * eta <= 1, L > 0, Eq(eta, pace_b / (8 * L)), pace_b <= 1
    )
    STEPSIZE = by.real("theorem3.stepsize", "Theorem 3, the step size")(
        8 * L * eta <= 1, SIZES3, COUNTED.at(), ROOTS, rates.CUBE.at(), rates.AT_MOST.at(AT_J), SMALL.at()
    )
    POSITIVE = by.real("theorem3.stepsize.positive", "Theorem 3, the step size")(
        eta > 0, SIZES3, COUNTED.at(), ROOTS, rates.PACE.at(AT_J)
    )
    NUMBERS3 = (*SIZES3, eps >= 0, Delta >= 0, *f.REPAIRED_ORACLE3)
    EXPLICIT = by.real("theorem3.explicit", "Theorem 3, repaired, with constants")(
        MEAN1 <= f.EXPLICIT3,
        NUMBERS3, ASSUMED, START.known,
        used(STEPSIZE, POSITIVE), GENERAL.at(), RATE.at(),
    )  # fmt: skip
