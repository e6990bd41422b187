"""What stands inside an atom: sums within sums, terms at shifted places, divisors and roots."""

from __future__ import annotations

from typing import Any

from fedproof.proof.kernel.atoms import Atoms, key_of
from fedproof.proof.kernel.polynomials import ONE, Quotient, number


class Inside(Atoms):
    """Looks into the normal forms of which atoms are made."""

    def applied(self, name: str, forms: tuple[Any, ...]) -> int:
        """The atom of a name with arguments in normal form."""
        parts = (name, *(key_of(f) for f in forms))
        place = self.atom("of", parts, self.names_in(*forms) | {name})
        self.made[place] = forms
        return place

    def everywhere(self, q: Quotient) -> bool:
        """Whether it is defined whatever its names are, so that a sum may have such terms beyond its ends."""
        if q.below:
            return False
        for m in q.above:
            for a, e in m:
                if e < 0 or (self.atoms[a].kind == "root" and a not in self.squares):
                    return False
                if self.atoms[a].kind == "power" or not all(map(self._total, self.made.get(a, ()))):
                    return False
        return True

    def _total(self, form: Any) -> bool:
        """The same of what an atom is made of: numbers, vectors by their basis, and basis vectors."""
        if isinstance(form, dict):
            return all(self._total(b) and self.everywhere(q) for b, q in form.items())
        if isinstance(form, int):
            return self.everywhere(Quotient({((form, 1),): number(1)}))
        return not isinstance(form, Quotient) or self.everywhere(form)

    def bases(self, *forms: Any) -> frozenset[str]:
        """What the bases of powers speak of, at whatever depth."""
        found: frozenset[str] = frozenset()
        for form in forms:
            if isinstance(form, dict):
                found = found.union(self.bases(*form, *form.values()))
            elif isinstance(form, int):
                own = self.made.get(form, ())
                found |= self.names_in(own[0]) if self.atoms[form].kind == "power" else frozenset()
                found |= self.bases(*own)
            elif isinstance(form, Quotient):
                polynomials = (form.above, *(dict(part) for part in form.below))
                found |= self.bases(*{a for poly in polynomials for m in poly for a, _ in m})
        return found

    def offsets(self, place: int, index: str, found: list[int]) -> None:
        """Collect the numbers that are added to an index in the arguments within an atom."""
        atom = self.atoms[place]
        if index not in atom.names:
            return
        i = self.name(index)
        for form in self.made.get(place, ()):
            if isinstance(form, Quotient):
                if atom.kind in ("of", "upto") and form.above.get(((i, 1),)) == 1:
                    found.append(int(form.above.get(ONE, number(0)).p))
                else:
                    for m in form.above:
                        for a, _ in m:
                            self.offsets(a, index, found)
            elif isinstance(form, dict):
                for b, q in form.items():
                    self.offsets(b, index, found)
                    for m in q.above:
                        for a, _ in m:
                            self.offsets(a, index, found)
            elif isinstance(form, int):
                self.offsets(form, index, found)

    def height(self, *forms: Any) -> int:
        """How many sums stand within each other, at most."""
        deepest = 0
        for form in forms:
            if isinstance(form, Quotient):
                polys = [form.above, *(dict(f) for f in form.below)]
                places = {a for p in polys for m in p for a, _ in m}
            elif isinstance(form, dict):
                places = set(form)
                deepest = max([deepest, *(self.height(q) for q in form.values())])
            elif isinstance(form, int):
                places = {form}
            else:
                continue
            for a in places:
                own = 1 if self.atoms[a].kind == "upto" else 0
                deepest = max(deepest, own + self.height(*self.made.get(a, ())))
        return deepest
