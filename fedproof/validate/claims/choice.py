"""Numbers that a claim of existence may choose: from where on they serve, and how that is proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from fedproof.bounds.claims import Exists
from fedproof.bounds.statement import Statement
from fedproof.validate.claims.order import taken_away
from fedproof.validate.claims.relation import meeting_point
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


@dataclass(frozen=True)
class Link:
    """A relation on the way, and what it follows from beside a statement's conditions."""

    given: tuple[sp.Basic, ...]
    then: sp.Basic


@dataclass(frozen=True)
class Serving:
    """Numbers that are chosen one after the other, and the relations by which they serve."""

    choices: tuple[Choice, ...]
    way: tuple[Link, ...]

    def numbers(self, statement: Statement) -> Mapping[str, Fraction] | None:
        """Exact numbers that meet the conditions, and whole ones that are chosen there."""
        point = meeting_point(statement)
        if point is None:
            return None
        for choice in self.choices:
            low = _at(statement.expand(choice.low), point)
            point = {**point, choice.symbol.name: Fraction(int(sp.ceiling(low)))}
        return point


@dataclass(frozen=True)
class _Part:
    """A polynomial that must be positive: its leading coefficient, the others and what is taken away in them.

    Arguments:
        lead: is positive.
        others: from the constant one on.
        taken: what is taken away in each of them, without its sign.
    """

    lead: sp.Expr
    others: tuple[sp.Expr, ...]
    taken: tuple[sp.Expr, ...]

    @property
    def loss(self) -> sp.Expr:
        """All that is taken away where x is 1."""
        return _sum([t for t in self.taken if t != 0])

    @property
    def signs(self) -> list[sp.Basic]:
        """That the leading coefficient is positive, and what is taken away as well."""
        lead = [_more(self.lead, 0)] if self.lead.free_symbols else []
        return [*lead, *(_least(t, 0) for t in self.taken if t.free_symbols)]

    def links(self, x: sp.Expr, known: tuple[sp.Basic, ...], floor: sp.Basic) -> Iterator[Link]:
        """That it is positive at x, which is at least 1 and exceeds the loss over the leading coefficient."""
        if not self.others:
            return
        n = len(self.others)
        over = _more(_times(self.lead, x), self.loss)
        high = _more(_times(self.lead, x**n), _times(self.loss, x ** (n - 1)))
        way = [high]
        yield Link(known, over)
        yield Link((floor, over), high)
        for k, (c, t) in enumerate(zip(self.others, self.taken, strict=True)):
            left = sp.expand(c + t)
            if t != 0:
                way.append(_least(_times(t, x ** (n - 1)), _times(t, x**k)))
                yield Link((floor, *self.signs), way[-1])
            if left != 0:
                way.append(_least(_times(left, x**k), 0))
                yield Link((floor, *self.signs), way[-1])
        yield Link((floor, *way), self.positive(x))

    def positive(self, x: sp.Expr) -> sp.Basic:
        """That its value is positive."""
        terms = [_times(c, x**k) for k, c in enumerate(self.others) if c != 0]
        return _more(_sum([*terms, _times(self.lead, x ** len(self.others))]) if terms else self.lead, 0)


def asked(claim: Exists) -> tuple[sp.Basic, ...]:
    """What the chosen numbers must satisfy, their domains included."""
    domains = (r for letter in claim.choose for r in domain_relations(letter))
    return tuple(dict.fromkeys((*claim.relations, *domains)))


def granted(choices: Sequence[Choice]) -> tuple[sp.Basic, ...]:
    """What is known of numbers that are chosen."""
    return tuple(r for choice in choices for r in choice.relations)


