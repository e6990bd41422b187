"""The exact sign of an expression at a point with rational or algebraic coordinates.

Square roots are told by the field that they generate. A root of odd index is first replaced by the algebraic
number that it is at the point, one coordinate more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import flint

from fedproof.algebra.balls import FIRST_BITS, ball_of, evaluate, sign_of_ball
from fedproof.algebra.polynomials import Poly, Radicand, Ratio, polynomial_in, split
from fedproof.algebra.quotient import Folded, fold, norm
from fedproof.algebra.rewriting import substitute, swapped
from fedproof.algebra.roots import Point, Root, isolate, point_ball
from fedproof.algebra.tree import Comparison, Radical, Sym, Tree, names, walk

_VERDICT = {"<=": (0, 1), "<": (1,), "==": (0,), "!=": (-1, 1)}


def verdict(op: str, sign: int | None) -> bool:
    """Whether a comparison holds, from the sign of right - left; undefined (None) does not hold."""
    return sign is not None and sign in _VERDICT[op]


def holds(comparison: Comparison, point: Mapping[str, Point], gap: Tree | None = None) -> bool:
    """Whether a comparison holds at a point, exactly; where a side is undefined it does not."""
    return verdict(comparison.op, sign_at(comparison.gap if gap is None else gap, point))


def sign_at(tree: Tree, point: Mapping[str, Point]) -> int | None:
    """The sign of a tree at a point, None where it is undefined.

    Arguments:
        tree: the expression.
        point: a rational or algebraic coordinate for each of its symbols.

    >>> from fedproof.algebra.reading import compile_tree
    >>> from sympy import sqrt, Mul, Integer
    >>> sign_at(compile_tree(Mul(sqrt(2), sqrt(3), evaluate=False) - sqrt(6)), {})
    0
    """
    for bits in (FIRST_BITS, 4 * FIRST_BITS):
        quick = sign_of_ball(evaluate(tree, lambda name: _ball(point[name], bits), bits))  # noqa: B023
        if quick:
            return quick
    return exact_sign(tree, point)


def exact_sign(tree: Tree, point: Mapping[str, Point]) -> int | None:
    """The sign by algebra alone where balls cannot tell it; None where the tree is undefined."""
    odd = (n for n in walk(tree) if isinstance(n, Radical) and n.index > 2)
    if tree.rooted and (first := next(odd, None)) is not None:
        return _without(first, tree, point)
    used = names(tree)
    rational = {n: p for n, p in point.items() if isinstance(p, Fraction) and n in used}
    roots = {n: p for n, p in point.items() if isinstance(p, Root) and n in used}
    (plain,) = substitute([tree], rational)
    folded = fold(plain, list(roots))
    field = _Field(folded, tuple(roots.values()))
    for duty in folded.duties:
        sign = field.ratio(duty.value)
        if sign == 0 if duty.kind == "nonzero" else sign < 0:
            return None
    return field.ratio(folded.value)


def _without(radical: Radical, tree: Tree, point: Mapping[str, Point]) -> int | None:
    """The sign with a root put in as one coordinate more."""
    root, name = algebraic_root(radical, point), f"root {len(point)}"
    return None if root is None else exact_sign(swapped(tree, radical, Sym(name)), {**point, name: root})


def algebraic_root(radical: Radical, point: Mapping[str, Point]) -> Point | None:
    """What a root, with no root of odd index in its radicand, is at a point; None where it is undefined.

    >>> from fedproof.algebra.tree import num
    >>> algebraic_root(Radical(num(Fraction(27, 8)), 3), {})
    Fraction(3, 2)
    """
    sign = sign_at(radical.base, point)
    if not sign or sign < 0:
        return None if sign is None or sign < 0 else Fraction(0)
    used = names(radical.base)
    (base,) = substitute([radical.base], {n: p for n, p in point.items() if isinstance(p, Fraction)})
    roots = [(n, p) for n, p in point.items() if isinstance(p, Root) and n in used]
    folded = fold(base, ["power", *(n for n, _ in roots)])
    gens = folded.value.top.context().gens()
    poly = norm(folded.value.bottom * gens[0] ** radical.index - folded.value.top, folded)
    for i, (_, root) in enumerate(roots, 1):
        least = sum((int(c) * gens[i] ** k for k, c in enumerate(root.poly.coeffs())), 0 * gens[0])
        while (shorter := poly.resultant(least, f"x{i}")).is_zero():
            poly = poly / poly.gcd(least)
        poly = shorter
    candidates = isolate([polynomial_in(poly, 0)])
    inner = (n for n in walk(radical.base) if isinstance(n, Radical))
    zeros = {id(n): flint.arb(0) for n in inner if sign_at(n.base, point) == 0}  # no precision tells these
    bits = FIRST_BITS
    while len(candidates) > 1:
        ball = evaluate(radical, lambda name: _ball(point[name], bits), bits, zeros)  # noqa: B023
        if ball.is_finite():
            candidates = [c for c in candidates if point_ball(c, bits).overlaps(ball)]
        bits *= 2
    return candidates[0]


def _ball(point: Point, bits: int) -> flint.arb:
    return ball_of(point) if isinstance(point, Fraction) else point.ball(bits)


class _Field:
    """Signs in the field generated by real algebraic numbers and nested square roots (local, never kept)."""

    def __init__(self, folded: Folded, roots: tuple[Root, ...]) -> None:
        self.radicands, self.roots = [r.value for r in folded.radicands], roots
        self.first = len(folded.symbols)
        self.zeros: dict[int, bool] = {}

    def ratio(self, value: Ratio) -> int:
        top = self.sign(value.top)
        return top * self.sign(value.bottom) if top else 0

    def sign(self, poly: Poly) -> int:
        if poly.is_zero():
            return 0
        degrees = poly.degrees()[self.first : self.first + len(self.radicands)]
        if not any(degrees):
            return self._base(poly)
        index = max(i for i, d in enumerate(degrees) if d)
        quick = self._by_ball(poly, 4 * FIRST_BITS)
        if quick:
            return quick
        radicand = self.radicands[index]
        (even, odd), power = split(poly, self.first + index, Radicand(radicand, 2))
        flip = self.sign(radicand.bottom) if power % 2 else 1
        return flip * self._pair(even, odd, radicand, index)

    def _pair(self, even: Poly, odd: Poly, radicand: Ratio, index: int) -> int:
        a = self.sign(even)
        b = 0 if odd.is_zero() or self._vanishes(index) else self.sign(odd)
        if b == 0 or a == b:
            return a
        if a == 0:
            return b
        gap = even * even * radicand.bottom - odd * odd * radicand.top
        larger = self.sign(gap) * self.sign(radicand.bottom)
        return a if larger > 0 else b if larger < 0 else 0

    def _vanishes(self, index: int) -> bool:
        if index not in self.zeros:
            self.zeros[index] = self.sign(self.radicands[index].top) == 0
        return self.zeros[index]

    def _base(self, poly: Poly) -> int:
        if poly.is_constant():
            value = poly.coeffs()[0]
            return 1 if value > 0 else -1
        bits = 2 * FIRST_BITS
        quick = self._by_ball(poly, bits)
        if quick:
            return quick
        if len(self.roots) == 1:
            least, value = (flint.fmpq_poly(p) for p in (self.roots[0].poly, polynomial_in(poly, 0)))
            if (value % least).degree() < 0:
                return 0
        limit = self._separation(poly) if len(self.roots) > 1 else None
        while True:
            bits *= 2
            quick = self._by_ball(poly, bits)
            if quick:
                return quick
            if limit is not None and bits > limit:
                with flint.ctx.workprec(bits):
                    if abs(self._value(poly, bits)) < flint.arb(2) ** (-limit):
                        return 0

    def _separation(self, poly: Poly) -> int:
        """Bits b with |value| >= 2^-b unless it is zero: the norm over all conjugates is an integer ratio."""
        degrees = [r.poly.degree() for r in self.roots]
        total = math.prod(degrees)
        norm1 = sum(abs(int(c)) for c in poly.coeffs())
        bits = norm1.bit_length() * total
        for i, root in enumerate(self.roots):
            size = sum(int(c) ** 2 for c in root.poly.coeffs()).bit_length() // 2 + 1
            bits += size * poly.degrees()[i] * (total // degrees[i])
        return int(bits) + 2

    def _by_ball(self, poly: Poly, bits: int) -> int | None:
        with flint.ctx.workprec(bits):
            return sign_of_ball(self._value(poly, bits))

    def _value(self, poly: Poly, bits: int) -> flint.arb:
        gens = [r.ball(bits) for r in self.roots]
        for i, r in enumerate(self.radicands):
            if poly.degrees()[self.first + i :] == (0,) * (len(poly.degrees()) - self.first - i):
                break
            zero = self._vanishes(i)
            gens.append(flint.arb(0) if zero else (_plug(r.top, gens) / _plug(r.bottom, gens)).sqrt())
        return _plug(poly, gens)


def _plug(poly: Poly, gens: list[flint.arb]) -> flint.arb:
    total = flint.arb(0)
    for monom, value in poly.to_dict().items():
        term = flint.arb(value)
        for g, power in zip(gens, monom, strict=False):
            if power:
                term *= g**power
        total += term
    return total
