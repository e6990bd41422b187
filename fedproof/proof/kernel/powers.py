"""Powers and roots: r^q = t reduces every power of the q-th root r of t."""

from __future__ import annotations

from typing import Any

from fedproof.proof.kernel.atoms import key_of
from fedproof.proof.kernel.inside import Inside
from fedproof.proof.kernel.polynomials import ONE, UNIT, Monomial, Quotient, added, constant, number
from fedproof.proof.kernel.trees import Rejected


class Powers(Inside):
    """Multiplies quotients, and takes powers, roots and absolute values of them."""

    def times(self, one: Quotient, other: Quotient) -> Quotient:
        """A product, roots reduced."""
        return self.reduced(one * other)

    def reduced(self, q: Quotient) -> Quotient:
        """The same with every power of a root between 0 and its index."""
        if not self.radicands or not any(self._excess(m) for m in q.above):
            return q
        total = added(self._lowered_term(m, c) for m, c in q.above.items())
        return self.reduced(total * Quotient({ONE: number(1)}, q.below)) if q.below else self.reduced(total)

    def _lowered_term(self, m: Monomial, c: Any) -> Quotient:
        """A number times a monomial with every power of a root between 0 and its index."""
        part = Quotient({ONE: c})
        rest: list[tuple[int, int]] = []
        for a, e in m:
            atom = self.atoms[a]
            if atom.kind == "root" and not 0 <= e < atom.parts[1]:
                whole, left = divmod(e, atom.parts[1])
                part = self.times(part, self.to_power(self.radicands[a], whole))
                rest += [(a, left)] if left else []
            else:
                rest.append((a, e))
        return self.times(part, Quotient({tuple(sorted(rest)): number(1)}))

    def _excess(self, m: Monomial) -> bool:
        """Whether a root in a monomial has a power that its own equation reduces."""
        roots = self.radicands
        return any(a in roots and not 0 <= e < self.atoms[a].parts[1] for a, e in m)

    def power(self, q: Quotient, exponent: int) -> Quotient:
        """A whole power, of what is not 0 where it is negative."""
        if exponent < 0:
            self.need("nonzero", q)
        return self.to_power(q, exponent)

    def to_power(self, q: Quotient, exponent: int) -> Quotient:
        """A power of what is known to be defined."""
        if exponent < 0:
            if not q.above:
                raise Rejected("division by 0")
            q = self.reduced(q.inverse())
        result = UNIT
        for _ in range(abs(exponent)):
            result = self.times(result, q)
        return result

    def symbolic(self, base: Quotient, exponent: Quotient) -> Quotient:
        """A power with a whole exponent that names speak of: one atom for each part of the exponent.

        Either the base is not 0, or no part of the exponent is negative.
        """
        if not base.above:
            raise Rejected("0 to a power that is no number")
        falls = any(c < 0 for c in exponent.above.values())
        if falls:
            self.need("nonzero", base, told=False)
        result = UNIT
        for m, c in exponent.above.items():
            n = int(c.p)
            if not falls:
                self.need("nonnegative", Quotient({m: number(1)}), told=False)
            if m == ONE:
                result = self.times(result, self.to_power(base, n))
                continue
            own = Quotient({m: number(1)})
            place = self.atom("power", (key_of(base), key_of(own)), self.names_in(base, own))
            self.made[place] = (base, own)
            result = self.times(result, Quotient({((place, n),): number(1)}))
        return result

    def root(self, q: Quotient, index: int, sure: bool = False) -> Quotient:
        """The root of what is not negative."""
        value = q.constant
        if value is not None and value >= 0:
            p, r = (_exact_root(int(n), index) for n in (value.p, value.q))
            if p is not None and r is not None:
                return constant(p, r)
        if not sure:
            self.need("nonnegative", q)
        place = self.atom("root", (key_of(q), index), self.names_in(q))
        self.radicands[place] = q
        self.made[place] = (q,)
        return self.of(place)

    def size(self, q: Quotient) -> Quotient:
        """The absolute value."""
        value = q.constant
        if value is not None:
            return q if value >= 0 else -q
        if len(q.above) == 1 and not q.below:
            ((m, c),) = q.above.items()
            if len(m) > 1 or c != 1 or m[0][1] != 1:
                result = Quotient({ONE: abs(c)})
                for a, e in m:
                    result = self.times(result, self.to_power(self.size(self.of(a)), e))
                return result
        square = self.times(q, q)
        found = self.root(square, 2, sure=True)
        key = square.key
        own = {a for a, known in self.radicands.items() if known.key == key}
        if self.everywhere(q):
            self.squares |= own
        self.sizes.update((a, q) for a in own if a not in self.sizes)
        return found


def _exact_root(n: int, index: int) -> int | None:
    """The root of a whole number, where it is whole."""
    low, high = 0, 1
    while high**index <= n:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**index <= n else (low, middle)
    return low if low**index == n else None
