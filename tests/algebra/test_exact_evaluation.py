"""Relations at given numbers, where roots vanish."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_expression, evaluate_relation

x = sp.Symbol("x", real=True)
THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (sp.Max(x, sp.Rational(1, 3), evaluate=False), 1 / 3),
        (sp.Min(x, sp.Min(sp.Rational(1, 3), 1), evaluate=False), 1 / 3),
        (sp.Abs(x - sp.Rational(1, 3)) + 2, 2.0),
        (sp.sqrt(x**2 - x / 3) + 1, 1.0),
        (sp.sqrt(sp.sqrt(x - sp.Rational(1, 3)) + 4), 2.0),
        ((x - sp.Rational(1, 3)) ** 2 + 1, 1.0),
        (2 - (x**2 - sp.Rational(1, 9)) ** 3, 2.0),
    ],
    ids=str,
)
def test_a_vanishing_part_has_a_value(expr: sp.Expr, value: float) -> None:
    """Where a radicand or a base is 0 without being so in any number of digits, the value is found."""
    assert evaluate_expression(expr, {"x": THIRD}) == value
    assert evaluate_relation(sp.Le(expr, 2, evaluate=False), {"x": THIRD}).holds
    assert evaluate_relation(sp.Lt(expr, sp.Rational(1, 3), evaluate=False), {"x": THIRD}).holds is False


def test_symbols_in_exponents_have_values() -> None:
    """A power whose exponent is a symbol is valued and decided as the power with that number."""
    rounds = sp.Symbol("R", real=True)
    power = (1 - x) ** rounds

    assert evaluate_expression(power + 1, {"x": THIRD, "R": Fraction(3)}) == 35 / 27
    assert evaluate_relation(
        sp.Le(power, sp.Rational(8, 27), evaluate=False), {"x": THIRD, "R": Fraction(3)}
    ).holds
    assert not evaluate_relation(
        sp.Lt(power, sp.Rational(8, 27), evaluate=False), {"x": THIRD, "R": Fraction(3)}
    ).holds
