"""Re-check an audit with nothing but Python's standard library: python recheck.py audit.json

For every refuted step and statement that comes with exact numbers, each hypothesis must hold at them and the
claim must fail; where numbers show that hypotheses can hold, they must. Arithmetic is exact, with rationals
and square roots and no rounding; text is parsed, never executed. Nothing of fedproof is used.
Exit code 0: all confirmed; 1: something is not as the audit says; 2: something could not be read.
"""

from __future__ import annotations

import ast
import json
import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cmp_to_key
from math import isqrt, prod
from typing import Any

_ZERO = Fraction(0)
_COMPARE: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.LtE: operator.le, ast.Lt: operator.lt, ast.GtE: operator.ge, ast.Gt: operator.gt,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


class _Real:
    """A sum of rationals times products of square roots, a root named by its radicand; signs are exact."""

    def __init__(self, terms: Mapping[frozenset[_Real], Fraction]) -> None:
        self.terms = {m: c for m, c in terms.items() if c}
        self.depth: int = max((r.depth + 1 for m in self.terms for r in m), default=0)
        self.fraction = self.terms.get(frozenset(), _ZERO)

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Real) and self.terms == other.terms

    def __add__(self, other: _Real) -> _Real:
        both = {*self.terms, *other.terms}
        return _Real({m: self.terms.get(m, _ZERO) + other.terms.get(m, _ZERO) for m in both})

    def __neg__(self) -> _Real:
        return _Real({m: -c for m, c in self.terms.items()})

    def __mul__(self, other: _Real) -> _Real:
        total = _Real({})
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                term = _Real({m ^ n: c * d})
                for radicand in m & n:  # a root times itself
                    term = term * radicand
                total = total + term
        return total

    def __truediv__(self, other: _Real) -> _Real:
        if other.sign() == 0:
            raise ZeroDivisionError("division by zero")
        if other.depth == 0:
            return self * _rational(1 / other.fraction)
        a, b, r = other.parts()
        norm = a * a + -(b * b * r)
        if norm.sign() == 0:  # then a = b sqrt(r), for other is not 0
            return self / (a + a)
        return self * (a + -(b * _Real({frozenset({r}): Fraction(1)}))) / norm

    def parts(self) -> tuple[_Real, _Real, _Real]:
        """a, b, r with self = a + b sqrt(r), where none of them has that root."""
        r = next(r for m in self.terms for r in m if r.depth + 1 == self.depth)
        a = _Real({m: c for m, c in self.terms.items() if r not in m})
        return a, _Real({m - {r}: c for m, c in self.terms.items() if r in m}), r

    def sign(self) -> int:
        if self.depth == 0:
            return (self.fraction > 0) - (self.fraction < 0)
        a, b, r = self.parts()
        of_a, of_b = a.sign(), b.sign() * r.sign()
        return (of_a or of_b) if of_a * of_b >= 0 else of_a * (a * a + -(b * b * r)).sign()

    def sqrt(self) -> _Real:
        if self.sign() < 0:
            raise ArithmeticError("the root of a negative number")
        top, bottom = self.fraction.numerator, self.fraction.denominator
        if self.depth == 0 and isqrt(top) ** 2 == top and isqrt(bottom) ** 2 == bottom:
            return _rational(Fraction(isqrt(top), isqrt(bottom)))
        return _Real({frozenset({self}): Fraction(1)})

    def power(self, exponent: _Real) -> _Real:
        top, bottom = exponent.fraction.numerator, exponent.fraction.denominator
        if exponent.depth or abs(top) > 1000 or bottom & (bottom - 1):
            raise ValueError(f"the exponent {exponent}")
        root, total = self, _rational(1)
        for _ in range(bottom.bit_length() - 1):
            root = root.sqrt()
        for _ in range(abs(top)):
            total = total * root
        return _rational(1) / total if top < 0 else total

    def decimal(self) -> Decimal:
        total = Decimal(0)
        for m, c in self.terms.items():
            roots = (max(r.decimal(), Decimal(0)).sqrt() for r in m)
            total += Decimal(c.numerator) / c.denominator * prod(roots, start=Decimal(1))
        return total

    def __str__(self) -> str:
        if self.depth == 0 and len(str(self.fraction)) <= 12:
            return str(self.fraction)
        with localcontext(prec=60):
            return f"{self.decimal():.12g}"


