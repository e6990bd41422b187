"""Sec. 2: Theorem 1 where the devices of a round are drawn without replacement.

Lemma 4 alone asks how two draws depend on each other: of what the earlier ones left, a draw takes less than
its share of what they took too much of.
"""

from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.proofs import theorem3
from fedproof.papers.fedprox.proofs.rates import at_printed_step
from fedproof.papers.fedprox.proofs.rounds import *
from fedproof.papers.fedprox.proofs.theorem1 import (
    BEFORE,
    LOSSES,
    SPREAD,
    UNIFORM,
    assumed,
    d_j,
    d_k,
    dbar,
    k,
    rounds,
)  # fmt: skip
from fedproof.papers.fedprox.statements import formulas as f

by = step_writer("fedprox", __name__)
Device, SAMPLES, i, one, pick, g = (
    theorem3.Device, theorem3.SAMPLES, theorem3.i, theorem3.one, theorem3.pick, DR(w)
)  # fmt: skip
#: the mean over draw xi of round t + 1, those before it held
Left = Field("Left", r"\mathbb E[#3\,|\,\xi_1,\dots,\xi_{#2-1}]")
EARLIER = (k, 1, j - 1)


def left(vector: Any) -> Any:
    """A vector with draw xi averaged out over the devices that are left."""
    return Left(t, j, vector)


with printed():
    SYMMETRIC = ForEvery(Eq(ip(left(u), v), ip(u, left(v))), (u, v), A.DISTINCT.id, EVERY)
    HELD = ForEvery(Eq(left(d_k), d_k), (), A.DISTINCT.id, (*EVERY, EARLIER))
    HELD_MEAN = ForEvery(Eq(left(dbar), dbar), (), A.DISTINCT.id, EVERY)
    OF_THE_REST = ForEvery(
        Eq(left(d_j), (M * dbar - total(d_k, *EARLIER)) / (M - j + 1)), (), A.DISTINCT.id, EVERY
    )
    DRAWN_DISTINCT = tuple(said.known for said in (SYMMETRIC, HELD, HELD_MEAN, OF_THE_REST))
    PAIR = by.real("distinct.pair", "Sec. 2, without replacement; a draw and one before it")(
        Eq(ip(d_k - dbar, d_j - left(d_j)), 0),
        INSIDE, BEFORE, SYMMETRIC.at(t, j, d_k, d_j), SYMMETRIC.at(t, j, dbar, d_j),
        HELD.at(t, j, k), HELD_MEAN.at(t, j),
    )  # fmt: skip
    PAIRS = by.real("distinct.pairs", "Sec. 2, without replacement; a draw and those before it")(
        Eq(ip(total(d_k - dbar, *EARLIER), d_j - left(d_j)), 0),
        INSIDE, DRAWN_DISTINCT, PAIR.at(over=EARLIER),
    )  # fmt: skip
    AGAINST = by.real("distinct.against", "Sec. 2, without replacement; draws are correlated negatively")(
        ip(total(d_k - dbar, *EARLIER), d_j - dbar) <= 0,
        INSIDE, I <= M, DRAWN_DISTINCT, OF_THE_REST.at(t, j), PAIRS.at(),
    )  # fmt: skip
    LEMMA4 = by.real("distinct.lemma4", "Lemma 4, without replacement")(
        n2(mean(d_j) - dbar) <= G**2 / I,
        L > 0, G >= 0, ROUND, I <= M, LOSSES, UNIFORM, DRAWN_DISTINCT,
        square_of_sum(d_j - dbar, j, I),
        AGAINST.at(over=DRAWS),
        SPREAD.at(over=DRAWS),
    )  # fmt: skip
    FEWER = I <= M
SAMPLED = (*UNIFORM, *DRAWN_DISTINCT)
WHERE = "Theorem 1, without replacement"
*_, GENERAL = ROUNDS1 = rounds("distinct", WHERE, LEMMA4, SAMPLED, FEWER)
EXPLICIT = at_printed_step("distinct", WHERE, GENERAL, assumed(SAMPLED), FEWER)

