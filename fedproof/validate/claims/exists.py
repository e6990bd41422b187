"""Existence: refuted by given values for which the exact range is empty, shown by numbers that serve."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.ranges.admissible import admissible
from fedproof.bounds import catalog
from fedproof.bounds.claims import Exists
from fedproof.bounds.statement import Condition, Statement
from fedproof.proof.certificates import Proved
from fedproof.proof.instance import at
from fedproof.validate.claims.choice import asked, choices, granted
from fedproof.validate.claims.relation import judge_relation
from fedproof.validate.signs import always, follows, named_symbols, sign_cases, surroundings
from fedproof.validate.statement_verdict import StatementVerdict, standing
from fedproof.vocabulary.errors import InputError

#: values of the symbols that are not chosen, simplest first
TRIED = tuple(Fraction(t) for t in ("1", "1/2", "2", "0", "10", "100"))
#: given points at most at which an empty instance is looked for
MOST = 12
_NO_LIMIT = (sp.oo, sp.zoo, sp.nan, sp.Limit, sp.AccumBounds)


def judge(statement: Statement) -> StatementVerdict:
    """Decide whether for all given values some choice satisfies the relations.

    A refutation fixes the given symbols and shows that the first chosen one has no admissible
    value, the others being free. A proof says from where on the chosen numbers serve; where it has no
    certificate, it lets the first chosen symbol grow until every relation holds, the second, if there is
    one, between bounds that move apart.
    """
    claim = statement.claim
    assert isinstance(claim, Exists)
    facts, domains = standing(statement), {x.name: x.domain for x in (*statement.letters, *claim.choose)}
    known = {c.relation: c.label for s in map(catalog.statement, statement.uses) for c in s.conditions}
    rows = [Condition(known.get(r, str(r)), statement.expand(r)) for r in claim.relations]
    names, looked = [letter.name for letter in statement.letters], 0
    for values in product(TRIED, repeat=len(names)):
        point = dict(zip(names, values, strict=True))
        if not all(evaluate_relation(f, point).holds for f in facts):
            continue
        try:
            found = admissible(rows, claim.choose[0].name, point, domains)
        except InputError:  # such as half a factor in a product of n
            continue
        if found.empty:
            chosen = ", ".join(s.name for s in claim.choose)
            detail = f"at {at(point)} no {chosen} exist: {found.why}"
            return StatementVerdict(statement.id, "refuted", ("exact range",), detail, point)
        looked += 1
        if looked == MOST:
            break
    return _serving(statement, claim) or _grow(statement, claim)


def _serving(statement: Statement, claim: Exists) -> StatementVerdict | None:
    """That numbers serve, each relation by a certificate; None where one has none."""
    chosen = choices(statement)
    if chosen is None:
        return None
    asks = [(k, sp.Le(c.low, c.low, evaluate=False)) for k, c in enumerate(chosen)]  # they are defined
    for relation in asked(claim):
        spoken = statement.expand(relation).free_symbols
        asks.append((max((k + 1 for k, c in enumerate(chosen) if c.symbol in spoken), default=0), relation))
    proofs: dict[str, Proved] = {}
    for known, relation in asks:
        found = judge_relation(statement, granted(chosen[:known]), relation)
        if found.verdict != "holds":
            return None
        proofs |= {p.row["id"]: p for p in found.proofs}
    said = ", ".join(f"{c.low} <= {c.symbol} <= {c.low + 1}" for c in chosen)
    detail = f"every relation holds where {said}: {len(proofs)} certificates"
    return StatementVerdict(statement.id, "holds", ("certificate",), detail, proofs=tuple(proofs.values()))


def _grow(statement: Statement, claim: Exists) -> StatementVerdict:
    """Let the first chosen symbol grow; a second one must fit between bounds that move apart."""
    grown, *squeezed = (x.symbol for x in claim.choose)
    named = named_symbols(statement, grown)
    typed = [statement.expand_all_but(r, named) for r in claim.relations]
    gaps = _gaps([r.doit() for r in typed], claim)
    powers = set().union(*(r.atoms(sp.Pow) for r in typed))
    letters = set().union(*(part.free_symbols for part in (*gaps, *powers))) - {grown}
    known = bool(gaps) and all(always(statement, s >= 0) for s in letters)
    cases = sign_cases(statement, sorted(letters, key=str)) if known else ()
    if not known or not all(_Growing(statement, grown, case).exists(gaps, powers) for case in cases):
        return StatementVerdict(
            statement.id, "open", (), "no empty instance found, and no argument for existence"
        )
    story = "every relation comes to hold"
    if squeezed:
        story = f"the bounds on {squeezed[0].name} come to leave room"
    return StatementVerdict(statement.id, "holds", ("sympy", "certificate"), f"as {grown.name} grows {story}")


def _gaps(relations: list[sp.Basic], claim: Exists) -> list[sp.Expr]:
    """What must become positive as the first symbol grows; none where the argument does not apply."""
    if claim.choose[0].domain.hi is not None or len(claim.choose) > 2:
        return []
    if not all(isinstance(r, (sp.Le, sp.Lt, sp.Ge, sp.Gt)) for r in relations):
        return []
    if len(claim.choose) == 1:
        return [r.gts - r.lts for r in relations]
    second, domain = claim.choose[1].symbol, claim.choose[1].domain
    lowers = [r.lts for r in relations if r.gts == second]
    uppers = [r.gts for r in relations if r.lts == second]
    rest = [r for r in relations if second not in (r.lts, r.gts)]
    lowers += [] if domain.lo is None else [sp.Rational(domain.lo.numerator, domain.lo.denominator)]
    uppers += [] if domain.hi is None else [sp.Rational(domain.hi.numerator, domain.hi.denominator)]
    if not (lowers or uppers) or any(second in e.free_symbols for e in (*lowers, *uppers, *rest)):
        return []
    room = int(claim.choose[1].quantity.whole)  # between ends that are further apart there is a whole number
    return [*(upper - lower - room for upper in uppers for lower in lowers), *(r.gts - r.lts for r in rest)]


@dataclass(frozen=True)
class _Growing:
    """One case of the signs of the symbols that stay, while another grows.

    Arguments:
        statement: whose conditions hold.
        grown: the symbol that grows.
        case: for each symbol that stays a positive one, or 0.
    """

    statement: Statement
    grown: sp.Symbol
    case: dict[sp.Symbol, sp.Expr]

    def exists(self, gaps: Iterable[sp.Expr], powers: Iterable[sp.Pow]) -> bool:
        """Whether all gaps end above some positive number, and the powers as they are typed are defined."""
        here = [power.xreplace(self.case) for power in powers]
        if any(p.has(*_NO_LIMIT) or (isinstance(p, sp.Pow) and not self._defined(p)) for p in here):
            return False
        return all(self.ends_positive(gap.xreplace(self.case)) for gap in gaps)

    def ends_positive(self, gap: sp.Expr) -> bool:
        """Whether an expression is defined for all large values, and ends above some positive number."""
        if not all(self._defined(power) for power in gap.atoms(sp.Pow)):
            return False
        over, under = sp.fraction(sp.together(gap))
        if over.is_polynomial(self.grown) and under.is_polynomial(self.grown):
            ends = [sp.Poly(part, self.grown) for part in (over, under)]
            first, last = (end.degree() for end in ends)
            return first >= last and self._proved(sp.Mul(*(end.LC() for end in ends)))
        if isinstance(gap, sp.Pow) and gap.exp > 0:
            return self.ends_positive(gap.base)
        if isinstance(gap, sp.Add) and all(map(self.ends_positive, gap.args)):
            return True
        moving = sp.Symbol(self.grown.name, positive=True)
        limit = sp.limit(gap.xreplace({self.grown: moving}), moving, sp.oo)
        return limit.is_finite is not False and not limit.has(*_NO_LIMIT) and self._proved(limit)

    def _defined(self, power: sp.Pow) -> bool:
        """Whether a power is defined for all large values, and no letter stands in its exponent.

        Of a polynomial or a ratio of two the leading coefficients are proved not to vanish.
        """
        if not power.exp.is_Rational:
            return False
        if power.exp.is_Integer and power.exp > 0:
            return True
        over, under = sp.fraction(sp.together(power.base))
        if not (over.is_polynomial(self.grown) and under.is_polynomial(self.grown)):
            return self.ends_positive(power.base)
        end = sp.Mul(*(sp.Poly(part, self.grown).LC() for part in (over, under)))
        return self._proved(end) or bool(power.exp.is_Integer and self._proved(-end))

    def _proved(self, number: sp.Expr) -> bool:
        """Whether a number that does not grow is positive, by a certificate."""
        back = {v: k for k, v in self.case.items() if v.is_Symbol}
        said = sp.Gt(number.xreplace(back), 0)
        if said in (sp.true, sp.false):
            return bool(said)
        given = [*surroundings(self.statement), *(sp.Gt(symbol, 0) for symbol in back.values())]
        near = [h for h in given if h.free_symbols <= said.free_symbols]
        return any(follows(known, said, self.statement.source) for known in (near, given))
