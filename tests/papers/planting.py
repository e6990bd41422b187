"""Falsehoods made of true steps: a constant too good, a hypothesis or a condition less."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.step import Applied, Given, Step, times

HALF, TWICE = sp.Rational(1, 2), sp.Integer(2)


def scaled(step: Step, factor: Any) -> Step:
    """The step with its right side multiplied."""
    left, right = step.claim.args
    with printed():
        return replace(step, claim=step.claim.func(left, factor * right, evaluate=False))


def without(step: Step, *words: str) -> Step:
    """The step without the hypotheses whose reason has one of these words."""
    kept = tuple(
        h for h in step.hypotheses if not (isinstance(h, Given) and any(word in h.why for word in words))
    )
    assert len(kept) < len(step.hypotheses)
    return replace(step, given=kept)


def given(step: Step, old: sp.Basic, new: sp.Basic) -> Step:
    """The step with another relation for one of its own hypotheses, of the same weight and reason."""
    found = tuple(
        times(h.weight, new, h.why) if isinstance(h, Given) and h.relation == old else h
        for h in step.hypotheses
    )
    assert found != step.hypotheses
    return replace(step, given=found)


def alone(step: Step) -> Step:
    """The step without those it uses."""
    return replace(step, given=tuple(h for h in step.hypotheses if not isinstance(h, Applied)))
