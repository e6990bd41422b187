"""Signs and directions of expressions on a region, by structure and by polynomials of one sign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from fedproof.algebra.polynomials import Key, Poly, Ratio, factored, key_of, reduced, split
from fedproof.algebra.quotient import DefinednessCondition, Folded, derivative, fold
from fedproof.algebra.regions.region import STRICT, Region
from fedproof.algebra.tree import Add, Mul, Num, Power, Radical, Tree, add, mul, names

RootedKey: TypeAlias = tuple[Key, tuple[tuple[Key, Key, int], ...]]


@dataclass(frozen=True)
class Shape:
    """Answers about trees on one region, remembered for as long as the region is looked at.

    Arguments:
        region: bounds and facts about polynomials.
        signs: known signs of numerators in which radicals remain.
    """

    region: Region
    signs: Mapping[RootedKey, int] = field(default_factory=dict, repr=False)
    folds: dict[int, tuple[Tree, Folded]] = field(default_factory=dict, repr=False)

    def folded(self, tree: Tree) -> Folded:
        """The tree as a quotient over the region's symbols."""
        if id(tree) not in self.folds:
            self.folds[id(tree)] = (tree, fold(tree, self.region.symbols))
        return self.folds[id(tree)][1]

    def defined(self, tree: Tree) -> bool:
        """Whether the tree is surely defined everywhere on the region."""
        return all(self._duty(tree, d) for d in self.folded(tree).duties)

    def firm(self, tree: Tree) -> bool:
        """Whether every radicand of the tree is surely positive on the region."""
        return all(
            self._ratio(d.value, self.folded(tree)) == STRICT
            for d in self.folded(tree).duties
            if d.kind == "nonneg"
        )

    def _duty(self, tree: Tree, duty: DefinednessCondition) -> bool:
        sign = self._ratio(duty.value, self.folded(tree))
        if sign is None:
            return False
        return abs(sign) == STRICT if duty.kind == "nonzero" else sign >= 0

    def _ratio(self, value: Ratio, folded: Folded) -> int | None:
        """The sign of a quotient in which radicals remain, as variables that are not negative."""
        first = len(folded.symbols)
        positive: set[int] = set()
        for i, radicand in enumerate(folded.radicands):
            if self.region.sign(radicand.value, frozenset(positive)) == STRICT:
                positive.add(first + i)
        firm = frozenset(positive)
        top, bottom = self._poly(value.top, folded, firm), self._poly(value.bottom, folded, firm)
        if top is None or bottom is None:
            return None
        return 0 if top == 0 else (1 if (top > 0) == (bottom > 0) else -1) * min(abs(top), STRICT)

    def _poly(self, poly: Poly, folded: Folded, positive: frozenset[int]) -> int | None:
        """The sign of a polynomial with radicals; A + B s is compared by the squares of A and B s."""
        found = self.region.of(poly, positive)
        first = len(folded.symbols)
        used = [i for i in range(len(folded.radicands)) if poly.degrees()[first + i]]
        if found is not None or not used:
            return found
        if self.signs:
            found = self._known_sign(poly, folded, positive)
            if found is not None:
                return found
        root = folded.radicands[used[-1]]
        (even, odd, *more), power = split(poly, first + used[-1], root)
        radicand = root.value
        below, slope = self._poly(radicand.bottom, folded, positive), self._poly(odd, folded, positive)
        if below is None or abs(below) != STRICT:
            return None
        flip = -1 if below < 0 and power % 2 else 1
        if root.index > 2:  # of odd index q: A + B s has the sign of A^q + B^q s^q
            if any(not p.is_zero() for p in more):
                return None
            both = even**root.index * radicand.bottom + odd**root.index * radicand.top
            found = self._poly(both, folded, positive)
            return None if found is None else found * flip * (1 if below > 0 else -1)
        if slope is None:
            return None
        if slope == 0:
            rest = self._poly(even, folded, positive)
            return None if rest is None else flip * rest
        if abs(slope) != STRICT:
            return None
        gap = self._poly(odd * odd * radicand.top - even * even * radicand.bottom, folded, positive)
        if gap == STRICT * (1 if below > 0 else -1):
            return slope * flip
        rest = self._poly(even, folded, positive)
        if rest is not None and (rest == 0 or (rest > 0) == (slope > 0)):
            return flip * (1 if slope > 0 else -1)
        return None

    def _known_sign(self, poly: Poly, folded: Folded, positive: frozenset[int]) -> int | None:
        """The sign from what is said about it, or about all its factors."""
        found = self.signs.get(rooted_key(poly, folded))
        if found is not None:
            return found
        content, parts = factored(poly)
        if len(parts) == 1 and parts[0][1] == 1:
            return self.signs.get(rooted_key(parts[0][0] * (1 if content > 0 else -1), folded))
        signs = [self._poly(p, folded, positive) for p, power in parts for _ in range(power)]
        return _product([STRICT if content > 0 else -STRICT, *signs])

    def sign(self, tree: Tree) -> int | None:
        """The sign that a tree keeps on the region, where it is defined: +-2, +-1, 0 or None."""
        if is_plain(tree):
            return self.region.sign(self.folded(tree).value)
        found = self._structural_sign(tree)
        if found is None and self.signs:
            folded = self.folded(tree)
            found = self._ratio(folded.value, folded)
        return found

    def _structural_sign(self, tree: Tree) -> int | None:
        match tree:
            case Add(args):
                return _sum([self.sign(a) for a in grouped(args, add)])
            case Mul(args):
                return _product([self.sign(a) for a in grouped(args, mul)])
            case Power(base, exponent):
                found = self.sign(base)
                if found is None:
                    return 1 if exponent % 2 == 0 else None
                return abs(found) if exponent % 2 == 0 else found
            case Radical(base, _):
                found = self.sign(base)
                return STRICT if found == STRICT else 1
            case _:
                return None

    def slope(self, tree: Tree, name: str) -> int | None:
        """The direction in which a tree moves as one symbol grows: +-2 strictly, +-1, 0 constant, or None."""
        if name not in names(tree):
            return 0
        if is_plain(tree):
            return self._rational_slope(tree, name)
        found = self._structural_slope(tree, name)
        return self._folded_slope(tree, name) if found is None else found

    def _structural_slope(self, tree: Tree, name: str) -> int | None:
        match tree:
            case Add(args):
                return _sum([self.slope(a, name) for a in grouped(args, add)])
            case Mul(args):
                return self._product_slope(grouped(args, mul), name)
            case Power(base, exponent):
                return self._power_slope(base, exponent, name)
            case Radical(base, _):
                return self.slope(base, name)
            case _:
                return None

    def _rational_slope(self, tree: Tree, name: str) -> int | None:
        value = self.folded(tree).value
        var = f"x{self.region.symbols.index(name)}"
        top = value.top.derivative(var) * value.bottom - value.top * value.bottom.derivative(var)
        return self.region.sign(reduced(top, value.bottom * value.bottom))

    def _folded_slope(self, tree: Tree, name: str) -> int | None:
        """From the derivative of the quotient, radicals and their derivatives included."""
        folded = self.folded(tree)
        if len(folded.radicands) > 3:
            return None
        top = derivative(folded, self.region.symbols.index(name))
        return None if top is None else self._ratio(top, folded)

    def _power_slope(self, base: Tree, exponent: int, name: str) -> int | None:
        inner, sign = self.slope(base, name), self.sign(base)
        if inner is None or (sign is None and exponent % 2 == 0):
            return None
        odd = exponent % 2 == 1  # the derivative is exponent * base^(exponent - 1) * slope
        flip = (1 if exponent > 0 else -1) * (1 if odd or (sign or 0) > 0 else -1)
        strict = sign is not None and abs(sign) == STRICT
        return flip * (inner if strict else _weak(inner))

    def _product_slope(self, args: list[Tree], name: str) -> int | None:
        """Each factor moves the product by its own slope times the sign of the others."""
        terms: list[int | None] = []
        for i, a in enumerate(args):
            own = self.slope(a, name)
            if own == 0:
                continue
            others = _product([self.sign(b) for j, b in enumerate(args) if j != i])
            terms.append(None if own is None else _product([own, others]))
        return _sum(terms)


