"""Steps with all that they use, as rows of an audit that the standalone script reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fedproof.proof.certificates import says
from fedproof.proof.grounds import rows
from fedproof.proof.language.deciding import decided
from fedproof.proof.step import Applied, Step
from fedproof.validate import recheck


def all_used(*steps: Step) -> list[Step]:
    """Steps and everything they use, what is used first."""

    def walk(step: Step) -> Iterator[Step]:
        for h in step.hypotheses:
            if isinstance(h, Applied):
                yield from walk(h.step)
        yield step

    return list({s.id: s for step in steps for s in walk(step)}.values())


def row(step: Step) -> dict[str, Any]:
    """A step as the audit has it."""
    found = decided(step)
    certificate = dict(found.certificate or {})
    return {
        "id": step.id,
        "verdict": found.verdict,
        "uses": certificate.get("uses", []),
        "certificate": certificate,
        "says": says(step),
        "rests_on": rows(found.grounds),
    }


def confirmed(*steps: Step) -> tuple[list[str], list[Any]]:
    """The ids that the standalone script confirms, and what it does not."""
    good, bad, without = recheck.proofs({"steps": [row(s) for s in all_used(*steps)]})
    return good, [*bad, *without]
