"""One relation under hypotheses: what every algebraic claim comes down to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import sympy as sp

from fedproof.bounds.statement import Statement
from fedproof.tuning.ranges import value_of
from fedproof.validate.engines.decide import Outcome, prove
from fedproof.validate.judgement import Judgement, standing, without_meaning
from fedproof.validate.search import breaking_point
from fedproof.vocabulary.values import text_of

__all__ = ["at", "judge_relation", "proved", "refuted"]

#: batches of candidates and seconds an engine, first little, then much
EFFORTS = ((1, 4.0), (12, 20.0))

_OPPOSITE = {sp.Le: ">", sp.Lt: ">=", sp.Ge: "<", sp.Gt: "<=", sp.Eq: "!="}


def at(point: Mapping[str, Fraction]) -> str:
    """The point in words: "L = 1, mu = 3/2"."""
    return ", ".join(f"{k} = {text_of(v)}" for k, v in point.items())


def refuted(
    statement: Statement, point: Mapping[str, Fraction], relation: sp.Basic, what: str = ""
) -> Judgement:
    """The refutation by one exact point, with both sides of the relation evaluated there."""
    sides = [value_of(side, point) for side in relation.args]
    shown = ["undefined" if v is None else f"{v:.7g}" for v in sides]
    detail = f"{what}at {at(point)}: {shown[0]} {_OPPOSITE[relation.func]} {shown[1]}"
    return Judgement(statement.id, "refuted", ("exact witness",), detail, point)


def judge_relation(
    statement: Statement, given: Sequence[sp.Basic], then: sp.Basic, via: Sequence[sp.Basic] = ()
) -> Judgement:
    """Decide whether a statement's conditions and further hypotheses imply a relation.

    Looks for an exact counterexample, then asks both engines for a proof.

    Returns: refuted with the point, holds with the engines, or open with what each engine said.
    """
    relation = statement.expand(then)
    hypotheses = [h for h in standing(statement) if h != relation] + [statement.expand(g) for g in given]
    shorter = _with_steps(statement, given, hypotheses, via)
    verdict = None
    for batches, seconds in EFFORTS:
        point = breaking_point(hypotheses, relation, batches)
        if point is not None:
            return refuted(statement, point, relation)
        attempts = _attempts(statement, *shorter, then, relation, seconds)
        verdict = proved(statement, attempts, "no counterexample exists")
        if verdict.verdict == "holds":
            break
    assert verdict is not None
    return verdict


def _with_steps(
    statement: Statement,
    given: Sequence[sp.Basic],
    hypotheses: Sequence[sp.Basic],
    via: Sequence[sp.Basic],
) -> tuple[Sequence[sp.Basic], Sequence[sp.Basic]]:
    """What is given and assumed, with the relations on the way in place of what has radicals."""
    steps = [statement.expand(v) for v in via]
    if not steps or not all(_proved_nearby(hypotheses, step) for step in steps):
        return given, hypotheses
    return (
        [*(g for g in given if not _radical(g)), *via],
        [*(h for h in hypotheses if not _radical(h)), *steps],
    )


def _radical(relation: sp.Basic) -> bool:
    return any(p.exp.is_Rational and p.exp.q == 2 for p in relation.doit().atoms(sp.Pow))


def _proved_nearby(hypotheses: Sequence[sp.Basic], step: sp.Basic) -> bool:
    """Whether the hypotheses that speak of the step's symbols alone prove it."""
    return prove([h for h in hypotheses if h.free_symbols <= step.free_symbols], step).proved


def _attempts(
    statement: Statement,
    given: Sequence[sp.Basic],
    hypotheses: Sequence[sp.Basic],
    then: sp.Basic,
    relation: sp.Basic,
    seconds: float,
) -> Iterator[Outcome]:
    named = without_meaning(statement, given, then)
    if named is not None:
        facts, claim, obligations = named
        if all(prove(h, o).proved for h, o in obligations):
            yield prove(facts, claim, seconds)
    yield prove(hypotheses, relation, seconds)


def proved(statement: Statement, attempts: Iterable[Outcome], detail: str) -> Judgement:
    """The judgement that the first successful attempt earns; open where none succeeds."""
    said = ""
    for outcome in attempts:
        if outcome.proved:
            return Judgement(statement.id, "holds", outcome.proved_by, f"{detail}, by both engines")
        said = ", ".join(f"{engine}: {answer}" for engine, answer in outcome.answers)
    return Judgement(statement.id, "open", (), f"no exact counterexample found; engines say {said}")
