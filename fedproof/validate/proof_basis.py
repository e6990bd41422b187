"""What a statement rests on: the steps of its proof, what they assume, what they take from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.statement import Statement
from fedproof.proof.certificates import shipped
from fedproof.proof.decide import decide
from fedproof.proof.grounds import Ground, grounds
from fedproof.proof.obligations import used
from fedproof.proof.standing import standing
from fedproof.proof.step import Given, Step
from fedproof.proof.step_verdict import numbers, worked_out
from fedproof.proof.worked import worked
from fedproof.validate.formal import formal
from fedproof.validate.statement_verdict import StatementVerdict
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.values import text_of


def proof_steps(statement: Statement) -> tuple[Step, ...]:
    """Every step of a statement's proof, each once, the last ones first."""
    steps = {s.id: s for s in catalog.steps(statement.paper)}
    for id in statement.proof:
        if id not in steps:
            raise UnknownName(f"proof of {statement.id}", id, steps)
    last = [steps[id] for id in statement.proof]
    return tuple({s.id: s for end in last for s in (end, *used(end))}.values())


def basis(statement: Statement, found: Sequence[Ground]) -> dict[str, Any]:
    """What the proof of a statement uses.

    Returns: ids of its "steps" and of those that are "cited", of the "assumptions" that it goes by, and of
        those among them that the statement "needs" and does not name.
    """
    return {
        "steps": [s.id for s in proof_steps(statement)],
        "cited": sorted({g.id for g in found if g.kind == "cited"}),
        "assumptions": list(dict.fromkeys(g.id for g in found if g.kind == "assumption")),
        "needs": beside(statement, found),
    }


def taken(statement: Statement) -> tuple[Ground, ...]:
    """What the last steps of a statement's proof rest on, as far as they have certificates."""
    last = (s for s in proof_steps(statement) if s.id in statement.proof)
    return tuple(g for s in last if (p := shipped(s)) is not None for g in grounds(p))


def beside(statement: Statement, found: Sequence[Ground]) -> list[str]:
    """Assumptions that neither it names nor a bound grants whose proof is part of its own."""
    granted = {g for other in granting(statement) for g in other.grants}
    return sorted(_assumed(statement, found) - {*statement.assumptions, *granted})


def granting(statement: Statement) -> tuple[Statement, ...]:
    """The bounds that may grant it assumptions: proved on its way, and not by what they grant."""
    ids = {s.id for s in proof_steps(statement)}
    others = (o for o in map(catalog.statement, statement.uses) if o.claim.kind == "bound")
    way = (o for o in others if o.proof and o.grants and {s.id for s in proof_steps(o)} < ids)
    return tuple(o for o in way if not _assumed(o, _rests(o)) & {*o.grants})


def _rests(statement: Statement) -> tuple[Ground, ...]:
    """What the last steps of a statement's proof rest on."""
    last = (s for s in proof_steps(statement) if s.id in statement.proof)
    return tuple(g for s in last for g in decide(s).grounds)


def _assumed(statement: Statement, found: Sequence[Ground]) -> set[str]:
    """Assumptions that a statement's proof rests on, and the reasons of its steps where these list theirs."""
    known = catalog.assumptions(statement.paper)
    assumed = {g.id for g in found if g.kind == "assumption" and g.id in known}
    listing = standing(statement.paper).lists & {*statement.proof}
    return assumed | _reasons(statement) if listing else assumed


def _reasons(statement: Statement) -> set[str]:
    """The reasons that steps of its proof give, but for definitions and meanings."""
    given = (h for s in proof_steps(statement) for h in s.hypotheses if isinstance(h, Given))
    return {h.why for h in given if h.why and not h.why.startswith(("definition", "meaning"))}


def statement_row(judgement: StatementVerdict) -> dict[str, Any]:
    """One row of the contract's `audit` document: the verdict, and what a page shows beside it."""
    st = catalog.statement(judgement.id)
    known = catalog.assumptions(st.paper)
    return judgement.to_dict() | {
        "numbers": _numbers(st, judgement),
        "worked": _worked(st, judgement),
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
        "reading": st.reading or None,
        "says": formal(st),
        "granted": {other.id: other.grants for other in granting(st)},
        "note": st.note or None,
        "counterexample": st.counterexample,
        "basis": basis(st, judgement.grounds),
    }


def _worked(statement: Statement, judgement: StatementVerdict) -> dict[str, Any] | None:
    """The line that fails, with the witness put in."""
    instance = judgement.instance
    if instance is None or instance.claim is None or judgement.verdict != "refuted":
        return None
    if statement.counterexample:
        steps = {s.id: s for s in catalog.steps(statement.paper)}
        return worked_out(steps[statement.counterexample[-1]], instance)
    return worked(instance, instance.claim, instance.point, _letters(statement))


def _letters(statement: Statement) -> dict[str, str]:
    """LaTeX of a statement's letters, and of what they are later."""
    latex = {letter.name: letter.latex for letter in statement.printed}
    return latex | {f"{name}_later": f"{said}'" for name, said in latex.items()}


def _numbers(statement: Statement, judgement: StatementVerdict) -> dict[str, Any] | None:
    """The witness in the paper's letters."""
    if not judgement.witness:
        return None
    steps = {s.id: s for s in catalog.steps(statement.paper)}
    if statement.counterexample:
        return numbers(steps[statement.counterexample[-1]], judgement.witness)
    latex = _letters(statement)
    given = [[latex.get(k) or sp.latex(sp.Symbol(k)), text_of(v)] for k, v in judgement.witness.items()]
    return {"given": given, "derived": []}
