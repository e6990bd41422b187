"""What a paper's proofs call a metric, and whether a step says what a statement bounds."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement import Statement
from fedproof.proof.obligations import in_order
from fedproof.proof.step import Step
from fedproof.validate.paper_rules import BOUND


def _words(statement: Statement) -> Sequence[sp.Basic]:
    """What the proofs of its paper call the metric of a bound, `BOUND` standing for that."""
    claim = statement.claim
    assert isinstance(claim, Bound)
    words = catalog.metric_relations(statement.paper)
    return words.get(claim.metric if claim.relation == "<=" else f"{claim.metric} >=", ())


def is_affine_in_bound(statement: Statement) -> bool:
    """Whether a metric is bounded by its bound as a term, or as one factor of a term, alone."""
    return all(_is_affine(side) for said in _words(statement) for side in said.args)


def _is_affine(side: sp.Expr) -> bool:
    if side == BOUND or not side.has(BOUND):
        return True
    parts = [a for a in side.args if a.has(BOUND)]
    return (side.is_Add or (side.is_Mul and len(parts) == 1)) and all(map(_is_affine, parts))


def concludes(step: Step, statement: Statement) -> bool:
    """Whether the step claims what the statement bounds, in the words that its paper's proofs use for it."""
    claim = statement.claim
    assert isinstance(claim, Bound)
    return any(
        relation.func is step.claim.func and _same(relation.args, step.claim.args, claim.expr)
        for relation in _words(statement)
    )


def _same(said: tuple[sp.Expr, ...], claimed: tuple[sp.Expr, ...], bound: sp.Expr) -> bool:
    sides = (side.xreplace({BOUND: bound}) for side in said)
    return all(equal(a, b) for a, b in zip(sides, claimed, strict=True))


def equal(a: sp.Expr, b: sp.Expr) -> bool:
    """Whether two expressions are the same, sums in whatever order."""
    if a.has(sp.Sum) or b.has(sp.Sum):
        return bool(in_order(a) == in_order(b))
    return bool(sp.expand(a.doit() - b.doit()) == 0)
