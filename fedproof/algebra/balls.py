"""Rigorous evaluation of trees in ball arithmetic, at any precision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import flint

from fedproof.algebra.expressions import Operators
from fedproof.algebra.tree import Tree, fold_tree

FIRST_BITS = 64


def ball_of(value: Fraction) -> flint.arb:
    """The smallest ball around a rational at the current precision."""
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


class Balls(Operators[flint.arb]):
    """Balls that contain the true value, at the precision of the context; not finite where undefined.

    >>> Balls().root(ball_of(Fraction(27)), 3).contains(3)
    True
    """

    def constant(self, value: Fraction) -> flint.arb:
        """The smallest ball around a rational."""
        return ball_of(value)

    def power(self, a: flint.arb, exponent: int) -> flint.arb:
        """A whole power by squaring, a positive one finite also where the ball contains 0."""
        result, left = flint.arb(1), abs(exponent)
        while left:
            if left % 2:
                result = result * a
            a, left = a * a, left // 2
        return 1 / result if exponent < 0 else result

    def root(self, a: flint.arb, index: int) -> flint.arb:
        """The non-negative root."""
        return a.sqrt() if index == 2 else a.root(index)


_BALLS = Balls()


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
        return fold_tree(tree, _BALLS, at, dict(known or {}))


def sign_of_ball(ball: flint.arb) -> int | None:
    """-1 or 1 where the ball excludes zero, 0 where it is exactly zero, None where it cannot tell."""
    if not ball.is_finite():
        return None
    if ball > 0:
        return 1
    if ball < 0:
        return -1
    return 0 if ball.is_zero() else None
