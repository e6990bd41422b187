"""Numbers that a claim of existence may choose: from where on they serve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from fedproof.bounds.claims import Exists
from fedproof.bounds.statement import Statement
from fedproof.validate.claims.order import taken_away
from fedproof.validate.claims.relation import meeting_point, radical
from fedproof.validate.signs import named_symbols
from fedproof.validate.statement_verdict import domain_relations


@dataclass(frozen=True)
class Choice:
    """A number that is chosen: any from `low` to `low + 1`, among which there is a whole one.

    Arguments:
        symbol: the one that is chosen.
        low: speaks of none that is chosen later.
    """

    symbol: sp.Symbol
    low: sp.Expr

    @property
    def relations(self) -> tuple[sp.Basic, sp.Basic]:
        """Between which numbers it is."""
        return sp.Le(self.low, self.symbol, evaluate=False), sp.Le(self.symbol, self.low + 1, evaluate=False)


def granted(choices: Sequence[Choice]) -> tuple[sp.Basic, ...]:
    """What is known of numbers that are chosen."""
    return tuple(r for choice in choices for r in choice.relations)


def asked(claim: Exists) -> tuple[sp.Basic, ...]:
    """What the chosen numbers must satisfy, their domains included."""
    domains = (r for letter in claim.choose for r in domain_relations(letter))
    return tuple(dict.fromkeys((*claim.relations, *domains)))


def choices(statement: Statement) -> tuple[Choice, ...] | None:
    """From where on the chosen numbers serve; None where this way of choosing gives none.

    The second is at least the sum of what it must exceed. The first is so large that in each quotient of
    polynomials that must be positive the leading term exceeds all that is taken from it. That they serve
    is not known yet.
    """
    claim = statement.claim
    assert isinstance(claim, Exists)
    grown, *others = (x.symbol for x in claim.choose)
    named = named_symbols(statement, grown)
    rows = [statement.expand_all_but(r, named).doit() for r in asked(claim)]
    if len(others) > 1 or not all(isinstance(r, (sp.Le, sp.Lt, sp.Ge, sp.Gt)) for r in rows):
        return None
    if any(radical(statement.expand(r)) for r in rows):
        return None
    found = [Choice(second, _above(second, rows)) for second in others]
    for second in found:
        put = [r.xreplace({second.symbol: second.low + 1}) for r in rows if r.gts != second.symbol]
        rows = [r for r in put if r != sp.true]
    if sp.false in rows:
        return None
    point = meeting_point(statement) or {}
    least, more = _above(grown, rows), sp.Symbol("more", positive=True)
    start, gaps = least + 1, ((r.gts - r.lts).xreplace({grown: least + more}) for r in rows)
    for part in (p for gap in gaps for p in sp.fraction(sp.cancel(sp.together(gap)))):
        if not part.is_polynomial(more) or part == 0:
            return None
        lead, *rest = sp.Poly(part, more).coeffs()
        sign = 1 if _at(statement.expand(lead), point).is_positive else -1
        start += sp.Add(*(-term for term in taken_away(sign * c for c in rest))) / (sign * lead)
    return Choice(grown, start), *found


def _above(symbol: sp.Symbol, rows: Sequence[sp.Basic]) -> sp.Expr:
    """The sum of what a symbol must exceed, what is taken from it left out."""
    lowers = sp.Add(*(r.lts for r in rows if r.gts == symbol and symbol not in r.lts.free_symbols))
    return lowers - sp.Add(*taken_away([lowers]))


def _at(number: sp.Expr, point: Mapping[str, Fraction]) -> sp.Expr:
    """A number at a point, letters that it lacks being 1."""
    values = {s: sp.Rational(*point.get(s.name, Fraction(1)).as_integer_ratio()) for s in number.free_symbols}
    return number.xreplace(values).doit()
