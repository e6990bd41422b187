"""A result of another text, neither proved nor refuted here."""

from __future__ import annotations

from collections.abc import Iterator

from fedproof.proof.rules.query import Query, Reduction
from fedproof.proof.step import Step


def reductions(step: Step) -> Iterator[Reduction]:
    """None: nothing proves a citation."""
    return iter(())


def instances(step: Step) -> Iterator[Query]:
    """None."""
    return iter(())
