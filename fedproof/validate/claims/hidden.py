"""Bounds up to a constant that the text hides: true where a proof gives one, false where no constant does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound, Family, Hidden
from fedproof.bounds.statement import Statement
from fedproof.proof.decide import decide
from fedproof.proof.obligations import used
from fedproof.proof.step import Given, Step
from fedproof.validate.claims import bound
from fedproof.validate.statement_verdict import StatementVerdict, domain_relations


def judge(statement: Statement) -> StatementVerdict:
    """Read the verdict off the last steps of the proof, which bound the metric with some constant.

    It is refuted by steps that show a family of instances along which the metric outgrows the expression.
    """
    claim = statement.claim
    assert isinstance(claim, Hidden)
    if claim.family is not None:
        return outgrown(statement, claim, claim.family)
    if claim.factor is None:
        return StatementVerdict(statement.id, "open", (), "no constant is known with which it holds")
    found = bound.judge(replace(statement, claim=Bound(claim.metric, claim.factor * claim.expr)))
    if found.verdict in ("holds", "holds amended"):
        return replace(found, detail=f"with the constant {claim.factor}: {found.detail}")
    return found


def outgrown(statement: Statement, claim: Hidden, family: Family) -> StatementVerdict:
    """Refuted where every instance is inside the statement and the metric is more than growth x expression.

    The last step bounds the metric of the instances from below. That its hypotheses without a reason, the
    statement's conditions and domains and what its definitions stand for hold along the family, and that the
    bound is more than growth x expression, is asked for every index, of the other steps or of a proof.
    """
    steps = {s.id: s for s in catalog.steps(statement.paper)}
    shown = [steps[id] for id in statement.counterexample]
    every = {s.id: s for last in shown for s in (*used(last), last)}.values()
    weak = [f"{s.id} is {v}" for s in every if (v := decide(s).verdict) != "proved"]
    lower = _lower(shown[-1], statement.paper, claim.metric) if shown else None
    if lower is None:
        weak.append(f"no step bounds {claim.metric} from below")
    if not weak and lower is not None:
        asked = [*_inside(statement, family, shown[-1]), _more(claim, family, lower)]
        weak += [f"{said} is not known for {family.index} >= {family.least}" for said in asked
                 if not _known(said, family, shown)]  # fmt: skip
    if sp.limit(family.growth, family.index, sp.oo) != sp.oo:
        weak.append(f"{family.growth} is bounded")
    if weak:
        return StatementVerdict(statement.id, "open", statement.counterexample, "; ".join(weak))
    at = ", ".join(f"{letter} = {value}" for letter, value in family.values)
    said = f"at {at} the left side is at least {family.growth} times the right side, {family.index} = "
    said += f"{family.least}, {family.least + 1}, ...: no constant is enough"
    return StatementVerdict(statement.id, "refuted", statement.counterexample, said)


def _lower(step: Step, key: str, metric: str) -> Any:
    """What the step says the metric is at least, in the words of its paper's proofs."""
    for said in catalog.metric_relations(key).get(f"{metric} >=", ()):
        if said.func is step.claim.func and said.args[1] == step.claim.args[1]:
            return step.claim.args[0]
    return None


def _at(family: Family, said: Any) -> Any:
    with sp.evaluate(False):
        return said.xreplace(dict(family.values))


def _inside(statement: Statement, family: Family, last: Step) -> Iterator[Any]:
    """What must hold for the instances to be in the statement, and for the step to be about them."""
    for part in statement.where:
        yield sp.Eq(_at(family, part.expr), _at(family, part.symbol), evaluate=False)
    yield from (_at(family, c.relation) for c in statement.conditions)
    for letter in statement.letters:
        yield from (_at(family, said) for said in domain_relations(letter))
    plain = (h for h in last.hypotheses if isinstance(h, Given) and not h.why)
    yield from (_at(family, h.relation) for h in plain if isinstance(h.relation, sp.Basic))


def _more(claim: Hidden, family: Family, lower: Any) -> Any:
    """That the lower bound is more than growth x expression."""
    with sp.evaluate(False):
        return sp.Le(family.growth * _at(family, claim.expr), _at(family, lower), evaluate=False)


def _known(said: Any, family: Family, shown: Sequence[Step]) -> bool:
    """Whether a relation holds along the family: a step says so from the least index on, or it is proved."""
    start = sp.Ge(family.index, family.least, evaluate=False)
    for step in shown:
        free = all(not isinstance(h, Given) or h.relation == start for h in step.hypotheses)
        if free and step.claim.func is said.func and _same(step.claim, said):
            return True
    return decide(Step(said, (start,)), briefly=True).verdict == "proved"


def _same(one: Any, other: Any) -> bool:
    return all(sp.expand((a - b).doit()) == 0 for a, b in zip(one.args, other.args, strict=True))
