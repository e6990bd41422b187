"""One relation under a statement's conditions: what every algebraic claim comes down to."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from fedproof.bounds.statement import Statement
from fedproof.validate.engines.decide import prove
from fedproof.validate.judgement import Judgement, judgement, standing, without_meaning
from fedproof.validate.settle import Proof, settle

__all__ = ["judge_relation"]


def judge_relation(
    statement: Statement, given: Sequence[sp.Basic], then: sp.Basic, via: Sequence[sp.Basic] = ()
) -> Judgement:
    """Decide whether a statement's conditions and further hypotheses imply a relation.

    Arguments:
        statement: whose conditions, domains and definitions hold.
        given: further hypotheses.
        then: the conclusion.
        via: relations on the way, proved first and then used in place of what has radicals.
    """
    relation = statement.expand(then)
    hypotheses = [h for h in standing(statement) if h != relation] + [statement.expand(g) for g in given]
    proofs = _proofs(statement, *_with_steps(statement, given, hypotheses, via), then)
    return judgement(statement, settle(hypotheses, relation, proofs))


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


def _proofs(
    statement: Statement, given: Sequence[sp.Basic], hypotheses: Sequence[sp.Basic], then: sp.Basic
) -> list[Proof]:
    """With named quantities as symbols, where the facts on them are proved; then as it stands."""
    relation = statement.expand(then)
    plain: list[Proof] = [lambda seconds: prove(hypotheses, relation, seconds)]
    named = without_meaning(statement, given, then)
    if named is None:
        return plain
    facts, claim, obligations = named
    if not all(prove(h, o).proved for h, o in obligations):
        return plain
    return [lambda seconds: prove(facts, claim, seconds), *plain]
