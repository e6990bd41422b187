"""The polynomials in two symbols on whose zeros an answer can change."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import flint

from fedproof.algebra.polynomials import Poly, coefficients, factored, key_of, polynomial_in
from fedproof.algebra.projection.cells import boundary
from fedproof.algebra.projection.resultants import discriminant, resultant
from fedproof.algebra.quotient import fold, norm
from fedproof.algebra.regions.clauses import Clause
from fedproof.algebra.tree import names
from fedproof.vocabulary.interval import Interval


def boundaries(clauses: Sequence[Clause], target: str, free: str) -> tuple[list[Poly], list[flint.fmpz_poly]]:
    """Irreducible polynomials on whose zeros a condition can change: in both symbols, in the target."""
    both: dict[object, Poly] = {}
    alone: list[flint.fmpz_poly] = []
    for clause in clauses:
        for part in clause.parts:
            gap = part.gap
            if not names(gap):
                continue
            folded = fold(gap, [target, free])
            for poly in boundary(folded):
                for factor, _ in factored(norm(poly, folded))[1]:
                    if factor.degrees()[1]:
                        thin = slim(factor)
                        both[key_of(thin)] = thin
                    else:
                        alone.append(polynomial_in(factor, 0))
    found = coprime(list(both.values()))
    alone += [polynomial_in(p, 0) for p in found if not p.degrees()[1]]
    return [p for p in found if p.degrees()[1]], alone


def coprime(polys: list[Poly]) -> list[Poly]:
    """The polynomials without common components (factors that were left together may share some)."""
    out: list[Poly] = []
    todo = list(polys)
    while todo:
        p = todo.pop()
        for i, q in enumerate(out):
            common = p.gcd(q)
            if not common.is_constant():
                todo += [r for r in (common, p / common, q / common) if not r.is_constant()]
                del out[i]
                break
        else:
            out.append(p)
    return out


def effort(clauses: Sequence[Clause], target: str, free: str) -> int:
    """A rough size of the projection: degree times bits of its largest discriminant or resultant."""
    both, _ = boundaries(clauses, target, free)
    shapes = [(p.degrees()[0], p.degrees()[1], _height(p)) for p in both]
    pairs = [(p, p) for p in shapes] + list(combinations(shapes, 2))
    return max(((a[0] * b[1] + b[0] * a[1]) * (a[2] * b[1] + b[2] * a[1]) for a, b in pairs), default=0)


def _height(poly: Poly) -> int:
    return int(max(abs(int(c)) for c in poly.coeffs()).bit_length())


def slim(poly: Poly) -> Poly:
    """The polynomial over two generators only."""
    ctx = flint.fmpz_mpoly_ctx.get(("x", "y"), "lex")
    return ctx.from_dict({(m[0], m[1]): c for m, c in poly.to_dict().items()})


def projected(polys: Sequence[Poly], domain: Interval) -> list[flint.fmpz_poly]:
    """Leading coefficients, discriminants, resultants, and values at the ends of the free symbol's domain."""
    out: list[flint.fmpz_poly] = []
    for p in polys:
        parts = coefficients(p, 1)
        out.append(polynomial_in(parts[max(parts)], 0))
        if max(parts) > 1:
            out.append(discriminant(p))
        for end in (domain.lo, domain.hi):
            if end is not None:
                out.append(_at(parts, end))
    for p, q in combinations(polys, 2):
        out.append(resultant(p, q))
    return [p for p in out if p.degree() > 0]


def _at(parts: dict[int, Poly], end: Fraction) -> flint.fmpz_poly:
    total = flint.fmpz_poly([0])
    degree = max(parts)
    for power, part in parts.items():
        scale = end.numerator**power * end.denominator ** (degree - power)
        total += polynomial_in(part, 0) * scale
    return total
