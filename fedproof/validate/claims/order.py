"""Orders of growth: left = O(right) holds when the ratio has a finite limit."""

from __future__ import annotations

import sympy as sp

from fedproof.bounds.claims import Order
from fedproof.bounds.statement import Statement
from fedproof.validate.judgement import Judgement

__all__ = ["judge"]


def judge(statement: Statement) -> Judgement:
    """Take the limit of left/right with the other symbols fixed and positive.

    Returns: holds with the limit as the hidden constant, refuted when the ratio is unbounded, else open.
    """
    claim = statement.claim
    assert isinstance(claim, Order)
    ratio = statement.expand(claim.left).doit() / statement.expand(claim.right).doit()
    positive = {s: sp.Symbol(s.name, positive=True) for s in ratio.free_symbols | {claim.symbol}}
    limit = sp.limit(sp.cancel(ratio.xreplace(positive)), positive[claim.symbol], claim.limit)
    where = f"as {claim.symbol.name} tends to {claim.limit}"
    if limit.is_infinite:
        return Judgement(statement.id, "refuted", ("sympy",), f"left/right is unbounded {where}")
    if limit.is_finite or not limit.has(sp.oo, sp.zoo, sp.nan, sp.Limit):
        return Judgement(
            statement.id, "holds", ("sympy",), f"left/right tends to {sp.simplify(limit)} {where}"
        )
    return Judgement(statement.id, "open", (), f"the limit of left/right {where} was not found")
