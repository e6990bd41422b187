"""The polynomials in two symbols on whose zeros an answer can change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import flint

from fedproof.algebra.polynomials import Poly, coefficients, factored, key_of, polynomial_in
from fedproof.algebra.projection.cells import boundary
from fedproof.algebra.quotient import fold, norm
from fedproof.algebra.regions.clauses import Clause
from fedproof.algebra.tree import names
from fedproof.vocabulary.interval import Interval


def discriminant(poly: Poly) -> flint.fmpz_poly:
    """The discriminant in the second generator, a polynomial in the first.

    >>> import flint
    >>> x, y = flint.fmpz_mpoly_ctx.get(("x", "y"), "lex").gens()
    >>> discriminant(y**2 + x * y + 1)
    x^2 + (-4)
    """
    across, up = poly.degrees()
    return _interpolated([_columns(poly)], 2 * (up - 1) * across, lambda p: p[0].discriminant())


def resultant(p: Poly, q: Poly) -> flint.fmpz_poly:
    """The resultant in the second generator, a polynomial in the first.

    >>> import flint
    >>> x, y = flint.fmpz_mpoly_ctx.get(("x", "y"), "lex").gens()
    >>> resultant(y - x, y - 2)
    x + (-2)
    """
    (a, m), (b, n) = p.degrees(), q.degrees()
    return _interpolated([_columns(p), _columns(q)], a * n + b * m, lambda r: r[0].resultant(r[1]))


def _columns(poly: Poly) -> list[flint.fmpz_poly]:
    parts = coefficients(poly, 1)
    zero = flint.fmpz_poly([0])
    return [polynomial_in(parts[k], 0) if k in parts else zero for k in range(max(parts) + 1)]


def _interpolated(
    polys: Sequence[list[flint.fmpz_poly]], degree: int, of: Callable[[list[flint.fmpz_poly]], flint.fmpz]
) -> flint.fmpz_poly:
    """The polynomial of at most this degree with the given values; nodes keep the leading coefficients."""
    nodes: list[int] = []
    values: list[flint.fmpz] = []
    k = 0
    while len(nodes) <= degree:
        node = (k + 1) // 2 * (1 if k % 2 else -1)
        k += 1
        at = flint.fmpz(node)
        if all(p[-1](at) != 0 for p in polys):
            nodes.append(node)
            values.append(of([flint.fmpz_poly([c(at) for c in p]) for p in polys]))
    for j in range(1, len(nodes)):  # divided differences of an integer polynomial are whole numbers
        for i in range(len(nodes) - 1, j - 1, -1):
            values[i] = (values[i] - values[i - 1]) // (nodes[i] - nodes[i - j])
    result = flint.fmpz_poly([values[-1]])
    for node, value in zip(nodes[-2::-1], values[-2::-1], strict=True):
        result = result * flint.fmpz_poly([-node, 1]) + value
    return result


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
    shapes = [(*p.degrees(), int(max(abs(int(c)) for c in p.coeffs()).bit_length())) for p in both]
    pairs = [(p, p) for p in shapes] + list(combinations(shapes, 2))
    return max(((a[0] * b[1] + b[0] * a[1]) * (a[2] * b[1] + b[2] * a[1]) for a, b in pairs), default=0)


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
