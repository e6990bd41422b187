"""The two decision procedures and the translation they share."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.proof import prove_or_refute as settling
from fedproof.proof.engines import smt as engine
from fedproof.proof.engines.engine_process import EngineProcess
from fedproof.proof.engines.smt import EnginesDisagree, prove
from fedproof.proof.engines.smtlib import refutation
from fedproof.proof.step import Step

x, y = sp.symbols("x y", real=True)

TRUE = {
    "square": ([], x**2 >= 0),
    "root below": ([x >= 1], sp.sqrt(x) <= x),
    "arithmetic and geometric mean": ([x >= 0, y >= 0], sp.sqrt(x * y) <= (x + y) / 2),
    "quotient": ([x > 0, y > x], 1 / y < 1 / x),
    "nested root": ([x >= 0], sp.sqrt(x + sp.sqrt(x)) >= sp.sqrt(x)),
    "half-integer power": ([x >= 1], x ** sp.Rational(3, 2) >= x),
    "equation": ([sp.Eq(x**2, 2), x > 0], sp.Eq(x, sp.sqrt(2))),
}
FALSE = {
    "square": ([], x**2 > 0),
    "root below": ([x > 0], sp.sqrt(x) <= x),
    "mean, strict": ([x >= 0, y >= 0], sp.sqrt(x * y) < (x + y) / 2),
    "quotient over zero": ([y > x], 1 / y < 1 / x),
    "root of a negative": ([x <= 1], sp.sqrt(x) >= 0),
    "zero denominator": ([x >= 0], 1 / x >= 0),
    "negative root": ([x >= 0], -sp.sqrt(x) >= 0),
    "root of a quotient over zero": ([x >= 0], sp.sqrt(1 / x) >= 0),
    "product with a root over zero": ([x >= 0], x * sp.sqrt(1 / x) >= 0),
    "absolute value over zero": ([], sp.Ge(sp.Abs(1 / x), 0, evaluate=False)),
    "larger of two, over zero": ([], sp.Ge(sp.Max(1 / x, -1 / x), 0, evaluate=False)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved_by_both_engines(name: str) -> None:
    """Radicals and quotients are cleared without losing a truth."""
    hypotheses, claim = TRUE[name]

    assert prove(hypotheses, claim).proved_by == ("z3", "cvc5")


@pytest.mark.parametrize("name", FALSE)
def test_planted_falsehoods_are_never_proved(name: str) -> None:
    """A claim that fails, or is undefined somewhere, is refutable by both engines."""
    hypotheses, claim = FALSE[name]
    outcome = prove(hypotheses, claim)

    assert outcome.proved_by == ()
    assert outcome.refutable


OPPOSITE = {sp.Le: sp.Gt, sp.Lt: sp.Ge, sp.Ge: sp.Lt, sp.Gt: sp.Le}


def given(step: Step) -> list[sp.Basic]:
    """What it assumes."""
    return [h.relation for h in step.hypotheses]


#: steps that speak of real numbers only, so that each is the engines' own question
OURS = ("fedproxvr.eq48", "fedproxvr.eq55", "fedproxvr.convex.")
PLAIN = [s for s in catalog.steps("fedproxvr") if s.id.startswith(OURS)]


def test_plain_steps_are_found() -> None:
    """Steps of the appendix and the facts behind the certified optimum are among them."""
    assert {"fedproxvr.eq48", "fedproxvr.eq55", "fedproxvr.convex.margin"} <= {s.id for s in PLAIN}
    assert all(s.rule == "real" and not s.lets and not s.flaw for s in PLAIN)


@pytest.mark.parametrize("step", PLAIN, ids=lambda s: s.id)
def test_steps_hold_and_their_opposites_do_not(step: Step) -> None:
    """Each plain step is proved by both engines; turned round it is refutable."""
    assert prove(given(step), step.claim).proved

    opposite = prove(given(step), OPPOSITE[step.claim.func](*step.claim.args, evaluate=False))
    assert opposite.refutable
    assert not opposite.proved_by


@pytest.mark.parametrize("id", ["fedproxvr.eq48", "fedproxvr.eq55"])
def test_steps_of_the_appendix_are_not_four_times_loose(id: str) -> None:
    """With its right side a quarter as large a step is no longer proved."""
    step = next(s for s in PLAIN if s.id == id)
    smaller = step.claim.func(step.claim.args[0], step.claim.args[1] * sp.Rational(1, 4))

    assert not prove(given(step), smaller).proved_by


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
    monkeypatch.setattr(settling, "EFFORTS", ((1, 1.0),))
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