def _rational(value: Fraction | int) -> _Real:
    return _Real({frozenset(): Fraction(value)})


def _order(x: _Real, y: _Real) -> int:
    return (x + -y).sign()


def _value(node: ast.AST, at: Mapping[str, _Real]) -> _Real:
    """The exact value of parsed arithmetic."""
    match node:
        case ast.Constant(value=int(number)):
            return _rational(number)
        case ast.Name(id=name) if name in at:
            return at[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, at)
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            return _value(base, at).power(_value(exponent, {}))
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as kind, right=right):
            one, two = _value(left, at), _value(right, at)
            if isinstance(kind, (ast.Add, ast.Sub)):
                return one + (two if isinstance(kind, ast.Add) else -two)
            return one * two if isinstance(kind, ast.Mult) else one / two
        case ast.Call(func=ast.Name(id="sqrt"), args=[inner]):
            return _value(inner, at).sqrt()
        case ast.Call(func=ast.Name(id="Abs" | "Max" | "Min" as name), args=[_, *_] as args):
            values = [_value(a, at) for a in args]
            values += [-values[0]] if name == "Abs" else []
            return (min if name == "Min" else max)(values, key=cmp_to_key(_order))
    raise ValueError(f"no plain arithmetic: {ast.unparse(node)}")


def _decided(text: str, at: Mapping[str, _Real]) -> tuple[bool, str]:
    """Whether a relation holds at a point, and both sides; one that is undefined there does not hold."""
    match ast.parse(text, mode="eval").body:
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _COMPARE:
            try:
                one, two = _value(left, at), _value(right, at)
            except ArithmeticError as why:
                return False, f"undefined, {why}"
            return _COMPARE[type(sign)](_order(one, two), 0), f"{one} {'=><'[_order(one, two)]} {two}"
    raise ValueError(f"no relation: {text}")


def _checked(given: Sequence[str], claim: str | None, point: Mapping[str, str]) -> tuple[int, str]:
    at = {name: _rational(Fraction(value)) for name, value in point.items()}
    for hypothesis in given:
        holds, sides = _decided(hypothesis, at)
        if not holds:
            return 1, f"NOT CONFIRMED: the hypothesis {hypothesis} fails: {sides}"
    if claim is None:
        return 0, f"confirmed: {len(given)} hypotheses hold together"
    holds, sides = _decided(claim, at)
    return (1, f"NOT CONFIRMED: the claim holds: {sides}") if holds else (0, f"confirmed: {sides}")


def recheck(document: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    """For everything in an audit that can be re-checked: its id, 0 (confirmed), 1 (not) or 2, and why."""
    for row in [*document["steps"], *document["statements"]]:
        asked, refuted = row.get("instance") or row.get("example"), bool(row.get("instance"))
        if asked:
            try:
                point = (row["witness"] if refuted else asked["at"]) or {}
                yield row["id"], *_checked(asked["given"], asked["claim"] if refuted else None, point)
            except (ArithmeticError, KeyError, SyntaxError, TypeError, ValueError) as why:
                yield row["id"], 2, f"could not be read: {why}"


def main(arguments: Sequence[str]) -> int:
    """Print a line for each check; the exit code is the worst found."""
    with open(arguments[0], encoding="utf-8") as file:
        found = list(recheck(json.load(file)))
    counts = [sum(code == k for _, code, _ in found) for k in range(3)]
    sys.stdout.writelines(f"{id}: {said}\n" for id, _, said in found)
    sys.stdout.write("{} confirmed, {} not confirmed, {} not read\n".format(*counts))
    return 1 if counts[1] else 2 if counts[2] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
