"""Rational functions with radicals as quotients of polynomials: folded, without radicals, differentiated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from fedproof.algebra.polynomials import (
    Poly,
    Radicand,
    Ratio,
    coefficients,
    content_of,
    plus,
    reduced,
    split,
    times,
)
from fedproof.algebra.tree import Radical, Tree, fold_tree, walk

SLOTS = 8


@dataclass(frozen=True, slots=True)
class DefinednessCondition:
    """What must hold for the expression to be defined: `value` != 0 (a divisor) or >= 0 (a radicand)."""

    kind: str
    value: Ratio


@dataclass(frozen=True, slots=True)
class Folded:
    """A tree as a quotient over Z[symbols, s1, ..., sk].

    Arguments:
        value: the quotient.
        duties: in order of evaluation.
        radicands: of s1, ..., sk; each uses earlier radicals only.
        symbols: names of the first generators.
    """

    value: Ratio
    duties: tuple[DefinednessCondition, ...]
    radicands: tuple[Radicand, ...]
    symbols: tuple[str, ...]

    @property
    def sample(self) -> int:
        """Position of the spare generator behind the radicals."""
        return len(self.value.top.context().names()) - 1


class _Folder:
    """Quotients as an arithmetic that notes its duties; a local accumulator, never kept."""

    def __init__(self, tree: Tree, symbols: Sequence[str]) -> None:
        count = sum(isinstance(n, Radical) for n in walk(tree)) if tree.rooted else 0
        slots = -(-count // SLOTS) * SLOTS or SLOTS  # few different contexts, so that polynomials mix
        self.symbols = tuple(symbols)
        gens = [f"x{i}" for i in range(len(symbols))] + [f"s{i}" for i in range(slots)] + ["y"]
        self.ctx = flint.fmpz_mpoly_ctx.get(tuple(gens), "lex")
        self.gens = self.ctx.gens()
        self.one = self.ctx.constant(1)
        self.radicands: list[Radicand] = []
        self.duties: list[DefinednessCondition] = []

    def symbol(self, name: str) -> Ratio:
        return Ratio(self.gens[self.symbols.index(name)], self.one)

    def constant(self, value: Fraction) -> Ratio:
        return Ratio(self.ctx.constant(value.numerator), self.ctx.constant(value.denominator))

    def add(self, a: Ratio, b: Ratio) -> Ratio:
        return plus(a, b)

    def mul(self, a: Ratio, b: Ratio) -> Ratio:
        return times(a, b)

    def power(self, base: Ratio, exponent: int) -> Ratio:
        if exponent < 0:
            if base.top.is_zero() or not base.top.is_constant():
                self.duties.append(DefinednessCondition("nonzero", base))
            if base.top.is_zero():
                return Ratio(self.one, self.one)  # never looked at: the duty fails everywhere
            base, exponent = reduced(base.bottom, base.top), -exponent
        return Ratio(base.top**exponent, base.bottom**exponent)

    def root(self, radicand: Ratio, index: int) -> Ratio:
        constant = radicand.top.is_constant() and radicand.bottom.is_constant()
        if not constant or _constant_sign(radicand.top) < 0:
            self.duties.append(DefinednessCondition("nonneg", radicand))
        scale, core = self._core(radicand, index)
        if core.top == core.bottom:
            return scale
        if core.top.is_zero():
            return core
        if Radicand(core, index) not in self.radicands:
            self.radicands.append(Radicand(core, index))
        place = len(self.symbols) + self.radicands.index(Radicand(core, index))
        return times(scale, Ratio(self.gens[place], self.one))

    def _core(self, radicand: Ratio, index: int) -> tuple[Ratio, Ratio]:
        """Rational scale and remaining radicand: sqrt(8) = 2 sqrt(2), sqrt(8/9) = (2/3) sqrt(2)."""
        tops, bottoms = content_of(radicand.top), content_of(radicand.bottom)
        out_top, in_top = _power_part(tops * bottoms ** (index - 1), index)
        top, bottom = radicand.top / tops, radicand.bottom / bottoms
        return self.constant(Fraction(out_top, bottoms)), Ratio(top * in_top, bottom)


def _constant_sign(poly: Poly) -> int:
    value = 0 if poly.is_zero() else int(poly.coeffs()[0])
    return (value > 0) - (value < 0)


def _power_part(value: int, index: int) -> tuple[int, int]:
    """(a, b) with a^index b = value, b free of small and of large such factors.

    >>> _power_part(72, 2), _power_part(72, 3)
    ((6, 2), (2, 9))
    """
    root = int(flint.fmpz(value).root(index))
    if root**index == value:
        return root, 1
    out, rest = 1, value
    for p in (2, 3, 5, 7, 11, 13):
        while rest % p**index == 0:
            out, rest = out * p, rest // p**index
    return out, rest


def fold(tree: Tree, symbols: Sequence[str]) -> Folded:
    """The tree as a quotient of polynomials in its symbols and radicals, with its duties.

    >>> from fedproof.algebra.reading import compile_tree
    >>> from sympy import Symbol, sqrt
    >>> f = fold(compile_tree(1 / sqrt(Symbol("x"))), ["x"])
    >>> [d.kind for d in f.duties], len(f.radicands)
    (['nonneg', 'nonzero'], 1)
    """
    folder = _Folder(tree, symbols)
    value = fold_tree(tree, folder, folder.symbol, {})
    return Folded(value, tuple(folder.duties), tuple(folder.radicands), folder.symbols)


def norm(poly: Poly, folded: Folded) -> Poly:
    """A polynomial without radicals that vanishes wherever the actual value changes sign continuously.

    The product of all conjugates; where that is the zero polynomial, the lowest non-zero coefficient of the
    characteristic polynomial, whose non-zeros keep the number of vanishing conjugates constant.
    """
    result = _norm(poly, folded)
    if not result.is_zero() or poly.is_zero():
        return result
    y = folded.value.top.context().gens()[folded.sample]
    shifted = _norm(y - poly, folded)
    by_power = coefficients(shifted, folded.sample)
    return by_power[min(by_power)]


def _norm(poly: Poly, folded: Folded) -> Poly:
    for i in range(len(folded.radicands) - 1, -1, -1):
        root, place = folded.radicands[i], len(folded.symbols) + i
        parts, _ = split(poly, place, root)
        if all(p.is_zero() for p in parts[1:]):
            poly = parts[0]
        elif root.index == 2:
            poly = parts[0] * parts[0] * root.value.bottom - parts[1] * parts[1] * root.value.top
        else:
            gen = poly.context().gens()[place]
            whole = sum((p * gen**k for k, p in enumerate(parts)), poly.context().constant(0))
            least = root.value.bottom * gen**root.index - root.value.top
            poly = whole.resultant(least, poly.context().names()[place])
    return poly


def derivative(folded: Folded, position: int) -> Ratio:
    """The derivative by one generator, its numerator of degree below its index in every radical.

    Arguments:
        folded: the quotient; its radicals depend on the generator through their radicands.
        position: of the generator.
    """
    one = folded.value.top.context().constant(1)
    roots: list[Ratio] = []  # the derivatives of the radicals: r' / (q s^(q - 1))
    for i, root in enumerate(folded.radicands):
        inner = _quotient(root.value, position, folded, roots)
        radical = one.context().gens()[len(folded.symbols) + i]
        roots.append(times(inner, Ratio(one, root.index * radical ** (root.index - 1))))
    result = _quotient(folded.value, position, folded, roots)
    top = result.top
    for i in range(len(folded.radicands) - 1, -1, -1):
        place = len(folded.symbols) + i
        parts, power = split(top, place, folded.radicands[i])
        top = sum((p * one.context().gens()[place] ** k for k, p in enumerate(parts)), 0 * one)
        result = Ratio(top, result.bottom * folded.radicands[i].value.bottom ** power)
    return reduced(top, result.bottom)


def _quotient(value: Ratio, position: int, folded: Folded, roots: list[Ratio]) -> Ratio:
    up, down = (_total(p, position, folded, roots) for p in (value.top, value.bottom))
    top = up.top * down.bottom * value.bottom - value.top * down.top * up.bottom
    return reduced(top, up.bottom * down.bottom * value.bottom * value.bottom)


def _total(poly: Poly, position: int, folded: Folded, roots: list[Ratio]) -> Ratio:
    names = poly.context().names()
    top, bottom = poly.derivative(names[position]), poly.context().constant(1)
    for i, own in enumerate(roots):
        part = poly.derivative(names[len(folded.symbols) + i])
        top, bottom = top * own.bottom + part * own.top * bottom, bottom * own.bottom
    return reduced(top, bottom)
