"""Lemma 11: (20), how far the shifts are from the gradients at the solution."""

from fedproof.papers.flecs.proofs.moments import AWAY, EACH, FLOOR, HELD, OFF, UNSEEN
from fedproof.papers.flecs.proofs.rounds import *

by = step_writer("flecs", __name__)

with printed():
    TO_SHIFT = by.real("lemma11.shift", "Lemma 11, an error and a shift")(
        Eq(ip(error(i), h(i) - there(i)), 0),
        MINE, HELD, Q_MEAN.at(k, i, x(i)), C_THERE.at(k, i, i),
        C_SYMMETRIC.at(k, i, message(i), h(i)), C_SYMMETRIC.at(k, i, message(i), there(i)),
    )  # fmt: skip
    TO_OWN = by.real("lemma11.own", "Lemma 11, an error and what is compressed")(
        Eq(ip(error(i), x(i)), 0),
        MINE, HELD, Q_MEAN.at(k, i, x(i)),
        C_SYMMETRIC.at(k, i, message(i), h(i)), C_SYMMETRIC.at(k, i, message(i), g(i)),
    )  # fmt: skip
    SAMPLED = by.real("lemma11.sampled", "Lemma 11, the sample's variance")(
        n2(g(i) - there(i)) <= n2(here(i) - there(i)) + noise(i),
        MINE, UNSEEN, S_THERE.at(k, i, i), NOISE.at(k, i),
        S_SYMMETRIC.at(k, i, g(i), here(i)), S_SYMMETRIC.at(k, i, g(i), there(i)),
    )  # fmt: skip
    STEPS = (omega >= 0, gamma >= 0)
    WEIGHT = by.real("lemma11.weight", "Lemma 11, a square")(gamma * n2(x(i)) >= 0, gamma >= 0)
    ROOM = gamma * (1 + omega) <= 1
    EQ20 = by.real("eq20")(
        n2(h(i) + gamma * message(i) - there(i))
        <= (1 - gamma) * n2(h(i) - there(i)) + gamma * n2(here(i) - there(i)) + gamma * noise(i),
        MINE, n >= 1, STEPS, DRAWN, WEIGHT.at(), ROOM,
        SAMPLED.at(), EACH.at(),
        TO_OWN.at(), TO_SHIFT.at(),
    )  # fmt: skip
    NEXT = mean(n2(Hk(k + 1, i) - there(i)))
    NEXT_EACH = by.real("eq20.next", "(20), the next shift")(
        n2(Hk(k + 1, i) - there(i))
        <= (1 - gamma) * n2(h(i) - there(i)) + gamma * n2(here(i) - there(i)) + gamma * noise(i),
        MINE, n >= 1, STEPS, ROOM, DRAWN, SHIFT.at(k, i), EQ20.at(),
    )  # fmt: skip
    EQ20_MEAN = by.real("eq20.mean", "(20), the mean over the workers")(
        NEXT <= (1 - gamma) * OFF + gamma * AWAY + gamma * FLOOR,
        ROUND, STEPS, ROOM, DRAWN, SHIFT.known, NEXT_EACH.at(over=WORKERS),
    )  # fmt: skip