# -- Theorem 3, repaired: the devices of a round are distinct, their minibatches independent
l = sp.Symbol("l", integer=True)  # noqa: E741
p, q = vectors("p q")
first, second, device, other = theorem3.first, theorem3.second, theorem3.device, Device(t, l)
WHERE3, ANY = "Theorem 3 repaired, without replacement", (1 <= l, l <= I)
with printed():
    PICK_BEFORE = ForEvery(Eq(pick(second), second), (), A.BATCHES.id, (*theorem3.EACH_SAMPLE, EARLIER))
    PICK_DEVICES = ForEvery(Eq(pick(other), other), (), A.BATCHES.id, (*theorem3.EACH_SAMPLE, (l, 1, I)))
    HELD_FIRST = ForEvery(Eq(left(second), second), (), A.DISTINCT.id, (*EVERY, EARLIER))
    HELD_RISK = ForEvery(Eq(left(g), g), (), A.DISTINCT.id, EVERY)
    DEVICE_LEFT = ForEvery(
        Eq(left(device), (M * g - total(Device(t, k), *EARLIER)) / (M - j + 1)), (), A.DISTINCT.id, EVERY
    )
    BATCHES = (*theorem3.PICKS, PICK_BEFORE.known, PICK_DEVICES.known)
    LEFT3 = (SYMMETRIC.known, HELD_FIRST.known, HELD_RISK.known, DEVICE_LEFT.known)
    OF_DRAWS3 = (*BATCHES, theorem3.DIFFER.known, *UNIFORM, *LEFT3)
    OWN = by.real("distinct3.sample", f"{WHERE3}; a sample and a draw before it")(
        Eq(ip(one - device, second - g), 0),
        theorem3.OF_SAMPLE, BEFORE, theorem3.PICKED.at(t, j, i), theorem3.PICK_RISK.at(t, j, i),
        PICK_BEFORE.at(t, j, i, k), theorem3.PICK_SYMMETRIC.at(t, j, i, one, second),
        theorem3.PICK_SYMMETRIC.at(t, j, i, one, g),
    )  # fmt: skip
    OWN_BATCH = by.real("distinct3.batch", f"{WHERE3}; a minibatch and a draw before it")(
        Eq(ip(first - device, second - g), 0),
        INSIDE, BEFORE, b >= 1, BATCHES, theorem3.BATCH.at(t, j), OWN.at(over=SAMPLES),
    )  # fmt: skip
    OWN_SUM = by.real("distinct3.batches", f"{WHERE3}; a minibatch and the draws before it")(
        Eq(ip(total(second - g, *EARLIER), first - device), 0),
        INSIDE, b >= 1, BATCHES, OWN_BATCH.at(over=EARLIER),
    )  # fmt: skip
    ACROSS = by.real("distinct3.across.sample", f"{WHERE3}; a sample and any device")(
        Eq(ip(one - device, other - g), 0),
        theorem3.OF_SAMPLE, ANY, theorem3.PICKED.at(t, j, i), theorem3.PICK_RISK.at(t, j, i),
        PICK_DEVICES.at(t, j, i, l), theorem3.PICK_SYMMETRIC.at(t, j, i, one, other),
        theorem3.PICK_SYMMETRIC.at(t, j, i, one, g),
    )  # fmt: skip
    ACROSS_BATCH = by.real("distinct3.across", f"{WHERE3}; a minibatch and any device")(
        Eq(ip(first - device, other - g), 0),
        INSIDE, ANY, b >= 1, BATCHES, theorem3.BATCH.at(t, j), ACROSS.at(over=SAMPLES),
    )  # fmt: skip
    BEFORE_L = (l, 1, j - 1)
    NOISE_ROW = by.real("distinct3.row", f"{WHERE3}; a minibatch and the devices before a draw")(
        Eq(ip(second - Device(t, k), total(other - g, *BEFORE_L)), 0),
        INSIDE, BEFORE, b >= 1, BATCHES, ACROSS_BATCH.at({j: k}, over=BEFORE_L),
    )  # fmt: skip
    NOISE = by.real("distinct3.noise", f"{WHERE3}; the minibatches and the devices before a draw")(
        Eq(ip(total(second - Device(t, k), *EARLIER), total(other - g, *BEFORE_L)), 0),
        INSIDE, b >= 1, BATCHES, NOISE_ROW.at(over=EARLIER),
    )  # fmt: skip
    PAIR3 = by.real("distinct3.pair", f"{WHERE3}; a device and a draw before it")(
        Eq(ip(second - g, device - left(device)), 0),
        INSIDE, BEFORE, SYMMETRIC.at(t, j, second, device), SYMMETRIC.at(t, j, g, device),
        HELD_FIRST.at(t, j, k), HELD_RISK.at(t, j),
    )  # fmt: skip
    PAIRS3 = by.real("distinct3.pairs", f"{WHERE3}; a device and the draws before it")(
        Eq(ip(total(second - g, *EARLIER), device - left(device)), 0), INSIDE, LEFT3, PAIR3.at(over=EARLIER)
    )
    ACUTE = by.quad("distinct3.acute", f"{WHERE3}; two vectors")(0 <= ip(p, q), Eq(ip(p - q, q), 0))
    TAKEN = {p: total(second - g, *EARLIER), q: total(other - g, *BEFORE_L)}
    ALONG3 = by.real("distinct3.along", f"{WHERE3}; what was taken and its devices")(
        0 <= ip(TAKEN[p], TAKEN[q]), INSIDE, b >= 1, BATCHES, NOISE.at(), ACUTE.at(TAKEN)
    )
    LEFT_OVER = by.real("distinct3.left", f"{WHERE3}; a device, of those that are left")(
        Eq((M - j + 1) * ip(TAKEN[p], device - g), -ip(TAKEN[p], TAKEN[q])),
        INSIDE, I <= M, LEFT3, DEVICE_LEFT.at(t, j), PAIRS3.at(weight=M - j + 1),
    )  # fmt: skip
    AGAINST3 = by.real("distinct3.against", f"{WHERE3}; draws are correlated negatively")(
        ip(TAKEN[p], first - g) <= 0,
        INSIDE, I <= M, b >= 1, BATCHES, LEFT3, OWN_SUM.at(),
        LEFT_OVER.at(), ALONG3.at(),
    )  # fmt: skip
    FIRST3 = by.real("distinct3.first", f"{WHERE3}; the draws at the round's start")(
        n2(mean(first) - g) <= f.SPREAD3 / I,
        ROUND, b >= 1, I <= M, OF_DRAWS3,
        square_of_sum(first - g, j, I),
        AGAINST3.at(over=DRAWS),
        theorem3.SPREAD.at(over=DRAWS),
    )  # fmt: skip
_NAMES3 = tuple(
    f"distinct3.{name}" for name in ("lemma11", "zeta3", "round", "gradient", "averaged", "general")
)
ROUNDS3 = theorem3.rounds(_NAMES3, WHERE3, FIRST3, OF_DRAWS3, FEWER)
