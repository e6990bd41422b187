"""What every rule turns a step into: plain real algebra, to be proved or to be broken at exact points.

A rule is a module with `reductions(step)`, ways to prove the step, most promising first, and with
`instances(step)`, special cases of it; a point that breaks one breaks the step. Proof and refutation are
separate, and each must be sound by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step
from fedproof.proof.vectors import Vector, ip, n2


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


def is_scalar_relation(relation: sp.Basic | ForAll) -> bool:
    """Whether a relation speaks of real numbers alone, not of vectors, sequences or sums."""
    if isinstance(relation, ForAll):
        return False
    odd = relation.atoms(Vector) | relation.atoms(ip, n2, sp.Sum)
    return not odd and not any(is_sequence_term(a) for a in relation.atoms(sp.Function))


def relations(step: Step) -> list[tuple[sp.Basic | ForAll, sp.Expr | None]]:
    """Every hypothesis with its multiplier, where one is given."""
    return [(h.relation, h.weight) for h in step.hypotheses]


def scalar_hypotheses(step: Step) -> tuple[sp.Basic, ...]:
    """The hypotheses about plain real numbers."""
    return tuple(r for r, _ in relations(step) if is_scalar_relation(r) and isinstance(r, sp.Basic))
