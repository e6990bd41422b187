"""Numbers that break a step: those that it names, those that chance finds, and those that it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache

import sympy as sp

from fedproof.proof.counterexamples import (
    CANDIDATES,
    breaks,
    find_failure,
    find_hidden_counterexample,
)
from fedproof.proof.instance import at, sides
from fedproof.proof.ready import Ready
from fedproof.proof.rules.normalise_step import tidy
from fedproof.proof.rules.query import Query
from fedproof.proof.step import Step
from fedproof.proof.step_verdict import StepDecision, StepVerdict
from fedproof.vocabulary.own_file import FORGET
from fedproof.vocabulary.values import parse_value


@cache
def broken(ready: Ready, batches: int) -> StepDecision | str:
    """A refutation, by chance or where chance alone finds nothing; or in words what was seen on the way."""
    found = by_chance(ready, batches)
    return found if isinstance(found, StepDecision) else searched_out(ready, batches) or found


FORGET.append(broken.cache_clear)


def by_chance(ready: Ready, batches: int, count: int = CANDIDATES) -> StepDecision | str:
    """A refutation; or in words where the claim is not even defined; or ""."""
    said = ""
    for case in ready.cases():
        if case.about == "ball arithmetic":
            return _refuted(ready.step, case, {})
        point, undefined = find_failure(case.given, case.claim, batches, count)
        if point is not None:
            return _refuted(ready.step, case, point)
        if undefined is not None:
            where = f" at {at(undefined)}, where its hypotheses hold" if undefined else ""
            said = said or f"the claim is not defined{where}"
    return said


def hinted(ready: Ready) -> StepDecision | None:
    """The witness that comes with the step, if it breaks a special case."""
    if not ready.step.witness:
        return None
    point = {name: parse_value(text, name) for name, text in ready.step.witness}
    for case in ready.cases():
        if _breaks(case, point):
            return _refuted(ready.step, case, point)
    return None


def _breaks(case: Query, point: Mapping[str, Fraction]) -> bool:
    asked = set().union(*(r.free_symbols for r in (case.claim, *case.given)))
    if not {s.name for s in asked} <= set(point):
        return False
    return breaks(case.given, case.claim, point)


def searched_out(ready: Ready, turn: int) -> StepDecision | None:
    """What no proof was found for is searched where chance alone finds nothing, never before."""
    for case in ready.cases():
        point = find_hidden_counterexample(case.given, case.claim, turn)
        if point is not None:
            return _refuted(ready.step, case, point)
    return None


def _refuted(step: Step, case: Query, point: Mapping[str, Fraction]) -> StepDecision:
    verdict: StepVerdict = "damaged" if step.flaw == "rendering" else "refuted"
    if case.about == "ball arithmetic":
        said = f"{case.claim} fails, by ball arithmetic"
        return StepDecision(step, verdict, ("interval",), said, point, case)
    said = step.claim
    if isinstance(said, sp.Ne) and tidy(said) == (case.claim,):  # which is asked as a square above 0
        case = replace(case, claim=said)
    where = f"at {at(point)}: " if point else ""
    about = f" ({case.about})" if case.about else ""
    return StepDecision(step, verdict, (), f"{where}{sides(case.claim, point)}{about}", point, case)
