"""Discriminants and resultants of polynomials in two symbols, by values at whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import flint

from fedproof.algebra.polynomials import Poly, coefficients, polynomial_in


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
