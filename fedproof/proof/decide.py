"""Decide one step of a proof: proved by a certificate, refuted at exact numbers, or open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextvars import ContextVar
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from itertools import chain
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.proof.breaking import broken, by_chance, hinted
from fedproof.proof.certificates import Proved, shipped, sought, whole_names
from fedproof.proof.certify.live import final, proof
from fedproof.proof.certify.translate import relation
from fedproof.proof.counterexamples import FEW
from fedproof.proof.engines.resource_limits import ENGINES
from fedproof.proof.engines.smt import prove
from fedproof.proof.grounds import grounds, unpaid
from fedproof.proof.instance import Instance
from fedproof.proof.interpretation import names, read_otherwise
from fedproof.proof.kernel.enclosures import enclosed
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.language.everywhere import applies
from fedproof.proof.language.saying import spoken_symbols
from fedproof.proof.obligations import obligations, used
from fedproof.proof.possible import possible, reading_of
from fedproof.proof.ready import Ready, made_ready
from fedproof.proof.rules.normalise_step import check_symbols, normalised
from fedproof.proof.rules.query import NotApplicable, Query, is_scalar_relation, scalar_hypotheses
from fedproof.proof.rules.well_formed import definedness_conditions
from fedproof.proof.standing import standing
from fedproof.proof.step import Applied, Step, substitute_in_relation
from fedproof.proof.step_verdict import StepDecision
from fedproof.proof.text import step as made_step
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.own_file import FORGET

#: seconds of an engine, batches of candidates, processor time of a search for a certificate: 20 s in all
EFFORTS = ((3.0, 1, 4.0), (8.0, 8, 16.0))


#: tells whoever waits what is being tried
_TELL: ContextVar[Callable[[str], None]] = ContextVar("tell", default=lambda said: None)


def decide(
    claim: Any, given: Any = (), *, briefly: bool = False, progress: Callable[[str], None] | None = None
) -> StepDecision:
    """Decide one inequality, or one step of a proof.

    Arguments:
        claim: as text, as a relation of SymPy, or as a step with its hypotheses; no paper is needed.
        given: the hypotheses of a text or relation, in a list, as texts or relations.
        briefly: whether to leave it open after little effort.
        progress: is told what is being tried.

    Returns: proved, by a certificate that the kernel accepts; refuted, with exact numbers that break it;
        cited; or open, with what it rests on or what was tried.
    Raises: InputError where the step is not one; EnginesDisagree where our own tools contradict each other.

    >>> decide("sqrt(x*y) <= (x + y)/2", given=["x >= 0", "y >= 0"]).verdict
    'proved'
    >>> x = sp.Symbol("x", real=True)
    >>> decide(Step(x**2 >= x)).witness
    {'x': Fraction(1, 2)}
    """
    if isinstance(claim, Step) and given != ():
        raise InputError("given", given, "no hypotheses beside a step", "write fp.Step(claim, given=(...,))")
    step = claim if isinstance(claim, Step) else made_step(claim, given)
    told = _TELL.set(progress or _TELL.get())
    try:
        with sp.evaluate(True):  # also where the caller types formulas as they are printed
            return _decided(step, EFFORTS[:1] if briefly else EFFORTS)
    finally:
        _TELL.reset(told)


@cache
def _decided(step: Step, efforts: tuple[tuple[float, int, float], ...]) -> StepDecision:
    if step.rule == "cite":
        return StepDecision(step, "cited", (), step.note or "a result of another text, not decided here")
    if applies(step):
        check_symbols(spoken_symbols(step))
        found: StepDecision = import_module("fedproof.proof.language.deciding").decided(step)
        return found
    try:
        return _decide(step, efforts)
    except (NotApplicable, NotAlgebraic) as problem:
        return StepDecision(step, "open", (), f"rule '{step.rule}' does not apply: {problem}")
    except RecursionError:
        return StepDecision(step, "open", (), "its parts stand too deep within each other")


FORGET.append(_decided.cache_clear)


def _decide(step: Step, efforts: tuple[tuple[float, int, float], ...]) -> StepDecision:
    ready = made_ready(step)
    found: Proved | StepDecision | str | None = shipped(step)
    if found is None:
        _TELL.get()("looking for numbers that break it")
        early = hinted(ready) or by_chance(ready, 1, FEW)
        if isinstance(early, StepDecision):
            return early
        found = sought(step)
        if found:
            efforts = efforts[:1]
        else:
            found = _searched(ready, efforts)
    if isinstance(found, StepDecision):
        return found
    if isinstance(found, Proved):
        certified = _certified(ready, found)
        return certified if certified.verdict == "proved" else _refuted_yet(ready, efforts) or certified
    said = ""
    for seconds, batches, _ in efforts:
        _TELL.get()(f"no certificate was found; asking other engines, {seconds:g} s a question at most")
        agreed = _agreed(ready, seconds, found)
        if isinstance(agreed, StepDecision):
            return agreed
        _TELL.get()("looking at more numbers that may break it")
        seen = broken(ready, batches)
        if isinstance(seen, StepDecision):
            return seen
        said = f"{seen}; {agreed}" if seen else agreed
    missing = getattr(found, "missing", ()) or ((str(found),) if ready.step.rule == "sum" else ())
    told = "; ".join(("no exact counterexample was found", *missing, said))
    return StepDecision(step, "open", (), told, missing=missing)


def _searched(ready: Ready, efforts: tuple[tuple[float, int, float], ...]) -> Proved | StepDecision | str:
    """A certificate, or a refutation where one is found before a long search, or why there is neither."""
    *early, (_, _, longest) = efforts
    for _, batches, seconds in early:
        found = _told_proof(ready.step, seconds)
        if final(ready.step, found):
            return found
        _TELL.get()("looking at more numbers that may break it")
        seen = broken(ready, batches)
        if isinstance(seen, StepDecision):
            return seen
    return _told_proof(ready.step, longest)


def _told_proof(step: Step, seconds: float) -> Proved | str:
    _TELL.get()(f"searching for a certificate, {seconds:g} s of processor time at most")
    return proof(step, seconds)


def _refuted_yet(ready: Ready, efforts: tuple[tuple[float, int, float], ...]) -> StepDecision | None:
    """A refutation of a step that follows only from more than it lists."""
    found = (broken(ready, batches) for _, batches, _ in efforts)
    return next((f for f in found if isinstance(f, StepDecision)), None)


def _agreed(ready: Ready, seconds: float, without: str) -> StepDecision | str:
    """What the engines prove and no certificate does, which is no evidence that a stranger can check.

    Returns: or why they do not prove it.
    """
    try:
        found = _by_engines(ready, seconds)
    except NotApplicable as problem:
        return f"rule '{ready.step.rule}' does not apply: {problem}"
    if isinstance(found, str):
        return found
    if _possible(ready) is False:
        return replace(found, engines=(), detail="vacuous: its hypotheses cannot hold together")
    detail = f"engines agree ({', '.join(found.engines)}), and there is no certificate: {without}"
    missing = getattr(without, "missing", ())
    return replace(found, engines=(), detail="; ".join((detail, *missing)), missing=missing)


def _by_engines(ready: Ready, seconds: float) -> StepDecision | str:
    for applied in (h for h in ready.step.hypotheses if isinstance(h, Applied)):
        verdict = decide(applied.step).verdict
        if verdict not in ("proved", "cited"):
            return f"it rests on {applied.step.id}, which is {verdict}"
    required = obligations(ready.step)
    if required.missing:
        return f"not granted here: {'; '.join(required.missing)}"
    facts = _facts(ready)
    paid: list[Query] = []
    for due in map(decide, (*required.steps, *(f for f in facts if isinstance(f, Step)))):
        if due.verdict != "proved":
            return f"{due.step.claim} ({due.step.id}) is {due.verdict}"
        paid += due.questions
    meaningful = definedness_conditions(
        scalar_hypotheses(ready.meant), ready.meant.claim, "whether the claim is defined"
    )
    early = [*required.questions, *(f for f in facts if isinstance(f, Query))]
    # other rules ask of their claim as a whole, which must then be defined
    early += meaningful if ready.step.rule in ("quad", "sum") or ready.step.lets else []
    failed = _first_unproved(early, seconds)
    if failed is not None:
        return failed
    said = "the rule found no way to prove it"
    for reduction in chain.from_iterable(map(ready.rule.reductions, ready.readings)):
        failed = _first_unproved(reduction.questions, seconds)
        if failed is None:
            questions = (*paid, *early, *reduction.questions)
            engines = (*(ENGINES if questions else ()), *reduction.by)
            return StepDecision(ready.step, "open", engines, "", questions=questions)
        said = failed
    return _first_unproved(meaningful, seconds) or said


def _facts(ready: Ready) -> list[Query | Step]:
    """What is said of named parts: questions where it is about real numbers, else steps of the same rule."""
    step = normalised(ready.step)
    found: list[Query | Step] = []
    for part in step.lets:
        for fact in (substitute_in_relation(f, step.meanings) for f in part.facts):
            about = f"what is known of {part.symbol}"
            if is_scalar_relation(fact):
                found.append(Query(scalar_hypotheses(ready.meant), fact, about))
            else:
                found.append(Step(fact, ready.meant.given, about, step.rule))
    return found


def _first_unproved(questions: Sequence[Query], seconds: float) -> str | None:
    for question in questions:
        outcome = prove(question.given, question.claim, seconds)
        if not outcome.proved:
            about = f" ({question.about})" if question.about else ""
            return f"the engines say {outcome.words} of {question.claim}{about}"
    return None


def _certified(ready: Ready, found: Proved) -> StepDecision:
    """A step with a certificate: proved from what it lists and what its paper grants, or open."""
    step, rest = ready.step, grounds(found)
    made = partial(StepDecision, step, certificate=found.document, grounds=rest)
    otherwise = _otherwise(step)
    if otherwise is not None:
        return made("open", (), otherwise)
    owing = unpaid(rest)
    listed = bool(owing) and _listed_by_used_steps(step)
    if owing and not listed:
        first = "; ".join(g.text for g in owing[:2])
        more = f"; and {len(owing) - 2} more" if len(owing) > 2 else ""
        return made("open", (), f"rests on: {first}{more}")
    point = _possible(ready, whole_names(found))
    read = reading_of(step, whole_names(found))
    if point is None:
        said = "proved, but no point was found at which its hypotheses hold"
        return made("open", (), "; ".join(filter(None, (said, read))))
    if point is False:
        return made("open", (), "vacuous: its hypotheses cannot hold together")
    lines = len(found.document["lines"])
    said = f"a certificate of {lines} line{'s' * (lines != 1)}"
    said += f" that carries {len(owing)} relations, which steps it uses list" if owing else ""
    how = "; ".join(x for x in (said, read, _names_and_citations(step)) if x)
    example = point if isinstance(point, Instance) else None
    return made("proved", ("certificate",), how, example=example)


def _otherwise(step: Step) -> str | None:
    """What a step or one that it uses takes from a step that is read in another mean, if it does."""
    chain_of = ((one, h) for one in (step, *used(step)) for h in one.hypotheses if isinstance(h, Applied))
    return next((said for one, h in chain_of if (said := read_otherwise(one, h)) is not None), None)


def _listed_by_used_steps(step: Step) -> bool:
    """Whether what a step carries is listed by steps of its own paper, which must say that it does so."""
    if step.source is None or step.id not in standing(step.source.paper).lists:
        return False
    used = [h.step for h in step.hypotheses if isinstance(h, Applied)]
    if not all(decide(s).verdict in ("proved", "cited") for s in used):
        return False
    due = obligations(step)
    steps = all(decide(s).verdict == "proved" for s in due.steps)
    return not due.missing and steps and _first_unproved(due.questions, EFFORTS[-1][0]) is None


def _names_and_citations(step: Step) -> str:
    """What the names in a claim stand for, and what it takes from other texts."""
    known = {s: m for s, m in names(step).items() if s in step.claim.free_symbols and step.source is None}
    said = [f"{s} stands for {m}" for s, m in known.items()]
    return ", ".join([*said, *(f"{s.id} is cited" for s in used(step) if s.rule == "cite")])


def _possible(ready: Ready, counts: Collection[str] = ()) -> Instance | bool | None:
    """A point of a special case at which the hypotheses hold; whether they can hold; None if unknown."""
    if ready.step.rule == "interval":
        return all(_enclosed(h.relation) for h in ready.meant.given) or None
    return possible(ready.cases, scalar_hypotheses(ready.meant), counts)


def _enclosed(said: Any) -> bool:
    """Whether a relation between constants holds; not where one has no value."""
    try:
        return enclosed(relation(said))
    except Rejected:
        return False
