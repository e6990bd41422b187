"""Expression trees of rational functions with square roots, compiled once from SymPy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from fedproof.vocabulary.errors import InputError

__all__ = [
    "Add", "Comparison", "Mul", "Num", "Power", "Sqrt", "Sym", "Tree", "add", "comparisons", "compile_tree",
    "mul", "names", "negative", "num", "simplified", "substitute", "walk",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Num:
    """A rational constant."""

    value: Fraction
    symbols: frozenset[str] = field(init=False, repr=False, default=frozenset())
    rooted: bool = field(init=False, repr=False, default=False)


@dataclass(frozen=True, slots=True, eq=False)
class Sym:
    """A symbol, by name."""

    name: str
    symbols: frozenset[str] = field(init=False, repr=False)
    rooted: bool = field(init=False, repr=False, default=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", frozenset((self.name,)))


@dataclass(frozen=True, slots=True, eq=False)
class Add:
    """A sum."""

    args: tuple[Tree, ...]
    symbols: frozenset[str] = field(init=False, repr=False)
    rooted: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _describe(self, self.args, False)


@dataclass(frozen=True, slots=True, eq=False)
class Mul:
    """A product."""

    args: tuple[Tree, ...]
    symbols: frozenset[str] = field(init=False, repr=False)
    rooted: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _describe(self, self.args, False)


@dataclass(frozen=True, slots=True, eq=False)
class Power:
    """A whole power; a negative one demands a base other than zero."""

    base: Tree
    exponent: int
    symbols: frozenset[str] = field(init=False, repr=False)
    rooted: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _describe(self, (self.base,), False)


@dataclass(frozen=True, slots=True, eq=False)
class Sqrt:
    """The non-negative square root; demands a radicand >= 0."""

    base: Tree
    symbols: frozenset[str] = field(init=False, repr=False)
    rooted: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _describe(self, (self.base,), True)


def _describe(node: Add | Mul | Power | Sqrt, kids: tuple[Tree, ...], root: bool) -> None:
    """Note once which symbols a node contains and whether it contains a root."""
    object.__setattr__(node, "symbols", frozenset().union(*(k.symbols for k in kids)))
    object.__setattr__(node, "rooted", root or any(k.rooted for k in kids))


Tree: TypeAlias = Num | Sym | Add | Mul | Power | Sqrt


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left op right` with op one of <=, <, ==, !=; `flipped` when it was written with >= or >."""

    left: Tree
    op: str
    right: Tree
    flipped: bool = False

    @property
    def gap(self) -> Tree:
        """right - left, which the comparison compares with zero."""
        return add(self.right, negative(self.left))


def num(value: Fraction | int) -> Num:
    """A constant."""
    return Num(Fraction(value))


def add(*args: Tree) -> Tree:
    """The sum of trees."""
    return args[0] if len(args) == 1 else Add(args)


def mul(*args: Tree) -> Tree:
    """The product of trees."""
    return args[0] if len(args) == 1 else Mul(args)


def negative(tree: Tree) -> Tree:
    """The tree with its sign changed."""
    return Num(-tree.value) if isinstance(tree, Num) else Mul((num(-1), tree))


