"""A result of another text, neither proved nor refuted here."""

from __future__ import annotations

from collections.abc import Iterator

from fedproof.proof.rules.question import Question, Reduction
from fedproof.proof.step import Step

__all__ = ["instances", "reductions"]


def reductions(step: Step) -> Iterator[Reduction]:
    """None: nothing proves a citation."""
    return iter(())


def instances(step: Step) -> Iterator[Question]:
    """None."""
    return iter(())
