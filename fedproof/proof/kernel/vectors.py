"""Vectors as combinations of basis vectors, and their inner products, which are bilinear."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from fedproof.proof.kernel.atoms import Combination
from fedproof.proof.kernel.polynomials import UNIT, ZERO, Quotient, added
from fedproof.proof.kernel.powers import Powers


class Vectors(Powers, ABC):
    """Adds, scales and multiplies vectors; what a sum of them needs is told by those that inherit."""

    @abstractmethod
    def upto(self, body: Quotient, index: str, end: Quotient) -> Quotient:
        """The sum over an index from 1 to an end."""

    @abstractmethod
    def vector_replaced(self, v: Combination, values: Mapping[str, Quotient]) -> Combination:
        """A vector with values for names."""

    def scaled(self, scale: Quotient, v: Combination) -> Combination:
        """A multiple of a vector."""
        found = {b: self.times(scale, c) for b, c in v.items()}
        return {b: c for b, c in found.items() if c.above}

    def product(self, one: Combination, other: Combination) -> Quotient:
        """The inner product, sums of vectors written out as sums of inner products."""
        pairs = ((a, b, self.times(c, d)) for a, c in one.items() for b, d in other.items())
        return added(self.times(scale, self._entry(a, b)) for a, b, scale in pairs)

    def _entry(self, a: int, b: int) -> Quotient:
        """The inner product of two basis vectors."""
        for x, y in ((a, b), (b, a)):
            if self.atoms[x].kind == "upto":
                index, body, end = self.made[x]
                new, i = self.fresh()
                scalar = self.product(self.vector_replaced(body, {index: i}), {y: UNIT})
                return self.upto(scalar, new, end)
        a, b = sorted((a, b))
        place = self.atom("ip", (a, b), self.atoms[a].names | self.atoms[b].names)
        self.made[place] = (a, b)
        return self.of(place)


def add(one: Combination, other: Combination) -> Combination:
    """The sum of two vectors."""
    total = dict(one)
    for b, c in other.items():
        value = total.get(b, ZERO) + c
        if value.above:
            total[b] = value
        else:
            total.pop(b, None)
    return total
