"""SymPy expressions and relations read into trees."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from fedproof.algebra.expressions import fold
from fedproof.algebra.tree import Comparison, Power, Radical, Sym, Tree, absolute, add, extreme, mul, num
from fedproof.vocabulary.errors import InputError


class _Trees:
    """Trees as an arithmetic; max, min and Abs become square roots of squares.

    A root of composite index is a chain of roots of prime indices, square roots innermost; equal chains over
    one node are one node.
    """

    def __init__(self) -> None:
        self.roots: dict[tuple[int, int], Tree] = {}

    def constant(self, value: Fraction) -> Tree:
        return num(value)

    def add(self, a: Tree, b: Tree) -> Tree:
        return add(a, b)

    def mul(self, a: Tree, b: Tree) -> Tree:
        return mul(a, b)

    def add_all(self, parts: list[Tree]) -> Tree:
        return add(*parts)

    def mul_all(self, parts: list[Tree]) -> Tree:
        return mul(*parts)

    def power(self, a: Tree, exponent: int) -> Tree:
        return a if exponent == 1 else num(1) if exponent == 0 else Power(a, exponent)

    def root(self, a: Tree, index: int) -> Tree:
        for prime, power in sorted(sp.factorint(index).items()):
            for _ in range(power):
                a = self.roots.setdefault((prime, id(a)), Radical(a, prime))
        return a

    def maximum(self, a: Tree, b: Tree) -> Tree:
        return extreme(a, b, 1)

    def minimum(self, a: Tree, b: Tree) -> Tree:
        return extreme(a, b, -1)

    def absolute(self, a: Tree) -> Tree:
        return absolute(a)


class _Symbols(dict[str, Tree]):
    def __missing__(self, name: str) -> Tree:
        self[name] = Sym(name)
        return self[name]


class Reader:
    """Reads SymPy into trees in which equal subexpressions are one node."""

    def __init__(self) -> None:
        self._trees, self._symbols = _Trees(), _Symbols()
        self._done: dict[Any, Tree] = {}

    def tree(self, expr: Any) -> Tree:
        """Compile a SymPy expression: what `fold` takes.

        Raises: InputError for anything else.
        """
        try:
            return fold(sp.sympify(expr, strict=True), self._trees, self._symbols, self._done)
        except TypeError:
            raise InputError("expression", expr, "sums, products, rational powers, max, min or Abs") from None


def compile_tree(expr: Any) -> Tree:
    """The tree of a SymPy expression.

    >>> from sympy import Symbol, sqrt
    >>> sorted(compile_tree(sqrt(Symbol("x") + 1) / Symbol("y")).symbols)
    ['x', 'y']
    """
    return Reader().tree(expr)


def comparisons(relation: Any, reader: Reader | None = None) -> tuple[Comparison, ...]:
    """The comparisons that a relation, or a conjunction of relations, consists of.

    >>> from sympy import Symbol
    >>> [c.op for c in comparisons((Symbol("x") <= 3) & (Symbol("x") > 1))]
    ['<', '<=']
    """
    reader = reader or Reader()
    if isinstance(relation, (bool, BooleanTrue, BooleanFalse)):
        return () if relation else (Comparison(num(1), "<=", num(0)),)
    if isinstance(relation, sp.And):
        parts = sorted(relation.args, key=str)
        return tuple(sorted((c for a in parts for c in comparisons(a, reader)), key=lambda c: c.op))
    for kind, (op, flip) in _OPS.items():
        if isinstance(relation, kind):
            left, right = (reader.tree(a) for a in relation.args)
            return (Comparison(right, op, left) if flip else Comparison(left, op, right),)
    raise InputError("condition", relation, "an inequality or equation, or several joined by And")


_OPS: dict[type[Relational], tuple[str, bool]] = {
    sp.Le: ("<=", False), sp.Lt: ("<", False), sp.Ge: ("<=", True), sp.Gt: ("<", True),
    sp.Eq: ("==", False), sp.Ne: ("!=", False),
}  # fmt: skip