def compile_tree(expr: Any, memo: dict[Any, Tree] | None = None) -> Tree:
    """Compile a SymPy expression; max, min and Abs become square roots of squares.

    Arguments:
        expr: sums, products, powers (exponents k, k/2, k/4, ...), max, min, Abs of rationals and symbols.
        memo: trees already compiled, shared between calls so that equal subexpressions become one node.

    Returns: the tree.
    Raises: InputError for anything else.

    >>> from sympy import Symbol, sqrt
    >>> sorted(names(compile_tree(sqrt(Symbol("x") + 1) / Symbol("y"))))
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
        return _absolute(compile_tree(expr.args[0], memo))
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


def _absolute(tree: Tree) -> Tree:
    return Sqrt(Power(tree, 2))


def extreme(a: Tree, b: Tree, sign: int) -> Tree:
    """The larger (sign 1) or smaller (sign -1) of two trees: (a + b +- |a - b|)/2."""
    gap = Mul((num(sign), _absolute(add(a, negative(b)))))
    return Mul((num(Fraction(1, 2)), Add((a, b, gap))))


_OPS: dict[type[Relational], tuple[str, bool]] = {
    sp.Le: ("<=", False), sp.Lt: ("<", False), sp.Ge: ("<=", True), sp.Gt: ("<", True),
    sp.Eq: ("==", False), sp.Ne: ("!=", False),
}  # fmt: skip


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


def walk(tree: Tree, seen: set[int] | None = None) -> Iterator[Tree]:
    """Every distinct node, children first."""
    seen = set() if seen is None else seen
    if id(tree) in seen:
        return
    seen.add(id(tree))
    for child in children(tree):
        yield from walk(child, seen)
    yield tree


def children(tree: Tree) -> tuple[Tree, ...]:
    """The arguments of a node."""
    match tree:
        case Add(args) | Mul(args):
            return args
        case Power(base, _) | Sqrt(base):
            return (base,)
        case _:
            return ()


def names(*trees: Tree) -> frozenset[str]:
    """The names of the symbols in the trees."""
    return frozenset().union(*(t.symbols for t in trees))


def substitute(trees: Iterable[Tree], values: Mapping[str, Tree | Fraction]) -> tuple[Tree, ...]:
    """The trees with symbols replaced; shared nodes stay shared.

    >>> (t,) = substitute([compile_tree(sp.Symbol("x") + 1)], {"x": Fraction(2)})
    >>> names(t)
    frozenset()
    """
    done: dict[int, Tree] = {}
    new = {k: Num(v) if isinstance(v, Fraction) else v for k, v in values.items()}
    return tuple(_replace(t, new, done) for t in trees)


def _replace(tree: Tree, new: Mapping[str, Tree], done: dict[int, Tree]) -> Tree:
    found = done.get(id(tree))
    if found is not None:
        return found
    result: Tree = tree
    if tree.symbols.isdisjoint(new):
        return tree
    kids = children(tree)
    if isinstance(tree, Sym):
        result = new.get(tree.name, tree)
    elif kids:
        args = tuple(_replace(k, new, done) for k in kids)
        if any(a is not k for a, k in zip(args, kids, strict=True)):
            result = _rebuild(tree, args)
    done[id(tree)] = result
    return result


def _rebuild(tree: Tree, args: tuple[Tree, ...]) -> Tree:
    match tree:
        case Add(_):
            return Add(args)
        case Mul(_):
            return Mul(args)
        case Power(_, exponent):
            return Power(args[0], exponent)
        case _:
            return Sqrt(args[0])


def simplified(tree: Tree) -> Tree:
    """The tree with its constants folded; only where it is known to be defined, for 0/x becomes 0.

    >>> simplified(Mul((num(0), Power(Sym("x"), -1))))
    Num(value=Fraction(0, 1))
    """
    return _simplify(tree, {})


def _simplify(tree: Tree, done: dict[int, Tree]) -> Tree:
    found = done.get(id(tree))
    if found is None:
        found = done[id(tree)] = _shorten(tree, tuple(_simplify(k, done) for k in children(tree)))
    return found


def _shorten(tree: Tree, args: tuple[Tree, ...]) -> Tree:
    match tree:
        case Add(_):
            flat = [t for a in args for t in (a.args if isinstance(a, Add) else (a,))]
            constant = sum((a.value for a in flat if isinstance(a, Num)), Fraction(0))
            rest = [a for a in flat if not isinstance(a, Num)]
            return add(*rest, *([Num(constant)] if constant or not rest else []))
        case Mul(_):
            flat = [t for a in args for t in (a.args if isinstance(a, Mul) else (a,))]
            constant = Fraction(1)
            for a in flat:
                constant *= a.value if isinstance(a, Num) else 1
            rest = [a for a in flat if not isinstance(a, Num)]
            if not rest or not constant:
                return Num(constant)
            return mul(*([Num(constant)] if constant != 1 else []), *rest)
        case Power(_, exponent):
            base = args[0]
            if isinstance(base, Num) and base.value:
                return Num(base.value**exponent)
            return Power(base, exponent)
        case Sqrt(_):
            base = args[0]
            return base if isinstance(base, Num) and base.value in (0, 1) else Sqrt(base)
        case _:
            return tree
