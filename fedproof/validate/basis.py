"""What a statement rests on: the steps of its proof, what they assume, what they take from elsewhere."""

from __future__ import annotations

from typing import Any

from fedproof.bounds import catalog
from fedproof.bounds.statement import Statement
from fedproof.bounds.step import Step
from fedproof.validate.chain import rests_on, used

__all__ = ["basis", "chain", "statement_row"]


def chain(statement: Statement) -> tuple[Step, ...]:
    """Every step of a statement's proof, each once, the last ones first."""
    steps = {s.id: s for s in catalog.steps(statement.paper)}
    last = [steps[id] for id in statement.proof]
    return tuple({s.id: s for end in last for s in (end, *used(end))}.values())


def basis(statement: Statement) -> dict[str, Any]:
    """What the proof of a statement uses.

    Returns: ids of its "steps" and of those that are "cited", and its other "reasons": ids of assumptions,
        and conventions and hypotheses that the text never states, in words.
    """
    found = chain(statement)
    reasons = dict.fromkeys(why for step in found for why in rests_on(step))
    return {
        "steps": [s.id for s in found],
        "cited": [s.id for s in found if s.rule == "cite"],
        "reasons": [w for w in reasons if not w.startswith(("definition", "meaning"))],
    }


def statement_row(id: str) -> dict[str, Any]:
    """What a page shows of a statement beside its verdict."""
    st = catalog.statement(id)
    known = catalog.assumptions(st.paper)
    return {
        "paper": st.paper,
        "title": st.title,
        "source": st.source.where,
        "kind": st.claim.kind,
        "claim_latex": st.claim_latex,
        "conditions": [{"label": c.label, "latex": st.tex(c.relation)} for c in st.conditions],
        "definitions": [f"{d.letter.latex} = {st.tex(d.expr)}" for d in st.where],
        "assumptions": [{"id": a, "name": known[a].name, "latex": known[a].latex} for a in st.assumptions],
        "uses": st.uses,
        "amends": st.amends,
        "note": st.note or None,
        "basis": basis(st),
    }
