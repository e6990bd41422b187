"""Real algebraic numbers in exact words."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import flint

from fedproof.algebra.balls import FIRST_BITS
from fedproof.algebra.roots import Point, Root, compare, enclosure, float_near, isolate

LONG = 240
BITS = 2000
"""Larger whole numbers are described, not printed."""


def text(point: Point, name: str) -> str:
    """The point in exact words: p/q, a closed form with one square root, or a polynomial and a bracket.

    >>> import flint
    >>> text(isolate([flint.fmpz_poly([-4, -8, 10])])[1], "x")
    '(2 + sqrt(14))/5'
    """
    parts: Any = point.as_integer_ratio() if isinstance(point, Fraction) else point.poly.coeffs()
    size = max(int(c).bit_length() for c in parts)
    if isinstance(point, Fraction):
        return str(point) if size <= BITS else f"a fraction of {size} bits near {float_near(point)!r}"
    if size > BITS:
        which = f"root number {point.index + 1} of a polynomial of degree {point.poly.degree()}"
        return f"{which} with coefficients of {size} bits, near {float_near(point)!r}"
    if point.poly.degree() == 2:
        return _quadratic(point)
    bracket = _decimal_bracket(point)
    if bracket is None:
        return f"root number {point.index + 1} of {_polynomial(point.poly, name)}, near {float_near(point)!r}"
    return f"root of {_polynomial(point.poly, name)} in [{bracket[0]}, {bracket[1]}]"


def _quadratic(root: Root) -> str:
    c, b, a = (int(v) for v in root.poly.coeffs())
    outside, inside = _square_out(b * b - 4 * a * c)
    common = math.gcd(b, outside, 2 * a)
    b, outside, below = -b // common, outside // common, 2 * a // common
    surd = ("" if outside == 1 else f"{outside}*") + f"sqrt({inside})"
    sign = "+" if root.index else "-"
    top = f"{b} {sign} {surd}" if b else (surd if sign == "+" else f"-{surd}")
    return top if below == 1 else f"({top})/{below}" if b else f"{top}/{below}"


def _square_out(value: int) -> tuple[int, int]:
    """(a, b) with a^2 b = value; of a long number only small squares are looked for."""
    if value.bit_length() <= 64:
        parts: list[tuple[int, int]] = [(int(p), int(n)) for p, n in flint.fmpz(value).factor()]
        outside = math.prod(p ** (n // 2) for p, n in parts)
        return outside, value // (outside * outside)
    outside = 1
    for k in range(2, 1000):
        while value % (k * k) == 0:
            outside, value = outside * k, value // (k * k)
    return outside, value


def _decimal_bracket(root: Root) -> tuple[str, str] | None:
    """Decimals around this root alone; None where its neighbours are too near."""
    for bits in (2 * FIRST_BITS, 3 * FIRST_BITS, 4 * FIRST_BITS, 8 * FIRST_BITS):
        low, high = enclosure(root, bits)
        digits = 17 + (bits - 2 * FIRST_BITS) * 3 // 10
        magnitude = (low.numerator.bit_length() - low.denominator.bit_length()) * 3 // 10
        scale = Fraction(10) ** (digits - magnitude)
        left, right = math.floor(low * scale) / scale, math.ceil(high * scale) / scale
        if _isolates(root, left, right):
            return _decimal(left), _decimal(right)
    return None


def _isolates(root: Root, low: Fraction, high: Fraction) -> bool:
    others = [r for r in isolate([root.poly]) if isinstance(r, Root) and r.index != root.index]
    return all(compare(r, low) < 0 or compare(r, high) > 0 for r in others)


def _decimal(value: Fraction) -> str:
    digits = 0
    while value.denominator != 1 and (value * 10**digits).denominator != 1:
        digits += 1
    scaled = int(value * 10**digits)
    body = str(abs(scaled)).rjust(digits + 1, "0")
    whole, part = (body[:-digits], body[-digits:]) if digits else (body, "")
    return ("-" if scaled < 0 else "") + whole + (f".{part}" if part else "")


def _polynomial(poly: flint.fmpz_poly, name: str) -> str:
    terms = []
    for power in range(poly.degree(), -1, -1):
        c = int(poly[power])
        if not c:
            continue
        unit = "" if power == 0 else name if power == 1 else f"{name}^{power}"
        body = str(abs(c)) if not unit else unit if abs(c) == 1 else f"{abs(c)}*{unit}"
        terms.append(("- " if c < 0 else "+ ") + body)
    if len(" ".join(terms)) > LONG:
        terms = [*terms[:2], "...", terms[-1], f"(degree {poly.degree()})"]
    head = " ".join(terms)
    return head[2:] if head.startswith("+ ") else "-" + head[2:]
