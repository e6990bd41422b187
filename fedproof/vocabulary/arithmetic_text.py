"""Products, powers and roots of numbers that users type, as exact fractions or square roots of such."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from fedproof.vocabulary.surd import Surd, inverse, product, rooted

Number: TypeAlias = Fraction | Surd

#: bits of a numerator or denominator on the way, and the largest exponent
_BITS, _EXPONENT = 4096, 999
_LETTERS = re.compile(r"[0-9.eE+\-*/^()sqrt](?:[0-9.eE+\-*/^()sqrt ]*[0-9.)])?", re.ASCII)


class Irrational(ValueError):
    """A sum with a root, or a root of a root; its double is the argument."""

    def __float__(self) -> float:
        return float(self.args[0])


def evaluated(text: str, number: Callable[[str], Fraction]) -> Number | None:
    """The value of an expression in numbers, + - * / ^ ** ( ) and sqrt; None for anything else.

    Arguments:
        text: such as 2^10, 3*10^-4, sqrt(4/9) or 2*sqrt(5).
        number: reads one number.

    Raises: Irrational for what is neither a fraction nor the square root of one.

    >>> evaluated("2^10 - 1/3", Fraction), evaluated("sqrt(4/9)", Fraction), evaluated("x + 1", Fraction)
    (Fraction(3071, 3), Fraction(2, 3), None)
    """
    if not _LETTERS.fullmatch(text):
        return None
    source = text.replace("^", "**")
    try:
        tree = ast.parse(source, mode="eval")
        return _value(tree.body, source, number)
    except (SyntaxError, _NotArithmetic, ZeroDivisionError, RecursionError, MemoryError):
        return None


class _NotArithmetic(Exception):
    """Something else than numbers, operations and roots, or numbers that are too long."""


def _value(node: ast.expr, source: str, number: Callable[[str], Fraction]) -> Number:
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return number(ast.get_source_segment(source, node) or "")
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=inner) if not isinstance(
            inner, ast.UnaryOp
        ):
            found = _value(inner, source, number)
            return product(Fraction(-1), found) if isinstance(op, ast.USub) else found
        case ast.BinOp(left=left, op=op, right=right):
            return _bounded(_applied(op, _value(left, source, number), _value(right, source, number)))
        case ast.Call(func=ast.Name(id="sqrt"), args=[inner], keywords=[]):
            return _root(_value(inner, source, number))
    raise _NotArithmetic


def _applied(op: ast.operator, left: Number, right: Number) -> Number:
    match op, left, right:
        case ast.Add(), Fraction(), Fraction():
            return left + right
        case ast.Sub(), Fraction(), Fraction():
            return left - right
        case ast.Add(), _, _:
            raise Irrational(_double(left) + _double(right))
        case ast.Sub(), _, _:
            raise Irrational(_double(left) - _double(right))
        case ast.Mult(), _, _:
            return product(left, right)
        case ast.Div(), _, _:
            return product(left, inverse(right))
        case ast.Pow(), _, Fraction() if right.denominator == 1 and abs(right) <= _EXPONENT:
            return _power(left, int(right))
    raise _NotArithmetic


def _power(base: Number, exponent: int) -> Number:
    held = base.square if isinstance(base, Surd) else base
    if abs(exponent) * max(held.numerator.bit_length(), held.denominator.bit_length()) > 2 * _BITS:
        raise _NotArithmetic
    if isinstance(base, Surd):
        return rooted(base.square**exponent, base.negative and exponent % 2 == 1)
    return base**exponent


def _bounded(value: Number) -> Number:
    held = value.square if isinstance(value, Surd) else value
    if max(held.numerator.bit_length(), held.denominator.bit_length()) > _BITS:
        raise _NotArithmetic
    return value


def _double(value: Number) -> float:
    try:
        return float(value)
    except OverflowError:
        raise _NotArithmetic from None


def _root(value: Number) -> Number:
    if value < 0:
        raise _NotArithmetic
    if isinstance(value, Surd):
        raise Irrational(_double(value) ** 0.5)
    return rooted(value)
