"""Polynomials as products of factors, and what is left of one divided by another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import flint

from fedproof.proof.certify.limits import NotFound
from fedproof.proof.kernel.polynomials import ONE, Polynomial, Quotient, join, number, primitive


def factors(q: Quotient) -> list[tuple[Quotient, int]]:
    """The factors of a polynomial with their powers, the number first; monomials below are left out.

    Raises: NotFound for 0, which every polynomial divides.
    """
    if not q.above:
        raise NotFound("0 has no factors")
    lead, common, rest = primitive(q.above)
    pieces = [(Quotient({((a, 1),): number(1)}), e) for a, e in common if e > 0]
    places = sorted({a for m, _ in rest for a, _ in m})
    if places:
        context = flint.fmpq_mpoly_ctx.get([f"v{a}" for a in places], flint.Ordering.lex)
        terms = {tuple(dict(m).get(a, 0) for a in places): c for m, c in rest}
        more, found = context.from_dict(terms).factor()
        lead = lead * more
        pieces += [(_quotient(f, places), int(e)) for f, e in found]
    return [(Quotient({ONE: lead}), 1), *pieces] if lead != 1 or not pieces else pieces


def keyed_factors(q: Quotient) -> list[tuple[Any, int]]:
    """The factors that are no numbers, as keys that are the same for multiples."""
    return [(primitive(f.above)[2], e) for f, e in factors(q) if f.constant is None and len(f.above) > 1]


def divided(above: Polynomial, by: Polynomial, power: int) -> Polynomial:
    """A polynomial divided by a power of one that divides it."""
    lift: dict[int, int] = {}
    for m in above:
        for a, e in m:
            lift[a] = min(lift.get(a, 0), e)
    up = tuple(sorted((a, -e) for a, e in lift.items() if e))
    top = {join(m, up): c for m, c in above.items()}
    places = sorted({a for p in (top, by) for m in p for a, _ in m})
    context = flint.fmpq_mpoly_ctx.get([f"v{a}" for a in places], flint.Ordering.lex)

    def poly(p: Polynomial) -> Any:
        return context.from_dict({tuple(dict(m).get(a, 0) for a in places): c for m, c in p.items()})

    quotient, rest = divmod(poly(top), poly(by) ** power)
    if rest != 0:
        raise NotFound("not divisible")
    down = tuple((a, -e) for a, e in up)
    return {join(m, down): c for m, c in _quotient(quotient, places).above.items()}


def _quotient(poly: Any, places: Sequence[int]) -> Quotient:
    above = {}
    for exponents, c in poly.to_dict().items():
        above[tuple((a, int(e)) for a, e in zip(places, exponents, strict=True) if e)] = c
    return Quotient(above)
