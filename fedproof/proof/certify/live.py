"""The proof of a step: the certificate that its paper ships, or else one that is searched for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from fedproof.algebra.expressions import NotAlgebraic
from fedproof.proof.certificates import Proved, accepted, fingerprint, shipped
from fedproof.proof.certify.beginning import Known
from fedproof.proof.certify.limits import NotFound, within
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.standing import Standing, standing
from fedproof.proof.step import Applied, Step
from fedproof.proof.tree_text import text


@cache
def proof(step: Step, seconds: float) -> Proved | str:
    """A certificate of a step that the kernel accepts: it ships, or is found within the processor time.

    Returns: or why there is none.
    """
    found = shipped(step)
    if found is not None:
        return found
    used = (proof(h.step, seconds) for h in step.hypotheses if isinstance(h, Applied))
    return searched(step, {p.step.id: p for p in used if isinstance(p, Proved)}, seconds)


def searched(step: Step, known: Mapping[str, Proved], seconds: float) -> Proved | str:
    """A certificate that a search finds, brought down to what the step's paper grants.

    Arguments:
        known: proofs of the steps that it uses.

    Returns: or why there is none.
    """
    from fedproof.proof.certify.closing import closing
    from fedproof.proof.certify.steps import document

    try:
        with within(seconds):
            found = document(step, {id: Known(p.step, p.judgement) for id, p in known.items()})
    except NotFound as problem:
        return said(problem.args[0])
    except (Rejected, NotApplicable, NotAlgebraic, ArithmeticError) as problem:
        return str(problem)
    proved = accepted(step, {**found, "step": fingerprint(step)}, known)
    if proved is None:
        return "what was found proves another step"
    if len(proved.own) == len(proved.judgement.given):
        return proved
    granted = standing(step.source.paper) if step.source else Standing()
    try:
        with within(seconds):
            more = closing(proved.judgement, proved.own, granted)
    except (NotFound, Rejected):
        return proved
    kept = {k: v for k, v in more.items() if k not in ("id", "uses")}
    return replace(proved, document={**proved.document, "closing": kept})


def said(sought: object) -> str:
    """What was not found, in words."""
    if isinstance(sought, str):
        return sought
    return f"{text(sought)} does not follow, as far as was searched"
