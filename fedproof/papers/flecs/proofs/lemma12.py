"""Lemma 12: (27) and (28), the first two moments of a worker's next shift over its compressor."""

from fedproof.papers.flecs.proofs.moments import EACH, HELD
from fedproof.papers.flecs.proofs.rounds import *
from fedproof.papers.flecs.proofs.shifts import TO_OWN, TO_SHIFT

by = step_writer("flecs", __name__)
hp = Hk(k + 1, i)

with printed():
    EQ27 = by.real("eq27")(
        Eq(n2(Ck(k, i, hp) - (1 - gamma) * h(i) - gamma * g(i)), 0),
        MINE, HELD, Q_MEAN.at(k, i, x(i)), SHIFT.at(k, i), C_LINEAR.at(k, i, h(i), message(i), gamma),
    )  # fmt: skip
    SPREAD = gamma**2 * omega - gamma * (1 - gamma)
    EQ28 = by.real("eq28")(
        n2(hp - there(i))
        <= (1 - gamma) * n2(h(i) - there(i)) + gamma * n2(g(i) - there(i)) + SPREAD * n2(x(i)),
        MINE, DRAWN, SHIFT.at(k, i),
        EACH.at(), TO_OWN.at(), TO_SHIFT.at(),
    )  # fmt: skip
