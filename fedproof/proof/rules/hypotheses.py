"""A step's hypotheses as relations, and which of them are about plain real numbers."""

from __future__ import annotations

import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step import Step
from fedproof.proof.vectors import Vector, ip, n2


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
