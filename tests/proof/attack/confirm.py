"""Certificates as a stranger's program reads them: the rows of a step, of its closing and of all it uses."""

from __future__ import annotations

import json
from typing import Any

from fedproof.proof.certificates import Proved
from fedproof.proof.certify.live import proof
from fedproof.proof.obligations import used
from fedproof.proof.step import Step
from fedproof.validate.recheck import proofs

SECONDS = 20.0


def rows(step: Step, seconds: float = SECONDS) -> list[dict[str, Any]]:
    """One row for each proved step that a step comes down to, itself and its closing among them."""
    found = []
    for one in (step, *used(step)):
        proved = proof(one, seconds)
        if isinstance(proved, Proved):
            found += documents(proved)
    return found


def documents(proved: Proved) -> list[dict[str, Any]]:
    """The row of a certificate and that of its closing, as they are read from JSON."""
    own = json.loads(json.dumps(proved.row))
    closing = json.loads(json.dumps(proved.document.get("closing")))
    made = [as_row(own.pop("id"), own)]
    if closing is not None:
        id = made[0]["id"]
        made.append(as_row(f"{id}/closed", {**closing, "uses": [id]}))
    return made


def as_row(id: str, certificate: dict[str, Any]) -> dict[str, Any]:
    """A certificate as the row of an audit."""
    return {"id": id, "verdict": "proved", "uses": certificate["uses"], "certificate": certificate}


def confirmed(step: Step, seconds: float = SECONDS) -> bool:
    """Whether the standalone script confirms everything that a step comes down to."""
    made = rows(step, seconds)
    good, rejected, without = proofs({"steps": made})
    return len(good) == len(made) >= 1 and not rejected and not without
