"""Hypotheses and a relation: refuted by an exact point, proved by certificates, vacuous, or open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

import sympy as sp

from fedproof.proof.certificates import Proved, whole_names
from fedproof.proof.certify.live import proof
from fedproof.proof.counterexamples import (
    breaks,
    find_counterexample,
    find_hidden_counterexample,
)
from fedproof.proof.engines.smt import prove
from fedproof.proof.instance import Instance, at
from fedproof.proof.possible import possible
from fedproof.proof.rules.query import Query
from fedproof.proof.step import Step
from fedproof.vocabulary.source import Source

#: batches of candidates, seconds of an engine and of a search for a certificate, first little, then much
EFFORTS = ((1, 4.0, 4.0), (12, 20.0, 20.0))

#: questions that together prove the relation
Proof = Sequence[Query]


@dataclass(frozen=True)
class RelationVerdict:
    """What was decided of a relation under hypotheses.

    Arguments:
        verdict: "holds", "refuted", "vacuous" or "open".
        detail: the numbers, or what the engines said.
        instance: the exact point that refutes it, with all that holds there.
        proofs: certificates that together prove it.
        questions: what the engines alone agree on.
    """

    verdict: str
    detail: str
    instance: Instance | None = None
    proofs: tuple[Proved, ...] = ()
    questions: tuple[Query, ...] = ()

    @property
    def witness(self) -> Mapping[str, Fraction] | None:
        """The exact point that refutes it."""
        return None if self.instance is None else self.instance.point


def can_hold(hypotheses: Sequence[sp.Basic], counts: Set[str] = frozenset()) -> bool | None:
    """Whether hypotheses can hold together: True with an exact point, False by both engines, else None.

    At the point the names that count are whole.
    """
    found = possible(lambda: (Query(tuple(hypotheses), sp.true),), hypotheses, counts)
    return found if found is None or isinstance(found, bool) else True


def prove_or_refute(
    hypotheses: Sequence[sp.Basic],
    relation: sp.Basic,
    proofs: Iterable[Proof] | None = None,
    source: Source | None = None,
    witness: Mapping[str, Fraction] | None = None,
) -> RelationVerdict:
    """Look for an exact counterexample, then for certificates.

    Arguments:
        hypotheses: what may be used.
        relation: what is claimed.
        proofs: sound ways to prove it by questions, tried in order; by default the question as it stands.
        source: where the relation stands; its paper's folder may have the certificates.
        witness: a point to try first.

    Returns: the verdict. What follows from hypotheses that cannot hold does not hold: it is vacuous; what the
        engines agree on without a certificate is open.

    >>> x = sp.Symbol("x", real=True)
    >>> asked = [([x > 1], x**2 > 1), ([x > 0], x**2 > x), ([x > 1, x < 0], x > 5)]
    >>> [prove_or_refute(h, c).verdict for h, c in asked]
    ['holds', 'refuted', 'vacuous']
    """
    if witness is not None and breaks(hypotheses, relation, witness):
        return _refuted(hypotheses, relation, witness)
    asked = [(Query(tuple(hypotheses), relation),)] if proofs is None else [tuple(p) for p in proofs]
    said = ""
    agreed: RelationVerdict | None = None
    for batches, seconds, time in EFFORTS:
        point = find_counterexample(hypotheses, relation, batches)
        for questions in asked if point is None else ():
            found = [proof(as_step(q, source), time) for q in questions]
            certified = tuple(f for f in found if isinstance(f, Proved))
            if len(certified) == len(found):
                return _unless_vacuous(hypotheses, certified)
            said = next(f for f in found if isinstance(f, str))
            answers = [] if agreed else [prove(q.given, q.claim, seconds) for q in questions]
            unsure = next((a.words for a in answers if not a.proved), "")
            said += f"; the engines say {unsure}" if unsure else ""
            if answers and not unsure:
                detail = f"engines agree, and there is no certificate: {said}"
                agreed = RelationVerdict("open", detail, questions=tuple(questions))
        point = point or find_hidden_counterexample(hypotheses, relation, batches)
        if point is not None:
            return _refuted(hypotheses, relation, point)
    return agreed or RelationVerdict("open", f"no exact counterexample found; {said}")


def _refuted(
    hypotheses: Sequence[sp.Basic], relation: sp.Basic, point: Mapping[str, Fraction]
) -> RelationVerdict:
    found = Instance(tuple(hypotheses), relation, point)
    return RelationVerdict("refuted", f"at {at(point)}: {found.sides}", found)


def as_step(question: Query, source: Source | None) -> Step:
    """A question as a step, told from others by what it says."""
    said = "\n".join(map(str, (*question.given, question.claim)))
    key = f"{source.paper}." if source else ""
    id = f"{key}question.{sha256(said.encode()).hexdigest()[:16]}"
    return Step(question.claim, question.given, id, source=source, note=question.about)


def _unless_vacuous(hypotheses: Sequence[sp.Basic], proofs: tuple[Proved, ...]) -> RelationVerdict:
    holds = can_hold(hypotheses, set().union(*map(whole_names, proofs)))
    if holds is None:
        return RelationVerdict("open", "proved, but no point was found at which its hypotheses hold")
    if not holds:
        return RelationVerdict("vacuous", "its hypotheses cannot hold together", proofs=proofs)
    lines = sum(len(p.document["lines"]) for p in proofs)
    return RelationVerdict(
        "holds", f"no counterexample exists, by a certificate of {lines} lines", proofs=proofs
    )
