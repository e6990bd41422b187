"""A claim that other steps prove under different conditions, one of which always holds."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from fedproof.bounds.step import Applied, Given, Step
from fedproof.validate.rules.question import NotApplicable, Question, Reduction
from fedproof.validate.rules.real import instances
from fedproof.validate.rules.scope import plain, scalars

__all__ = ["condition", "instances", "reductions"]


def condition(step: Step, applied: Applied) -> sp.Basic:
    """The one hypothesis of a case that the step does not have."""
    owned = scalars(step)
    missing = [
        here
        for h in applied.step.hypotheses
        if isinstance(h, Given) and not h.why and isinstance(h.relation, sp.Basic)
        if (here := applied.put(h.relation)) not in owned
    ]
    if len(missing) != 1 or not plain(missing[0]):
        raise NotApplicable(f"{applied.step.id} must have one condition more than the step, not {missing}")
    return missing[0]


def reductions(step: Step) -> Iterator[Reduction]:
    """The condition of the last case holds wherever those of the others fail."""
    cases = [h for h in step.hypotheses if isinstance(h, Applied)]
    if len(cases) < 2 or any(a.relation != step.claim for a in cases):
        raise NotApplicable("each case must be a step with the same claim, and there must be two or more")
    *others, last = [condition(step, a) for a in cases]
    given = (*_own(step), *(c.negated for c in others))
    yield Reduction((Question(given, last, "one of the cases holds"),), ("rule",), f"{len(cases)} cases")


def _own(step: Step) -> tuple[sp.Basic, ...]:
    claims = [a.relation for a in step.hypotheses if isinstance(a, Applied)]
    return tuple(r for r in scalars(step) if r not in claims)
