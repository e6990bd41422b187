"""Expression trees of rational functions with radicals, compiled once from SymPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from fedproof.algebra.expressions import Algebra

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    """What is noted once of a node: the names of its symbols, and whether it contains a root."""

    symbols: frozenset[str] = field(init=False, repr=False)
    rooted: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        kids = children(self)
        own = (self.name,) if isinstance(self, Sym) else ()
        object.__setattr__(self, "symbols", frozenset(own).union(*(k.symbols for k in kids)))
        object.__setattr__(self, "rooted", isinstance(self, Radical) or any(k.rooted for k in kids))


@dataclass(frozen=True, slots=True, eq=False)
class Num(_Node):
    """A rational constant."""

    value: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Sym(_Node):
    """A symbol, by name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Add(_Node):
    """A sum."""

    args: tuple[Tree, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Mul(_Node):
    """A product."""

    args: tuple[Tree, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Power(_Node):
    """A whole power; a negative one demands a base other than zero."""

    base: Tree
    exponent: int


@dataclass(frozen=True, slots=True, eq=False)
class Radical(_Node):
    """The non-negative root of prime index, 2 for the square root; demands a radicand >= 0."""

    base: Tree
    index: int


Tree: TypeAlias = Num | Sym | Add | Mul | Power | Radical


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left op right` with op one of <=, <, ==, !=."""

    left: Tree
    op: str
    right: Tree

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


def square_root(tree: Tree) -> Tree:
    """The square root."""
    return Radical(tree, 2)


def absolute(tree: Tree) -> Tree:
    """The absolute value, as the root of the square."""
    return square_root(Power(tree, 2))


def extreme(a: Tree, b: Tree, sign: int) -> Tree:
    """The larger (sign 1) or smaller (sign -1) of two trees: (a + b +- |a - b|)/2."""
    gap = Mul((num(sign), absolute(add(a, negative(b)))))
    return Mul((num(Fraction(1, 2)), Add((a, b, gap))))


def walk(tree: Tree, seen: set[int] | None = None) -> Iterator[Tree]:
    """Every distinct node, children first."""
    seen = set() if seen is None else seen
    if id(tree) in seen:
        return
    seen.add(id(tree))
    for child in children(tree):
        yield from walk(child, seen)
    yield tree


def children(tree: _Node) -> tuple[Tree, ...]:
    """The arguments of a node."""
    match tree:
        case Add(args) | Mul(args):
            return args
        case Power(base, _) | Radical(base, _):
            return (base,)
        case _:
            return ()


def names(*trees: Tree) -> frozenset[str]:
    """The names of the symbols in the trees."""
    return frozenset().union(*(t.symbols for t in trees))


def fold_tree(tree: Tree, algebra: Algebra[T], at: Callable[[str], T], done: dict[int, T]) -> T:
    """The value of a tree in an arithmetic.

    Arguments:
        tree: what to evaluate.
        algebra: the arithmetic.
        at: the value of a symbol.
        done: values of nodes that are known, by the node's `id`; all others are added.
    """
    found = done.get(id(tree))
    if found is not None:
        return found
    if isinstance(tree, Sym):
        result = at(tree.name)
    elif isinstance(tree, Power):
        result = algebra.power(fold_tree(tree.base, algebra, at, done), tree.exponent)
    elif isinstance(tree, (Add, Mul)):
        join = algebra.add if isinstance(tree, Add) else algebra.mul
        result = fold_tree(tree.args[0], algebra, at, done)
        for arg in tree.args[1:]:
            result = join(result, fold_tree(arg, algebra, at, done))
    elif isinstance(tree, Num):
        result = algebra.constant(tree.value)
    else:
        result = algebra.root(fold_tree(tree.base, algebra, at, done), tree.index)
    done[id(tree)] = result
    return result
