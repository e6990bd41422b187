"""Hypotheses and a relation: refuted by an exact point, proved by both engines, vacuous, or open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from fedproof.tuning.ranges import value_of
from fedproof.validate.engines.decide import Outcome, prove
from fedproof.validate.search import breaking_point, feasible_point
from fedproof.vocabulary.values import text_of

__all__ = ["Proof", "Settled", "at", "can_hold", "settle", "sides"]

#: batches of candidates and seconds an engine, first little, then much
EFFORTS = ((1, 4.0), (12, 20.0))

_OPPOSITE = {sp.Le: ">", sp.Lt: ">=", sp.Ge: "<", sp.Gt: "<=", sp.Eq: "!="}

#: asks the engines, given seconds for each
Proof = Callable[[float], Outcome]


@dataclass(frozen=True)
class Settled:
    """What was decided of a relation under hypotheses.

    Arguments:
        verdict: "holds", "refuted", "vacuous" or "open".
        engines: which proved it.
        detail: the numbers, or what the engines said.
        witness: the exact point that refutes it.
    """

    verdict: str
    engines: tuple[str, ...]
    detail: str
    witness: Mapping[str, Fraction] | None = None


def at(point: Mapping[str, Fraction]) -> str:
    """The point in words: "L = 1, mu = 3/2"."""
    return ", ".join(f"{k} = {text_of(v)}" for k, v in point.items())


def sides(relation: sp.Basic, point: Mapping[str, Fraction]) -> str:
    """Both sides at a point that breaks the relation: "1.5 > 1"."""
    values = [value_of(side, point) for side in relation.args]
    left, right = ("undefined" if v is None else f"{v:.7g}" for v in values)
    return f"{left} {_OPPOSITE[relation.func]} {right}"


def can_hold(hypotheses: Sequence[sp.Basic]) -> bool | None:
    """Whether hypotheses can hold together: True with an exact point, False by both engines, else None."""
    if feasible_point(hypotheses) is not None:
        return True
    outcome = prove(hypotheses, sp.false)
    return False if outcome.proved else True if outcome.refutable else None


def settle(
    hypotheses: Sequence[sp.Basic], relation: sp.Basic, proofs: Iterable[Proof] | None = None
) -> Settled:
    """Look for an exact counterexample, then for a proof by both engines.

    Arguments:
        hypotheses: what may be used.
        relation: what is claimed.
        proofs: sound ways to ask the engines, tried in order; by default the question as it stands.

    Returns: the verdict. What follows from hypotheses that cannot hold does not hold: it is vacuous.

    >>> x = sp.Symbol("x", real=True)
    >>> [settle(h, c).verdict for h, c in [([x > 1], x**2 > 1), ([x > 0], x**2 > x), ([x > 1, x < 0], x > 5)]]
    ['holds', 'refuted', 'vacuous']
    """
    asked = list(proofs) if proofs is not None else [lambda seconds: prove(hypotheses, relation, seconds)]
    said = ""
    for batches, seconds in EFFORTS:
        point = breaking_point(hypotheses, relation, batches)
        if point is not None:
            return Settled("refuted", (), f"at {at(point)}: {sides(relation, point)}", point)
        for ask in asked:
            outcome = ask(seconds)
            if outcome.proved:
                return _unless_vacuous(hypotheses, outcome)
            said = ", ".join(f"{engine}: {answer}" for engine, answer in outcome.answers)
    return Settled("open", (), f"no exact counterexample found; engines say {said}")


def _unless_vacuous(hypotheses: Sequence[sp.Basic], outcome: Outcome) -> Settled:
    possible = can_hold(hypotheses)
    if possible is None:
        return Settled("open", (), "proved, but no point was found at which its hypotheses hold")
    if not possible:
        return Settled("vacuous", outcome.proved_by, "its hypotheses cannot hold together")
    return Settled("holds", outcome.proved_by, "no counterexample exists, by both engines")
