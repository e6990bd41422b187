"""A claim that other steps prove under different conditions, one of which always holds."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from fedproof.proof.rules.query import NotApplicable, Query, Reduction, is_scalar_relation
from fedproof.proof.rules.well_formed import definedness_conditions
from fedproof.proof.step import Applied, Given, Step


def condition(step: Step, applied: Applied) -> sp.Basic:
    """The one hypothesis of a case that the step does not have."""
    owned = _own(step)
    missing = [
        here
        for h in applied.step.hypotheses
        if isinstance(h, Given) and not h.why and isinstance(h.relation, sp.Basic)
        if (here := applied.substitute(h.relation)) not in owned
    ]
    if len(missing) != 1 or not is_scalar_relation(missing[0]):
        raise NotApplicable(f"{applied.step.id} must have one condition more than the step, not {missing}")
    return missing[0]


def reductions(step: Step) -> Iterator[Reduction]:
    """The condition of the last case holds wherever those of the others have a meaning and fail."""
    cases = [h for h in step.hypotheses if isinstance(h, Applied)]
    if step.lets:
        raise NotApplicable("a proof by cases names no parts")
    if len(cases) < 2 or any(a.relation != step.claim for a in cases):
        raise NotApplicable("each case must be a step with the same claim, and there must be two or more")
    own = _own(step)
    *others, last = [condition(step, a) for a in cases]
    asked = [q for c in others for q in definedness_conditions(own, c, "whether a case holds is defined")]
    asked.append(Query((*own, *(c.negated for c in others)), last, "one of the cases holds"))
    yield Reduction(tuple(asked), ("rule",), f"{len(cases)} cases")


def instances(step: Step) -> Iterator[Query]:
    """The step as it stands: with the cases for hypotheses nothing breaks it if they are what it claims."""
    cases = [h.relation for h in step.hypotheses if isinstance(h, Applied)]
    said = [r for r in cases if isinstance(r, sp.Basic) and is_scalar_relation(r)]
    if is_scalar_relation(step.claim) and len(said) == len(cases):
        yield Query((*_own(step), *dict.fromkeys(said)), step.claim)


def _own(step: Step) -> tuple[sp.Basic, ...]:
    """What the step has whichever case holds."""
    own = (h.relation for h in step.hypotheses if isinstance(h, Given))
    return tuple(r for r in own if isinstance(r, sp.Basic) and is_scalar_relation(r))
