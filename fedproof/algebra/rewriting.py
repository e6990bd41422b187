"""Trees with other trees put in, and with their constants folded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from fedproof.algebra.tree import Add, Mul, Num, Power, Sqrt, Sym, Tree, add, children, mul


def substitute(trees: Iterable[Tree], values: Mapping[str, Tree | Fraction]) -> tuple[Tree, ...]:
    """The trees with symbols replaced; shared nodes stay shared.

    >>> (t,) = substitute([Power(Sym("x"), 2)], {"x": Fraction(2)})
    >>> t.symbols
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
    """The tree with its constants folded and its roots joined: sqrt(a) sqrt(b) = sqrt(a b), sqrt(a)^2 = a.

    Only where the tree is known to be defined, for 0/x becomes 0 and a, b >= 0 is no longer demanded.

    >>> simplified(Mul((Num(Fraction(0)), Power(Sym("x"), -1))))
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
            return mul(*([Num(constant)] if constant != 1 else []), *_joined(rest))
        case Power(_, exponent):
            base = args[0]
            if isinstance(base, Num) and base.value:
                return Num(base.value**exponent)
            return _even(base, exponent) if exponent % 2 == 0 else Power(base, exponent)
        case Sqrt(_):
            base = args[0]
            return base if isinstance(base, Num) and base.value in (0, 1) else Sqrt(base)
        case _:
            return tree


def _joined(factors: Sequence[Tree]) -> list[Tree]:
    """Roots of expressions without roots as a single root."""
    roots = [f for f in factors if isinstance(f, Sqrt) and not f.base.rooted]
    if len(roots) < 2:
        return list(factors)
    inside = _shorten(Mul(()), tuple(r.base for r in roots))
    return [*(f for f in factors if f not in roots), Sqrt(inside)]


def _even(base: Tree, exponent: int) -> Tree:
    """An even power, roots in the base taken away."""
    if isinstance(base, Sqrt):
        return base.base if exponent == 2 else Power(base.base, exponent // 2)
    if isinstance(base, Mul) and any(isinstance(f, Sqrt) for f in base.args):
        return _shorten(Mul(()), tuple(_shorten(Power(f, exponent), (f,)) for f in base.args))
    return Power(base, exponent)
