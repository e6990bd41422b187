"""Sec. 2: Theorem 1 where the devices of a round are drawn without replacement.

Lemma 4 alone asks how two draws depend on each other: of what the earlier ones left, a draw takes less than
its share of what they took too much of.
"""

from fedproof.papers.fedprox import assumptions as A
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

by = step_writer("fedprox", __name__)
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
        square_of_sum(d_j - dbar, j, I, weight=1 / I**2),
        AGAINST.at(over=DRAWS, weight=2 / I**2),
        SPREAD.at(over=DRAWS, weight=1 / I**2),
    )  # fmt: skip
    FEWER = I <= M
SAMPLED = (*UNIFORM, *DRAWN_DISTINCT)
WHERE = "Theorem 1, without replacement"
*_, GENERAL = ROUNDS1 = rounds("distinct", WHERE, LEMMA4, SAMPLED, FEWER)
EXPLICIT = at_printed_step("distinct", WHERE, GENERAL, assumed(SAMPLED), FEWER)
