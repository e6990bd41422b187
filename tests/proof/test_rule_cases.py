"""Proof by cases: each case under its own condition, and one of them always holds."""

from __future__ import annotations

from sympy import Abs

from fedproof.algebra.expressions import printed
from fedproof.proof.decide import decide
from fedproof.proof.step import Step
from tests.proof.logic import numbers

x, y = numbers("x y")


def cases(*steps: Step, given: tuple[object, ...] = (), claim: object = None) -> Step:
    """A claim from steps that prove it under different conditions."""
    whole = steps[0].claim if claim is None else claim
    return Step(whole, (*given, *(s.at() for s in steps)), "whole", rule="cases")


with printed():
    CLAIM = Abs(x) >= x
    RIGHT = Step(CLAIM, (x >= 0,), "right")
    LEFT = Step(CLAIM, (x <= 0,), "left")
    FAR = Step(CLAIM, (x <= -1,), "far")
    PRODUCT = x * y <= Abs(x) * y
    ABOVE, BELOW = Step(PRODUCT, (x >= 0, y >= 0), "above"), Step(PRODUCT, (x <= 0, y >= 0), "below")
    TRUE = {
        "two cases prove what neither proves": cases(RIGHT, LEFT),
        "two beyond a hypothesis": cases(RIGHT, FAR, given=(x**2 >= 2,)),
        "what all cases need is had": cases(ABOVE, BELOW, given=(y >= 0,)),
    }
    UNMET = {
        "a gap between x >= 0 and x <= -1": cases(RIGHT, FAR),
        "a case whose own hypothesis is the claim": cases(
            Step(x >= 0, (x >= 1,), "good"), Step(x >= 0, (x >= 0, x < 1), "idle")
        ),
    }
    OPEN = {
        "at x = 0 neither 1/x > 0 nor 1/x <= 0 holds": (
            cases(Step(x**2 > 0, (1 / x > 0,), "over"), Step(x**2 > 0, (1 / x <= 0,), "under")), "defined"
        ),
        "what all cases need is owed": (cases(ABOVE, BELOW), "one condition more"),
        "one case": (cases(RIGHT), "two or more"),
        "cases of something else": (cases(RIGHT, LEFT, claim=Abs(x) >= -1 - y**2), "two or more"),
    }  # fmt: skip


def test_one_case_does_not_vouch_for_another() -> None:
    """Not even with a look for counterexamples before."""
    step = UNMET["a case whose own hypothesis is the claim"]

    assert decide(step, briefly=True).verdict != "proved"
