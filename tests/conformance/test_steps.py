"""What every proof step of every paper keeps: its verdict is earned, and nothing of it can be left out."""

from __future__ import annotations

import random

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.proof.decide import decide
from fedproof.proof.language.everywhere import applies
from fedproof.proof.mutants import Mutant, mutants
from fedproof.proof.obligations import used
from fedproof.proof.step import Step
from fedproof.proof.step_verdict import StepDecision
from fedproof.proof.tightness import measure_tightness
from fedproof.validate.recheck import recheck
from fedproof.validate.statement_verdict import open_steps
from fedproof.vocabulary.result import jsonable
from tests.conformance.parts import Part
from tests.proof.finder import find

#: mutants of a step that `make test` looks at
FEW = 1


def declared(step: Step) -> str:
    """What a step says of itself: cited by its rule, damaged or refuted by its flaw, else proved.

    Steps without a certificate yet are listed as open by their paper's verdicts.
    """
    if step.rule == "cite":
        return "cited"
    if step.source is not None and step.id in open_steps(step.source.paper):
        return "open"
    return {"": "proved", "rendering": "damaged"}.get(step.flaw, "refuted")


def test_it_is_whole(step: Part) -> None:
    """Its id is its alone in its paper, what it repairs is a step beside it, and a flaw is explained."""
    found: Step = step.load()
    assert found.source is not None, "a paper's step says where it stands"
    beside = {s.id: s for s in catalog.steps(found.source.paper)}

    assert [s.id for s in catalog.steps(found.source.paper)].count(found.id) == 1
    assert not found.repairs or found.repairs in beside
    assert not found.flaw or found.note
    assert not (found.flaw and found.lacks), "what lacks a reason is true"
    mended = found.flaw in ("", "rendering", "gap") or found.id in {s.repairs for s in beside.values()}
    assert mended, "nothing repairs it"


def test_it_rests_on_steps_that_are_shown(step: Part) -> None:
    """Every step that it uses, however far down, stands in the ledger or is an instance without a source."""
    found: Step = step.load()
    known = {s.id for s in catalog.steps(str(found.source and found.source.paper))}
    below = list(used(found))

    assert found.id not in {s.id for s in below}
    assert {s.id for s in below if s.source is not None} <= known


def test_its_verdict_is_the_declared_one(audited_step: Part) -> None:
    """It is what it says of itself, and what says so has earned it."""
    decision = decide(audited_step.load())

    assert decision.verdict == declared(decision.step), decision.detail
    assert earned(decision) == ""


def earned(decision: StepDecision) -> str:
    """What is missing of what a verdict needs: a certificate, numbers confirmed once more."""
    if decision.verdict == "proved":
        good = decision.engines == ("certificate",) and decision.certificate
        return "" if good else f"proved by {decision.engines} alone"
    if decision.verdict == "open":
        return "" if declared(decision.step) == "open" else decision.detail
    if decision.verdict in ("refuted", "damaged"):
        ((_, code, said),) = recheck({"steps": [jsonable(decision.to_dict())], "statements": []})
        return "" if decision.witness is not None and code == 0 else f"not confirmed: {said}"
    return "" if decision.verdict == "cited" else decision.verdict


def changed(step: Step) -> list[Mutant]:
    """The step with one number of its claim changed, or without one hypothesis, in a seeded order."""
    found = [m for m in mutants(step) if (m.kind, m.where) == ("constant", "claim") or m.kind == "dropped"]
    random.Random(step.id).shuffle(found)
    return found


def test_it_cannot_be_bettered(mutated_step: Part, request: pytest.FixtureRequest) -> None:
    """None of its mutants is proved that an exact model breaks; one is refuted, or its slack is told."""
    step: Step = mutated_step.load()
    whole = request.node.get_closest_marker("deep") is not None
    looked = changed(step)[: None if whole else FEW]
    found = [decide(m.step, briefly=True).verdict for m in looked]

    # numbers that break one instance are no function
    plain = (
        m for m, verdict in zip(looked, found, strict=True) if verdict == "proved" and not applies(m.step)
    )
    proved = list(plain)
    assert [m.what for m in proved if find(m.step) is not None] == []
    if whole and declared(step) == "proved" and looked and "refuted" not in found:
        slack = measure_tightness(decide(step))
        assert slack is not None
        assert slack.slack is not None or slack.why


def test_a_falsehood_is_not_called_proved() -> None:
    """A planted verdict without engines, and a refutation at numbers that break nothing, are seen."""
    x = sp.Symbol("x", real=True)
    true, false = decide(Step(x**2 >= x, (x >= 1,))), decide(Step(x**2 >= x))

    assert earned(true) == earned(false) == ""
    assert earned(StepDecision(true.step, "proved", ("z3",), "", questions=true.questions)) != ""
    assert earned(StepDecision(true.step, "proved", ("certificate",), "")) != ""
    at_two = {name: value + 2 for name, value in (false.witness or {}).items()}
    assert earned(StepDecision(false.step, "refuted", (), "", at_two, false.instance)) != ""
