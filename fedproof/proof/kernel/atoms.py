"""Atoms: what quotients and vectors are made of, each told apart by its parts, and what is to be defined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from fedproof.proof.kernel.polynomials import ONE, UNIT, Quotient, number, primitive
from fedproof.proof.kernel.trees import Rejected, Tree

#: a combination of basis vectors
Combination = dict[int, Quotient]


@dataclass(frozen=True)
class Atom:
    """What a number or a basis vector is made of.

    Arguments:
        kind: "name", "of" (a term, a value of a function), "root", "power", "ip", "upto" (a sum up to an
            end).
        parts: the pieces it is told apart by.
        names: what is free in it.
    """

    kind: str
    parts: tuple[Any, ...]
    names: frozenset[str]


@dataclass(frozen=True)
class Need:
    """What must hold for an expression to be defined: a quotient that is not 0, or not negative.

    Arguments:
        around: the sums and quantifiers in which it stands and whose index it speaks of, with their ends.
        told: whether what holds, and so is defined, tells it: not where a sum around it may be empty, nor of
            powers, for which less may do.
        idle: whether it may fail where a sum around it is empty, whose index it does not speak of, and normal
            forms count on it: they cancel what is divided by, and add exponents.
    """

    kind: str
    what: tuple[Any, ...]
    around: tuple[tuple[str, Any, Any], ...] = ()
    told: bool = True
    idle: bool = False


def key_of(form: Quotient | Combination) -> Any:
    """The same for the same normal form of a number or a vector."""
    if isinstance(form, Quotient):
        return form.key
    return tuple(sorted((b, q.key) for b, q in form.items()))


@dataclass
class Atoms:
    """The atoms that were met, by their numbers.

    Arguments:
        kinds: of the names, and of those that are bound on the way.
        equal: what names and terms are replaced by, being equal to it; as normal forms, by their own form.
        atoms: all of them.
        places: the number of each.
        made: the normal forms of which atoms are made.
        radicands: what atoms are the root of.
        squares: roots of what is a square.
        sizes: what such an atom is the absolute value of.
        needs: what must hold for what was read to be defined.
        around: the sums and quantifiers around what is read, with the keys of their ends.
        ends: the ends of those.
        known: what was read before, with its needs.
        doubted: whether what is divided by, or has a root, holds a sum that may be empty.
        made_of: what a search makes of what it reads; no rule asks for it.
    """

    kinds: dict[str, str]
    equal: dict[int, Any] = field(default_factory=dict)
    atoms: list[Atom] = field(default_factory=list)
    places: dict[tuple[str, tuple[Any, ...]], int] = field(default_factory=dict)
    made: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    radicands: dict[int, Quotient] = field(default_factory=dict)
    squares: set[int] = field(default_factory=set)
    sizes: dict[int, Quotient] = field(default_factory=dict)
    needs: dict[Need, Quotient] = field(default_factory=dict)
    doubted: bool = False
    around: tuple[tuple[str, Any, Any], ...] = ()
    ends: dict[tuple[str, Any, Any], tuple[Quotient, Quotient]] = field(default_factory=dict)
    known: dict[Tree, Any] = field(default_factory=dict)
    made_of: dict[Any, Any] = field(default_factory=dict)

    def with_names(self, kinds: Mapping[str, str]) -> Self:
        """A copy that knows what was read so far, and more names."""
        return replace(
            self, kinds={**self.kinds, **kinds}, equal=dict(self.equal), atoms=list(self.atoms),
            places=dict(self.places), made=dict(self.made), radicands=dict(self.radicands),
            squares=set(self.squares), sizes=dict(self.sizes), needs={}, around=(), ends=dict(self.ends),
            known=dict(self.known), made_of=dict(self.made_of),
        )  # fmt: skip

    def atom(self, kind: str, parts: tuple[Any, ...], names: frozenset[str]) -> int:
        """The number of an atom, the same for the same parts."""
        place = self.places.get((kind, parts))
        if place is None:
            place = self.places[kind, parts] = len(self.atoms)
            self.atoms.append(Atom(kind, parts, names))
        return place

    def name(self, name: str) -> int:
        """The atom of a name for a number."""
        return self.atom("name", (name,), frozenset({name}))

    def of(self, place: int) -> Quotient:
        """An atom as a number, or what it equals."""
        found = self.equal.get(place)
        return Quotient({((place, 1),): number(1)}) if found is None else found

    def basis(self, place: int) -> Combination:
        """An atom as a vector, or what it equals."""
        found: Combination | None = self.equal.get(place)
        return {place: UNIT} if found is None else found

    def named(self, name: str) -> Quotient:
        """A name as a number, or what it equals."""
        return self.of(self.name(name))

    def fresh(self) -> tuple[str, Quotient]:
        """An index that occurs nowhere yet."""
        new = f"~{len(self.kinds)}"
        self.kinds[new] = "whole"
        return new, self.named(new)

    def kind_of(self, name: Any) -> str:
        """The kind of a name that is declared, or an index of a sum around."""
        kind = self.kinds.get(name) if isinstance(name, str) else None
        if kind is None or (name[0] in "#@~" and all(name != a[0] for a in self.around)):
            raise Rejected(f"{name} is not declared")
        return kind

    def is_whole(self, place: int) -> bool:
        """Whether an atom is a name for a whole number."""
        atom = self.atoms[place]
        return atom.kind == "name" and self.kinds[atom.parts[0]] == "whole"

    def radicand(self, place: int) -> Quotient | None:
        """What an atom is the root of, if of anything."""
        return self.radicands.get(place)

    def pieces(self, place: int) -> tuple[Any, ...]:
        """The normal forms of which an atom is made."""
        return self.made.get(place, ())

    def names_in(self, *forms: Any) -> frozenset[str]:
        """What is free in quotients and combinations."""
        places: set[int] = set()
        for form in forms:
            vector = isinstance(form, dict)
            places.update(form if vector else ())
            for q in form.values() if vector else (form,):
                places.update([a for m in q.above for a, _ in m])
                places.update([a for f in q.below for m, _ in f for a, _ in m])
        return frozenset().union(*[self.atoms[a].names for a in places])

    def need(self, kind: str, q: Quotient, told: bool = True) -> None:
        """Note what an expression needs to be defined, unless it is a number that does."""
        value = q.constant
        if value is not None and (value != 0 if kind == "nonzero" else value >= 0):
            return
        names = self.names_in(q)
        around = tuple(a for a in self.around if a[0] in names)
        spoken = len(around) == len(self.around) and not self.doubted
        idle = (kind == "nonzero" or not told) and not self._reaches(names)
        self.needs[Need(kind, q.key, around, told and spoken, idle)] = q
        for part in self._factors(q) if kind == "nonzero" and self.around and not idle else ():
            own = self.names_in(part)
            if not self._reaches(own):
                near = tuple(a for a in self.around if a[0] in own)
                self.needs[Need(kind, part.key, near, False, True)] = part

    def _factors(self, q: Quotient) -> Iterator[Quotient]:
        """What is not 0 where a quotient is not, inside of roots and powers too."""
        _, common, factor = primitive(q.above)
        for place, _ in common:
            inside = self.made[place][0] if self.atoms[place].kind == "power" else self.radicand(place)
            yield from [Quotient({((place, 1),): number(1)})] if inside is None else self._factors(inside)
        if factor != ((ONE, 1),):
            yield Quotient(dict(factor))

    def _reaches(self, names: frozenset[str]) -> bool:
        """Whether names are, or are among the ends of what is, of all sums and quantifiers around."""
        for a in reversed(self.around):
            if a[0] not in names:
                return False
            names = names.union(*map(self.names_in, self.ends[a]))
        return True
