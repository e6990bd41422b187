"""Decides steps that speak of functions: by a certificate that the kernel accepts, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.language import document, kinds, listed
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import relation
from fedproof.proof.grounds import Ground
from fedproof.proof.interpretation import read_otherwise
from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import Rejected, alike, as_json, as_tree
from fedproof.proof.language.lemmas import LEMMAS
from fedproof.proof.language.models import model
from fedproof.proof.rules.normalise_step import tidy
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.standing import standing
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
            otherwise = read_otherwise(step, h)
            if otherwise is not None:
                return StepDecision(step, "open", (), otherwise), None
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
    if not proves(made, step):
        return StepDecision(step, "open", (), "what was found rests on more than the step lists"), None
    example = model(step)
    if example is None and step not in LEMMAS:
        said = "proved, but no point was found at which its hypotheses hold"
        return StepDecision(step, "open", (), said), None
    lines = len(made["lines"])
    shipped = {name: value for name, value in made.items() if name != "id"}
    said = f"a certificate of {lines} line{'s' * (lines != 1)}"
    decision = StepDecision(
        step,
        "proved",
        ("certificate",),
        said,
        certificate=shipped,
        example=example,
        grounds=_grounds(step, made),
    )
    return decision, Known(step, judgement)


def proves(document: Mapping[str, Any], step: Step) -> bool:
    """Whether a certificate is of what the step claims, with names of its kinds, from what it lists."""
    (claim,) = (relation(c) for c in tidy(step.claim))
    own = [tree for tree, _ in listed(step)]
    given = [as_tree(g["is"]) for g in document["given"]]
    said = kinds(step)
    if any(said.get(name, kind) != kind for name, kind in document["names"].items()):
        return False
    return document["claim"] == as_json(claim) and all(any(alike(g, o) for o in own) for g in given)


def _grounds(step: Step, document: Mapping[str, Any]) -> tuple[Ground, ...]:
    """The hypotheses with a reason, those that the paper grants for all points by their ids."""
    granted = standing(step.source.paper).formulas if step.source else ()
    found = []
    for g in (as_tree(g["is"]) for g in document["given"]):
        why = next(why for tree, why in listed(step) if alike(tree, g))
        id = next((id for id, tree in granted if alike(tree, g)), None)
        if id is not None:
            found.append(Ground("assumption", id, g))
        elif why:
            found.append(Ground("listed", why, g))
    return tuple(found)
