"""Bounds up to a constant that the text hides: true where a proof gives one, false where no constant does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import names_in
from fedproof.bounds import catalog
from fedproof.bounds.claims import Family, Hidden
from fedproof.bounds.statement import Statement
from fedproof.proof.decide import decide
from fedproof.proof.obligations import used
from fedproof.proof.rules.query import is_scalar_relation
from fedproof.proof.step import Given, Step
from fedproof.validate.claims import bound
from fedproof.validate.claims.bound import makes, own_hypotheses
from fedproof.validate.claims.instances import unmade
from fedproof.validate.statement_verdict import StatementVerdict, domain_relations


def judge(statement: Statement) -> StatementVerdict:
    """Read the verdict off the last steps of the proof, which bound the metric with some constant.

    It is refuted by steps that show a family of instances along which the metric outgrows the expression.
    """
    claim = statement.claim
    assert isinstance(claim, Hidden)
    if claim.family is not None:
        return outgrown(statement, claim, claim.family)
    if statement.counterexample:
        said = "what breaks it with one constant does not with every other"
        return StatementVerdict(statement.id, "open", statement.counterexample, said)
    if claim.factor is None:
        return StatementVerdict(statement.id, "open", (), "no constant is known with which it holds")
    found = bound.judge(replace(statement, claim=claim.with_constant()))
    if found.verdict in ("holds", "holds amended"):
        return replace(found, detail=f"with the constant {claim.factor}: {found.detail}")
    return found


def outgrown(statement: Statement, claim: Hidden, family: Family) -> StatementVerdict:
    """Refuted where every instance is inside the statement and the metric is more than growth x expression.

    The last step bounds the metric of the instances from below, and says what the letters of the expression
    are for them. What it lists of numbers, the statement's conditions and domains, what its definitions stand
    for, and that the bound is more than growth x expression, is asked for every index: of the other steps, or
    of a proof. What else the last step lists says which instances these are.
    """
    steps = {s.id: s for s in catalog.steps(statement.paper)}
    shown = [steps[id] for id in statement.counterexample]
    every = {s.id: s for last in shown for s in (*used(last), last)}.values()
    decisions = [decide(s) for s in every]
    weak = [f"{d.step.id} is {d.verdict}" for d in decisions if d.verdict != "proved"]
    lower = _lower(shown[-1], statement.paper, claim.metric) if shown else None
    if lower is None:
        weak.append(f"no step bounds {claim.metric} from below")
    if not weak and lower is not None:
        weak += _outside(statement, claim, family, shown, lower)
    if not _unbounded(family):
        weak.append(f"{family.growth} is no polynomial without a bound")
    rests = tuple(dict.fromkeys(g for d in decisions for g in d.grounds))
    made = partial(StatementVerdict, statement.id, because=statement.counterexample, grounds=rests)
    if weak:
        return made(verdict="open", detail="; ".join(weak))
    at = ", ".join(f"{letter} = {value}" for letter, value in family.values)
    said = f"at {at} the left side is at least {family.growth} times the right side, {family.index} = "
    said += f"{family.least}, {family.least + 1}, ...: no constant is enough"
    return made(verdict="refuted", detail=said)


def _outside(
    statement: Statement, claim: Hidden, family: Family, shown: Sequence[Step], lower: Any
) -> list[str]:
    """What is not known of the family."""
    last = shown[-1]
    asked = [*_inside(statement, family, last), _positive(claim, family), _more(claim, family, lower)]
    found = [
        f"{s} is not known for {family.index} >= {family.least}"
        for s in asked
        if not _known(s, family, shown)
    ]
    whole = [letter for letter in statement.letters if letter.quantity.whole]
    found += [
        f"{letter.name} is not known to be whole" for letter in whole if not _whole(letter.symbol, family)
    ]
    said = {s.name for h in last.hypotheses for s in getattr(h.relation, "free_symbols", ())}
    found += [f"{last.id} does not say what {s} is" for s in sorted(names_in(claim.expr) - said)]
    known = _letters(statement, family)
    listed = [h for h in own_hypotheses(last) if not _asked(h, known)]
    odd = [str(h.relation) for h in listed if not makes(h)]
    odd += unmade((h.relation for h in listed if makes(h)), known, partial(_always, family))
    return found + [f"{last.id} lists {said}, which is no fact of the instances" for said in odd]


def _always(family: Family, said: Any, given: Sequence[Any]) -> bool:
    """Whether a relation is proved for every index of the family."""
    start = sp.Ge(family.index, family.least, evaluate=False)
    return decide(Step(_at(family, said), (start, *given)), briefly=True).verdict == "proved"


def _letters(statement: Statement, family: Family) -> frozenset[sp.Symbol]:
    """What has a value along the family, and its index."""
    letters = {letter.symbol for letter in statement.letters} | {part.symbol for part in statement.where}
    return frozenset(letters | {family.index})


def _asked(given: Given, known: frozenset[sp.Symbol]) -> bool:
    """Whether a hypothesis speaks of numbers that have values along the family alone."""
    said = given.relation
    if not isinstance(said, sp.Basic) or getattr(given, "everywhere", None) is not None:
        return False
    return bool(is_scalar_relation(said) and said.free_symbols <= known)


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
    known = _letters(statement, family)
    yield from (_at(family, h.relation) for h in own_hypotheses(last) if _asked(h, known))


def _positive(claim: Hidden, family: Family) -> Any:
    """That what is claimed is more than 0."""
    return sp.Gt(_at(family, claim.expr), 0, evaluate=False)


def _more(claim: Hidden, family: Family, lower: Any) -> Any:
    """That the lower bound is more than growth x expression."""
    with sp.evaluate(False):
        return sp.Le(family.growth * _at(family, claim.expr), _at(family, lower), evaluate=False)


def _whole(symbol: sp.Symbol, family: Family) -> bool:
    """Whether a letter is a polynomial in the index with whole coefficients."""
    value = dict(family.values).get(symbol, symbol)
    if not value.is_polynomial(family.index):
        return False
    return all(c.is_Integer for c in sp.Poly(value, family.index).all_coeffs())


def _unbounded(family: Family) -> bool:
    """Whether the growth is a polynomial that rises without a bound."""
    if not family.growth.is_polynomial(family.index):
        return False
    growth = sp.Poly(family.growth, family.index)
    return bool(growth.degree() >= 1 and growth.LC() > 0)


def _known(said: Any, family: Family, shown: Sequence[Step]) -> bool:
    """Whether a relation holds along the family: a step says so from the least index on, or it is proved."""
    start = sp.Ge(family.index, family.least, evaluate=False)
    for step in shown:
        free = all(h.relation == start for h in own_hypotheses(step))
        if free and step.claim.func is said.func and _same(step.claim, said):
            return True
    return _always(family, said, ())


def _same(one: Any, other: Any) -> bool:
    return all(sp.expand((a - b).doit()) == 0 for a, b in zip(one.args, other.args, strict=True))
