"""Induction over a recursion: the claim at the start, and from each whole number to the next."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from fedproof.proof.rules.query import (
    NotApplicable,
    Query,
    Reduction,
    is_scalar_relation,
    relations,
    scalar_hypotheses,
)
from fedproof.proof.rules.well_formed import partial
from fedproof.proof.step import Induction, Step
from fedproof.proof.substitution import substitute

#: how many numbers are tried for a counterexample
SMALL = 4


def _read(step: Step) -> tuple[Induction, tuple[sp.Basic, ...]]:
    """The recursion, and what is known of everything that it does not change."""
    if step.induction is None:
        raise NotApplicable("induction needs Step(induction=Induction(n, start, state))")
    moving = {step.induction.index, *(s for s, _, _ in step.induction.state)}
    first = (step.induction.start, *(value for _, value, _ in step.induction.state))
    if any(not is_scalar_relation(r) for r in (step.claim, *(r for r, _ in relations(step)))):
        raise NotApplicable("induction is about plain real numbers")
    if any(r.free_symbols & moving for r in scalar_hypotheses(step)):
        raise NotApplicable("a hypothesis speaks of what the recursion changes; make it part of the claim")
    if any(e.free_symbols & moving for e in first):
        raise NotApplicable("what the recursion changes starts from what it does not change")
    return step.induction, scalar_hypotheses(step)


def reductions(step: Step) -> Iterator[Reduction]:
    """The claim at the start, and the claim for n + 1 from the claim for n >= start."""
    how, known = _read(step)
    n, start = how.index, how.start
    first = {n: start} | {s: value for s, value, _ in how.state}
    then = {n: n + 1} | {s: following for s, _, following in how.state}
    before = (*known, sp.Ge(n, start, evaluate=False), step.claim)
    values = [(known, value) for _, value, _ in how.state]
    values += [(before, following) for _, _, following in how.state]
    yield Reduction(
        (
            *(
                Query(g, sp.Eq(v, v, evaluate=False), "the recursion has a value")
                for g, v in values
                if partial(v)
            ),
            Query(known, substitute(step.claim, first), "the start"),
            Query(before, substitute(step.claim, then), "n to n + 1"),
        ),
        ("induction",),
        f"induction over {n} from {start}",
    )


def instances(step: Step) -> Iterator[Query]:
    """The claim after a few steps of the recursion."""
    how, known = _read(step)
    at = {how.index: how.start} | {s: value for s, value, _ in how.state}
    for _ in range(SMALL):
        yield Query(known, substitute(step.claim, at), f"{how.index} = {at[how.index]}")
        at = {how.index: at[how.index] + 1} | {s: substitute(following, at) for s, _, following in how.state}
