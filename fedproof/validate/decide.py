"""Decide one step of a proof: proved by engines that share no code, refuted at exact numbers, or open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any, Literal, cast

import sympy as sp

from fedproof.bounds.step import Applied, ForAll, Given, Let, Step
from fedproof.tuning.ranges import decide as at_point
from fedproof.validate.chain import debts, rests_on
from fedproof.validate.engines.decide import ENGINES, prove
from fedproof.validate.rules.question import NotApplicable, Question, Reduction, Rule
from fedproof.validate.rules.scope import scalars
from fedproof.validate.search import CANDIDATES, FEW, breaking_point, feasible_point
from fedproof.validate.settle import at, sides
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.result import Result, Table
from fedproof.vocabulary.values import parse_value, text_of

__all__ = ["Decision", "decide"]

StepVerdict = Literal["proved", "refuted", "damaged", "cited", "open"]
#: seconds an engine and batches of candidates: little, then much
EFFORTS = ((5.0, 1), (30.0, 8))


@dataclass(frozen=True)
class Decision(Result):
    """What was decided of one step.

    Arguments:
        step: what was asked.
        verdict: "proved", "refuted", "cited" or "open"; "damaged" where only the text's rendering is wrong.
        engines: what earned a proof.
        detail: how it was proved, or both sides at the numbers that break it, or what was tried.
        witness: the exact numbers that break it.
        broken: the question in plain real numbers that they break.
        questions: the questions in plain real numbers that were proved.
    """

    step: Step
    verdict: StepVerdict
    engines: tuple[str, ...]
    detail: str
    witness: Mapping[str, Fraction] | None = None
    broken: Question | None = None
    questions: tuple[Question, ...] = ()

    @property
    def sides(self) -> str | None:
        """Both sides with the witness substituted: "3/2 > 1"."""
        if self.broken is None or self.witness is None:
            return None
        return sides(self.broken.claim, self.witness)

    def to_dict(self) -> dict[str, Any]:
        """One row of the contract's `audit` document, with what a re-check needs."""
        source = self.step.source
        return {
            "id": self.step.id,
            "paper": source.paper if source else None,
            "equation": source.where if source else None,
            "claim": str(self.step.claim),
            "verdict": self.verdict,
            "engines": self.engines,
            "witness": None if self.witness is None else {k: text_of(v) for k, v in self.witness.items()},
            "detail": self.detail,
            "given": [_text(h.relation) for h in self.step.hypotheses],
            "instance": None if self.broken is None else _plain(self.broken),
            "sides": self.sides,
            "uses": self.step.uses,
            "rests_on": rests_on(self.step),
            "questions": len(self.questions),
            "flaw": self.step.flaw or None,
            "repairs": self.step.repairs,
            "note": self.step.note or None,
        }

    def headline(self) -> str:
        """The verdict and what earned it."""
        by = f" by {', '.join(self.engines)}" if self.engines else ""
        return f"{self.step.id}: {self.verdict}{by}; {self.detail}"

    def tables(self) -> tuple[Table, ...]:
        """The questions that were proved, or the one that was broken."""
        asked = self.questions if self.broken is None else (self.broken,)
        rows = tuple((q.about or "the claim", str(q.claim), ", ".join(map(str, q.given))) for q in asked)
        title = "Proved for all reals" if self.broken is None else "Broken at the numbers above"
        return (Table(title, ("what", "claim", "given"), rows),) if rows else ()


def _text(relation: sp.Basic | ForAll) -> str:
    if isinstance(relation, ForAll):
        return f"{relation.relation} for {relation.index} = {relation.lo}..{relation.hi}"
    return str(relation)


def _plain(question: Question) -> dict[str, Any]:
    return {"given": [str(g) for g in question.given], "claim": str(question.claim)}


def decide(step: Step) -> Decision:
    """Decide one step of a proof.

    Arguments:
        step: the claim with its hypotheses; no paper is needed.

    Returns: proved, by engines that share no code; refuted, with exact numbers that break it; cited; or
        open, with what was tried.
    Raises: InputError where the step is not one; EnginesDisagree where our own tools contradict each other.

    >>> x = sp.Symbol("x", real=True)
    >>> decide(Step(x**2 >= x)).witness
    {'x': Fraction(1, 2)}
    """
    if not isinstance(step, Step):
        raise InputError("step", step, "fp.Step(claim, given=(...,))")
    return _decided(step)


@cache
def _decided(step: Step) -> Decision:
    if step.rule == "cite":
        return Decision(step, "cited", (), step.note or "a result of another text, not decided here")
    try:
        return _decide(step)
    except NotApplicable as problem:
        return Decision(step, "open", (), f"rule '{step.rule}' does not apply: {problem}")


def _decide(step: Step) -> Decision:
    early = _hinted(step) or _break(step, 1, FEW)
    if early is not None:
        return early
    said = ""
    for seconds, batches in EFFORTS:
        proof = _prove(step, seconds)
        if isinstance(proof, Decision):
            return proof
        said = proof
        broken = _break(step, batches)
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
    bad = next((d for d in map(_decided, owed.steps) if d.verdict != "proved"), None)
    if bad is not None:
        return f"{bad.step.claim} ({bad.step.id}) is {bad.verdict}"
    early = [*owed.questions, *_facts(step)]
    failed = _first_unproved(early, seconds)
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
    if not possible:
        return Decision(step, "open", (), "vacuous: its hypotheses cannot hold together")
    count = f"{len(questions)} questions" if len(questions) != 1 else "one question"
    how = "; ".join(x for x in (reduction.how, count if questions else "") if x)
    return Decision(step, "proved", engines, how, questions=questions)


def _possible(step: Step) -> bool | None:
    """Whether the hypotheses hold at some exact point of a special case; None where none is found."""
    if step.rule == "interval":
        return True
    for case in _rule(step).instances(_meant(step)):
        if feasible_point(case.given) is not None:
            return True
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


def _refuted(step: Step, case: Question, point: Mapping[str, Fraction]) -> Decision:
    said = (
        f"at {at(point)}: {sides(case.claim, point)}" if point else f"{case.claim} fails, by ball arithmetic"
    )
    where = f" ({case.about})" if case.about and point else ""
    engines = () if point else ("interval",)
    return Decision(step, "refuted", engines, said + where, point, case)
