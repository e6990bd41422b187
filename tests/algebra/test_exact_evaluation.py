"""Relations at given numbers, where roots vanish."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from fedproof.algebra.cancel import cancel
from fedproof.algebra.exact_evaluation import evaluate_expression, evaluate_relation
from fedproof.algebra.expressions import FractionAlgebra, fold
from fedproof.algebra.formula import Formula
from fedproof.vocabulary.errors import InputError

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


@pytest.mark.parametrize(
    "exponent",
    [1 + sp.pi / 10**16, sp.sqrt(2), sp.sqrt(2) / 10**20 + 2, sp.exp(-(10**3))],
    ids=["near 1", "sqrt(2)", "near 2", "near 0"],
)
def test_an_irrational_exponent_is_no_rational_one(exponent: sp.Expr) -> None:
    """However near it is to a fraction, the power is refused as what is not algebraic, or left as it is."""
    power = sp.Pow(x, exponent, evaluate=False)

    with pytest.raises(TypeError, match="no algebraic meaning"):
        fold(power, FractionAlgebra(), {"x": Fraction(2)})
    for asked in (lambda at: evaluate_relation(power <= x, at), Formula(power).at):
        with pytest.raises(InputError, match="rational powers"):
            asked({"x": Fraction(2)})
    assert cancel(power) == sp.cancel(power)


@pytest.mark.parametrize(
    ("exponent", "value"),
    [
        (sp.Float(0.5), 4),
        (sp.Float(0.3) + sp.Float(1.2), 64),
        (sp.Add(1, sp.Rational(1, 2), evaluate=False), 64),
        (sp.Mul(sp.sqrt(2), sp.sqrt(2), evaluate=False), 256),
    ],
    ids=str,
)
def test_a_rational_exponent_may_be_written_otherwise(exponent: sp.Expr, value: int) -> None:
    """Decimals are the fractions that they show, and what works out to a fraction is one."""
    power = sp.Pow(x, exponent, evaluate=False)

    assert fold(power, FractionAlgebra(), {"x": Fraction(16)}) == value


def test_a_long_decimal_is_not_its_nearest_double() -> None:
    """An exponent above 1 by 10^-25 is not 1."""
    power = sp.Pow(x, sp.Float("1.0000000000000000000000001", 30), evaluate=False)

    with pytest.raises(ValueError, match="is not rational"):
        fold(power, FractionAlgebra(), {"x": Fraction(2)})
