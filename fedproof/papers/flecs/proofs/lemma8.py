"""Lemma 8, with Algorithm 5: the search direction is -A_k g~_k, and A_k is symmetric.

P_k projects onto the sketch's range, T_k is the truncated inverse there.
"""

from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.proofs.lemmas import PLACES, t
from fedproof.papers.flecs.proofs.rounds import *

by = step_writer("flecs", __name__)
Inside, Inverse = Field("Inside", "P_{#1}#2"), Field("Inverse", "T_{#1}#2")
Search = Field("Search", "p_{#1}")
TIMES = PLACES[:2]


def listed(relation: Any, *variables: Any) -> ForEvery:
    """What Algorithm 5 says of every round."""
    return ForEvery(relation, variables, A.SONIA.id, ROUNDS)


with printed():
    OPERATOR = listed(Eq(Ak(k, v), Inverse(k, Inside(k, v)) + rho * (v - Inside(k, v))), v)
    SEARCH = listed(Eq(Search(k), -Inverse(k, Inside(k, gt)) - rho * (gt - Inside(k, gt))))
    PROJECTS = listed(Eq(ip(Inside(k, u), v), ip(u, Inside(k, v))), u, v)
    INVERTS = listed(Eq(ip(Inverse(k, Inside(k, u)), v), ip(u, Inverse(k, Inside(k, v)))), u, v)
    LEFT = n2(Search(t) + Ak(t, GT(t)))
    LEMMA8 = by.real("lemma8.end", "Lemma 8, with Algorithm 5")(
        LEFT <= 0, tuple(said.at() for said in TIMES), OPERATOR.at(t, GT(t)), SEARCH.at(t)
    )
    SYMMETRIC8 = by.real("lemma8.symmetric", "Lemma 8, with Algorithm 5, A_k is symmetric")(
        Eq(ip(Ak(k, u), v), ip(u, Ak(k, v))),
        0 <= k, k <= K - 1, OPERATOR.at(k, u), OPERATOR.at(k, v),
        PROJECTS.at(k, u, v), INVERTS.at(k, u, v),
    )  # fmt: skip

LISTED = (OPERATOR, SEARCH, PROJECTS, INVERTS)
