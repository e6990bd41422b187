"""Monotonicity: refuted by two exact points, proved by the sign of the derivative."""

from __future__ import annotations

import sympy as sp

from fedproof.bounds.claims import Monotone
from fedproof.bounds.statement import Statement
from fedproof.validate.claims.relation import proved, refuted
from fedproof.validate.engines.decide import prove
from fedproof.validate.judgement import Judgement, standing
from fedproof.validate.search import breaking_point

__all__ = ["judge"]


def judge(statement: Statement) -> Judgement:
    """Decide whether an expression increases or decreases in a symbol under the conditions.

    The conditions admit an interval of the symbol when the others are fixed, so that the sign of
    the derivative decides; a refutation shows two values of the symbol themselves.
    """
    claim = statement.claim
    assert isinstance(claim, Monotone)
    facts, x = standing(statement), claim.symbol
    expr = statement.expand(claim.expr)
    later = sp.Symbol(f"{x.name}'", real=True)
    moved = {x: later}
    rising = claim.direction == "increasing"
    after = expr.xreplace(moved)
    relation = sp.Le(expr, after, evaluate=False) if rising else sp.Ge(expr, after, evaluate=False)
    point = breaking_point([*facts, *(f.xreplace(moved) for f in facts), x < later], relation, batches=2)
    if point is not None:
        return refuted(statement, point, relation, f"not {claim.direction} in {x.name}: ")
    slope = sp.diff(expr.doit(), x)
    detail = f"the derivative in {x.name} is never {'negative' if rising else 'positive'}"
    return proved(statement, [prove(facts, slope >= 0 if rising else slope <= 0)], detail)
