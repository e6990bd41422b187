"""Rational expressions cancelled by exact polynomials, against SymPy's own."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from fedproof.algebra.cancel import cancel, determinant
from fedproof.algebra.expressions import printed

SYMBOLS = sp.symbols("a B x Y x10 x2", real=True)
LEAVES = st.one_of(st.sampled_from(SYMBOLS), st.fractions(-3, 3, max_denominator=4).map(sp.Rational))
SUMS = st.recursive(
    LEAVES,
    lambda e: st.one_of(
        st.tuples(e, e).map(lambda p: p[0] + p[1]),
        st.tuples(e, e).map(lambda p: p[0] * p[1]),
        st.tuples(e, st.integers(1, 3)).map(lambda p: p[0] ** p[1]),
        st.tuples(e, e).map(lambda p: p[0] / p[1] if p[1] != 0 else p[0]),
    ),
    max_leaves=8,
)


@given(SUMS)
def test_it_is_what_sympy_gives(expr: sp.Expr) -> None:
    """Numerator, denominator and their signs are written as SymPy writes them."""
    assert cancel(expr) == sp.cancel(expr)


@settings(max_examples=20)
@given(st.lists(SUMS, min_size=9, max_size=9))
def test_a_determinant_is_sympys(entries: list[sp.Expr]) -> None:
    """Three rows of rational expressions: the determinant, cancelled."""
    matrix = sp.Matrix(3, 3, entries)

    assert sp.cancel(determinant(matrix) - matrix.det(method="berkowitz")) == 0


@pytest.mark.parametrize("text", ["sqrt(x)*x/x", "1/(x - x)", "f(x)*x/x", "2**x*x/x"])
def test_what_is_not_rational_is_left_to_sympy(text: str) -> None:
    """Roots, functions, symbolic powers and a division by 0 come out as SymPy's."""
    expr = sp.sympify(text, evaluate=False)

    assert cancel(expr) == sp.cancel(expr)


def test_symbols_of_one_name_are_not_one() -> None:
    """What differs in assumptions only does not cancel."""
    real, plain = sp.Symbol("x", real=True), sp.Symbol("x")

    assert cancel(real - plain) != 0
    assert determinant(sp.Matrix([[real, plain], [plain, real]])) != 0


def test_how_the_caller_types_formulas_does_not_matter() -> None:
    """Within printed() the same comes out."""
    x = sp.Symbol("x", real=True)
    expr = (x**2 - 1) / (x - 1)
    with printed():
        inside = cancel(expr)

    assert inside == cancel(expr) == x + 1
