"""No verdict that was not earned: what asks the engines needs both, and hypotheses that can hold."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.proof import decide as module
from fedproof.proof.decide import decide
from fedproof.proof.engines.smt import EngineAnswers
from fedproof.proof.step import Step


def _fresh(step: Step) -> str:
    """The verdict of a step, decided anew."""
    return module._decide(step, module.EFFORTS[:1]).verdict


#: steps that leave questions for the engines, of every rule that asks them
ASKED = ("eq25", "eq44", "eq48", "eq66", "eq86", "eq13.beta")


@pytest.mark.parametrize(
    "answers",
    [
        (("z3", "unknown"), ("cvc5", "unknown")),
        (("z3", "unsat"), ("cvc5", "unknown")),
        (("z3", "unknown (limit)"), ("cvc5", "unsat")),
    ],
)
def test_without_both_engines_nothing_that_asks_them_is_proved(
    answers: tuple[tuple[str, str], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an engine silent, steps that leave questions are open, whatever the other says."""
    asked = [s for s in catalog.steps("fedproxvr") if s.id.removeprefix("fedproxvr.") in ASKED]
    monkeypatch.setattr(module, "certificate", lambda step: None)
    assert all(module._decide(s, module.EFFORTS[:1]).questions for s in asked)
    monkeypatch.setattr(module, "prove", lambda *_, **__: EngineAnswers(answers))
    monkeypatch.setattr(module, "_break", lambda *_, **__: None)
    monkeypatch.setattr(module, "_search_out", lambda *_, **__: None)
    assert {s.rule for s in asked} == {"real", "quad", "sum"}
    assert {_fresh(s) for s in asked} == {"open"}


def test_a_vacuous_step_is_not_proved() -> None:
    """From hypotheses that contradict each other nothing is proved."""
    x = sp.Symbol("x", real=True)
    assert decide(Step(x > 5, (x > 1, x < 0))).verdict == "open"
