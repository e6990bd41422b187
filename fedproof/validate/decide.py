"""Decide one step of a proof: proved by engines that share no code, refuted at exact numbers, or open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any, cast

import sympy as sp

from fedproof.bounds.step import Applied, Given, Let, Step
from fedproof.tuning.ranges import decide as at_point
from fedproof.validate.chain import debts
from fedproof.validate.decision import Decision, StepVerdict
from fedproof.validate.engines.decide import ENGINES, prove
from fedproof.validate.instance import Instance, at, sides
from fedproof.validate.rules.question import NotApplicable, Question, Reduction, Rule
from fedproof.validate.rules.scope import scalars
from fedproof.validate.search import CANDIDATES, FEW, breaking_point, feasible_point, hidden_point
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

__all__ = ["Decision", "decide"]

#: seconds an engine and batches of candidates: little, then much
EFFORTS = ((5.0, 1), (30.0, 8))


def decide(step: Step, *, briefly: bool = False) -> Decision:
    """Decide one step of a proof.

    Arguments:
        step: the claim with its hypotheses; no paper is needed.
        briefly: whether to leave it open after little effort.

    Returns: proved, by engines that share no code; refuted, with exact numbers that break it; cited; or
        open, with what was tried.
    Raises: InputError where the step is not one; EnginesDisagree where our own tools contradict each other.

    >>> x = sp.Symbol("x", real=True)
    >>> decide(Step(x**2 >= x)).witness
    {'x': Fraction(1, 2)}
    """
    if not isinstance(step, Step):
        raise InputError("step", step, "fp.Step(claim, given=(...,))")
    return _decided(step, EFFORTS[:1] if briefly else EFFORTS)


@cache
def _decided(step: Step, efforts: tuple[tuple[float, int], ...]) -> Decision:
    if step.rule == "cite":
        return Decision(step, "cited", (), step.note or "a result of another text, not decided here")
    try:
        return _decide(step, efforts)
    except NotApplicable as problem:
        return Decision(step, "open", (), f"rule '{step.rule}' does not apply: {problem}")


def _decide(step: Step, efforts: tuple[tuple[float, int], ...]) -> Decision:
    early = _hinted(step) or _break(step, 1, FEW)
    if early is not None:
        return early
    said = ""
    for seconds, batches in efforts:
        proof = _prove(step, seconds)
        if isinstance(proof, Decision):
            return proof
        said = proof
        broken = _break(step, batches) or _search_out(step, batches)
        if broken is not None:
            return broken
    return Decision(step, "open", (), f"no exact counterexample was found; {said}")


def _rule(step: Step) -> Rule:
    return cast(Rule, import_module(f"fedproof.validate.rules.{step.rule}"))


def _forgotten(step: Step) -> Step:
    """The step with its named parts known by their facts alone."""
    facts = tuple(f for part in step.lets for f in part.facts)
    return _with(step, (*step.given, *facts), step.claim)


def _meant(step: Step) -> Step:
    """The step with its named parts written out."""
    meaning = _meanings(step.lets)
    return _with(step, tuple(_substituted(g, meaning) for g in step.given), _put(step.claim, meaning))


def _with(step: Step, given: tuple[Any, ...], claim: sp.Basic) -> Step:
    return replace(step, given=given, claim=claim, lets=())


def _meanings(lets: Sequence[Let]) -> dict[sp.Symbol, sp.Expr]:
    found: dict[sp.Symbol, sp.Expr] = {}
    for part in lets:
        found[part.symbol] = _put(part.expr, found)
    return found


def _put(expr: Any, meaning: Mapping[Any, Any]) -> Any:
    with sp.evaluate(False):
        return expr.xreplace(dict(meaning))


def _substituted(given: Any, meaning: Mapping[Any, Any]) -> Any:
    if isinstance(given, Given) and isinstance(given.relation, sp.Basic):
        weight = None if given.weight is None else _put(given.weight, meaning)
        return Given(_put(given.relation, meaning), given.why, weight)
    if isinstance(given, Applied):
        return _substituted(Given(given.relation, given.step.id, given.weight), meaning)
    return _put(given, meaning) if isinstance(given, sp.Basic) else given


def _prove(step: Step, seconds: float) -> Decision | str:
    owed = debts(step)
    if owed.missing:
        return f"not granted here: {'; '.join(owed.missing)}"
    paid: list[Question] = []
    for due in map(decide, owed.steps):
        if due.verdict != "proved":
            return f"{due.step.claim} ({due.step.id}) is {due.verdict}"
        paid += due.questions
    early = [*paid, *owed.questions, *_facts(step)]
    failed = _first_unproved(early[len(paid) :], seconds)
    if failed is not None:
        return failed
    said = "the rule found no way to prove it"
    for reduction in _rule(step).reductions(_forgotten(step)):
        failed = _first_unproved(reduction.questions, seconds)
        if failed is None:
            return _proved(step, reduction, (*early, *reduction.questions))
        said = failed
    return said


def _facts(step: Step) -> list[Question]:
    meaning = _meanings(step.lets)
    known = scalars(_meant(step))
    return [
        Question(known, _put(fact, meaning), f"what is known of {part.symbol}")
        for part in step.lets
        for fact in part.facts
    ]


def _first_unproved(questions: Sequence[Question], seconds: float) -> str | None:
    for question in questions:
        outcome = prove(question.given, question.claim, seconds)
        if not outcome.proved:
            said = ", ".join(f"{engine}: {answer}" for engine, answer in outcome.answers)
            about = f" ({question.about})" if question.about else ""
            return f"the engines say {said} of {question.claim}{about}"
    return None


def _proved(step: Step, reduction: Reduction, questions: tuple[Question, ...]) -> Decision:
    engines = (*(ENGINES if questions else ()), *reduction.by)
    possible = _possible(step)
    if possible is None:
        return Decision(step, "open", (), "proved, but no point was found at which its hypotheses hold")
    if possible is False:
        return Decision(step, "open", (), "vacuous: its hypotheses cannot hold together")
    count = f"{len(questions)} questions" if len(questions) != 1 else "one question"
    how = "; ".join(x for x in (reduction.how, count if questions else "") if x)
    example = possible if isinstance(possible, Instance) else None
    return Decision(step, "proved", engines, how, questions=questions, example=example)


def _possible(step: Step) -> Instance | bool | None:
    """A point of a special case at which the hypotheses hold; False if they cannot, None if unknown."""
    if step.rule == "interval":
        return True
    for case in _rule(step).instances(_meant(step)):
        point = feasible_point(case.given)
        if point is not None:
            return Instance(case.given, None, point, case.about)
    known = scalars(_meant(step))
    return False if prove(known, sp.false).proved else None


def _break(step: Step, batches: int, count: int = CANDIDATES) -> Decision | None:
    for case in _rule(step).instances(_meant(step)):
        point = (
            {} if case.about == "ball arithmetic" else breaking_point(case.given, case.claim, batches, count)
        )
        if point is not None:
            return _refuted(step, case, point)
    return None


def _hinted(step: Step) -> Decision | None:
    """The witness that comes with the step, if it breaks a special case."""
    if not step.witness:
        return None
    point = {name: parse_value(text, name) for name, text in step.witness}
    for case in _rule(step).instances(_meant(step)):
        if _breaks(case, point):
            return _refuted(step, case, point)
    return None


def _breaks(case: Question, point: Mapping[str, Fraction]) -> bool:
    asked = set().union(*(r.free_symbols for r in (case.claim, *case.given)))
    if not {s.name for s in asked} <= set(point):
        return False
    return not at_point(case.claim, point).holds and all(at_point(g, point).holds for g in case.given)


def _search_out(step: Step, turn: int) -> Decision | None:
    """What no proof was found for is searched where chance alone finds nothing, never before."""
    for case in _rule(step).instances(_meant(step)):
        point = None if case.about == "ball arithmetic" else hidden_point(case.given, case.claim, turn)
        if point is not None:
            return _refuted(step, case, point)
    return None


def _refuted(step: Step, case: Question, point: Mapping[str, Fraction]) -> Decision:
    said = (
        f"at {at(point)}: {sides(case.claim, point)}" if point else f"{case.claim} fails, by ball arithmetic"
    )
    where = f" ({case.about})" if case.about and point else ""
    engines = () if point else ("interval",)
    verdict: StepVerdict = "damaged" if step.flaw == "rendering" else "refuted"
    return Decision(step, verdict, engines, said + where, point, case)
