"""Orders of growth: left = O(right) holds by a constant, and where the symbol is near its limit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import lcm

import sympy as sp

from fedproof.bounds.claims import Order
from fedproof.bounds.statement import Statement
from fedproof.validate.claims.relation import judge_relation
from fedproof.validate.signs import always, named_symbols, sign_cases
from fedproof.validate.statement_verdict import StatementVerdict, standing


@dataclass(frozen=True)
class HiddenConstant:
    """What an order hides.

    Arguments:
        constant: without the moving symbol.
        near: where the claim is shown: from some place on, or, of a symbol that tends to 0, up to there.
        claim: left <= constant x right.
    """

    constant: sp.Expr
    near: tuple[sp.Basic, ...]
    claim: sp.Basic


def judge(statement: Statement) -> StatementVerdict:
    """Take the limit of left/right, and prove that a constant bounds it from some place on.

    The other symbols are fixed, each positive or, where it may be, zero.

    Returns: holds with the constant and the place, refuted when the ratio has no bound, else open.
    """
    claim = statement.claim
    assert isinstance(claim, Order)
    counts = {x.name for x in statement.letters if x.quantity.whole}
    if claim.limit == 0 and claim.symbol.name in counts:
        return StatementVerdict(statement.id, "open", (), f"{claim.symbol} counts, and tends to no 0")
    found = _by_limits(statement)
    if found.verdict != "holds":
        return found
    asked = hidden_constant(statement) if _is_reached(statement, claim) else None
    if asked is None:
        detail = (
            f"{found.detail}; no constant was found, or a condition may keep {claim.symbol} away from there"
        )
        return replace(found, verdict="open", because=(), detail=detail)
    proved = judge_relation(statement, asked.near, asked.claim)
    if proved.verdict != "holds":
        detail = f"{found.detail}; {proved.detail}"
        vacuous = proved.verdict == "vacuous"
        return replace(found, verdict="vacuous" if vacuous else "open", because=(), detail=detail)
    said = f"left <= C*right where {' and '.join(map(str, asked.near))}, with C = {asked.constant}"
    return replace(proved, detail=f"{said}: {proved.detail}")


def hidden_constant(statement: Statement) -> HiddenConstant | None:
    """A constant for an order, from the coefficients of left/right; None where these give none.

    Of left/right = (a_d x^d + ...)/(b_d x^d + ...), after a power is put in for the symbol, from somewhere on
    the numerator is at most x^d times the sum of all |a|, and the denominator at least half of b_d x^d.
    """
    claim = statement.claim
    assert isinstance(claim, Order)
    x, named = claim.symbol, named_symbols(statement, claim.symbol)
    left, right = (statement.expand_all_but(e, named).doit() for e in (claim.left, claim.right))
    ratio = left / right
    positive = {s: sp.Symbol(s.name, positive=True) for s in ratio.free_symbols - {x}}
    found = _by_powers(ratio.xreplace(positive), statement, sp.Symbol("grows", positive=True))
    if found is None:
        return None
    top, below = found
    if top.degree() > below.degree() and not (top.LC() / below.LC()).is_negative:
        return None
    back = {value: symbol for symbol, value in positive.items()}
    if not always(statement, below.LC().xreplace(back) > 0):
        return None
    less = taken_away(below.coeffs()[1:])
    constant = sp.cancel(_size(top.coeffs()) * (2 if less else 1) / below.LC())
    # from x = far on, what is taken from b_d x^d is at most x^(d - 1) sum |b| <= b_d x^d/2
    far = (1 + 2 * _size(less) / below.LC()) ** _root(ratio, x)
    start = (far if claim.limit == sp.oo else 1 / far).xreplace(back)
    if claim.limit != sp.oo and not start.is_number:
        return None
    near = (x >= start,) if claim.limit == sp.oo else (x > 0, x <= start)
    constant = constant.xreplace(back)
    with sp.evaluate(False):
        says = sp.Le(claim.left, constant * claim.right)
    return HiddenConstant(constant, near, says)


def taken_away(coefficients: Iterable[sp.Expr]) -> list[sp.Expr]:
    """The terms of coefficients that are taken away, as they stand, where letters are not negative.

    >>> x, y = sp.symbols("x y")
    >>> taken_away([x - 2 * y, 3 - x])
    [-2*y, -x]
    """
    return [term for c in coefficients for term in _terms(c) if term.could_extract_minus_sign()]


def _terms(expr: sp.Expr) -> tuple[sp.Expr, ...]:
    return tuple(sp.Add.make_args(sp.expand(expr)))


def _size(parts: list[sp.Expr]) -> sp.Expr:
    """The sum of the absolute values of all terms."""
    scaled = (term.as_coeff_Mul() for part in parts for term in _terms(part))
    return sum((abs(number) * rest for number, rest in scaled), sp.Integer(0))


def _is_reached(statement: Statement, claim: Order) -> bool:
    """Whether each condition on the symbol plainly holds near its limit, whatever the other letters are.

    It is a <= x or a < x, a without x, for oo; for 0 it is 0 <= x or 0 < x, or x below a number > 0.
    """
    x = claim.symbol
    said = [s for r in standing(statement) if x in (s := statement.expand(r)).free_symbols]
    if not all(isinstance(r, (sp.Ge, sp.Gt, sp.Le, sp.Lt)) for r in said):
        return False
    if claim.limit == sp.oo:
        return all(r.gts == x and x not in r.lts.free_symbols for r in said)
    plain = ((r.lts, r.gts) == (0, x) or (r.lts == x and r.gts.is_Rational and r.gts > 0) for r in said)
    return all(plain) and any((r.lts, r.gts) == (0, x) for r in said)


def _by_limits(statement: Statement) -> StatementVerdict:
    """The verdict of limits, as computer algebra has them."""
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
    sign = {sp.oo: 1, sp.Integer(0): -1}.get(claim.limit)
    if sign is None:
        return None
    moved = ratio.xreplace({claim.symbol: grows ** (sign * _root(ratio, claim.symbol))})
    if moved.has(sp.zoo, sp.nan, sp.oo):
        return None
    sides = sp.cancel(moved).as_numer_denom()
    if not all(side.is_polynomial(grows) for side in sides):
        return None
    top, below = (sp.Poly(side, grows) for side in sides)
    return top, below


def _root(ratio: sp.Expr, symbol: sp.Symbol) -> int:
    """The common denominator of the exponents of what speaks of the symbol."""
    return lcm(*(p.exp.q for p in ratio.atoms(sp.Pow) if p.exp.is_Rational and p.has(symbol)))


def _stays(statement: Statement) -> bool:
    """Whether each condition on the moving symbol holds all the way to where it tends to."""
    claim = statement.claim
    assert isinstance(claim, Order)
    said = [statement.expand(r) for r in standing(statement)]
    return all(_comes_to_hold(r, statement) for r in said if claim.symbol in r.free_symbols)


def _comes_to_hold(relation: sp.Basic, statement: Statement) -> bool:
    claim = statement.claim
    assert isinstance(claim, Order)
    if not isinstance(relation, (sp.Ge, sp.Gt, sp.Le, sp.Lt)):
        return False
    others = {s: sp.Symbol(s.name, positive=True) for s in relation.free_symbols - {claim.symbol}}
    gap = (relation.gts - relation.lts).xreplace(others)
    powers = _by_powers(gap, statement, sp.Symbol("grows", positive=True))
    if powers is None:
        return False
    lead = (powers[0].LC() / powers[1].LC()).xreplace({v: k for k, v in others.items()})
    return always(statement, lead > 0)
