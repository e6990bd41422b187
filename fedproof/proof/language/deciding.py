"""Decides steps that speak of functions: by a certificate that the kernel accepts, or not at all."""

from __future__ import annotations

from functools import cache

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.language import document
from fedproof.proof.certify.writer import NotFound
from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.language.lemmas import LEMMAS
from fedproof.proof.language.models import model
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Applied, Step
from fedproof.proof.step_verdict import StepDecision


@cache
def decided(step: Step) -> StepDecision:
    """Decide a step and what it uses: proved by a certificate, or open."""
    return _decided(step)[0]


@cache
def _decided(step: Step) -> tuple[StepDecision, Known | None]:
    known: dict[str, Known] = {}
    for h in step.hypotheses:
        if isinstance(h, Applied):
            decision, found = _decided(h.step)
            if found is None:
                detail = f"{h.step.id} is not proved: {decision.detail}"
                return StepDecision(step, "open", (), detail), None
            known[h.step.id] = found
    try:
        made = document(step, known)
        judgement = checked(made, {id: k.judgement for id, k in known.items() if id in made["uses"]})
    except (NotFound, NotApplicable, NotAlgebraic, Rejected) as problem:
        return StepDecision(step, "open", (), f"no certificate was found: {problem}"), None
    example = model(step)
    if example is None and step not in LEMMAS:
        said = "proved, but no point was found at which its hypotheses hold"
        return StepDecision(step, "open", (), said), None
    lines = len(made["lines"])
    shipped = {name: value for name, value in made.items() if name != "id"}
    said = f"a certificate of {lines} line{'s' * (lines != 1)}"
    decision = StepDecision(step, "proved", ("certificate",), said, certificate=shipped, example=example)
    return decision, Known(step, judgement)
