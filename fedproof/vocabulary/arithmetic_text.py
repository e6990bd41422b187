"""Products, powers and roots of numbers that users type, as exact fractions."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from fractions import Fraction

#: bits of a numerator or denominator on the way, and the largest exponent
_BITS, _EXPONENT = 4096, 999
_LETTERS = re.compile(r"[0-9.eE+\-*/^()sqrt](?:[0-9.eE+\-*/^()sqrt ]*[0-9.)])?", re.ASCII)


class Irrational(ValueError):
    """A root that no fraction is; its nearest double is the argument."""


def evaluated(text: str, number: Callable[[str], Fraction]) -> Fraction | None:
    """The value of an expression in numbers, + - * / ^ ** ( ) and sqrt; None for anything else.

    Arguments:
        text: such as 2^10, 3*10^-4 or sqrt(4/9).
        number: reads one number.

    Raises: Irrational for a root that is no fraction.

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


def _value(node: ast.expr, source: str, number: Callable[[str], Fraction]) -> Fraction:
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return number(ast.get_source_segment(source, node) or "")
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=inner) if not isinstance(
            inner, ast.UnaryOp
        ):
            found = _value(inner, source, number)
            return -found if isinstance(op, ast.USub) else found
        case ast.BinOp(left=left, op=op, right=right):
            return _bounded(_applied(op, _value(left, source, number), _value(right, source, number)))
        case ast.Call(func=ast.Name(id="sqrt"), args=[inner], keywords=[]):
            return _root(_value(inner, source, number))
    raise _NotArithmetic


def _applied(op: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.Pow() if right.denominator == 1 and abs(right) <= _EXPONENT:
            if abs(right) * max(left.numerator.bit_length(), left.denominator.bit_length()) > 2 * _BITS:
                raise _NotArithmetic
            return left ** int(right)
    raise _NotArithmetic


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _BITS:
        raise _NotArithmetic
    return value


def _root(value: Fraction) -> Fraction:
    if value < 0:
        raise _NotArithmetic
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if top * top != value.numerator or bottom * bottom != value.denominator:
        raise Irrational(math.sqrt(value))
    return Fraction(top, bottom)
