"""Polynomials with whole coefficients, their quotients, factors and coefficients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import flint

from fedproof.algebra.tree import Add, Mul, Num, Power, Sym, Tree

Poly: TypeAlias = flint.fmpz_mpoly


Key: TypeAlias = frozenset[Any]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Numerator over denominator, without common factor."""

    top: Poly
    bottom: Poly


def content_of(poly: Poly) -> int:
    """The greatest common divisor of the coefficients."""
    return math.gcd(*(int(c) for c in poly.coeffs())) or 1


def reduced(top: Poly, bottom: Poly) -> Ratio:
    """The quotient without common factor and with a positive leading denominator."""
    if top.is_zero():
        return Ratio(top, bottom.context().constant(1))
    common = top.gcd(bottom)
    if not common.is_one():
        top, bottom = top / common, bottom / common
    if bottom.coeffs()[0] < 0:
        top, bottom = -top, -bottom
    return Ratio(top, bottom)


def times(a: Ratio, b: Ratio) -> Ratio:
    """The product, common factors cancelled crosswise."""
    left, right = reduced(a.top, b.bottom), reduced(b.top, a.bottom)
    return Ratio(left.top * right.top, left.bottom * right.bottom)


def plus(a: Ratio, b: Ratio) -> Ratio:
    """The sum, over the least common denominator."""
    common = a.bottom.gcd(b.bottom)
    left, right = b.bottom / common, a.bottom / common
    return reduced(a.top * left + b.top * right, a.bottom * left)


def coefficients(poly: Poly, position: int) -> dict[int, Poly]:
    """The coefficients of the powers of one generator, as polynomials in the others."""
    ctx = poly.context()
    parts: dict[int, dict[tuple[int, ...], flint.fmpz]] = {}
    for monom, value in poly.to_dict().items():
        power = monom[position]
        rest = (*monom[:position], 0, *monom[position + 1 :])
        parts.setdefault(power, {})[rest] = value
    return {power: ctx.from_dict(terms) for power, terms in parts.items()}


@dataclass(frozen=True, slots=True)
class Radicand:
    """What stands under a root of an index."""

    value: Ratio
    index: int


def split(poly: Poly, position: int, root: Radicand) -> tuple[list[Poly], int]:
    """(A, n) with A[0] + A[1] s + ... = poly times the radicand's denominator to the n, for the root s."""
    parts = coefficients(poly, position)
    most = max(parts, default=0) // root.index
    sums = [poly.context().constant(0)] * root.index
    for power, coefficient in parts.items():
        k = power // root.index
        sums[power % root.index] += coefficient * root.value.top**k * root.value.bottom ** (most - k)
    return sums, most


def polynomial_in(poly: Poly, position: int) -> flint.fmpz_poly:
    """A polynomial in one generator alone as a univariate one."""
    coefficients = [0] * (poly.degrees()[position] + 1)
    for monom, value in poly.to_dict().items():
        coefficients[monom[position]] = int(value)
    return flint.fmpz_poly(coefficients)


def key_of(poly: Poly) -> Key:
    """A hashable stand-in for a polynomial."""
    return frozenset(poly.to_dict().items())


def tree_of(poly: Poly, symbols: Sequence[str]) -> Tree:
    """A polynomial without radicals as a tree."""
    terms: list[Tree] = []
    for monom, value in poly.to_dict().items():
        factors: list[Tree] = [Num(Fraction(int(value)))]
        for name, power in zip(symbols, monom, strict=False):
            if power:
                factors.append(Sym(name) if power == 1 else Power(Sym(name), int(power)))
        terms.append(factors[0] if len(factors) == 1 else Mul(tuple(factors)))
    return Num(Fraction(0)) if not terms else terms[0] if len(terms) == 1 else Add(tuple(terms))


def recast(poly: Poly, like: Poly) -> Poly:
    """The same polynomial over the generators of another one (radicals it does not use may differ)."""
    ctx, own = like.context(), poly.context()
    if ctx is own:
        return poly
    width = len(ctx.names())
    terms = {(*(*m[:-1], *([0] * width))[: width - 1], m[-1]): c for m, c in poly.to_dict().items()}
    return ctx.from_dict(terms)


def factored(poly: Poly) -> tuple[int, list[tuple[Poly, int]]]:
    """Content with sign, and irreducible factors with multiplicities.

    Where the library cannot order large factors of equal shape, a polynomial in several symbols is split
    into squarefree parts only, which is enough for every use here.
    """
    try:
        content, parts = poly.factor()
        return int(content), [(p, int(m)) for p, m in parts]
    except OverflowError:
        return _factored_slowly(poly)


def _factored_slowly(poly: Poly) -> tuple[int, list[tuple[Poly, int]]]:
    ctx = poly.context()
    used = [i for i, d in enumerate(poly.degrees()) if d]
    if len(used) == 1:
        content, parts = polynomial_in(poly, used[0]).factor()
        gen = ctx.gens()[used[0]]
        return int(content), [(_back(p, gen), int(m)) for p, m in parts]
    content = content_of(poly) * (1 if poly.coeffs()[0] > 0 else -1)
    rest, out = poly / content, []
    common = rest
    for i in used:
        common = common.gcd(rest.derivative(ctx.names()[i]))
    if common.is_constant():
        return content, [(rest, 1)]
    simple = rest / common
    below, inner = factored(common)
    del below
    out = [(p, m + 1) for p, m in inner]
    for p, _ in inner:
        while (shared := simple.gcd(p)) != 1 and not shared.is_constant():
            simple = simple / shared
    return content, out if simple.is_constant() else [*out, (simple, 1)]


def _back(poly: flint.fmpz_poly, gen: Poly) -> Poly:
    total = gen.context().constant(0)
    for power, c in enumerate(poly.coeffs()):
        total += int(c) * gen**power
    return total
