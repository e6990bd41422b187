"""Monomials as whole numbers, so that a product is a sum, and a question about all exponents takes few bits.

A monomial's number has a field of bits for each atom. With half a field added to each, the highest bit of a
field says that the exponent is not negative, and the lowest one that it is odd.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fedproof.proof.certify.facts import Known
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import Monomial, Polynomial, Quotient, number

BITS = 16
HALF, FIELD = 1 << (BITS - 1), (1 << BITS) - 1
Coded = dict[int, Any]
ZERO_COEFFICIENT, ONE_COEFFICIENT = number(0), number(1)


class Space:
    """Monomials in few atoms, and which of them have a sign."""

    def __init__(self, forms: Forms, known: Known, atoms: Iterable[int], signed: bool = True) -> None:
        self.forms, self.known, self.signed = forms, known, signed
        self.atoms = sorted(atoms)
        self.place = {a: i for i, a in enumerate(self.atoms)}
        self.roots = {
            self.place[a]: forms.atoms[a].parts[1] for a in self.atoms if forms.radicand(a) is not None
        }
        self._lowest = self._ones(self.atoms)
        self.offset = HALF * self._lowest
        self._above = self._ones(known.above)
        self._least = self._ones(known.least)
        self._rooted = FIELD * self._ones(self.atoms[i] for i in self.roots)
        #: the highest bits of fields whose exponents may not be negative
        self._never = HALF * (self._lowest & ~self._above) | self.offset & self._rooted
        self._decoded: dict[int, tuple[int, ...]] = {}
        self._reduced: dict[int, Coded | None] = {}

    def _ones(self, atoms: Iterable[int]) -> int:
        """The lowest bit of each atom's field."""
        return sum(1 << (BITS * self.place[a]) for a in atoms if a in self.place)

    def code(self, m: Monomial) -> int:
        """A monomial's number."""
        return sum(e << (BITS * self.place[a]) for a, e in m)

    def exponents(self, code: int) -> tuple[int, ...]:
        """The exponents of all atoms."""
        found = self._decoded.get(code)
        if found is None:
            x = code + self.offset
            found = tuple(((x >> (BITS * i)) & FIELD) - HALF for i in range(len(self.atoms)))
            self._decoded[code] = found
        return found

    def monomial(self, code: int) -> Monomial:
        """The monomial of a number."""
        return tuple((a, e) for a, e in zip(self.atoms, self.exponents(code), strict=True) if e)

    def coded(self, poly: Polynomial) -> Coded:
        """A polynomial with numbers for monomials."""
        return {self.code(m): c for m, c in poly.items()}

    def sign(self, code: int) -> int:
        """2 where a monomial is known to be > 0, 1 where >= 0, else 0."""
        if not self.signed:
            return 0
        bits = code + self.offset
        if not (bits ^ self.offset) & ~(FIELD * self._above):
            return 2
        odd = bits & self._lowest & ~self._above
        return 0 if odd & ~(self._least & bits >> (BITS - 1)) else 1

    def multiplier(self, code: int, free: bool) -> bool:
        """Whether something may be multiplied by this monomial."""
        return not ~(code + self.offset) & self._never and (free or self.sign(code) > 0)

    def shifted(self, value: Coded, code: int) -> Coded | None:
        """A polynomial times a monomial, roots reduced; None where that divides by something."""
        if code == 0:
            return value
        if not ((code + self.offset) ^ self.offset) & self._rooted:
            return {code + m: c for m, c in value.items()}
        result: Coded = {}
        for m, c in value.items():
            plain = self._plain(code + m)
            if plain is None:
                return None
            for n, d in plain.items():
                result[n] = result.get(n, ZERO_COEFFICIENT) + c * d
        return {m: c for m, c in result.items() if c != 0}

    def _plain(self, code: int) -> Coded | None:
        """A monomial with every power of a root between 0 and its index."""
        if code not in self._reduced:
            exponents = self.exponents(code)
            found: Coded | None = {code: ONE_COEFFICIENT}
            if any(not 0 <= exponents[i] < q for i, q in self.roots.items()):
                q = self.forms.reduced(Quotient({self.monomial(code): number(1)}))
                inside = not q.below and all(a in self.place for m in q.above for a, _ in m)
                found = self.coded(q.above) if inside else None
            self._reduced[code] = found
        return self._reduced[code]

    def half(self, code: int) -> tuple[int, int] | None:
        """A monomial as p h^2 with p of exponents 0 and 1 that is known not to be negative."""
        bits = code + self.offset
        if ~bits & HALF * (self._lowest & ~self._above):
            return None
        odd = bits & self._lowest
        return (odd, (code - odd) // 2) if self.sign(odd) else None

    def polynomial(self, value: Coded) -> Polynomial:
        """A polynomial again with monomials."""
        return {self.monomial(m): c for m, c in value.items()}
