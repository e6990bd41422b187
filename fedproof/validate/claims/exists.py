"""Existence: refuted by given values for which the exact range is empty."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Exists
from fedproof.bounds.statement import Condition, Statement
from fedproof.tuning.ranges import admissible, decide
from fedproof.validate.claims.relation import at
from fedproof.validate.judgement import Judgement, standing

__all__ = ["judge"]

#: values of the symbols that are not chosen, simplest first
TRIED = tuple(Fraction(t) for t in ("1", "1/2", "2", "0", "10", "100"))


def judge(statement: Statement) -> Judgement:
    """Decide whether for all given values some choice satisfies the relations.

    A refutation fixes the given symbols and shows that the first chosen one has no admissible
    value, the others being free. A proof lets the first chosen symbol grow: where the upper bounds
    on the second outgrow the lower ones, both can be satisfied.
    """
    claim = statement.claim
    assert isinstance(claim, Exists)
    facts, domains = standing(statement), {x.name: x.domain for x in (*statement.letters, *claim.choose)}
    known = {c.relation: c.label for s in map(catalog.statement, statement.uses) for c in s.conditions}
    rows = [Condition(known.get(r, str(r)), statement.expand(r)) for r in claim.relations]
    names = [letter.name for letter in statement.letters]
    for values in product(TRIED, repeat=len(names)):
        point = dict(zip(names, values, strict=True))
        if not all(decide(f, point).holds for f in facts):
            continue
        found = admissible(rows, claim.choose[0].name, point, domains)
        if found.empty:
            chosen = ", ".join(s.name for s in claim.choose)
            detail = f"at {at(point)} no {chosen} exist: {found.why}"
            return Judgement(statement.id, "refuted", ("exact range",), detail, point)
        break
    return _grow(statement, claim)


def _grow(statement: Statement, claim: Exists) -> Judgement:
    grown, squeezed = (x.symbol for x in claim.choose)
    named = frozenset(d.symbol for d in statement.where if d.facts)
    relations = [statement.expand_all_but(r, named).doit() for r in claim.relations]
    lowers = [r.lts for r in relations if r.gts == squeezed]
    uppers = [r.gts for r in relations if r.lts == squeezed]
    others = [r for r in relations if squeezed not in (r.lts, r.gts)]
    if all(_outgrows(upper, lower, grown) for upper in uppers for lower in lowers) and all(
        r.gts == grown and r.lts.is_number for r in others
    ):
        detail = (
            f"as {grown.name} grows the upper bound on {squeezed.name} exceeds the lower one without limit"
        )
        return Judgement(statement.id, "holds", ("sympy",), detail)
    return Judgement(statement.id, "open", (), "no empty instance found, and no argument for existence")


def _outgrows(upper: sp.Expr, lower: sp.Expr, symbol: sp.Symbol) -> bool:
    """Whether upper - lower tends to infinity, all symbols, named quantities included, being positive."""
    positive = {s: sp.Symbol(s.name, positive=True) for s in (upper - lower).free_symbols | {symbol}}
    gap = sp.cancel((upper - lower).xreplace(positive))
    return bool(sp.limit(gap, positive[symbol], sp.oo) == sp.oo)
