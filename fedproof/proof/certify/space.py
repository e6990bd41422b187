"""Monomials as whole numbers, so that a product is a sum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fedproof.proof.certify.facts import Known
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import Monomial, Polynomial, Quotient, number

BITS = 16
HALF = 1 << (BITS - 1)
Coded = dict[int, Any]
ZERO_COEFFICIENT, ONE_COEFFICIENT = number(0), number(1)


class Space:
    """Monomials in few atoms, and which of them have a sign."""

    def __init__(self, forms: Forms, known: Known, atoms: Iterable[int], signed: bool = True) -> None:
        self.forms, self.known, self.signed = forms, known, signed
        self.atoms = sorted(atoms)
        self.place = {a: i for i, a in enumerate(self.atoms)}
        self.offset = sum(HALF << (BITS * i) for i in range(len(self.atoms)))
        self.roots = {
            self.place[a]: forms.atoms[a].parts[1] for a in self.atoms if forms.radicand(a) is not None
        }
        self._decoded: dict[int, tuple[int, ...]] = {}
        self._signs: dict[int, int] = {}
        self._allowed: dict[int, bool] = {}
        self._reduced: dict[int, Coded | None] = {}

    def code(self, m: Monomial) -> int:
        """A monomial's number."""
        return sum(e << (BITS * self.place[a]) for a, e in m)

    def exponents(self, code: int) -> tuple[int, ...]:
        """The exponents of all atoms."""
        found = self._decoded.get(code)
        if found is None:
            x = code + self.offset
            mask = (1 << BITS) - 1
            found = tuple(((x >> (BITS * i)) & mask) - HALF for i in range(len(self.atoms)))
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
        found = self._signs.get(code)
        if found is None:
            m = self.monomial(code)
            found = 2 if self.known.positive(m) else 1 if self.known.definite(m) else 0
            self._signs[code] = found
        return found

    def multiplier(self, code: int, free: bool) -> bool:
        """Whether something may be multiplied by this monomial."""
        found = self._allowed.get(code)
        if found is None:
            above, exponents = self.known.above, self.exponents(code)
            found = self._allowed[code] = not any(
                e < 0 and (i in self.roots or self.atoms[i] not in above) for i, e in enumerate(exponents)
            )
        return found and (free or self.sign(code) > 0)

    def shifted(self, value: Coded, code: int) -> Coded | None:
        """A polynomial times a monomial, roots reduced; None where that divides by something."""
        if code == 0:
            return value
        if not any(e and i in self.roots for i, e in enumerate(self.exponents(code))):
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
        odd = halved = 0
        for i, e in enumerate(self.exponents(code)):
            if e % 2:
                odd += 1 << (BITS * i)
            if e < 0 and self.atoms[i] not in self.known.above:
                return None
            halved += (e // 2) << (BITS * i)
        return (odd, halved) if self.sign(odd) else None

    def polynomial(self, value: Coded) -> Polynomial:
        """A polynomial again with monomials."""
        return {self.monomial(m): c for m, c in value.items()}
