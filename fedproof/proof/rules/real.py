"""Polynomial real algebra: the step is the question."""

from __future__ import annotations

from collections.abc import Iterator

from fedproof.proof.rules.query import (
    NotApplicable,
    Query,
    Reduction,
    is_scalar_relation,
    relations,
    scalar_hypotheses,
)
from fedproof.proof.step import Step


def _question(step: Step) -> Query:
    odd = [r for r in (step.claim, *(r for r, _ in relations(step))) if not is_scalar_relation(r)]
    if odd:
        raise NotApplicable(f"{odd[0]} is not about plain real numbers; use rule='quad' or rule='sum'")
    return Query(scalar_hypotheses(step), step.claim)


def reductions(step: Step) -> Iterator[Reduction]:
    """The step as it stands."""
    yield Reduction((_question(step),))


def instances(step: Step) -> Iterator[Query]:
    """The step as it stands."""
    yield _question(step)