def rooted_key(poly: Poly, folded: Folded) -> RootedKey:
    """A hashable stand-in for a polynomial in radicals: radicals are known by their radicands."""
    first = len(folded.symbols)
    used = [i for i in range(len(folded.radicands)) if poly.degrees()[first + i]]
    roots = folded.radicands[: max(used, default=-1) + 1]
    return key_of(poly), tuple((key_of(r.value.top), key_of(r.value.bottom), r.index) for r in roots)


def is_plain(tree: Tree) -> bool:
    """Whether no radical occurs."""
    return not tree.rooted


def grouped(args: tuple[Tree, ...], join: Callable[..., Tree]) -> list[Tree]:
    """The arguments with those free of radicals joined into one."""
    plain = [a for a in args if is_plain(a)]
    rest = [a for a in args if not is_plain(a)]
    return ([join(*plain)] if plain else []) + rest


def _weak(sign: int) -> int:
    return (sign > 0) - (sign < 0)


def _sum(signs: list[int | None]) -> int | None:
    """The sign of a sum of terms of known sign."""
    if None in signs:
        return None
    known = [s for s in signs if s]
    if not known:
        return 0
    if any((s > 0) != (known[0] > 0) for s in known):
        return None
    return max(known) if known[0] > 0 else min(known)


def _product(signs: list[int | None]) -> int | None:
    """The sign of a product of factors of known sign."""
    if 0 in signs:
        return 0
    result, strict = 1, True
    for s in signs:
        if s is None:
            return None
        result *= _weak(s)
        strict = strict and abs(s) == STRICT
    return result * (STRICT if strict else 1)


def is_number(tree: Tree, value: int) -> bool:
    """Whether a tree is this constant."""
    return isinstance(tree, Num) and tree.value == value
