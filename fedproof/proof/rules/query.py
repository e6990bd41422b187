"""What every rule turns a step into: plain real algebra, to be proved or to be broken at exact points.

A rule is a module with `reductions(step)`, ways to prove the step, most promising first, and with
`instances(step)`, special cases of it; a point that breaks one breaks the step. Proof and refutation are
separate, and each must be sound by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp


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
