"""Values for names within normal forms: what stands inside atoms is replaced, and the atoms made anew."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from fedproof.proof.kernel.atoms import Combination
from fedproof.proof.kernel.polynomials import ONE, Monomial, Quotient, added
from fedproof.proof.kernel.trees import Rejected
from fedproof.proof.kernel.vectors import Vectors, add


class Replacing(Vectors):
    """Puts values for names."""

    @abstractmethod
    def vectors_upto(self, body: Combination, index: str, end: Quotient) -> Combination:
        """The sum of vectors over an index from 1 to an end."""

    def replaced(self, q: Quotient, values: Mapping[str, Quotient]) -> Quotient:
        """A quotient with values for names."""
        names = set(values)
        if not names & self.names_in(q):
            return q
        total = added(self._term_replaced(m, c, values) for m, c in q.above.items())
        for f, e in q.below.items():
            total = self.times(total, self.to_power(self.replaced(Quotient(dict(f)), values), -e))
        return total

    def _term_replaced(self, m: Monomial, c: Any, values: Mapping[str, Quotient]) -> Quotient:
        """A number times a monomial with values for names."""
        part = Quotient({ONE: c})
        for a, e in m:
            part = self.times(part, self.to_power(self._atom_replaced(a, values), e))
        return part

    def vector_replaced(self, v: Combination, values: Mapping[str, Quotient]) -> Combination:
        """A vector with values for names."""
        total: Combination = {}
        for b, q in v.items():
            total = add(total, self.scaled(self.replaced(q, values), self._basis_replaced(b, values)))
        return total

    def _basis_replaced(self, b: int, values: Mapping[str, Quotient]) -> Combination:
        """A basis vector with values for names."""
        atom = self.atoms[b]
        if not set(values) & atom.names:
            return self.basis(b)
        if atom.kind == "of":
            return self.basis(self.applied(atom.parts[0], self._all_replaced(b, values)))
        inside, body, end = self.made[b]
        self._not_caught(inside, values)
        return self.vectors_upto(self.vector_replaced(body, values), inside, self.replaced(end, values))

    def _all_replaced(self, place: int, values: Mapping[str, Quotient]) -> tuple[Any, ...]:
        """The pieces of an atom with values for names."""
        return tuple(
            self.replaced(f, values) if isinstance(f, Quotient) else self.vector_replaced(f, values)
            for f in self.made[place]
        )

    def _atom_replaced(self, place: int, values: Mapping[str, Quotient]) -> Quotient:
        """An atom with values for names."""
        atom = self.atoms[place]
        if not set(values) & atom.names:
            return self.of(place)
        if atom.kind == "name":
            return values[atom.parts[0]]
        if atom.kind == "of":
            return self.of(self.applied(atom.parts[0], self._all_replaced(place, values)))
        if atom.kind == "root":
            moved = self.root(self.replaced(self.radicands[place], values), atom.parts[1], sure=True)
            if place in self.squares:
                self.squares |= {a for m in moved.above for a, _ in m if self.atoms[a].kind == "root"}
            return moved
        if atom.kind == "power":
            before = dict(self.needs)
            value = self.symbolic(*self._all_replaced(place, values))
            self.needs = before
            return value
        if atom.kind == "ip":
            one, other = (self._basis_replaced(b, values) for b in atom.parts)
            return self.product(one, other)
        inside, body, end = self.made[place]
        self._not_caught(inside, values)
        return self.upto(self.replaced(body, values), inside, self.replaced(end, values))

    def _not_caught(self, inside: str, values: Mapping[str, Quotient]) -> None:
        """Refuse values that speak of the index of a sum into which they are put."""
        if any(inside in self.names_in(q) for q in values.values()):
            raise Rejected(f"the index {inside} would be caught")
