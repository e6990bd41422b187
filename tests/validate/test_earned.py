"""No verdict that was not earned: proofs need engines, refutations need numbers, citations are listed."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.proof import decide as module
from fedproof.proof.decide import decide
from fedproof.proof.engines.resource_limits import ENGINES
from fedproof.proof.engines.smt import EngineAnswers
from fedproof.proof.step import Step

STEPS = catalog.steps("fedproxvr")
#: what may prove a step that leaves no question for the engines
EXACT = {"exact-psd", "rule", "interval"}


def _fresh(step: Step) -> str:
    """The verdict of a step, decided anew."""
    return module._decide(step, module.EFFORTS[:1]).verdict


def test_every_proved_step_names_what_proved_it() -> None:
    """A proof rests on both engines wherever a question was left, and otherwise on exact arithmetic."""
    proved = [d for d in map(decide, STEPS) if d.verdict == "proved"]
    assert len(proved) > 200
    for decision in proved:
        if decision.questions:
            assert set(ENGINES) <= set(decision.engines), decision.step.id
        else:
            assert decision.engines, decision.step.id
            assert set(decision.engines) <= EXACT, decision.step.id


@pytest.fixture
def proved_by_engines() -> list[Step]:
    """A few steps of every rule that leave questions for the engines."""
    chosen: list[Step] = []
    for rule in ("real", "quad", "sum", "cases"):
        with_questions = [
            d.step
            for d in map(decide, STEPS)
            if d.step.rule == rule and d.verdict == "proved" and len(d.questions) > 0
        ]
        chosen += with_questions[:: max(1, len(with_questions) // 3)][:3]
    return chosen


@pytest.mark.parametrize(
    "answers",
    [
        (("z3", "unknown"), ("cvc5", "unknown")),
        (("z3", "unsat"), ("cvc5", "unknown")),
        (("z3", "unknown (limit)"), ("cvc5", "unsat")),
    ],
)
def test_without_both_engines_nothing_that_asks_them_is_proved(
    answers: tuple[tuple[str, str], ...], proved_by_engines: list[Step], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an engine silent, steps that leave questions are open, whatever the other says."""
    monkeypatch.setattr(module, "prove", lambda *_, **__: EngineAnswers(answers))
    monkeypatch.setattr(module, "_break", lambda *_, **__: None)
    monkeypatch.setattr(module, "_search_out", lambda *_, **__: None)
    assert len(proved_by_engines) > 8
    assert {_fresh(s) for s in proved_by_engines} == {"open"}


def test_citations_are_listed_and_are_all_that_is_not_decided() -> None:
    """Cited facts are exactly the steps marked so; nothing in the proofs is left open."""
    verdicts = {s.id: decide(s).verdict for s in STEPS}
    cited = {s.id for s in STEPS if s.rule == "cite"}
    assert {i for i, v in verdicts.items() if v == "cited"} == cited
    assert {i for i, v in verdicts.items() if v == "open"} == set()


def test_a_refutation_comes_with_numbers_a_flaw_and_a_repair() -> None:
    """A refuted step has exact numbers and a word for it; a slip has a proved step in its place."""
    wrong = [d for d in map(decide, STEPS) if d.verdict in ("refuted", "damaged")]
    repaired = {s.repairs for s in STEPS if s.repairs and decide(s).verdict == "proved"}
    assert wrong
    for decision in wrong:
        assert decision.witness, decision.step.id
        assert decision.step.flaw, decision.step.id
        assert decision.step.note, decision.step.id
        mended = decision.step.flaw in ("rendering", "gap") or decision.step.id in repaired
        assert mended, decision.step.id


def test_every_flawed_or_repaired_step_is_what_it_says() -> None:
    """A step with a flaw is wrong, a repair amends a step that exists, and ids are unique."""
    ids = [s.id for s in STEPS]
    assert len(ids) == len(set(ids))
    for step in STEPS:
        if step.flaw:
            assert decide(step).verdict in ("refuted", "damaged"), step.id
        if step.repairs:
            assert step.repairs in ids, step.id
            assert decide(step).verdict == "proved", step.id


def test_a_vacuous_step_is_not_proved() -> None:
    """From hypotheses that contradict each other nothing is proved."""
    x = sp.Symbol("x", real=True)
    assert decide(Step(x > 5, (x > 1, x < 0))).verdict == "open"
