"""The parts of a text as SymPy has them: exact numbers, nothing evaluated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from fedproof.proof.forall import ForAll
from fedproof.proof.sequences import sequence, total
from fedproof.proof.text_grammar import Part, Relation
from fedproof.proof.text_kinds import Kinds, walk
from fedproof.proof.vectors import Vector, ip, n2
from fedproof.vocabulary.values import parse_value

#: the largest exponent, and the largest product of exponents within each other
EXPONENT = 60

_RELATIONS = {"<=": sp.Le, ">=": sp.Ge, "<": sp.Lt, ">": sp.Gt, "=": sp.Eq, "!=": sp.Ne}
_FUNCTIONS = {
    "abs": sp.Abs, "max": sp.Max, "min": sp.Min, "exp": sp.exp, "log": sp.log, "n2": n2, "ip": ip,
}  # fmt: skip


def relation(said: Relation, kinds: Kinds) -> Any:
    """A relation as SymPy has it, as it stands; `ForAll` where it holds for every index.

    Raises: InputError.

    >>> from fedproof.proof.text_grammar import read
    >>> from fedproof.proof.text_kinds import kinds_of
    >>> said = read("x + x <= 0.1", "claim")
    >>> relation(said[0], kinds_of(said))
    x + x <= 1/10
    """
    sides = (_expression(said.left, kinds), _expression(said.right, kinds))
    made = _RELATIONS[said.sign](*sides, evaluate=False)
    if said.over is None:
        return made
    index, first, last = (_expression(p, kinds) for p in said.over)
    return ForAll(made, index, first, last)


def _expression(part: Part, kinds: Kinds) -> Any:
    """A part as SymPy has it, as it stands."""
    if part.head == "number":
        value = parse_value(part.word, f"{part.place.label}, character {part.place.at + 1}")
        return sp.Rational(value.numerator, value.denominator)
    if part.head == "name":
        return _named(part.word, kinds)
    if part.head == "of":
        return _call(part, kinds)
    if part.head == "^":
        return _power(part, kinds)
    inner = [_expression(p, kinds) for p in part.parts]
    if part.head == "+":
        return sp.Add(*inner, evaluate=False)
    if part.head == "*":
        return _product(part, inner)
    if part.head == "-":
        return -inner[0] if inner[0].is_Rational else sp.Mul(-1, inner[0], evaluate=False)
    if inner[0] == 0:
        raise part.place.error("a divisor other than 0")
    return sp.Pow(inner[0], -1, evaluate=False)


def _named(word: str, kinds: Kinds) -> Any:
    if word == "pi":
        return sp.pi
    return Vector(word) if kinds[word] == "vector" else sp.Symbol(word, real=True)


def _product(part: Part, factors: Sequence[Any]) -> Any:
    """A product, in which a number divided by a number is one number."""
    found: list[Any] = []
    for one, factor in zip(part.parts, factors, strict=True):
        if found and one.head == "/" and factor.base.is_Rational and found[-1].is_Rational:
            found[-1] /= factor.base
        else:
            found.append(factor)
    return found[0] if len(found) == 1 else sp.Mul(*found, evaluate=False)


def _call(part: Part, kinds: Kinds) -> Any:
    if part.word == "sum":
        return total(*(_expression(p, kinds) for p in part.parts))
    inner = [_expression(p, kinds) for p in part.parts]
    if part.word == "E":
        return inner[0]
    if part.word in ("sqrt", "norm"):
        base = n2(*inner, evaluate=False) if part.word == "norm" else inner[0]
        return sp.Pow(base, sp.Rational(1, 2), evaluate=False)
    if part.word in _FUNCTIONS:
        return _FUNCTIONS[part.word](*inner, evaluate=False)
    return sequence(part.word)(*inner)


def _power(part: Part, kinds: Kinds) -> Any:
    if degree(part) > EXPONENT:
        raise part.place.error(f"exponents of at most {EXPONENT} in all", "name a part of it")
    base, exponent = (_expression(p, kinds) for p in part.parts)
    if not exponent.free_symbols:
        value = _constant(part.parts[1])
        exponent = sp.Rational(value.numerator, value.denominator)
    return sp.Pow(base, exponent, evaluate=False)


def degree(part: Part) -> int:
    """How often a part multiplies by itself at most, exponents within each other multiplied.

    Raises: InputError for an exponent that is no small fraction.

    >>> from fedproof.proof.text_grammar import read
    >>> degree(read("(x^2*y)^3 <= 1", "claim")[0].left)
    9
    """
    if part.head == "^":
        named = any(p.head == "name" for p in walk(part.parts[1]))
        times = 1 if named else math.ceil(abs(_constant(part.parts[1])))
        return max(1, times) * degree(part.parts[0])
    inner = [degree(p) for p in part.parts] or [1]
    return sum(inner) if part.head == "*" else max(inner)


def _constant(part: Part) -> Fraction:
    """The value of an exponent without names."""
    value = folded(part)
    if value is None or max(abs(value.numerator), value.denominator) > EXPONENT:
        raise part.place.error(f"an exponent p or p/q, of at most {EXPONENT}", "write x^2 or x^(1/3)")
    return value


def folded(part: Part) -> Fraction | None:
    """The value of a part in numbers and + - * / ^; None where it has none, or a long one.

    >>> from fedproof.proof.text_grammar import read
    >>> folded(read("2^3/5 <= x", "claim")[0].left)
    Fraction(8, 5)
    """
    if part.head == "number":
        return parse_value(part.word, f"{part.place.label}, character {part.place.at + 1}")
    inner = [v for v in map(folded, part.parts) if v is not None]
    if len(inner) < len(part.parts) or part.head in ("name", "of") or any(map(_long, inner)):
        return None
    if part.head == "+":
        return sum(inner, Fraction(0))
    if part.head == "*":
        return math.prod(inner, start=Fraction(1))
    if part.head == "-":
        return -inner[0]
    if part.head == "/":
        return 1 / inner[0] if inner[0] else None
    base, exponent = inner
    whole = exponent.denominator == 1 and abs(exponent) <= EXPONENT and (base or exponent > 0)
    return Fraction(base**exponent) if whole else None


def _long(value: Fraction) -> bool:
    return max(value.numerator.bit_length(), value.denominator.bit_length()) > 256
