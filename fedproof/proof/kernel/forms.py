"""Normal forms: expressions as quotients of polynomials in atoms, vectors as combinations of basis vectors.

Two expressions with one normal form are equal wherever both are defined. What makes an expression defined is
collected on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fedproof.proof.kernel.atoms import Combination, key_of
from fedproof.proof.kernel.polynomials import UNIT, Quotient, added, constant
from fedproof.proof.kernel.sums import Sums
from fedproof.proof.kernel.trees import NUMBER, Rejected, Tree, substitute
from fedproof.proof.kernel.vectors import add

#: the largest exponent
MOST_POWER = 60


class Forms(Sums):
    """Reads trees as normal forms."""

    def number(self, tree: Tree) -> Quotient:
        """The normal form of an expression that is a number.

        Raises: Rejected where it is not one.
        """
        if isinstance(tree, str):
            return self._named(tree)
        found = self.known.get((tree, self.around))
        if found is None:
            before, self.needs = self.needs, {}
            try:
                found = self.known[tree, self.around] = self._number(tree), self.needs
            finally:
                self.needs = before
        self.needs.update(found[1])
        value: Quotient = found[0]
        return value

    def _number(self, tree: Tree) -> Quotient:
        """A number that is no name, by its head."""
        head, *parts = tree
        if head == "+" and parts:
            return added(map(self.number, parts))
        if head == "*" and parts:
            product = UNIT
            for p in parts:
                product = self.times(product, self.number(p))
            return product
        if head == "^" and len(parts) == 2:
            return self._power(*parts)
        if head in ("max", "min") and len(parts) == 2:
            one, other = map(self.number, parts)
            half = constant(1, 2)
            far = self.size(one - other)
            return half * (one + other + (far if head == "max" else -far))
        if head == "abs" and len(parts) == 1:
            return self.size(self.number(parts[0]))
        if head == "ip" and len(parts) == 2:
            return self.product(*map(self.vector, parts))
        if head == "n2" and len(parts) == 1:
            v = self.vector(parts[0])
            return self.product(v, v)
        if head == "sum" and len(parts) == 4:
            return self._sum(*parts)
        if head == "of" and self.kind_of(parts[0]).startswith("real("):
            return self.of(self._application(*parts))
        raise Rejected(f"{tree} is no number")

    def _named(self, name: Any) -> Quotient:
        """A number as it is written, or a name for one."""
        if NUMBER.match(name):
            p, _, q = name.partition("/")
            return constant(int(p), int(q or 1))
        if self.kind_of(name) not in ("real", "whole"):
            raise Rejected(f"{name} is no number")
        return self.named(name)

    def whole(self, tree: Tree) -> Quotient:
        """The normal form of a whole number: a polynomial with whole coefficients in whole names.

        Raises: Rejected also where it is that only because a sum in it is not empty.
        """
        q = self.number(tree)
        if self._may_be_empty(tree):
            raise Rejected("an exponent, index or end with a sum that may be empty")
        fractions = any(
            c.q != 1 or any(not self.is_whole(a) or e < 0 for a, e in m) for m, c in q.above.items()
        )
        if fractions or q.below:
            said = tree if isinstance(tree, str) else "an exponent, index or end that is computed"
            raise Rejected(f"{said} may not be whole")
        return q

    def _power(self, base: Tree, exponent: Tree) -> Quotient:
        """A power as it is written."""
        if not (isinstance(exponent, str) and NUMBER.match(exponent)):
            return self.symbolic(self.number(base), self.whole(exponent))
        p, _, q = exponent.partition("/")
        value = self.number(base)
        self.doubted = self._may_be_empty(base)
        try:
            return self._numbered(base, value, p, q)
        finally:
            self.doubted = False

    def _may_be_empty(self, tree: Tree) -> bool:
        """Whether the normal form of a number that was read needs more where a sum is empty."""
        return not isinstance(tree, str) and any(need.idle for need in self.known[tree, self.around][1])

    def _numbered(self, base: Tree, value: Quotient, p: str, q: str) -> Quotient:
        """The power p/q of a number, as it is written."""
        if not q:
            if abs(int(p)) > MOST_POWER:
                raise Rejected(f"the exponent {p} is too large")
            return self.power(value, int(p))
        return self.power(self.root(value, int(q), sure=manifest(base)), int(p))

    def vector(self, tree: Tree) -> Combination:
        """The normal form of a vector.

        Raises: Rejected where it is not one.
        """
        if tree == "0":
            return {}
        if isinstance(tree, str):
            if self.kind_of(tree) != "vector":
                raise Rejected(f"{tree} is no vector")
            return self.basis(self.atom("vector", (tree,), frozenset({tree})))
        head, *parts = tree
        if head == "+":
            total: Combination = {}
            for p in parts:
                total = add(total, self.vector(p))
            return total
        if head == "*":
            inner = [p for p in parts if self.is_vector(p)]
            if len(inner) != 1:
                raise Rejected(f"{tree} is no vector")
            scale = UNIT
            for p in parts:
                scale = scale if p is inner[0] else self.times(scale, self.number(p))
            return self.scaled(scale, self.vector(inner[0]))
        if head == "sum" and len(parts) == 4:
            return self._sum_of_vectors(*parts)
        if head == "of" and self.kind_of(parts[0]).startswith("vector("):
            return self.basis(self._application(*parts))
        raise Rejected(f"{tree} is no vector")

    def is_vector(self, tree: Tree, bound: frozenset[str] = frozenset()) -> bool:
        """Whether an expression is meant as a vector."""
        if isinstance(tree, str):
            return tree not in bound and self.kinds.get(tree) == "vector"
        head = tree[0]
        if head in ("+", "*"):
            return any(self.is_vector(p, bound) for p in tree[1:])
        if head == "sum":
            return len(tree) == 5 and self.is_vector(tree[4], bound | {tree[1]})
        return head == "of" and self.kinds.get(tree[1], "").startswith("vector(")

    def _application(self, name: str, *arguments: Tree) -> int:
        """A term of a sequence or a value of a function."""
        expected = self.kind_of(name).partition("(")[2].rstrip(")").split(",")
        if len(expected) != len(arguments):
            raise Rejected(f"{name} takes {len(expected)} arguments")
        forms = tuple(
            self.whole(a) if kind == "whole" else self.vector(a)
            for a, kind in zip(arguments, expected, strict=True)
        )
        return self.applied(name, forms)

    def _sum(self, index: str, lo: Tree, hi: Tree, body: Tree) -> Quotient:
        """A sum of numbers as the difference of two sums up to an end."""
        first, last, name, inside = self._opened(index, lo, hi, body, self.number)
        return self.upto(inside, name, last) - self.upto(inside, name, first - UNIT)

    def _sum_of_vectors(self, index: str, lo: Tree, hi: Tree, body: Tree) -> Combination:
        """A sum of vectors as the difference of two sums up to an end."""
        first, last, name, inside = self._opened(index, lo, hi, body, self.vector)
        one, other = (self.vectors_upto(inside, name, e) for e in (last, first - UNIT))
        return add(one, self.scaled(constant(-1), other))

    def _opened(
        self, index: str, lo: Tree, hi: Tree, body: Tree, read: Callable[[Tree], Any]
    ) -> tuple[Quotient, Quotient, str, Any]:
        """A sum's ends, and its body with an index of its own; an empty sum's ends are one apart."""
        first, last = self.whole(lo), self.whole(hi)
        self.need("nonnegative", last - first + UNIT)
        name = f"#{len(self.around)}"
        self.kinds[name] = "whole"
        before = self.around
        self.around = (*before, (name, key_of(first), key_of(last)))
        self.ends[self.around[-1]] = (first, last)
        inside = read(substitute(body, {index: name}))
        self.around = before
        return first, last, name, inside


def manifest(tree: Tree) -> bool:
    """Whether an expression is plainly never negative: squares, sizes, and sums and products of these."""
    if isinstance(tree, str):
        return bool(NUMBER.match(tree)) and not tree.startswith("-")
    head = tree[0]
    if head in ("n2", "abs"):
        return True
    if head == "^" and isinstance(tree[2], str) and NUMBER.match(tree[2]):
        return "/" in tree[2] or int(tree[2]) % 2 == 0 or manifest(tree[1])
    if head == "*" and len(tree) == 3 and tree[1] == tree[2]:
        return True
    return head in ("+", "*", "max", "min") and all(manifest(p) for p in tree[1:])
