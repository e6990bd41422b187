"""Limits of expressions as one symbol grows without bound, the others fixed."""

from __future__ import annotations

from dataclasses import dataclass

from fedproof.algebra.polynomials import Poly, coefficients, reduced, tree_of
from fedproof.algebra.regions.monotonicity import Shape, grouped, is_number, is_plain
from fedproof.algebra.regions.region import STRICT
from fedproof.algebra.tree import Add, Mul, Power, Radical, Tree, add, mul, names, num


@dataclass(frozen=True, slots=True)
class Limit:
    """A finite limit, or the sign of an infinite one."""

    value: Tree | None
    infinite: int = 0


ZERO = Limit(num(0))


def limit(tree: Tree, name: str, shape: Shape) -> Limit | None:
    """The limit as `name` goes to infinity, or None where the structure does not tell it.

    Arguments:
        tree: the expression, defined for all large values.
        name: the symbol.
        shape: answers signs of leading coefficients; its region must not bound `name`.
    """
    if name not in names(tree):
        return Limit(tree)
    if is_plain(tree):
        return _rational(tree, name, shape)
    match tree:
        case Add(args):
            return _sum([limit(a, name, shape) for a in grouped(args, add)])
        case Mul(args):
            return _product([limit(a, name, shape) for a in grouped(args, mul)], shape)
        case Power(base, exponent):
            return _power(limit(base, name, shape), exponent, shape)
        case Radical(base, index):
            inner = limit(base, name, shape)
            if inner is None or inner.infinite < 0:
                return None
            if inner.value is None or is_number(inner.value, 0):
                return inner
            return Limit(Radical(inner.value, index))
        case _:
            return None


def _lead(poly: Poly, position: int) -> tuple[int, Poly]:
    parts = coefficients(poly, position)
    degree = max(parts, default=0)
    return degree, parts.get(degree, poly)


def _rational(tree: Tree, name: str, shape: Shape) -> Limit | None:
    value = shape.folded(tree).value
    if value.top.is_zero():
        return ZERO
    position = shape.region.symbols.index(name)
    (up, top), (down, bottom) = _lead(value.top, position), _lead(value.bottom, position)
    signs = shape.region.of(top), shape.region.of(bottom)
    if signs[1] is None or abs(signs[1]) != STRICT:
        return None
    if up < down:
        return ZERO
    if up > down:
        if signs[0] is None or abs(signs[0]) != STRICT:
            return None
        return Limit(None, 1 if (signs[0] > 0) == (signs[1] > 0) else -1)
    ratio, symbols = reduced(top, bottom), shape.region.symbols
    if ratio.bottom.is_one():
        return Limit(tree_of(ratio.top, symbols))
    return Limit(Mul((tree_of(ratio.top, symbols), Power(tree_of(ratio.bottom, symbols), -1))))


def _sum(parts: list[Limit | None]) -> Limit | None:
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    signs = {p.infinite for p in known if p.infinite}
    if signs:
        return Limit(None, signs.pop()) if len(signs) == 1 else None
    values = [p.value for p in known if p.value is not None and not is_number(p.value, 0)]
    return Limit(add(*values)) if values else ZERO


def _product(parts: list[Limit | None], shape: Shape) -> Limit | None:
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    zero = any(p.value is not None and is_number(p.value, 0) for p in known)
    if not any(p.infinite for p in known):
        return ZERO if zero else Limit(mul(*(p.value for p in known if p.value is not None)))
    if zero:
        return None
    sign = 1
    for p in known:
        own = p.infinite or (None if p.value is None else shape.sign(p.value))
        if own is None or (not p.infinite and abs(own) != STRICT):
            return None
        sign *= 1 if own > 0 else -1
    return Limit(None, sign)


def _power(inner: Limit | None, exponent: int, shape: Shape) -> Limit | None:
    if inner is None:
        return None
    if inner.value is None:
        return ZERO if exponent < 0 else Limit(None, inner.infinite**exponent)
    if is_number(inner.value, 0):
        return ZERO if exponent > 0 else None
    if exponent < 0:
        sign = shape.sign(inner.value)
        if sign is None or abs(sign) != STRICT:
            return None
    return Limit(Power(inner.value, exponent))
