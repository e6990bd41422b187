"""Ranges where a number of rounds stands in an exponent."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest
import sympy as sp

from fedproof.algebra.ranges.admissible import admissible
from fedproof.algebra.ranges.exponents import DEGREE
from fedproof.vocabulary.errors import InputError, MissingName
from fedproof.vocabulary.interval import POSITIVE
from tests.algebra.conditions_fedproxvr import Row

R, q, c, x = sp.symbols("R q c x", real=True)
ALL = {"R": POSITIVE, "q": POSITIVE, "c": POSITIVE, "x": POSITIVE}


def least(base: Fraction, bound: Fraction, strict: bool) -> int:
    """The first R at which base^R is at most (or below) the bound, by multiplying."""
    rounds, power = 1, base
    while power > bound or (strict and power == bound):
        rounds, power = rounds + 1, power * base
    return rounds


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("bound", ["1/1024", "1/1000", "99/100", "1/3"])
@pytest.mark.parametrize("base", ["1/2", "191/200", "1/1024"])
def test_the_least_number_of_rounds_is_exact(base: str, bound: str, strict: bool) -> None:
    """Multiplying the factor up to the bound gives the same whole number, at equality too."""
    values = {"q": Fraction(base), "c": Fraction(bound)}
    relation = q**R < c if strict else q**R <= c
    found = admissible([Row("small", relation)], "R", values, ALL)
    wanted = log(values["c"]) / log(values["q"])

    assert found.integers == (least(values["q"], values["c"], strict), None)
    assert found.intervals[0][0] == pytest.approx(wanted, rel=1e-12)
    assert found.stretches[0].lo_open is strict
    assert found.binding == ["small"]


def test_an_end_that_is_a_whole_number_is_told_as_such() -> None:
    """(1/2)^R = 1/1024 at R = 10, and 1/1000 nowhere near a rational R."""
    exactly = admissible([Row("small", q**R <= c)], "R", {"q": Fraction(1, 2), "c": Fraction(1, 1024)}, ALL)
    between = admissible([Row("small", q**R <= c)], "R", {"q": Fraction(1, 2), "c": Fraction(1, 1000)}, ALL)

    assert exactly.exact == [["10", None]]
    assert between.exact == [["log(1/1000)/log(1/2)", None]]


def test_a_lower_bound_on_the_power_is_an_upper_bound_on_rounds() -> None:
    """The direction turns around with the base below one."""
    found = admissible([Row("big", q**R >= c)], "R", {"q": Fraction(1, 2), "c": Fraction(1, 8)}, ALL)

    assert found.exact == [["0", "3"]]
    assert (found.stretches[0].lo_open, found.stretches[0].hi_open) == (True, False)


def test_with_the_exponent_left_out_some_number_of_rounds_is_meant() -> None:
    """x + (1/2)^R <= 3 for some R exactly where x < 3; the base's own range is noted."""
    found = admissible([Row("sum", x + q**R <= 3)], "x", {"q": Fraction(1, 2)}, ALL)

    assert (found.intervals, found.stretches[0].hi_open) == ([[0, 3]], True)
    assert found.free == ("R",)
    assert found.notes[-1] == "where 0 < q < 1"


def test_a_given_exponent_is_a_polynomial() -> None:
    """q^4 <= 1/16 has the exact end 1/2."""
    assert admissible(
        [Row("small", q**R <= c)], "q", {"R": Fraction(4), "c": Fraction(1, 16)}, ALL
    ).exact == [["0", "1/2"]]


def test_no_number_of_rounds_is_an_answer() -> None:
    """A factor that nothing takes below a negative bound, and a factor of two that is never below one."""
    negative = admissible([Row("small", q**R + 1 <= c)], "R", {"q": Fraction(1, 2), "c": Fraction(1, 2)}, ALL)
    growing = admissible([Row("small", q**R <= c)], "R", {"q": Fraction(2), "c": Fraction(1, 2)}, ALL)

    assert (negative.empty, negative.symbol) == (True, "R")
    assert growing.empty
    assert "small" in growing.conflict


@pytest.mark.parametrize(("most", "last"), [(3, 1), (4, 2), (1000, 9)])
def test_a_power_that_grows_is_small_for_few_rounds(most: int, last: int) -> None:
    """2^R <= c up to the last R whose power, counted by hand, is; 2^R >= c from the next on."""
    known = {"q": Fraction(2), "c": Fraction(most)}
    few = admissible([Row("small", q**R <= c)], "R", known, ALL)
    many = admissible([Row("large", q**R > c)], "R", known, ALL)

    assert (few.integers, many.integers) == ((1, last), (last + 1, None))
    assert [2**n <= most for n in (last, last + 1)] == [True, False]


@pytest.mark.parametrize("base", [-2, 0, 1])
def test_rounds_of_a_power_that_does_not_move_are_checked_one_by_one(base: int) -> None:
    """Whole powers of a negative number change their sign: no interval of rounds is the answer."""
    with pytest.raises(InputError, match=f"base of the power in R: got {base}, expected .* one by one"):
        admissible([Row("small", q**R <= c)], "R", {"q": Fraction(base), "c": Fraction(1, 2)}, ALL)


def test_what_cannot_be_answered_is_one_line() -> None:
    """A missing base, an exponent that stands elsewhere too, two powers, a power beyond the degree."""
    one = {"q": Fraction(1, 2), "c": Fraction(1, 8)}
    with pytest.raises(MissingName, match="q"):
        admissible([Row("small", q**R <= c)], "R", {"c": Fraction(1, 8)}, ALL)
    with pytest.raises(InputError, match="outside an exponent"):
        admissible([Row("small", R * q**R <= c)], "R", one, ALL)
    with pytest.raises(InputError, match="one power"):
        admissible([Row("small", q**R + x**R <= c)], "R", one, ALL)
    with pytest.raises(InputError, match="at most 100 where q is not given"):
        admissible([Row("small", q**R <= c)], "q", {"R": Fraction(DEGREE + 1), "c": Fraction(1, 8)}, ALL)


def test_the_ends_lie_inside() -> None:
    """The rational stored for an irrational end is admissible: it is rounded inward."""
    found = admissible([Row("small", q**R <= c)], "R", {"q": Fraction(9, 10), "c": Fraction(1, 7)}, ALL)
    end = found.stretches[0].lo
    assert isinstance(end, Fraction)

    exact = sp.N(sp.log(sp.Rational(1, 7)) / sp.log(sp.Rational(9, 10)), 60)
    assert 0 < sp.Rational(end.numerator, end.denominator) - exact < sp.Rational(1, 10**30)


def test_a_base_next_to_one_has_its_exponent() -> None:
    """With q = 1 - 1e-40 the least exponent is log 10 x 1e40, though q is 1 in any double."""
    near = {"q": 1 - Fraction(1, 10**40), "c": Fraction(1, 10)}
    least = admissible([Row("small", q**R <= c)], "R", near, ALL).integers[0]  # type: ignore[index]

    assert least is not None
    assert str(least).startswith("230258509299404568")
    assert len(str(least)) == 41


def test_a_base_with_a_root_is_refused_in_one_line() -> None:
    """(1 + sqrt(x))^R with x = 602: the power's range is not looked for with an irrational base."""
    x = sp.Symbol("x", real=True)
    with pytest.raises(InputError, match=r"base of the power in R: got sqrt\(x\) \+ 1, expected a rational"):
        admissible(
            [Row("small", (1 + sp.sqrt(x)) ** R <= c)], "R", {"x": Fraction(602), "c": Fraction(1, 2)}, ALL
        )
