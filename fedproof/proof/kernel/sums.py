"""Sums up to an end: a sum over i from a to b is what it is up to b less what it is up to a - 1.

So shifts, splits, telescoping, sums by parts and exchanges need no rules of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from fedproof.proof.kernel.atoms import Combination, key_of
from fedproof.proof.kernel.polynomials import (
    ONE,
    UNIT,
    ZERO,
    Factor,
    Monomial,
    Quotient,
    antiderivative,
    constant,
    divided,
    number,
)
from fedproof.proof.kernel.replacing import Replacing
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.kernel.vectors import add

#: how many terms a sum may be moved by
MOST_SHIFT = 60


class Sums(Replacing):
    """Sums over an index from 1 to an end, of numbers and of vectors."""

    def upto(self, body: Quotient, index: str, end: Quotient) -> Quotient:
        """The sum over an index from 1 to an end; for an end below 0 minus the sum from the next one to 0."""
        total = ZERO
        outer = {f: e for f, e in body.below.items() if index not in self.names_in(Quotient(dict(f)))}
        inner = {f: e for f, e in body.below.items() if f not in outer}
        for f, e in inner.items():
            places = sorted({a for m, _ in f for a, _ in m if index in self.atoms[a].names})
            whole, over = next((d for a in places if (d := divided(body.above, dict(f), a))[0]), ({}, {}))
            if whole:
                below = {g: k for g, k in body.below.items() if g != f} | ({f: e - 1} if e > 1 else {})
                left = self.upto(Quotient(over, body.below), index, end)
                return self.upto(Quotient(whole, below), index, end) + left
        for m, c in body.above.items():
            own = tuple((a, e) for a, e in m if index in self.atoms[a].names)
            rest = tuple(p for p in m if p not in own)
            value = self._term_upto(own, inner, index, end)
            total = total + self.times(Quotient({rest: c}, outer), value)
        return total

    def _term_upto(self, own: Monomial, below: dict[Factor, int], index: str, end: Quotient) -> Quotient:
        """The same of one product of what the index occurs in."""
        i = self.name(index)
        degree = dict(own).get(i, 0)
        others = [(a, e) for a, e in own if a != i]
        if not below and degree >= 0 and not others:
            return self._polynomial_at(antiderivative(degree), end)
        if not below and degree >= 0 and len(others) == 1 and others[0][1] == 1:
            a = others[0][0]
            if self.atoms[a].kind == "upto" and self._by_parts_here(a, i):
                return self._by_parts(degree, a, index, end)
        shift = self._shift(own, below, index)
        if shift:
            moved = self.replaced(Quotient({own: number(1)}, below), {index: self.of(i) - constant(shift)})
            ends = (end + constant(shift), constant(shift))
            one, other = (self.upto(moved, index, e) for e in ends)
            return one - other
        term = Quotient({own: number(1)}, below)
        base, extra = _split(end) if self.everywhere(term) else (end, 0)
        if abs(extra) > MOST_SHIFT:
            raise Rejected(f"a sum may not be moved by {extra} terms")
        total = self._exchanged(term, index, base) or self._upto_atom(term, index, base)
        for k in range(1, extra + 1):
            total = total + self.replaced(term, {index: base + constant(k)})
        for k in range(extra + 1, 1):
            total = total - self.replaced(term, {index: base + constant(k)})
        return total

    def _exchanged(self, term: Quotient, index: str, end: Quotient) -> Quotient | None:
        """A sum of sums with ends of their own, in the order of the ends; None where it is in that order."""
        (m,) = term.above
        if len(m) != 1 or m[0][1] != 1 or self.atoms[m[0][0]].kind != "upto":
            return None
        inside, body, last = self.made[m[0][0]]
        if index in self.names_in(last) or key_of(last) <= key_of(end) or not self.everywhere(term):
            return None
        new, j = self.fresh()
        return self.upto(self.upto(self.replaced(body, {inside: j}), index, end), new, last)

    def _by_parts_here(self, a: int, i: int) -> bool:
        """Whether a sum ends at the index and its terms are defined everywhere."""
        _, term, end = self.made[a]
        alone = self.atoms[i].names.isdisjoint(self.names_in(term))
        return bool(alone and end.key == self.of(i).key and self.everywhere(term))

    def _by_parts(self, degree: int, a: int, index: str, end: Quotient) -> Quotient:
        """Sum of i^degree S(i): by parts, S(i) - S(i - 1) being the term of S at i."""
        inside, term, _ = self.made[a]
        i = self.named(index)
        whole = antiderivative(degree)
        before = self._polynomial_at(whole, i - UNIT)
        here = self.replaced(term, {inside: i})
        return self.times(self._polynomial_at(whole, end), self.upto(term, inside, end)) - self.upto(
            self.times(before, here), index, end
        )

    def _polynomial_at(self, coefficients: Sequence[tuple[int, int]], at: Quotient) -> Quotient:
        """A polynomial, given by its coefficients, at a place."""
        total, power = ZERO, UNIT
        for p, q in coefficients:
            total = total + constant(p, q) * power
            power = self.times(power, at)
        return total

    def _shift(self, own: Monomial, below: dict[Factor, int], index: str) -> int:
        """The least number that is added to the index in an argument of a term."""
        found: list[int] = []
        for a in {a for a, _ in own} | {a for f in below for m, _ in f for a, _ in m}:
            self.offsets(a, index, found)
        return min(found, default=0)

    def _upto_atom(self, term: Quotient, index: str, end: Quotient) -> Quotient:
        """A sum that nothing more is known of, as an atom."""
        if not end.above:
            return ZERO
        inside = f"@{self.height(term)}"
        if inside in (self.names_in(term) - {index}) | self.names_in(end):
            raise Rejected("an index of a sum that another speaks of")
        self.kinds[inside] = "whole"
        i = self.named(inside)
        body = self.replaced(term, {index: i})
        names = (self.names_in(body) - {inside}) | self.names_in(end)
        place = self.atom("upto", (key_of(body), key_of(end)), names)
        self.made[place] = (inside, body, end)
        return self.of(place)

    def vectors_upto(self, body: Combination, index: str, end: Quotient) -> Combination:
        """The same of vectors: what does not speak of the index is taken out."""
        total: Combination = {}
        for b, q in body.items():
            if index not in self.atoms[b].names:
                total = add(total, self.scaled(self.upto(q, index, end), {b: UNIT}))
                continue
            outer = {f: e for f, e in q.below.items() if index not in self.names_in(Quotient(dict(f)))}
            inner = {f: e for f, e in q.below.items() if f not in outer}
            for m, c in q.above.items():
                own = tuple((a, e) for a, e in m if index in self.atoms[a].names)
                rest = tuple(p for p in m if p not in own)
                moved = self._vector_term(b, Quotient({own: number(1)}, inner), index, end)
                total = add(total, self.scaled(Quotient({rest: c}, outer), moved))
        return total

    def _vector_term(self, b: int, q: Quotient, index: str, end: Quotient) -> Combination:
        """The sum over an index from 1 to an end of a multiple of one basis vector."""
        found: list[int] = []
        self.offsets(b, index, found)
        for m in q.above:
            for a, _ in m:
                self.offsets(a, index, found)
        i = self.named(index)
        body: Combination = {b: q}
        shift = min(found, default=0)
        if shift:
            body = self.vector_replaced(body, {index: i - constant(shift)})
            ends = (end + constant(shift), constant(shift))
            one, other = (self.vectors_upto(body, index, e) for e in ends)
            return add(one, self.scaled(constant(-1), other))
        total_body = self.everywhere(q) and self.everywhere(Quotient({((b, 1),): number(1)}))
        base, extra = _split(end) if total_body else (end, 0)
        if abs(extra) > MOST_SHIFT:
            raise Rejected(f"a sum may not be moved by {extra} terms")
        inside = f"@{self.height(body)}"
        if inside in (self.names_in(body) - {index}) | self.names_in(base):
            raise Rejected("an index of a sum that another speaks of")
        self.kinds[inside] = "whole"
        j = self.named(inside)
        own = self.vector_replaced(body, {index: j})
        names = (self.names_in(own) - {inside}) | self.names_in(base)
        place = self.atom("upto", ("vector", key_of(own), key_of(base)), names)
        self.made[place] = (inside, own, base)
        total = self.basis(place) if base.above else {}
        for k in range(1, extra + 1):
            total = add(total, self.vector_replaced(body, {index: base + constant(k)}))
        for k in range(extra + 1, 1):
            moved = self.vector_replaced(body, {index: base + constant(k)})
            total = add(total, self.scaled(constant(-1), moved))
        return total


def _split(end: Quotient) -> tuple[Quotient, int]:
    """An end as something without a number, and a number."""
    extra = end.above.get(ONE, number(0))
    return end - Quotient({ONE: extra} if extra else {}), int(extra.p)
