"""A positive symbol that enters one condition as a concave quadratic: eliminated by its discriminant."""

from __future__ import annotations

from collections.abc import Sequence

from fedproof.algebra.elimination.solving import explicit, polynomial_parts
from fedproof.algebra.polynomials import tree_of
from fedproof.algebra.regions.atoms import Atom, substitute_in_atoms
from fedproof.algebra.regions.monotonicity import Shape
from fedproof.algebra.regions.region import STRICT
from fedproof.algebra.tree import Sym, add, names
from fedproof.vocabulary.interval import Interval


def by_discriminant(
    atoms: Sequence[Atom], name: str, domain: Interval | None, outer: Shape
) -> tuple[Atom, ...] | None:
    """The atoms without `name`, or None where this rule does not apply.

    For a, c > 0 some y > 0 satisfies -a y^2 + b y - c >= 0 if and only if b > 0 and b^2 >= 4 a c;
    likewise with > for >=.

    Arguments:
        atoms: the conditions.
        name: the symbol, with positive domain.
        domain: its domain.
        outer: what is known without it.
    """
    if domain is None or domain.lo != 0 or domain.hi is not None:
        return None  # at y = 0 the quadratic is -c < 0: whether 0 belongs to the domain does not matter
    own = [a for a in atoms if name in names(a.gap)]
    floors = [a for a in own if _is_floor(a, name, outer)]
    if len(floors) == 1 and len(own) == 2:
        atoms = _shifted(atoms, floors[0], name, outer)
        own = [a for a in atoms if name in names(a.gap)]
    if len(own) != 1 or own[0].op not in ("<", "<="):
        return None
    atom = own[0]
    parts, under, below = polynomial_parts(atom.gap, name, outer) or ({}, 0, 0)
    if under or max(parts, default=0) != 2:
        return None
    parts = parts if below > 0 else {k: -c for k, c in parts.items()}
    ends = [outer.region.of(parts[k]) if k in parts else 0 for k in (0, 2)]
    if ends != [-STRICT, -STRICT] or 1 not in parts:
        return None
    gap = parts[1] * parts[1] - 4 * parts[0] * parts[2]
    rest = tuple(a for a in atoms if a is not atom)
    middle = Atom(atom.labels, "<", tree_of(parts[1], outer.region.symbols))
    return (*rest, middle, Atom(atom.labels, atom.op, tree_of(gap, outer.region.symbols)))


def _is_floor(atom: Atom, name: str, outer: Shape) -> bool:
    """Whether the atom says name > E with E >= 0."""
    solved = explicit(atom, name, outer) if atom.op == "<" else None
    if solved is None or solved[0] < 0 or not outer.defined(solved[1]):
        return False
    sign = outer.sign(solved[1])
    return sign is not None and sign >= 0


def _shifted(atoms: Sequence[Atom], floor: Atom, name: str, outer: Shape) -> tuple[Atom, ...]:
    """The atoms with name = E + name, where the floor says name > E."""
    solved = explicit(floor, name, outer)
    assert solved is not None
    return substitute_in_atoms([a for a in atoms if a is not floor], name, add(solved[1], Sym(name)))
