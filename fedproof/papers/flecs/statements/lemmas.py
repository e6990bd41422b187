"""Lemmas 8, 10, 11 and 12 as bounds on what a round leaves, in the squares that it starts from."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.bounds.statement import Assumption
from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.notation import *

KEY = "flecs"
#: A_k is known before the round: the proofs list it with what else the draws do not change
ROUND = (A.SOLUTION, A.SAMPLES, A.COMPRESSOR, A.LISTING, A.OPERATOR, A.NAMES)
with printed():
    LEMMA10 = 2 * omega / n * mean_off + (2 * omega / n + 1) * mean_away + (1 + omega) * sigma2 / n
    LEMMA11 = (1 - gamma) * off2 + gamma * away2 + gamma * noise2
    LEMMA12 = (1 - gamma) * off2 + gamma * sample2 + (gamma**2 * omega - gamma * (1 - gamma)) * sent2
    SHIFT_STEP = Condition("gamma (1 + omega) <= 1", gamma * (1 + omega) <= 1, "Lemma 11")


def _lemma(number: int | str, title: str, where: str, bound: Bound, used: tuple[sp.Symbol, ...],
           conditions: tuple[Condition, ...] = (), assumed: tuple[Assumption, ...] = ROUND, note: str = "",
           ) -> Statement:  # fmt: skip
    return Statement(
        f"{KEY}.lemma{number}",
        title,
        Source(KEY, where),
        letters(*used),
        bound,
        conditions=conditions,
        assumptions=tuple(a.id for a in assumed),
        proof=(f"{KEY}.lemma{number}.end",),
        note=note,
    )


EIGHTH = _lemma(
    8, "Lemma 8: the search direction is -A_k times the server's gradient", "Lemma 8",
    Bound("search_direction_gap", Integer(0)), (rho,), assumed=(A.SONIA, A.NAMES),
    note="With Algorithm 5. With Algorithm 4 it is its line 4, whose sign the text or its scan has lost.",
)  # fmt: skip
TENTH = _lemma(
    10, "Lemma 10: the second moment of the server's gradient", "Lemma 10, eq. (14)",
    Bound("server_gradient_square", LEMMA10), (omega, n, mean_off, mean_away, sigma2),
    assumed=(A.MEAN, *ROUND),
    note="h_* = 0 for h_*^i on the left, which has an index that nothing binds.",
)  # fmt: skip
ELEVENTH = _lemma(
    11, "Lemma 11: a worker's shift after a round", "Lemma 11, eq. (20)",
    Bound("next_shift_error", LEMMA11), (omega, n, gamma, off2, away2, noise2), (SHIFT_STEP,),
    note="In the mean over samples and compressor; E_Q alone would leave the sample.",
)  # fmt: skip
TWELFTH = _lemma(
    12, "Lemma 12: a worker's shift after a round, by what it sends", "Lemma 12, eq. (28)",
    Bound("next_shift_error", LEMMA12), (omega, n, gamma, off2, sample2, sent2),
)  # fmt: skip
FIRST_MOMENT = _lemma(
    "12.mean", "Lemma 12: a worker's shift after a round, in the compressor's mean", "Lemma 12, eq. (27)",
    Bound("mean_shift_gap", Integer(0)), (n, gamma),
    note="An equation of vectors: nothing is left between.",
)  # fmt: skip