def serving(statement: Statement) -> Serving | None:
    """From where on the chosen numbers serve; None where this way of choosing gives none.

    The second is at least the sum of what it must exceed. The first is so large that in each quotient of
    polynomials that must be positive the leading term exceeds all that is taken from it; where the square of
    a sum of n roots moves with it, n times the sum of their radicands stands for that.
    """
    claim = statement.claim
    assert isinstance(claim, Exists)
    grown, *others = (x.symbol for x in claim.choose)
    named, still = frozenset(d.symbol for d in statement.where if d.facts), named_symbols(statement, grown)
    rows = [statement.expand_all_but(r, named) for r in asked(claim)]
    if len(others) > 1 or not all(isinstance(r, (sp.Le, sp.Lt, sp.Ge, sp.Gt)) for r in rows):
        return None
    squares = {p: bound for r in rows for p in r.atoms(sp.Pow) if (bound := _most(p)) is not None}
    plain = [statement.expand_all_but(_put(r, squares), still) for r in rows]
    second = [Choice(s, _above(s, plain)) for s in others]
    largest = {c.symbol: c.low + 1 for c in second}
    ends = [r if r.gts in others else _put(r, largest) for r in plain]
    least = _above(grown, [r for r in (e.doit() for e in ends) if isinstance(r, sp.Rel)])
    tried = [_parts(statement, grown, least, r) if r.gts not in others else [] for r in ends]
    parts = [row for row in tried if row is not None]
    if len(parts) < len(tried):
        return None
    found = [part for row in parts for part in row]
    x, signs = grown - least, tuple(s for part in found for s in part.signs)
    floor, bounds = _least(x, 1), tuple(sp.Le(p, b, evaluate=False) for p, b in squares.items())
    first = Choice(grown, _sum([least, sp.Integer(1), *(p.loss / p.lead for p in found if p.others)]))
    low = (*signs, first.relations[0])
    way = [*(Link((), s) for s in signs), Link(signs, _least(first.low, first.low)), Link(low, floor)]
    way += [link for part in found for link in part.links(x, low, floor)]
    way += [Link((floor,), r) for r in (*bounds, *(_least(c.low, c.low) for c in second))]
    for row, end, own in zip(rows, ends, parts, strict=True):
        known = (floor, *granted(second), *bounds)
        if end.gts not in others:
            way.append(Link((floor, *(part.positive(x) for part in own)), end))
            known = (*known, _put(row, squares | largest))
        way.append(Link(known, row))
    return Serving((first, *second), tuple(way))


def _put(relation: sp.Basic, values: Mapping[sp.Basic, sp.Expr]) -> sp.Basic:
    with sp.evaluate(False):
        return relation.xreplace(values)


def _most(power: sp.Pow) -> sp.Expr | None:
    """What the square of a sum of roots is at most; None for another power."""
    terms = power.base.args if power.base.is_Add and power.exp == 2 else ()
    if not terms or not all(t.is_Pow and t.exp == sp.Rational(1, 2) for t in terms):
        return None
    return _times(sp.Integer(len(terms)), _sum([t.base for t in terms]))


def _parts(statement: Statement, grown: sp.Symbol, least: sp.Expr, row: sp.Basic) -> list[_Part] | None:
    """The polynomials of which something is taken away; None for what is no quotient of polynomials."""
    point, more, found = meeting_point(statement) or {}, sp.Symbol("more", positive=True), []
    roots = {p: sp.Dummy(positive=True) for p in row.atoms(sp.Pow) if not p.exp.is_Integer}
    back = {name: root for root, name in roots.items()}
    gap = (row.gts - row.lts).xreplace(roots).doit().xreplace({grown: least + more})
    for part in sp.fraction(sp.cancel(sp.together(gap))):
        if not part.is_polynomial(more):
            return None
        lead, *others = sp.Poly(part, more).all_coeffs()
        sign = 1 if _at(statement.expand(lead.xreplace(back)), point).is_positive else -1
        others = [sign * c for c in reversed(others)]
        taken = [-sp.Add(*taken_away([c])) for c in others]
        if any(taken) or (not others and taken_away([sign * lead])):
            lead, *rest = (_put(c, back) for c in (sign * lead, *others, *taken))
            found.append(_Part(lead, tuple(rest[: len(others)]), tuple(rest[len(others) :])))
    return found


def _above(symbol: sp.Symbol, rows: Sequence[sp.Basic]) -> sp.Expr:
    """The sum of what a symbol must exceed, what is taken from it left out."""
    lowers = sp.Add(*(r.lts for r in rows if r.gts == symbol and symbol not in r.lts.free_symbols))
    return lowers - sp.Add(*taken_away([lowers]))


def _at(number: sp.Expr, point: Mapping[str, Fraction]) -> sp.Expr:
    """A number at a point, letters that it lacks being 1."""
    values = {s: sp.Rational(*point.get(s.name, Fraction(1)).as_integer_ratio()) for s in number.free_symbols}
    return number.xreplace(values).doit()


def _least(one: sp.Expr, two: sp.Expr | int) -> sp.Basic:
    return sp.Ge(one, two, evaluate=False)


def _more(one: sp.Expr, two: sp.Expr | int) -> sp.Basic:
    return sp.Gt(one, two, evaluate=False)


def _times(one: sp.Expr, two: sp.Expr) -> sp.Expr:
    return sp.Mul(one, two, evaluate=False)


def _sum(terms: Sequence[sp.Expr]) -> sp.Expr:
    return sp.Add(*terms, evaluate=False)
