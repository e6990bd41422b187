"""Orders of growth: left = O(right) holds when the ratio stays bounded."""

from __future__ import annotations

from math import lcm

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
    typed = [statement.expand_all_but(e, named) for e in (claim.left, claim.right)]
    left, right = (side.doit() for side in typed)
    symbols = sorted((left / right).free_symbols - {claim.symbol}, key=str)
    if not always(statement, right > 0) or not all(always(statement, s >= 0) for s in symbols):
        return StatementVerdict(statement.id, "open", (), "the signs of its symbols are not known")
    powers = sorted(set().union(*(side.atoms(sp.Pow) for side in typed)), key=str)
    if unsure := next((p for p in powers if not _is_defined(p, statement)), None):
        return StatementVerdict(statement.id, "open", (), f"{unsure} is not known to be defined")
    limits = [_limit(left / right, case, statement) for case in sign_cases(statement, symbols)]
    where = f"as {claim.symbol.name} tends to {claim.limit}"
    if sp.oo in limits and _stays(statement):
        return StatementVerdict(statement.id, "refuted", ("sympy",), f"left/right is unbounded {where}")
    if sp.oo in limits or None in limits:
        return StatementVerdict(statement.id, "open", (), f"the limit of left/right {where} was not found")
    found = f"left/right tends to {sp.simplify(limits[0])} {where}"
    return StatementVerdict(statement.id, "holds", ("sympy",), found)


def _is_defined(power: sp.Pow, statement: Statement) -> bool:
    """Whether a quotient or root of what does not move is defined whatever the letters are.

    Of what moves it is enough that it is defined where it tends to, which its limit tells.
    """
    claim, base = statement.claim, power.base
    assert isinstance(claim, Order)
    if base.is_number or claim.symbol in base.free_symbols or (power.exp.is_Integer and power.exp > 0):
        return True
    if always(statement, sp.Gt(base, 0)):
        return True
    above = power.exp.is_positive and always(statement, sp.Ge(base, 0))
    return bool(above or (power.exp.is_Integer and always(statement, sp.Lt(base, 0))))


def _limit(ratio: sp.Expr, case: dict[sp.Symbol, sp.Expr], statement: Statement) -> sp.Expr | None:
    """The limit of a quotient of sums of powers; None where it is none, or may differ for some values.

    What leads in the denominator must not vanish, whatever the other symbols are: (L - 1)^2 n^2 + n grows as
    n^2 does for all L but one.
    """
    grows = sp.Symbol("grows", positive=True)
    by_powers = _by_powers(ratio.xreplace(case), statement, grows)
    if by_powers is None:
        return None
    top, below = by_powers
    lead = below.LC()
    back = {value: symbol for symbol, value in case.items() if isinstance(value, sp.Symbol)}
    if top.degree() > below.degree():
        leads = top.LC() / lead
        return sp.oo if leads.is_positive else -sp.oo if leads.is_negative else None
    if not (lead.is_positive or lead.is_negative or always(statement, lead.xreplace(back) > 0)):
        return None
    return top.LC() / lead if top.degree() == below.degree() else sp.Integer(0)


def _by_powers(ratio: sp.Expr, statement: Statement, grows: sp.Symbol) -> tuple[sp.Poly, sp.Poly] | None:
    """Numerator and denominator as polynomials in what grows, a root of the moving symbol or its inverse."""
    claim = statement.claim
    assert isinstance(claim, Order)
    powers = (p.exp.q for p in ratio.atoms(sp.Pow) if p.exp.is_Rational and p.has(claim.symbol))
    sign = {sp.oo: 1, sp.Integer(0): -1}.get(claim.limit)
    if sign is None:
        return None
    moved = ratio.xreplace({claim.symbol: grows ** (sign * lcm(*powers))})
    if moved.has(sp.zoo, sp.nan, sp.oo):
        return None
    sides = sp.cancel(moved).as_numer_denom()
    if not all(side.is_polynomial(grows) for side in sides):
        return None
    top, below = (sp.Poly(side, grows) for side in sides)
    return top, below


def _stays(statement: Statement) -> bool:
    """Whether each condition on the moving symbol holds all the way to where it tends to."""
    claim = statement.claim
    assert isinstance(claim, Order)
    said = [statement.expand(c.relation) for c in statement.conditions]
    return all(_comes_to_hold(r, statement) for r in said if claim.symbol in r.free_symbols)


def _comes_to_hold(relation: sp.Basic, statement: Statement) -> bool:
    claim = statement.claim
    assert isinstance(claim, Order)
    if not isinstance(relation, (sp.Ge, sp.Gt, sp.Le, sp.Lt)):
        return False
    others = relation.free_symbols - {claim.symbol}
    gap = (relation.gts - relation.lts).xreplace({s: sp.Symbol(s.name, positive=True) for s in others})
    powers = _by_powers(gap, statement, sp.Symbol("grows", positive=True))
    if powers is None or powers[0].degree() < powers[1].degree():
        return False
    return bool((powers[0].LC() / powers[1].LC()).is_positive)
