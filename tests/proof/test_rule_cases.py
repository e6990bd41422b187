"""Proof by cases: each case under its own condition, and one of them always holds."""

from __future__ import annotations

import pytest
from sympy import Abs

from fedproof.algebra.expressions import printed
from fedproof.proof.decide import decide
from fedproof.proof.step import Step
from tests.proof.logic import attempt, numbers

x, y = numbers("x y")

with printed():
    CLAIM = Abs(x) >= x
    RIGHT = Step(CLAIM, (x >= 0,), "right")
    LEFT = Step(CLAIM, (x <= 0,), "left")
    FAR = Step(CLAIM, (x <= -1,), "far")


def cases(*steps: Step, given: tuple[object, ...] = (), claim: object = CLAIM) -> Step:
    """A claim from steps that prove it under different conditions."""
    return Step(claim, (*given, *(s.at() for s in steps)), "whole", rule="cases")


def test_two_cases_prove_what_neither_proves() -> None:
    """x >= 0 and x <= 0 cover the line, and x >= 0 and x <= -1 do what lies beyond a hypothesis."""
    assert decide(cases(RIGHT, LEFT)).verdict == "proved"
    assert decide(cases(RIGHT, FAR, given=(x**2 >= 2,))).verdict == "proved"


def test_a_gap_between_cases_is_seen() -> None:
    """x >= 0 and x <= -1 leave out what lies between."""
    assert attempt(cases(RIGHT, FAR)) != "proved"


def test_one_case_does_not_vouch_for_another() -> None:
    """A case whose own hypothesis is the claim cannot be paid with the claim of another case."""
    with printed():
        claim = x >= 0
        good = Step(claim, (x >= 1,), "good")
        idle = Step(claim, (claim, x < 1), "idle")
        step = cases(good, idle, claim=claim)

    assert attempt(step) != "proved"
    assert decide(step, briefly=True).verdict != "proved"


def test_a_condition_without_a_value_covers_nothing() -> None:
    """At x = 0 neither 1/x > 0 nor 1/x <= 0 holds, so x^2 > 0 does not follow from the two."""
    with printed():
        claim = x**2 > 0
        step = cases(Step(claim, (1 / x > 0,), "over"), Step(claim, (1 / x <= 0,), "under"), claim=claim)

    assert "defined" in attempt(step)


def test_what_all_cases_need_must_be_had() -> None:
    """A hypothesis besides the condition is owed by the step."""
    with printed():
        claim = x * y <= Abs(x) * y
        right, left = Step(claim, (x >= 0, y >= 0), "right"), Step(claim, (x <= 0, y >= 0), "left")

    assert decide(cases(right, left, claim=claim, given=(y >= 0,))).verdict == "proved"
    assert "one condition more" in attempt(cases(right, left, claim=claim))


@pytest.mark.parametrize("step", [cases(RIGHT), cases(RIGHT, LEFT, claim=Abs(x) >= -1 - y**2)])
def test_cases_are_two_or_more_of_the_same_claim(step: Step) -> None:
    """One case, or cases of something else, are no proof by cases."""
    assert "two or more" in attempt(step)
