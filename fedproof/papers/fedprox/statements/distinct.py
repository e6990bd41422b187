"""Sec. 2: Theorem 1, and Theorem 3 repaired, where the devices of a round are drawn without replacement."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox import assumptions as A
from fedproof.papers.fedprox.notation import *
from fedproof.papers.fedprox.statements.explicit import GENERAL1, REPAIRED3
from fedproof.papers.fedprox.statements.printed import KEY, THEOREM1

with printed():
    FEWER = Condition("I <= M", I <= M, "the devices of a round are distinct")

_WHERE = Source(KEY, 'Sec. 2, "sampling without replacement"')


def _distinct(theorem: Statement, id: str, last: str) -> Statement:
    """A statement with distinct devices in a round."""
    return replace(
        theorem,
        id=f"{KEY}.{id}",
        title=f"{theorem.title}, without replacement",
        source=_WHERE,
        letters=(*theorem.letters, *letters(M)),
        conditions=(*theorem.conditions, FEWER),
        assumptions=tuple(A.DISTINCT.id if id == A.SAMPLING.id else id for id in theorem.assumptions),
        amends=None,
        proof=(f"{KEY}.{last}",),
        note="Theorems 2 and 4 ask no more of the draws than that each is uniform, and hold for both.",
    )


DISTINCT = _distinct(THEOREM1, "section2.distinct", "distinct.end")
DISTINCT_GENERAL3 = _distinct(REPAIRED3, "section2.distinct.theorem3", "distinct3.general")
DISTINCT_GENERAL = _distinct(GENERAL1, "section2.distinct.general", "distinct.general")
