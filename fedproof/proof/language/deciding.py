"""Decides steps that speak of functions: by a certificate that the kernel accepts, or not at all."""

from __future__ import annotations

from functools import cache

from fedproof.proof.certificates import CERTIFICATE, whole_names
from fedproof.proof.certify.live import proof
from fedproof.proof.grounds import grounds
from fedproof.proof.interpretation import read_otherwise
from fedproof.proof.language.lemmas import LEMMAS
from fedproof.proof.language.models import model
from fedproof.proof.possible import reading_of
from fedproof.proof.step import Applied, Step
from fedproof.proof.step_verdict import StepDecision
from fedproof.vocabulary.own_file import FORGET

#: processor time of a search for a certificate
SECONDS = 20.0


@cache
def decided(step: Step) -> StepDecision:
    """Decide a step that speaks of functions: proved by a certificate, or open."""
    otherwise = (read_otherwise(step, h) for h in step.hypotheses if isinstance(h, Applied))
    said = next((said for said in otherwise if said is not None), None)
    if said is not None:
        return StepDecision(step, "open", (), said)
    found = proof(step, SECONDS)
    if isinstance(found, str):
        return StepDecision(step, "open", (), f"no certificate was found: {found}")
    example, read = model(step, whole_names(found)), reading_of(step, whole_names(found))
    if example is None and step not in LEMMAS:
        said = "proved, but no point was found at which its hypotheses hold"
        return StepDecision(step, "open", (), "; ".join(filter(None, (said, read))))
    lines = len(found.document["lines"])
    said = f"a certificate of {lines} line{'s' * (lines != 1)}{f'; {read}' * bool(read)}"
    rests = grounds(found)
    by, document = ("certificate",), {name: found.document[name] for name in CERTIFICATE}
    return StepDecision(step, "proved", by, said, certificate=document, example=example, grounds=rests)


FORGET.append(decided.cache_clear)
