"""Induction over a recursion: the claim at the start, and from each whole number to the next."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from fedproof.bounds.step import Step
from fedproof.validate.rules.question import NotApplicable, Question, Reduction
from fedproof.validate.rules.scope import plain, scalars

__all__ = ["instances", "reductions"]

#: how many numbers are tried for a counterexample
SMALL = 4


def reductions(step: Step) -> Iterator[Reduction]:
    """The claim at the start, and the claim for n + 1 from the claim for n >= start."""
    if step.induction is None or not plain(step.claim):
        raise NotApplicable("induction needs Step(induction=Induction(n, start, state)) and a plain claim")
    n, start, state = step.induction.index, step.induction.start, step.induction.state
    known = scalars(step)
    first = {n: start} | {s: value for s, value, _ in state}
    then = {n: n + 1} | {s: following for s, _, following in state}
    moving = {n, *(s for s, _, _ in state)}
    if any(r.free_symbols & moving for r in known):
        raise NotApplicable("a hypothesis speaks of what the recursion changes; make it part of the claim")
    yield Reduction(
        (
            Question(known, _put(step.claim, first), "the start"),
            Question(
                (*known, sp.Ge(n, start, evaluate=False), step.claim), _put(step.claim, then), "n to n + 1"
            ),
        ),
        ("induction",),
        f"induction over {n} from {start}",
    )


def instances(step: Step) -> Iterator[Question]:
    """The claim after a few steps of the recursion."""
    if step.induction is None:
        return
    n, start, state = step.induction.index, step.induction.start, step.induction.state
    at = {n: start} | {s: value for s, value, _ in state}
    for _ in range(SMALL):
        yield Question(scalars(step), _put(step.claim, at), f"{n} = {at[n]}")
        at = {n: at[n] + 1} | {s: sp.cancel(following.subs(at)) for s, _, following in state}


def _put(relation: sp.Basic, at: dict[sp.Symbol, sp.Expr]) -> sp.Basic:
    return relation.func(*(side.subs(at, simultaneous=True) for side in relation.args), evaluate=False)
