"""No verdict that was not earned: what asks the engines needs both, and hypotheses that can hold."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.proof import decide as module
from fedproof.proof.decide import decide
from fedproof.proof.engines.smt import EngineAnswers
from fedproof.proof.step import Step

#: steps that leave questions for the engines, of every rule that asks them
ASKED = ("eq25", "eq44", "eq48", "eq66", "eq86", "eq13.beta")


@pytest.mark.parametrize(
    "answers",
    [
        (("z3", "unknown"), ("cvc5", "unknown")),
        (("z3", "unsat"), ("cvc5", "unknown")),
        (("z3", "unsat"), ("cvc5", "unsat")),
    ],
)
def test_what_engines_answer_proves_nothing(
    answers: tuple[tuple[str, str], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a certificate steps are open, whatever one engine or both say."""
    asked = [s for s in catalog.steps("fedproxvr") if s.id.removeprefix("fedproxvr.") in ASKED]
    monkeypatch.setattr(module, "shipped", lambda step: None)
    monkeypatch.setattr(module, "proof", lambda *_: "none was looked for")
    monkeypatch.setattr(module, "prove", lambda *_, **__: EngineAnswers(answers))
    monkeypatch.setattr(module, "by_chance", lambda *_, **__: "")
    monkeypatch.setattr(module, "broken", lambda *_: "")
    found = [module._decide(s, module.EFFORTS[:1]) for s in asked]

    assert {s.rule for s in asked} == {"real", "quad", "sum"}
    assert {f.verdict for f in found} == {"open"}
    both = all(answer == "unsat" for _, answer in answers)
    assert any("engines agree" in f.detail for f in found) == both


def test_a_vacuous_step_is_not_proved() -> None:
    """From hypotheses that contradict each other nothing is proved."""
    x = sp.Symbol("x", real=True)
    assert decide(Step(x > 5, (x > 1, x < 0))).verdict == "open"
