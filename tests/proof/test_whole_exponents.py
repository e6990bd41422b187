"""A name in an exponent is a whole number: it is said, and no half is an example of it."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

import fedproof as fp

#: claims, what is given, and which names their proofs take to be whole
TRUE = [
    ("x^(2*n) >= 0", ["n >= 0"], "n"),
    ("x^(2*n) >= 0", ["n = 2"], "n"),
    ("(x^n)^2 >= 0", ["n >= 12"], "n"),
    ("x >= 0", ["x >= y^(2*n)", "n >= 0"], "n"),
]
#: claims at numbers that are not whole, where each is false or has no value at x = -1
FALSE = [
    ("x^(2*n) >= 0", ["n = 1/2"]),
    ("x^(4*n) >= 0", ["n > 0", "n < 1/2"]),
    ("(x^n)^2 >= 0", ["n = 1/3"]),
    ("x^(2*n) + y^(2*n) >= 2*x^n*y^n", ["n = 1/2"]),
]


@pytest.mark.parametrize(("claim", "given", "name"), TRUE)
def test_what_is_taken_to_be_whole_is_said(claim: str, given: list[str], name: str) -> None:
    """The verdict names it, and the example at which the hypotheses hold is whole there."""
    found = fp.decide(claim, given=given)

    assert found.verdict == "proved"
    assert found.detail.endswith(f"the exponent {name} is read as a whole number")
    assert found.example is not None
    assert found.example.point.get(name, Fraction(1)).denominator == 1


@pytest.mark.parametrize(("claim", "given"), FALSE)
def test_no_half_is_an_exponent(claim: str, given: list[str]) -> None:
    """Hypotheses that no whole number meets prove nothing."""
    assert fp.decide(claim, given=given).verdict == "open"


def test_steps_in_sympy_do_the_same() -> None:
    """A real symbol in an exponent is read alike, whoever writes the step."""
    x, n = sp.Symbol("x", real=True), sp.Symbol("n", real=True)

    assert fp.decide(fp.Step(x ** (2 * n) >= 0, given=(sp.Eq(n, sp.Rational(1, 2)),))).verdict == "open"
    assert fp.decide(fp.Step(x ** (2 * n) >= 0, given=(sp.Eq(n, 3),))).verdict == "proved"
