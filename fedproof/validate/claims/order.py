"""Orders of growth: left = O(right) holds when the ratio stays bounded."""

from __future__ import annotations

import sympy as sp

from fedproof.bounds.claims import Order
from fedproof.bounds.statement import Statement
from fedproof.validate.signs import always, named_symbols, sign_cases
from fedproof.validate.statement_verdict import StatementVerdict


def judge(statement: Statement) -> StatementVerdict:
    """Take the limit of left/right, the other symbols fixed, each positive or, where it may be, zero.

    Returns: holds with the limit as the hidden constant, refuted when the ratio has no bound, else open.
    """
    claim = statement.claim
    assert isinstance(claim, Order)
    named = named_symbols(statement, claim.symbol)
    left, right = (statement.expand_all_but(e, named).doit() for e in (claim.left, claim.right))
    symbols = sorted((left / right).free_symbols - {claim.symbol}, key=str)
    if not always(statement, right > 0) or not all(always(statement, s >= 0) for s in symbols):
        return StatementVerdict(statement.id, "open", (), "the signs of its symbols are not known")
    limits = [_limit(left, right, case, claim) for case in sign_cases(statement, symbols)]
    where = f"as {claim.symbol.name} tends to {claim.limit}"
    if sp.oo in limits:
        return StatementVerdict(statement.id, "refuted", ("sympy",), f"left/right is unbounded {where}")
    if any(limit is None for limit in limits):
        return StatementVerdict(statement.id, "open", (), f"the limit of left/right {where} was not found")
    found = f"left/right tends to {sp.simplify(limits[0])} {where}"
    return StatementVerdict(statement.id, "holds", ("sympy",), found)


def _limit(left: sp.Expr, right: sp.Expr, case: dict[sp.Symbol, sp.Expr], claim: Order) -> sp.Expr | None:
    """The limit, infinity, or None where SymPy does not find it."""
    moving = sp.Symbol(claim.symbol.name, positive=True)
    ratio = sp.cancel((left / right).xreplace({**case, claim.symbol: moving}))
    found = sp.limit(ratio, moving, claim.limit)
    return None if found.has(sp.zoo, sp.nan, sp.Limit, sp.AccumBounds) else found
