"""Bounds on what a run does: true where every step of their proof is, and no hypothesis is left over."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.statement import Statement
from fedproof.bounds.step import ForAll, Given, Step
from fedproof.validate.chain import used
from fedproof.validate.decide import decide
from fedproof.validate.engines.decide import prove
from fedproof.validate.judgement import Judgement, standing
from fedproof.validate.rules.scope import plain

__all__ = ["judge"]

#: reasons that need no assumption: what a symbol means, and what is true of any function or number
GRANTED = ("definition", "meaning")


def judge(statement: Statement) -> Judgement:
    """Read the verdict off the proof: its steps, what they rest on, and the statement's own conditions."""
    if not statement.proof:
        return Judgement(statement.id, "open", (), "it has no proof here; `validate` compares it with runs")
    steps = {s.id: s for s in catalog.steps(statement.paper)}
    last = [steps[id] for id in statement.proof]
    chain = list({s.id: s for end in last for s in (end, *used(end))}.values())
    weak = [f"{s.id} is {v}" for s in chain if (v := decide(s).verdict) not in ("proved", "cited")]
    weak += [f"{r} does not follow from its conditions" for r in _uncovered(statement, last)]
    if weak:
        return Judgement(statement.id, "open", statement.proof, "; ".join(weak))
    extra = sorted({why for s in chain for why in _reasons(s)} - _granted(statement))
    cited = [s.id for s in chain if s.rule == "cite"]
    said = f"all {len(chain)} steps of its proof are proved" + (
        f", {', '.join(cited)} cited" if cited else ""
    )
    if extra:
        return Judgement(
            statement.id, "holds amended", statement.proof, f"{said}; it needs {', '.join(extra)} besides"
        )
    return Judgement(statement.id, "holds", statement.proof, said)


def _uncovered(statement: Statement, last: list[Step]) -> Iterator[sp.Basic | ForAll]:
    """Hypotheses of the last steps, without a reason, that the conditions do not imply."""
    known = standing(statement)
    for step in last:
        meaning = {part.symbol: part.expr for part in step.lets}
        for h in step.hypotheses:
            if isinstance(h, Given) and not h.why and not _implied(statement, known, h.relation, meaning):
                yield h.relation


def _implied(
    statement: Statement,
    known: list[sp.Basic],
    relation: sp.Basic | ForAll,
    meaning: dict[sp.Symbol, sp.Expr],
) -> bool:
    """Conditions speak of real numbers, so they imply nothing about vectors or sequences."""
    if not isinstance(relation, sp.Basic) or not plain(relation):
        return False
    here = statement.expand(_here(relation, meaning))
    return here in known or prove(known, here).proved


def _here(relation: sp.Basic, meaning: dict[sp.Symbol, sp.Expr]) -> sp.Basic:
    with sp.evaluate(False):
        return relation.xreplace(meaning)


def _reasons(step: Step) -> Iterator[str]:
    for h in step.hypotheses:
        if isinstance(h, Given) and h.why and not h.why.startswith(GRANTED):
            yield h.why


def _granted(statement: Statement) -> set[str]:
    """Assumptions it makes, and those that the statements it uses establish."""
    return {*statement.assumptions, *(g for id in statement.uses for g in catalog.statement(id).grants)}
