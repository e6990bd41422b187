"""Several free symbols at once: polynomials in the target alone that tell where the answer can change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import flint

from fedproof.algebra.polynomials import Poly, coefficients, factored, key_of, polynomial_in, recast
from fedproof.algebra.projection.cells import boundary
from fedproof.algebra.quotient import fold, norm
from fedproof.algebra.regions.atoms import Atom
from fedproof.algebra.tree import names
from fedproof.vocabulary.interval import Interval

WORK = 4000


def project_to_line(
    atoms: Sequence[Atom], target: str, free: Sequence[str], domains: Mapping[str, Interval]
) -> list[flint.fmpz_poly] | None:
    """Polynomials between whose roots the existence of admissible free values does not change.

    Coefficients, discriminants and resultants of irreducible polynomials suffice between the cuts of the
    target as long as no polynomial vanishes identically along a curve (McCallum's projection): with up to
    two symbols below it, coprime coefficients have common zeros above cuts alone; beyond that one
    coefficient must be a constant or depend on the target alone.

    Arguments:
        atoms: conditions in the target and the free symbols.
        target: stays.
        free: are projected away one after the other, cheapest first.
        domains: of all of them.

    Returns: the polynomials, or None where they would be too large or may not suffice.
    """
    order = (target, *free)
    polys = _unique([f for a in atoms for f in _factors(a, order)])
    if not polys:
        return []
    ends = [(i, e) for i, n in enumerate(order) for e in (domains[n].lo, domains[n].hi) if e is not None]
    gens = polys[0].context().gens()
    polys = _unique([*polys, *(e.denominator * gens[i] - e.numerator for i, e in ends)])
    left = list(range(1, len(order)))
    while left:
        position = min(left, key=lambda i: _cost(polys, i))
        if _cost(polys, position) > WORK:
            return None
        left.remove(position)
        if len(left) > 1 and not all(_never_vanishes(p, position, left) for p in polys):
            return None
        smaller = _projected(polys, position)
        if smaller is None:
            return None
        polys = smaller
    return [polynomial_in(p, 0) for p in polys]


def _factors(atom: Atom, order: Sequence[str]) -> list[Poly]:
    if not names(atom.gap):
        return []
    folded = fold(atom.gap, order)
    return [f for p in boundary(folded) for f, _ in factored(norm(p, folded))[1]]


def _unique(polys: Sequence[Poly]) -> list[Poly]:
    found: dict[object, Poly] = {}
    for p in polys:
        like = next(iter(found.values()), p)
        same = recast(p, like)
        found.setdefault(key_of(same), same)
    return list(found.values())


def _cost(polys: Sequence[Poly], position: int) -> int:
    """A rough size of the projection: terms times degrees of the two largest polynomials."""
    sizes = sorted((p.degrees()[position] ** 2 * len(p.monoms()) for p in polys), reverse=True)
    return sum(sizes[:2])


def _never_vanishes(poly: Poly, position: int, left: Sequence[int]) -> bool:
    """Whether some coefficient is a constant or depends on the target alone, so has no zero between cuts."""
    parts = coefficients(poly, position)
    return max(parts) == 0 or any(not any(c.degrees()[i] for i in left) for c in parts.values())


def _projected(polys: Sequence[Poly], position: int) -> list[Poly] | None:
    """Coefficients, discriminants and resultants in irreducible factors; None for a common component."""
    depth = [p for p in polys if p.degrees()[position]]
    out = [p for p in polys if not p.degrees()[position]]
    name = f"x{position}"
    for p in depth:
        parts = coefficients(p, position)
        out += parts.values()
        if max(parts) > 1:
            out.append(p.discriminant(name))
    out += [p.resultant(q, name) for p, q in combinations(depth, 2)]
    if any(p.is_zero() for p in out):
        return None
    return _unique([f for p in out if not p.is_constant() for f, _ in factored(p)[1]])
