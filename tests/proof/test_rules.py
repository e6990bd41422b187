"""The rules' tables: what is true is proved; what is false near it is refuted, and nothing proves it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.proof import lemmas
from fedproof.proof.decide import decide
from fedproof.proof.step import Step
from tests.proof import (
    test_decide,
    test_lemmas,
    test_names,
    test_obligations,
    test_rule_cases,
    test_rule_induction,
    test_rule_quad,
    test_rule_real,
    test_rule_sum,
)
from tests.proof.logic import attempt, by_rule

TABLES: dict[str, Any] = {
    "real": test_rule_real, "quad": test_rule_quad, "sum": test_rule_sum, "induction": test_rule_induction,
    "use": test_obligations, "lemma": test_lemmas, "name": test_names, "cases": test_rule_cases,
    "any": test_decide,
}  # fmt: skip


def rows(kind: str) -> list[Any]:
    """A kind of rows of every rule's tables, as steps, and of the lemmas; an OPEN one with why."""
    found = []
    for rule, module in TABLES.items():
        for name, row in getattr(module, kind, {}).items():
            asked, *why = row if kind in ("OPEN", "CARRIED") else (row,)
            found.append(pytest.param(_step(rule, asked), *why, id=f"{rule}: {name}"))
    own = {"TRUE": lemmas.PROOF, "FALSE": lemmas.FALSE}.get(kind, ())
    return found + [pytest.param(s, id=s.id) for s in own]


def _step(rule: Any, row: Any) -> Step:
    if isinstance(row, Step):
        return row
    claim, given, *how = row
    return Step(claim, given, "user", *how) if rule == "use" else Step(claim, given, "user", rule, (), *how)


def test_there_are_many() -> None:
    """The tables are as long as they should be."""
    assert len(rows("TRUE")) >= 130
    assert len(rows("FALSE")) >= 110
    assert len(rows("UNMET")) >= 44
    assert len(rows("UNDEFINED")) >= 14
    steps = (*lemmas.PROOF, *lemmas.FALSE)
    assert len({s.id for s in steps}) == len(steps) >= 53


@pytest.mark.parametrize("step", rows("TRUE"))
def test_true_steps_are_proved(step: Step) -> None:
    """Textbook steps on numbers, vectors, sums and recursions are proved, each with its certificate."""
    decision = decide(step)

    assert decision.verdict == "proved", decision.detail
    assert decision.engines == ("certificate",)
    assert decision.certificate is not None


@pytest.mark.parametrize("step", rows("FALSE"))
def test_falsehoods_are_refuted_and_nothing_proves_them(step: Step) -> None:
    """A planted falsehood falls at exact numbers, and the prover alone does not prove it either."""
    assert attempt(step, 0.5) != "proved"
    decision = decide(step)

    assert decision.verdict == "refuted", decision.detail
    assert decision.broken is not None
    point = decision.witness or {}
    assert all(isinstance(v, Fraction) for v in point.values())
    assert not evaluate_relation(decision.broken.claim, point).holds
    assert all(evaluate_relation(g, point).holds for g in decision.broken.given)


@pytest.mark.parametrize("step", rows("UNMET"))
def test_nothing_follows_from_a_misuse(step: Step) -> None:
    """Circles, captured indices, lost meanings and signs, lemmas without what they need grant nothing."""
    assert attempt(step, 0.5) != "proved"


@pytest.mark.parametrize("step", rows("UNDEFINED"))
def test_what_may_be_undefined_is_neither_proved_nor_refuted(step: Step) -> None:
    """No divisor or root is cancelled before it is known to have a value; that alone refutes nothing."""
    assert attempt(step) != "proved"
    decision = decide(step, briefly=True)

    assert decision.verdict == "open"
    assert "defined" in decision.detail


@pytest.mark.parametrize(("step", "why"), rows("OPEN"))
def test_what_a_rule_does_not_understand_stays_open(step: Step, why: str) -> None:
    """Multipliers without sign, products of sums, starts that move and the like are told, not guessed at."""
    assert why in by_rule(step, 0.5)


@pytest.mark.parametrize(("step", "why"), rows("CARRIED"))
def test_what_is_carried_up_is_said(step: Step, why: str) -> None:
    """A step that rests on more than it lists is open, whatever engines agree on."""
    decision = decide(step)

    assert decision.verdict == "open"
    assert why in decision.detail


@pytest.mark.parametrize("step", rows("VACUOUS"))
def test_contradictions_prove_nothing(step: Step) -> None:
    """What follows from hypotheses that cannot hold together stays open, and the verdict says why."""
    decision = decide(step, briefly=step.rule == "quad")

    assert decision.verdict == "open"
    assert ("vacuous" if step.rule == "real" else "hypotheses") in decision.detail
