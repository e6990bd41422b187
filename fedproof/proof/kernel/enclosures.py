"""Rational enclosures of constants: exp, log, sin, cos and pi by series with a bound on the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isqrt

from fedproof.proof.kernel.forms import MOST_POWER
from fedproof.proof.kernel.trees import NUMBER, ORDER, Rejected, Tree

Enclosure = tuple[Fraction, Fraction]
#: terms of a series; bits of a root
TERMS, BITS = 40, 160
#: the largest number that is looked at
LARGEST = 1 << 5000


def enclosed(relation: Tree) -> bool:
    """Whether a relation between constants follows from enclosures of both sides.

    >>> enclosed(("<", ("exp", "1/8"), "6/5"))
    True
    """
    order, left, right = relation
    if order not in ORDER or order == "=":
        raise Rejected(f"{relation} is no inequality")
    (a, b), (c, d) = enclosure(left), enclosure(right)
    return {"<=": b <= c, "<": b < c, "!=": b < c or d < a}[order]


def enclosure(tree: Tree) -> Enclosure:
    """Two rationals between which a constant lies.

    Raises: Rejected for what is no constant.
    """
    if isinstance(tree, str):
        if tree == "pi":
            one, other = (_scaled(k, _arctan(q)) for k, q in ((16, Fraction(1, 5)), (4, Fraction(1, 239))))
            return one[0] - other[1], one[1] - other[0]
        if not NUMBER.match(tree):
            raise Rejected(f"{tree} is no constant")
        return Fraction(tree), Fraction(tree)
    head, *parts = tree
    if head == "+" and parts:
        ends = [enclosure(p) for p in parts]
        return sum((e[0] for e in ends), Fraction(0)), sum((e[1] for e in ends), Fraction(0))
    if head == "*" and parts:
        total: Enclosure = (Fraction(1), Fraction(1))
        for p in parts:
            total = _times(total, enclosure(p))
        return total
    if head == "^" and isinstance(parts[1], str):
        return _power(enclosure(parts[0]), Fraction(parts[1]))
    if head in _SERIES and len(parts) == 1:
        return _SERIES[head](enclosure(parts[0]))
    raise Rejected(f"{tree} is no constant")


def _scaled(k: int, e: Enclosure) -> Enclosure:
    """A positive multiple."""
    return k * e[0], k * e[1]


def _times(one: Enclosure, other: Enclosure) -> Enclosure:
    """A product."""
    products = [a * b for a in one for b in other]
    return _out(min(products), max(products))


def _out(low: Fraction, high: Fraction) -> Enclosure:
    """The same with ends that are short, rounded outward."""
    unit = 1 << BITS
    if max(abs(low), abs(high)) > LARGEST:
        raise Rejected("too large a constant")
    return Fraction(low.numerator * unit // low.denominator, unit), Fraction(
        -(-high.numerator * unit // high.denominator), unit
    )


def _power(base: Enclosure, exponent: Fraction) -> Enclosure:
    """A whole power, or one of a square root."""
    if max(abs(exponent.numerator), exponent.denominator) > MOST_POWER:
        raise Rejected(f"the exponent {exponent}")
    if exponent.denominator == 2:
        if base[0] < 0:
            raise Rejected("the root of what may be negative")
        unit = 1 << BITS
        roots = [isqrt(e.numerator * unit * unit // e.denominator) for e in base]
        return _power((Fraction(roots[0], unit), Fraction(roots[1] + 1, unit)), exponent * 2)
    if exponent.denominator != 1:
        raise Rejected(f"the exponent {exponent}")
    if exponent < 0:
        if base[0] <= 0 <= base[1]:
            raise Rejected("division by what may be 0")
        base = 1 / base[1], 1 / base[0]
    total: Enclosure = (Fraction(1), Fraction(1))
    for _ in range(abs(int(exponent))):
        total = _times(total, base)
    return total


def _exp(x: Enclosure) -> Enclosure:
    """exp, which grows."""
    return _exp_at(x[0])[0], _exp_at(x[1])[1]


def _exp_at(x: Fraction) -> Enclosure:
    """Taylor's series where |x| <= 1, the rest at most twice its first term; else the square at half of x."""
    if abs(x) > 1:
        if abs(x) > 100:
            raise Rejected(f"exp of {x}")
        half = _exp_at(x / 2)
        return _times(half, half)
    term = total = Fraction(1)
    for k in range(1, TERMS):
        term = term * x / k
        total += term
    rest = 2 * abs(term * x / TERMS)
    return _out(total - rest, total + rest)


def _log(x: Enclosure) -> Enclosure:
    """log, which grows."""
    if x[0] <= 0:
        raise Rejected("log of what may not be positive")
    return _log_at(x[0])[0], _log_at(x[1])[1]


def _log_at(x: Fraction) -> Enclosure:
    """2 artanh((x - 1)/(x + 1)) where 1/2 <= x <= 2; else with log 2 taken out."""
    twos = 0
    while x > 2:
        x, twos = x / 2, twos + 1
    while x < Fraction(1, 2):
        x, twos = x * 2, twos - 1
    here, two = _artanh_twice((x - 1) / (x + 1)), _artanh_twice(Fraction(1, 3))
    shift = _times((Fraction(twos), Fraction(twos)), two)
    return here[0] + shift[0], here[1] + shift[1]


def _artanh_twice(z: Fraction) -> Enclosure:
    """2 artanh z by its series, the rest at most a geometric one."""
    total = sum((2 * z ** (2 * k + 1) / (2 * k + 1) for k in range(TERMS)), Fraction(0))
    rest = 2 * abs(z) ** (2 * TERMS + 1) / (1 - z * z)
    return _out(total - rest, total + rest)


def _arctan(z: Fraction) -> Enclosure:
    """arctan by its series, the rest at most its first term."""
    total = sum(((-1) ** k * z ** (2 * k + 1) / (2 * k + 1) for k in range(TERMS)), Fraction(0))
    rest = z ** (2 * TERMS + 1)
    return _out(total - rest, total + rest)


def _wave(x: Enclosure, odd: int) -> Enclosure:
    """sin (odd = 1) or cos (odd = 0) of a point, by Taylor's series."""
    if x[0] != x[1] or abs(x[0]) > 20:
        raise Rejected("sin and cos are read at rationals up to 20")
    term = x[0] if odd else Fraction(1)
    total = term
    for k in range(1, 2 * TERMS):
        term = -term * x[0] ** 2 / ((2 * k + odd - 1) * (2 * k + odd))
        total += term
    rest = abs(term)
    return _out(total - rest, total + rest)


_SERIES: Mapping[str, Callable[[Enclosure], Enclosure]] = {
    "exp": _exp,
    "log": _log,
    "sin": lambda x: _wave(x, 1),
    "cos": lambda x: _wave(x, 0),
}
