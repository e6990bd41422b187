"""Rigorous evaluation of trees in ball arithmetic, at any precision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import flint

from fedproof.algebra.tree import Add, Mul, Num, Power, Sym, Tree

FIRST_BITS = 64


def ball_of(value: Fraction) -> flint.arb:
    """The smallest ball around a rational at the current precision."""
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def evaluate(
    tree: Tree, at: Callable[[str], flint.arb], bits: int, known: Mapping[int, flint.arb] | None = None
) -> flint.arb:
    """A ball that contains the value of the tree, not finite where it may be undefined.

    Arguments:
        tree: what to evaluate.
        at: the ball of a symbol, asked at working precision.
        bits: the working precision.
        known: balls of nodes that need no evaluation, by the node's `id`.

    >>> from fedproof.algebra.reading import compile_tree
    >>> from sympy import sqrt, Symbol
    >>> evaluate(compile_tree(sqrt(Symbol("x"))), lambda name: ball_of(Fraction(4)), 64).contains(2)
    True
    """
    with flint.ctx.workprec(bits):
        return _evaluate(tree, at, dict(known or {}))


def _evaluate(tree: Tree, at: Callable[[str], flint.arb], done: dict[int, flint.arb]) -> flint.arb:
    found = done.get(id(tree))
    if found is not None:
        return found
    match tree:
        case Num(value):
            result = ball_of(value)
        case Sym(name):
            result = at(name)
        case Add(args):
            result = _evaluate(args[0], at, done)
            for a in args[1:]:
                result = result + _evaluate(a, at, done)
        case Mul(args):
            result = _evaluate(args[0], at, done)
            for a in args[1:]:
                result = result * _evaluate(a, at, done)
        case Power(base, exponent):
            result = _power(_evaluate(base, at, done), abs(exponent))
            if exponent < 0:
                result = 1 / result
        case _:
            result = _evaluate(tree.base, at, done).sqrt()
    done[id(tree)] = result
    return result


def _power(ball: flint.arb, exponent: int) -> flint.arb:
    """A whole power by squaring, finite also where the ball contains 0."""
    result = flint.arb(1)
    while exponent:
        if exponent % 2:
            result = result * ball
        ball, exponent = ball * ball, exponent // 2
    return result


def sign_of_ball(ball: flint.arb) -> int | None:
    """-1 or 1 where the ball excludes zero, 0 where it is exactly zero, None where it cannot tell."""
    if not ball.is_finite():
        return None
    if ball > 0:
        return 1
    if ball < 0:
        return -1
    return 0 if ball.is_zero() else None
