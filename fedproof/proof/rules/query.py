"""What every rule turns a step into: plain real algebra, to be proved or to be broken at exact points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import sympy as sp

from fedproof.proof.step import Step


class NotApplicable(ValueError):
    """A rule cannot express a step; the message says why."""


@dataclass(frozen=True)
class Query:
    """Whether hypotheses imply a claim, all in finitely many real numbers."""

    given: tuple[sp.Basic, ...]
    claim: sp.Basic
    about: str = ""


@dataclass(frozen=True)
class Reduction:
    """Questions that together prove a step.

    Arguments:
        questions: each must be proved by the engines.
        by: what earned the reduction, beside the engines: "rule", "exact-psd", "induction".
        how: one clause for the referee.
    """

    questions: tuple[Query, ...]
    by: tuple[str, ...] = ()
    how: str = ""


class Rule(Protocol):
    """A way to decide steps; proof and refutation are separate, and each must be sound by itself."""

    def reductions(self, step: Step) -> Iterator[Reduction]:
        """Ways to prove the step, most promising first."""
        ...

    def instances(self, step: Step) -> Iterator[Query]:
        """Special cases of the step; a point that breaks one breaks the step."""
        ...
