"""What the tests of rules share: words for steps, and a proof attempted with no refutation to shield it."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from fedproof.proof import decide as module
from fedproof.proof.certificates import Proved
from fedproof.proof.certify.live import proof
from fedproof.proof.forall import ForAll
from fedproof.proof.grounds import grounds, unpaid
from fedproof.proof.ready import made_ready
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Step
from fedproof.proof.vectors import ip, n2

__all__ = ["Eq", "attempt", "by_rule", "every", "holds", "numbers", "refuted", "value"]


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
    """What comes of proving a step without any look for a counterexample: "proved", or why not.

    By a certificate that rests on nothing that is not listed, or by engines alone.
    """
    found = proof(step, seconds)
    if isinstance(found, Proved) and not unpaid(grounds(found)):
        return module._otherwise(step) or "proved"
    return by_rule(step, seconds)


def by_rule(step: Step, seconds: float = 5.0) -> str:
    """What the engines make of a step by its rule: "proved", or why not."""
    try:
        outcome = module._by_engines(made_ready(step), seconds)
    except NotApplicable as problem:
        return str(problem)
    return outcome if isinstance(outcome, str) else "proved"


def refuted(step: Step) -> bool:
    """Whether exact numbers were found that break a step."""
    decision = module.decide(step, briefly=True)
    return decision.verdict == "refuted" and decision.witness is not None


def value(expr: Any, at: dict[str, Any]) -> Any:
    """An expression at vectors and numbers given by name, by plain recursion in floats."""
    if isinstance(expr, sp.Symbol):
        return at[expr.name]
    if isinstance(expr, sp.Rational):
        return float(expr)
    parts = [value(a, at) for a in expr.args]
    if isinstance(expr, (n2, ip)):
        return float(np.sum(np.multiply(parts[0], parts[-1])))
    if isinstance(expr, sp.Pow):
        return parts[0] ** parts[1]
    assert isinstance(expr, (sp.Add, sp.Mul))
    total = parts[0]
    for part in parts[1:]:
        total = total + part if expr.is_Add else total * part
    return total


def holds(relation: Any, at: dict[str, Any], slack: float) -> bool:
    """Whether a relation holds at vectors and numbers, up to a slack."""
    left, right = (np.asarray(value(side, at)) for side in relation.args)
    gap = left - right if isinstance(relation, (sp.Ge, sp.Gt)) else right - left
    gap = -np.abs(gap) if isinstance(relation, sp.Eq) else gap
    return bool(gap.min() >= -slack * (1 + np.abs(left).max() + np.abs(right).max()))
