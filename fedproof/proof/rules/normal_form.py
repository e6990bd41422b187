"""A step about vectors as a rule reads it: vector equations substituted, few vectors spoken of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from fedproof.algebra.expressions import replaced
from fedproof.proof.rules.gram import compact, defined, is_vector
from fedproof.proof.rules.query import NotApplicable, is_scalar_relation, relations
from fedproof.proof.step import Step
from fedproof.proof.vectors import Vector


@dataclass(frozen=True)
class NormalForm:
    """A step with vector equations substituted, in few vectors.

    Arguments:
        claim, scalars, forms: the relations, those on vectors with their multipliers.
        printed: the claim and the forms as they were.
        meanings: the vectors that equations give.
        basis: what the vectors spoken of are.
    """

    claim: sp.Basic
    scalars: tuple[sp.Basic, ...]
    forms: tuple[tuple[sp.Basic, sp.Expr | None], ...]
    printed: tuple[sp.Basic, ...]
    meanings: Mapping[Vector, sp.Expr]
    basis: Mapping[Vector, sp.Expr]


def to_normal_form(step: Step, compactly: bool = True, solved: bool = True) -> NormalForm:
    """Read a prepared step.

    Arguments:
        compactly: whether to speak of as few vectors as can be.
        solved: whether vector equations are solved and substituted, or stay as they are.

    Raises: NotApplicable where a hypothesis is not of this kind.
    """
    given = [(r, w) for r, w in relations(step) if isinstance(r, sp.Basic)]
    if len(given) < len(step.hypotheses):
        raise NotApplicable("a hypothesis for every index needs rule='sum'")
    meanings = defined([r for r, _ in given])[0] if solved else {}
    put = [(replaced(r, meanings), w, r) for r, w in given if not (solved and equation(r))]
    claim = replaced(step.claim, meanings)
    forms = [(r, w) for r, w, _ in put if not is_scalar_relation(r)]
    shown = (step.claim, *(before for r, _, before in put if not is_scalar_relation(r)))
    basis: dict[Vector, sp.Expr] = {}
    if compactly and not equation(claim):
        (claim, *fewer), basis = compact([claim, *(r for r, _ in forms)])
        forms = list(zip(fewer, (w for _, w in forms), strict=True))
    scalars = tuple(r for r, *_ in put if is_scalar_relation(r))
    return NormalForm(claim, scalars, tuple(forms), shown if solved else (), meanings, basis)


def equation(relation: sp.Basic) -> bool:
    """Whether a relation is an equation between vectors."""
    return isinstance(relation, sp.Eq) and (is_vector(relation.lhs) or is_vector(relation.rhs))
