"""Intervals enclose, jets differentiate, formulas do what `fold` does."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.arithmetic import Enclosure, Intervals, Jets, enclose
from fedproof.algebra.expressions import FractionAlgebra, fold
from fedproof.algebra.formula import Formula

BALL = Intervals()
x, y = sp.symbols("x y", real=True)
FORMULA = (3 * x**2 + y) ** 2 / (x - 5) + sp.Rational(1, 3) / y**3


def _inside(exact: list[Fraction], found: Enclosure) -> bool:
    ends = zip(exact, found.lo, found.hi, strict=True)
    return all(Fraction(float(lo)) <= e <= Fraction(float(hi)) for e, lo, hi in ends)


@pytest.mark.parametrize("magnitude", [1e-308, 1e-160, 1.0, 1e150])
def test_intervals_enclose_exact_results(magnitude: float) -> None:
    """Sums, products, whole powers and roots of random doubles, checked in fractions, underflow included."""
    rng = np.random.default_rng(3)
    a, b = (magnitude * rng.standard_normal(300) for _ in range(2))
    points = [Enclosure(v, v) for v in (a, b)]
    exact = [[Fraction(float(v)) for v in values] for values in (a, b)]

    assert _inside([p + q for p, q in zip(*exact, strict=True)], BALL.add(*points))
    assert _inside([p * q for p, q in zip(*exact, strict=True)], BALL.mul(*points))
    if magnitude == 1.0:
        for power in (-3, -1, 1, 2, 5):
            assert _inside([p**power for p in exact[0]], BALL.power(Enclosure(a, a), power))
    root = BALL.root(Enclosure(abs(a), abs(a)), 2)
    assert all(
        Fraction(float(lo)) ** 2 <= abs(e) for e, lo in zip(exact[0], np.maximum(root.lo, 0), strict=True)
    )
    assert all(Fraction(float(hi)) ** 2 >= abs(e) for e, hi in zip(exact[0], root.hi, strict=True))


def test_wide_intervals_hold_every_product() -> None:
    """Products of points of two intervals lie in the product of the intervals, whatever the signs."""
    rng = np.random.default_rng(4)
    ends = np.sort(rng.standard_normal((2, 2, 500)), axis=1)
    a, b = (Enclosure(*pair) for pair in ends)
    found = BALL.mul(a, b)
    for _ in range(20):
        p, q = (e.lo + rng.uniform(size=500) * (e.hi - e.lo) for e in (a, b))
        assert np.all((found.lo <= p * q) & (p * q <= found.hi))


def test_division_by_an_interval_around_zero_is_unknown() -> None:
    """NaN, which no comparison passes."""
    with np.errstate(all="ignore"):
        found = BALL.power(Enclosure(np.array([-1.0]), np.array([2.0])), -1)

    assert np.isnan(found.lo).all()


@pytest.mark.parametrize("text", ["0.1", "1e-300", "123456789.123456789"])
def test_a_double_stands_for_its_decimal(text: str) -> None:
    """The enclosure of a parsed float holds the decimal that was written."""
    found = enclose(np.array([float(text)]))

    assert _inside([Fraction(text)], found)
    assert enclose(np.array([0.0])).hi[0] == 0


def test_constants_are_enclosed() -> None:
    """A third is not a double; a half is a point."""
    third, half = BALL.constant(Fraction(1, 3)), BALL.constant(Fraction(1, 2))

    assert Fraction(float(third.lo)) < Fraction(1, 3) < Fraction(float(third.hi))
    assert half.lo == half.hi == 0.5


def test_formulas_agree_with_fold() -> None:
    """A formula that is read once gives the same rational as the walk over the tree."""
    values = {"x": Fraction(2, 7), "y": Fraction(-3, 5)}

    assert Formula(FORMULA).within(FractionAlgebra(), values) == fold(FORMULA, FractionAlgebra(), values)


def test_jets_of_jets_are_sympys_derivatives() -> None:
    """First and second derivatives in exact rationals; a missing entry is a zero derivative."""
    inner = Jets(FractionAlgebra(), 2)
    outer = Jets(inner, 2)
    at = {x: sp.Rational(2, 7), y: sp.Rational(-3, 5)}
    one = (Fraction(1), None, None)
    seeds = {
        "x": ((Fraction(2, 7), Fraction(1), None), one, None),
        "y": ((Fraction(-3, 5), None, Fraction(1)), None, one),
    }
    value, *rows = Formula(FORMULA).within(outer, seeds)

    assert value[0] == FORMULA.subs(at)
    for row, first in zip(rows, (x, y), strict=True):
        assert row[0] == sp.diff(FORMULA, first).subs(at)
        for entry, second in zip(row[1:], (x, y), strict=True):
            assert entry == sp.diff(FORMULA, first, second).subs(at)
