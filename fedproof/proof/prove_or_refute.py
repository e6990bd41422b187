"""Hypotheses and a relation: refuted by an exact point, proved by both engines, vacuous, or open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from fedproof.proof.counterexamples import feasible_point, find_counterexample, find_hidden_counterexample
from fedproof.proof.engines.resource_limits import ENGINES
from fedproof.proof.engines.smt import prove
from fedproof.proof.instance import Instance, at
from fedproof.proof.rules.query import Query

#: batches of candidates and seconds an engine, first little, then much
EFFORTS = ((1, 4.0), (12, 20.0))

#: questions that together prove the relation
Proof = Sequence[Query]


@dataclass(frozen=True)
class RelationVerdict:
    """What was decided of a relation under hypotheses.

    Arguments:
        verdict: "holds", "refuted", "vacuous" or "open".
        engines: which proved it.
        detail: the numbers, or what the engines said.
        instance: the exact point that refutes it, with all that holds there.
        questions: what the engines proved.
    """

    verdict: str
    engines: tuple[str, ...]
    detail: str
    instance: Instance | None = None
    questions: tuple[Query, ...] = ()

    @property
    def witness(self) -> Mapping[str, Fraction] | None:
        """The exact point that refutes it."""
        return None if self.instance is None else self.instance.point


def can_hold(hypotheses: Sequence[sp.Basic]) -> bool | None:
    """Whether hypotheses can hold together: True with an exact point, False by both engines, else None."""
    if feasible_point(hypotheses) is not None:
        return True
    outcome = prove(hypotheses, sp.false)
    return False if outcome.proved else True if outcome.refutable else None


def prove_or_refute(
    hypotheses: Sequence[sp.Basic], relation: sp.Basic, proofs: Iterable[Proof] | None = None
) -> RelationVerdict:
    """Look for an exact counterexample, then for a proof by both engines.

    Arguments:
        hypotheses: what may be used.
        relation: what is claimed.
        proofs: sound ways to ask the engines, tried in order; by default the question as it stands.

    Returns: the verdict. What follows from hypotheses that cannot hold does not hold: it is vacuous.

    >>> x = sp.Symbol("x", real=True)
    >>> asked = [([x > 1], x**2 > 1), ([x > 0], x**2 > x), ([x > 1, x < 0], x > 5)]
    >>> [prove_or_refute(h, c).verdict for h, c in asked]
    ['holds', 'refuted', 'vacuous']
    """
    asked = [(Query(tuple(hypotheses), relation),)] if proofs is None else [tuple(p) for p in proofs]
    said = ""
    for batches, seconds in EFFORTS:
        point = find_counterexample(hypotheses, relation, batches)
        for questions in asked if point is None else ():
            asked_of = (prove(q.given, q.claim, seconds) for q in questions)
            unproved = next((outcome for outcome in asked_of if not outcome.proved), None)
            if unproved is None:
                return _unless_vacuous(hypotheses, questions)
            said = unproved.words
        point = point or find_hidden_counterexample(hypotheses, relation, batches)
        if point is not None:
            found = Instance(tuple(hypotheses), relation, point)
            return RelationVerdict("refuted", (), f"at {at(point)}: {found.sides}", found)
    return RelationVerdict("open", (), f"no exact counterexample found; engines say {said}")


def _unless_vacuous(hypotheses: Sequence[sp.Basic], questions: tuple[Query, ...]) -> RelationVerdict:
    possible = can_hold(hypotheses)
    if possible is None:
        return RelationVerdict("open", (), "proved, but no point was found at which its hypotheses hold")
    if not possible:
        return RelationVerdict("vacuous", ENGINES, "its hypotheses cannot hold together", questions=questions)
    return RelationVerdict("holds", ENGINES, "no counterexample exists, by both engines", questions=questions)
