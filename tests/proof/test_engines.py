"""The two decision procedures and the translation they share."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.proof import prove_or_refute as settling
from fedproof.proof.engines import smt as engine
from fedproof.proof.engines.engine_process import EngineProcess
from fedproof.proof.engines.smt import EnginesDisagree, prove
from fedproof.proof.engines.smtlib import refutation

x, y = sp.symbols("x y", real=True)


def test_engines_that_disagree_break_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """sat beside unsat means that an engine or our translation is unsound."""
    monkeypatch.setattr(engine, "_answers", lambda text, seconds: {"z3": "sat", "cvc5": "unsat"})

    with pytest.raises(EnginesDisagree):
        prove([x > 0], x > 0)


@pytest.mark.parametrize("silent", ["z3", "cvc5"])
@pytest.mark.parametrize("why", ["unknown", "unknown (limit)", "unknown (backstop)", "unknown (crash)"])
def test_one_engine_alone_proves_nothing(silent: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """unsat from one engine beside unknown from the other is no proof; the claim stays open, and says why."""
    answer = {"z3": "unsat", "cvc5": "unsat", silent: why}
    monkeypatch.setattr(engine, "_answers", lambda text, seconds: answer)
    monkeypatch.setattr(settling, "EFFORTS", ((1, 1.0, 0.0),))
    settled = settling.prove_or_refute([x > 0], x + 1 > 0)

    assert not prove([x > 0], x > 0).proved
    assert settled.verdict == "open"
    assert f"{silent}: {why}" in settled.detail


def test_too_little_work_leaves_the_question_open() -> None:
    """An engine that reaches its limit says so, which proves nothing."""
    outcome = prove([x > 1], x**2 > 1, seconds=1e-5)

    assert outcome.answers == (("z3", "unknown (limit)"), ("cvc5", "unknown (limit)"))
    assert not outcome.proved
    assert not outcome.refutable


def test_the_question_stays_at_hand() -> None:
    """The outcome holds the SMT-LIB text, which either engine answers alone."""
    outcome = prove([x > 1], sp.sqrt(x) > 1)

    assert outcome.proved
    assert outcome.text == refutation([x > 1], sp.sqrt(x) > 1)
    assert (
        EngineProcess("z3").ask(outcome.text, 10**6)
        == EngineProcess("cvc5").ask(outcome.text, 10**6)
        == "unsat"
    )
