"""What the tests of rules share: words for steps, and a proof attempted with no refutation to shield it."""

from __future__ import annotations

from typing import Any

import sympy as sp

from fedproof.proof import decide as module
from fedproof.proof.forall import ForAll
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Step

__all__ = ["Eq", "attempt", "every", "numbers", "refuted"]


def numbers(names: str) -> Any:
    """Real symbols."""
    return sp.symbols(names, real=True)


def Eq(left: Any, right: Any) -> sp.Basic:
    """An equation that SymPy leaves alone."""
    return sp.Eq(left, right, evaluate=False)


def every(relation: sp.Basic, index: sp.Symbol, lo: Any, hi: Any) -> ForAll:
    """A relation for every whole index from lo to hi."""
    return ForAll(relation, index, lo, hi)


def attempt(step: Step, seconds: float = 5.0) -> str:
    """What comes of proving a step without any look for a counterexample: "proved", or why not."""
    try:
        outcome = module._prove(module._ready(step), seconds)
    except NotApplicable as problem:
        return str(problem)
    return outcome.verdict if isinstance(outcome, module.StepDecision) else outcome


def refuted(step: Step) -> bool:
    """Whether exact numbers were found that break a step."""
    decision = module.decide(step, briefly=True)
    return decision.verdict == "refuted" and decision.witness is not None
