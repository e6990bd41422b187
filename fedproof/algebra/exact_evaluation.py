"""One condition, or one expression, at given numbers: decided exactly, reported as floats."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import flint
import sympy as sp

from fedproof.algebra.balls import FIRST_BITS, ball_of, evaluate
from fedproof.algebra.reading import comparisons, compile_tree
from fedproof.algebra.signs import sign_at, verdict
from fedproof.algebra.tree import Comparison, Radical, Tree, names, walk
from fedproof.vocabulary.errors import InputError, MissingName


@dataclass(frozen=True, slots=True)
class EvaluatedRelation:
    """Whether a relation holds.

    Arguments:
        holds: decided exactly.
        defined: whether both sides have a value; where they have none the relation does not hold.
        left, right: the sides as floats, the smaller side of the inequality first; None where undefined.
        margin: (right - left)/max(left, right, 1), never negative where an inequality holds.
    """

    holds: bool
    defined: bool
    left: float | None
    right: float | None
    margin: float | None


def evaluate_relation(relation: Any, values: Mapping[str, Fraction]) -> EvaluatedRelation:
    """Decide a relation, or several joined by And, at rational values.

    Arguments:
        relation: SymPy relation, definitions substituted.
        values: exact value of each of its symbols.

    Returns: the decision; of several comparisons the first that fails, else the one with the least margin.
    Raises: MissingName for a symbol without a value.

    >>> from sympy import Mul, sqrt, Integer, Le
    >>> evaluate_relation(Le(Mul(sqrt(2), sqrt(2), evaluate=False), 2, evaluate=False), {}).holds
    True
    """
    parts = comparisons(with_exponents(relation, values))
    absent = names(*(side for p in parts for side in (p.left, p.right))) - set(values)
    if absent:
        raise MissingName("condition", sorted(absent))
    decided = [_decide(p, values) for p in parts] or [EvaluatedRelation(True, True, None, None, None)]
    return min(decided, key=lambda d: (d.holds, math.inf if d.margin is None else d.margin))


def _decide(part: Comparison, values: Mapping[str, Fraction]) -> EvaluatedRelation:
    sign = sign_at(part.gap, values)
    left, right = number(part.left, values), number(part.right, values)
    margin = None if sign is None else 0.0 if sign == 0 else _margin(part, values)
    return EvaluatedRelation(verdict(part.op, sign), sign is not None, left, right, margin)


def _margin(part: Comparison, values: Mapping[str, Fraction]) -> float | None:
    bits = FIRST_BITS
    while bits <= 2**16:
        with flint.ctx.workprec(bits):
            left, right = _ball(part.left, values, bits), _ball(part.right, values, bits)
            ratio = (right - left) / left.max(right).max(flint.arb(1))
        if ratio.rel_accuracy_bits() >= 53:
            return _float(ratio)
        bits *= 2
    return None


def evaluate_expression(expr: Any, values: Mapping[str, Fraction]) -> float | None:
    """The value of a SymPy expression at rational values, rounded to a float; None where undefined or huge.

    >>> from sympy import Symbol, sqrt
    >>> evaluate_expression(sqrt(Symbol("x")), {"x": Fraction(9, 4)})
    1.5
    """
    tree = compile_tree(with_exponents(expr, values))
    absent = names(tree) - set(values)
    if absent:
        raise MissingName("expression", sorted(absent))
    return number(tree, values)


def number(tree: Tree, values: Mapping[str, Fraction]) -> float | None:
    """The value of a tree as a float; None where undefined or too large."""
    for bits in (FIRST_BITS, 4 * FIRST_BITS, 16 * FIRST_BITS):
        ball = _ball(tree, values, bits)
        if ball.is_finite() and (ball.is_exact() or ball.rel_accuracy_bits() >= 53):
            return _float(ball)
    sign = sign_at(tree, values)
    if sign is None or sign == 0:
        return None if sign is None else 0.0
    roots = [node for node in walk(tree) if isinstance(node, Radical)]
    # no precision tells the root of 0 from the root of a negative number
    zero = {id(node): flint.arb(0) for node in roots if sign_at(node.base, values) == 0}
    while not ball.is_finite() or ball.rel_accuracy_bits() < 53:
        bits *= 2
        ball = _ball(tree, values, bits, zero)
    return _float(ball)


def with_exponents(expr: Any, values: Mapping[str, Fraction]) -> Any:
    """An expression or relation with the symbols in its exponents, such as a number of rounds, replaced.

    >>> from sympy import Symbol
    >>> with_exponents(Symbol("q") ** Symbol("R"), {"R": Fraction(3)})
    q**3
    """
    powers = expr.atoms(sp.Pow) if isinstance(expr, sp.Basic) else ()
    found = {s for p in powers for s in p.exp.free_symbols if s.name in values}
    for s in sorted(found, key=str):
        if values[s.name].denominator != 1:
            raise InputError(s.name, values[s.name], "a whole number, for it is an exponent",
                             f"write {s.name}={ceil(values[s.name])}")  # fmt: skip
    exact = {s: sp.Rational(values[s.name].numerator, values[s.name].denominator) for s in found}
    return expr.xreplace(exact) if exact else expr


def _ball(
    tree: Tree, values: Mapping[str, Fraction], bits: int, known: Mapping[int, flint.arb] | None = None
) -> flint.arb:
    return evaluate(tree, lambda name: ball_of(values[name]), bits, known)


def _float(ball: flint.arb) -> float | None:
    value = float(ball.mid())
    if value == 0 and not ball.contains(0):  # too small for a double: the nearest that is not 0
        return math.ulp(0.0) if ball > 0 else -math.ulp(0.0)
    return value if math.isfinite(value) else None
