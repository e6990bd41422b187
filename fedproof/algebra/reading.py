"""SymPy expressions and relations read into trees."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from fedproof.algebra.tree import Comparison, Power, Sqrt, Sym, Tree, absolute, add, extreme, mul, num
from fedproof.vocabulary.errors import InputError


def compile_tree(expr: Any, memo: dict[Any, Tree] | None = None) -> Tree:
    """Compile a SymPy expression; max, min and Abs become square roots of squares.

    Arguments:
        expr: sums, products, powers (exponents k, k/2, k/4, ...), max, min, Abs of rationals and symbols.
        memo: trees already compiled, shared between calls so that equal subexpressions become one node.

    Returns: the tree.
    Raises: InputError for anything else.

    >>> from sympy import Symbol, sqrt
    >>> sorted(compile_tree(sqrt(Symbol("x") + 1) / Symbol("y")).symbols)
    ['x', 'y']
    """
    memo = {} if memo is None else memo
    found = memo.get(expr)
    if found is None:
        found = memo[expr] = _compile(sp.sympify(expr, strict=True), memo)
    return found


def _compile(expr: sp.Expr, memo: dict[Any, Tree]) -> Tree:
    if isinstance(expr, sp.Rational):
        return num(Fraction(int(expr.p), int(expr.q)))
    if isinstance(expr, sp.Symbol):
        return Sym(expr.name)
    if isinstance(expr, sp.Add):
        return add(*(compile_tree(a, memo) for a in expr.args))
    if isinstance(expr, sp.Mul):
        return mul(*(compile_tree(a, memo) for a in expr.args))
    if isinstance(expr, sp.Pow):
        return _power(expr, memo)
    if isinstance(expr, sp.Abs):
        return absolute(compile_tree(expr.args[0], memo))
    if isinstance(expr, (sp.Max, sp.Min)):
        sign = 1 if isinstance(expr, sp.Max) else -1
        first, *rest = (compile_tree(a, memo) for a in expr.args)
        for other in rest:
            first = extreme(first, other, sign)
        return first
    raise InputError("expression", expr, "sums, products, quotients, square roots, max, min or Abs")


def _power(expr: sp.Pow, memo: dict[Any, Tree]) -> Tree:
    exponent = expr.exp.doit()
    if not isinstance(exponent, sp.Rational):
        raise InputError("exponent", expr.exp, "a rational number")
    top, bottom = int(exponent.p), int(exponent.q)
    if bottom & (bottom - 1):
        raise InputError("root", expr, "square roots (also nested)")
    base = compile_tree(expr.base, memo)
    while bottom > 1:
        key = ("sqrt", id(base))
        base = memo.setdefault(key, Sqrt(base))
        bottom //= 2
    return base if top == 1 else num(1) if top == 0 else Power(base, top)


def comparisons(relation: Any, memo: dict[Any, Tree] | None = None) -> tuple[Comparison, ...]:
    """The comparisons that a relation, or a conjunction of relations, consists of.

    >>> from sympy import Symbol
    >>> [c.op for c in comparisons((Symbol("x") <= 3) & (Symbol("x") > 1))]
    ['<', '<=']
    """
    memo = {} if memo is None else memo
    if isinstance(relation, (bool, BooleanTrue, BooleanFalse)):
        return () if relation else (Comparison(num(1), "<=", num(0)),)
    if isinstance(relation, sp.And):
        parts = sorted(relation.args, key=str)
        return tuple(sorted((c for a in parts for c in comparisons(a, memo)), key=lambda c: c.op))
    for kind, (op, flip) in _OPS.items():
        if isinstance(relation, kind):
            left, right = (compile_tree(a, memo) for a in relation.args)
            return (Comparison(right, op, left, True) if flip else Comparison(left, op, right),)
    raise InputError("condition", relation, "an inequality or equation, or several joined by And")


_OPS: dict[type[Relational], tuple[str, bool]] = {
    sp.Le: ("<=", False), sp.Lt: ("<", False), sp.Ge: ("<=", True), sp.Gt: ("<", True),
    sp.Eq: ("==", False), sp.Ne: ("!=", False),
}  # fmt: skip
