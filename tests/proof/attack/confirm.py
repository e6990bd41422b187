"""Certificates as a stranger's program reads them: the rows of a step and of all it uses, as JSON."""

from __future__ import annotations

import json
from typing import Any

from fedproof.proof.certificates import Proved
from fedproof.proof.certify.live import proof
from fedproof.proof.grounds import grounds
from fedproof.proof.kernel.trees import as_json
from fedproof.proof.obligations import used
from fedproof.proof.standing import Standing
from fedproof.proof.step import Step
from fedproof.proof.step_verdict import StepDecision
from fedproof.validate.recheck import proofs

SECONDS = 20.0


def row(proved: Proved) -> dict[str, Any]:
    """The row of a proved step in an audit, as it is read from JSON."""
    found = StepDecision(
        proved.step, "proved", ("certificate",), "", certificate=proved.document, grounds=grounds(proved)
    )
    return dict(json.loads(json.dumps(found.to_dict(), default=str)))


def audit(step: Step, granted: Standing, seconds: float = SECONDS) -> dict[str, Any]:
    """An audit of a step and of all that it uses, for one paper that grants so much."""
    rows = []
    for one in (step, *used(step)):
        proved = proof(one, seconds)
        if isinstance(proved, Proved):
            rows.append(row(proved))
        elif one.rule == "cite":
            rows.append(json.loads(json.dumps(StepDecision(one, "cited", (), "").to_dict(), default=str)))
    return {"steps": rows, "papers": [paper(granted)]}


def paper(granted: Standing) -> dict[str, Any]:
    """What a paper grants, as its row in an audit says."""
    given = [{"id": id, "is": as_json(tree)} for id, tree in granted.formulas]
    found = {
        "key": "fedproxvr", "lists": sorted(granted.lists), "kinds": granted.kinds, "means": granted.tables,
        "granted": given,
    }  # fmt: skip
    return dict(json.loads(json.dumps(found)))


def confirmed(step: Step, granted: Standing | None = None) -> bool:
    """Whether the standalone script confirms a step and everything that it comes down to."""
    made = audit(step, granted or Standing())
    good, rejected, without = proofs(made)
    return step.id in good and not rejected and not without
