"""Rational expressions over one denominator, as `sympy.cancel` writes them, by exact polynomials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import flint
import sympy as sp

from fedproof.algebra.expressions import fold
from fedproof.algebra.polynomials import Poly, Ratio, plus, reduced, times


def cancel(expr: sp.Expr) -> sp.Expr:
    """An expression as a quotient of polynomials without common factor, in the form of `sympy.cancel`.

    What is not made of symbols and fractions by sums, products and whole powers is left to SymPy.

    >>> x, y = sp.symbols("x y")
    >>> cancel((x**2 - y**2) / (2 * x + 2 * y) + sp.Rational(1, 3))
    x/2 - y/2 + 1/3
    """
    try:
        ring = _Ratios.over(expr.free_symbols)
        return ring.expression(fold(expr, ring, ring.generators))
    except (TypeError, ZeroDivisionError):
        return sp.cancel(expr)


def determinant(matrix: sp.Matrix) -> sp.Expr:
    """The determinant of a small matrix, cancelled; no pivot is divided by.

    >>> x = sp.Symbol("x")
    >>> determinant(sp.Matrix([[x, 1], [1, 1 / x]]))
    0
    """
    try:
        ring = _Ratios.over(matrix.free_symbols)
        rows = [[fold(e, ring, ring.generators) for e in matrix.row(i)] for i in range(matrix.rows)]
        return ring.expression(_expanded(rows, ring))
    except (TypeError, ZeroDivisionError):
        return sp.cancel(matrix.det(method="berkowitz"))


@dataclass(frozen=True)
class _Ratios:
    """Quotients of polynomials in symbols, which lie in SymPy's order: signs depend on it."""

    symbols: Sequence[sp.Symbol]
    one: Poly
    generators: dict[str, Ratio]

    @classmethod
    def over(cls, symbols: Iterable[sp.Symbol]) -> _Ratios:
        """TypeError where two symbols have one name, for then a name is no symbol."""
        known = sorted(symbols, key=lambda s: (s.name.lower(), s.name))
        names = [s.name for s in known]
        if len(set(names)) < len(names):
            raise TypeError("two symbols have one name")
        ring = flint.fmpz_mpoly_ctx.get([f"x{i}" for i in range(len(names))], "lex")
        one = ring.constant(1)
        return cls(known, one, {n: Ratio(g, one) for n, g in zip(names, ring.gens(), strict=True)})

    def constant(self, value: Fraction) -> Ratio:
        return Ratio(self.one * value.numerator, self.one * value.denominator)

    def add(self, a: Ratio, b: Ratio) -> Ratio:
        return plus(a, b)

    def mul(self, a: Ratio, b: Ratio) -> Ratio:
        return times(a, b)

    def power(self, a: Ratio, exponent: int) -> Ratio:
        if exponent >= 0:
            return Ratio(a.top**exponent, a.bottom**exponent)
        if a.top.is_zero():
            raise ZeroDivisionError
        return reduced(a.bottom**-exponent, a.top**-exponent)

    def root(self, a: Ratio, index: int) -> Ratio:
        raise TypeError(f"a root of index {index} is not rational")

    def expression(self, ratio: Ratio) -> sp.Expr:
        """As SymPy writes it, also where the caller types formulas as they are printed."""
        with sp.evaluate(True):
            return self._polynomial(ratio.top) / self._polynomial(ratio.bottom)

    def _polynomial(self, poly: Poly) -> sp.Expr:
        terms = []
        for powers, coefficient in poly.to_dict().items():
            factors = (s ** int(n) for s, n in zip(self.symbols, powers, strict=True))
            terms.append(sp.Mul(int(coefficient), *factors))
        return sp.Add(*terms)


def _expanded(rows: Sequence[Sequence[Ratio]], ring: _Ratios) -> Ratio:
    """The determinant by its first row."""
    if not rows:
        return ring.constant(Fraction(1))
    terms = []
    for j, entry in enumerate(rows[0]):
        if not entry.top.is_zero():
            below = _expanded([[*row[:j], *row[j + 1 :]] for row in rows[1:]], ring)
            terms.append(times(Ratio(-entry.top if j % 2 else entry.top, entry.bottom), below))
    return reduce(plus, terms, ring.constant(Fraction(0)))
