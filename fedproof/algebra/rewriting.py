"""Trees with other trees put in, and with their constants folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from fedproof.algebra.tree import Add, Mul, Num, Power, Radical, Sym, Tree, add, children, mul


def _rewrite(
    tree: Tree,
    done: dict[int, Tree],
    visit: Callable[[Tree, tuple[Tree, ...]], Tree],
    keep: Callable[[Tree], bool] = lambda tree: False,
) -> Tree:
    """The tree as `visit` makes each node from its new arguments, once; what is to be kept is not entered."""
    if id(tree) not in done:
        if keep(tree):
            return tree
        done[id(tree)] = visit(tree, tuple(_rewrite(k, done, visit, keep) for k in children(tree)))
    return done[id(tree)]


def _rebuild(tree: Tree, args: tuple[Tree, ...]) -> Tree:
    if all(a is k for a, k in zip(args, children(tree), strict=True)):
        return tree
    if isinstance(tree, (Add, Mul)):
        return type(tree)(args)
    return replace(tree, base=args[0]) if isinstance(tree, (Power, Radical)) else tree


def substitute(trees: Iterable[Tree], values: Mapping[str, Tree | Fraction]) -> tuple[Tree, ...]:
    """The trees with symbols replaced; shared nodes stay shared.

    >>> (t,) = substitute([Power(Sym("x"), 2)], {"x": Fraction(2)})
    >>> t.symbols
    frozenset()
    """
    done: dict[int, Tree] = {}
    new = {k: Num(v) if isinstance(v, Fraction) else v for k, v in values.items()}

    def visit(tree: Tree, args: tuple[Tree, ...]) -> Tree:
        return new.get(tree.name, tree) if isinstance(tree, Sym) else _rebuild(tree, args)

    return tuple(_rewrite(t, done, visit, lambda t: t.symbols.isdisjoint(new)) for t in trees)


def simplified(tree: Tree) -> Tree:
    """The tree with its constants folded and its roots joined: sqrt(a) sqrt(b) = sqrt(a b), sqrt(a)^2 = a.

    Only where the tree is known to be defined, for 0/x becomes 0 and a, b >= 0 is no longer demanded.

    >>> simplified(Mul((Num(Fraction(0)), Power(Sym("x"), -1))))
    Num(value=Fraction(0, 1))
    """
    return _rewrite(tree, {}, _shorten)


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
            return mul(*([Num(constant)] if constant != 1 else []), *_joined(rest))
        case Power(_, exponent):
            base = args[0]
            if isinstance(base, Num) and base.value:
                return Num(base.value**exponent)
            return _lowered(base, exponent)
        case Radical(_, index):
            base = args[0]
            return base if isinstance(base, Num) and base.value in (0, 1) else Radical(base, index)
        case _:
            return tree


def _joined(factors: Sequence[Tree]) -> list[Tree]:
    """Roots of one index of expressions without roots as a single root."""
    roots = [f for f in factors if isinstance(f, Radical) and not f.base.rooted]
    for index in sorted({r.index for r in roots}):
        alike = [r for r in roots if r.index == index]
        if len(alike) > 1:
            inside = _shorten(Mul(()), tuple(r.base for r in alike))
            factors = [*(f for f in factors if f not in alike), Radical(inside, index)]
    return list(factors)


def _lowered(base: Tree, exponent: int) -> Tree:
    """A power, roots in the base taken away where the exponent is a multiple of their index."""
    if isinstance(base, Radical) and exponent % base.index == 0:
        return base.base if exponent == base.index else Power(base.base, exponent // base.index)
    if isinstance(base, Mul) and any(isinstance(f, Radical) and exponent % f.index == 0 for f in base.args):
        return _shorten(Mul(()), tuple(_shorten(Power(f, exponent), (f,)) for f in base.args))
    return Power(base, exponent)


def swapped(tree: Tree, old: Tree, new: Tree) -> Tree:
    """The tree with one node, wherever it occurs, replaced by another tree."""
    return _rewrite(tree, {id(old): new}, _rebuild)
