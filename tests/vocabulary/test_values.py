"""The parser of what users type."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_double, parse_value, split_assignment, text_of
from tests.refusals import refused


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("-2.50e-3", Fraction(-1, 400)),
        ("+7/21", Fraction(1, 3)),
        (".5", Fraction(1, 2)),
        ("2^10", Fraction(1024)),
        ("2**-3", Fraction(1, 8)),
        ("3*10^-4", Fraction(3, 10_000)),
        ("0.1 + 2/3", Fraction(23, 30)),
        ("1.5/2", Fraction(3, 4)),
        ("(1 - 1/3)^2", Fraction(4, 9)),
        ("sqrt(4/9)", Fraction(2, 3)),
        ("-sqrt(0.25)*2", Fraction(-1)),
        ("5.", Fraction(5)),
        ("1E3", Fraction(1000)),
        (0.1, Fraction(1, 10)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.int64(3), Fraction(3)),
        (Fraction(2, 3), Fraction(2, 3)),
    ],
)
def test_a_number_is_read_exactly_as_written(text: object, value: Fraction) -> None:
    """Decimals, ratios, exponents and library numbers become the rational they show."""
    assert parse_value(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "", " 1", "1 ", "nan", "inf", "-Infinity", "1e1000", "1e-1000", "0x10", "1_000", "1,5", "1/0",
        "--1", "sqrt(-1)", "2^(1/2)", "2^1000",
        "9^999^999", "(" * 40, "1/(2-2)", "abs(1)", "sqrt(1,2)", "1 + ",
        "e5", ".", "+", "/", "1/", "/2", "x", "sqrt(2)", "__import__('os')",
        "٣", "1\n", "1;2", "9" * 41, "1." + "0" * 40, "1/" + "9" * 41, "1" * 10_000, True, None, [1],
        float("nan"), float("inf"), 1j,
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_one_line(text: object) -> None:
    """Code, overlong numbers, non-finite values and foreign digits are refused with what was got."""
    with pytest.raises(InputError) as caught:
        parse_value(text, "L")

    assert str(caught.value).startswith("L: got ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


@given(st.integers(-(10**38), 10**38), st.integers(1, 10**38))
def test_the_exact_text_reads_back(top: int, bottom: int) -> None:
    """What `text_of` prints, `parse_value` reads as the same rational."""
    value = Fraction(top, bottom)

    assert parse_value(text_of(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_means_its_shortest_decimal(number: float) -> None:
    """A float and its printed form are the same number to fedproof."""
    assert parse_value(number) == Fraction(repr(number))


@pytest.mark.parametrize("text", ["L", "=1", "L=", "", "="])
def test_an_assignment_needs_name_and_value(text: str) -> None:
    """name=value or a clear refusal."""
    refused(InputError, "name=value", split_assignment, text)


def test_an_irrational_root_is_told_with_its_decimal() -> None:
    """What is no fraction is not rounded silently: the line says what to type."""
    refused(InputError, "write L=4.47213595499958, the nearest decimal", parse_value, "sqrt(20)", "L")


def test_a_number_beyond_all_doubles_is_refused() -> None:
    """Where a double is needed, 1e400 is one line that names what it was given for, and 1e300 is itself."""
    said = refused(
        InputError, "expected a number that a float can hold", parse_double, "1e400", "step_seconds"
    )
    assert said.startswith("step_seconds: got 1e400")
    assert parse_double("1e300") == 1e300
