"""The two decision procedures and the translation they share."""

from __future__ import annotations

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.step import Step
from fedproof.validate.engines import decide as engine
from fedproof.validate.engines.decide import EnginesDisagree, prove
from fedproof.validate.settle import settle

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


@pytest.mark.parametrize("step", catalog.steps("fedproxvr"), ids=lambda s: s.id)
def test_steps_hold_and_their_opposites_do_not(step: Step) -> None:
    """Each encoded step is proved by both engines; turned round it is refutable."""
    assert prove(step.given, step.claim).proved

    opposite = prove(step.given, OPPOSITE[step.claim.func](*step.claim.args, evaluate=False))
    assert opposite.refutable
    assert not opposite.proved_by


@pytest.mark.parametrize("step", catalog.steps("fedproxvr")[:2], ids=lambda s: s.id)
def test_steps_of_the_appendix_are_not_four_times_loose(step: Step) -> None:
    """With its right side a quarter as large a step is no longer proved."""
    smaller = step.claim.func(step.claim.args[0], step.claim.args[1] * sp.Rational(1, 4))

    assert not prove(step.given, smaller).proved_by


def test_engines_that_disagree_break_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """sat beside unsat means that an engine or our translation is unsound."""
    monkeypatch.setattr(engine, "_ask", lambda name, text, seconds: "sat" if name == "z3" else "unsat")

    with pytest.raises(EnginesDisagree):
        prove([x > 0], x > 0)


@pytest.mark.parametrize("silent", ["z3", "cvc5"])
def test_one_engine_alone_proves_nothing(silent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """unsat from one engine beside unknown from the other is no proof, and a claim then stays open."""
    answer = {"z3": "unsat", "cvc5": "unsat", silent: "unknown"}
    monkeypatch.setattr(engine, "_ask", lambda name, text, seconds: answer[name])

    assert not prove([x > 0], x > 0).proved
    assert settle([x > 0], x + 1 > 0).verdict == "open"


def test_a_stuck_engine_leaves_the_question_open() -> None:
    """An engine that runs out of time says unknown, which proves nothing."""
    outcome = prove([x > 1], x**2 > 1, seconds=1e-4)

    assert outcome.answers == (("z3", "unknown"), ("cvc5", "unknown"))
    assert not outcome.proved
