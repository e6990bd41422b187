"""Polynomial real algebra: the step is the question."""

from __future__ import annotations

from collections.abc import Iterator

from fedproof.proof.rules.question import NotApplicable, Question, Reduction
from fedproof.proof.rules.scope import plain, relations, scalars
from fedproof.proof.step import Step

__all__ = ["instances", "reductions"]


def _question(step: Step) -> Question:
    odd = [r for r in (step.claim, *(r for r, _ in relations(step))) if not plain(r)]
    if odd:
        raise NotApplicable(f"{odd[0]} is not about plain real numbers; use rule='quad' or rule='sum'")
    return Question(scalars(step), step.claim)


def reductions(step: Step) -> Iterator[Reduction]:
    """The step as it stands."""
    yield Reduction((_question(step),))


def instances(step: Step) -> Iterator[Question]:
    """The step as it stands."""
    yield _question(step)
