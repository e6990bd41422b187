"""What is printed may be typed back: ends of ranges and nearest values stay admissible as decimals."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from fedproof.algebra.ranges.nearest_admissible import nearest
from fedproof.algebra.ranges.result import Stretch, shown
from fedproof.bounds.statement import Condition
from fedproof.bounds.statement_handle import statement
from fedproof.vocabulary.decimals import safe_float, short

#: a case is shown as it is found: shrinking takes minutes of exact arithmetic
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
HUNDREDTHS = st.integers(1, 4000).map(lambda n: Fraction(n, 100))
LEMMA, CHAIN = "fedproxvr.lemma1.svrg", "fedproxvr.certified.sarah.sharpened"
SYMBOLS = {LEMMA: ("tau", "mu", "beta", "theta"), CHAIN: ("tau", "mu", "beta", "sigma2")}


@st.composite
def points(draw: st.DrawFn) -> tuple[str, dict[str, Fraction]]:
    """A statement with a value of each of its conditions' letters, admissible or not."""
    id = draw(st.sampled_from([LEMMA, CHAIN]))
    known = {"L": draw(HUNDREDTHS), "lam": draw(HUNDREDTHS) / 40, "tau": 5 * draw(HUNDREDTHS)}
    more = {"mu": 5 * draw(HUNDREDTHS), "beta": draw(HUNDREDTHS)}
    last = {"theta": draw(HUNDREDTHS) / 40} if id == LEMMA else {"sigma2": draw(HUNDREDTHS) / 40}
    return id, known | more | last


def admits(id: str, values: dict[str, Any]) -> bool:
    """Whether `check` calls these admissible, exactly."""
    return statement(id).check(**values).applicable


@settings(max_examples=12, deadline=None, phases=UNSHRUNK)
@given(points())
def test_a_nearest_value_that_is_offered_is_admissible(point: tuple[str, dict[str, Fraction]]) -> None:
    """As the headline and the table write it, with the other numbers as they are."""
    id, values = point
    found = statement(id).check(**values)
    if found.nearest is None:
        return
    offered = [(c.symbol, c.typed or c.nearest) for c in found.nearest.coordinates]

    for name, text in offered:
        assert text is None or admits(id, values | {name: text}), (name, text)


@settings(max_examples=12, deadline=None, phases=UNSHRUNK)
@given(points())
def test_a_closed_end_that_is_printed_is_admissible(point: tuple[str, dict[str, Fraction]]) -> None:
    """In the sentence with six digits, and in the table with seven."""
    id, values = point
    for symbol in SYMBOLS[id]:
        others = {name: value for name, value in values.items() if name != symbol}
        found = statement(id).range(symbol, **others)
        if found.empty:  # why it is, speaks of intervals of single conditions
            continue
        rows = found.tables()[0].rows
        told = [(end, kind) for _, end, _, kind, _ in rows if end is not None]
        said = re.findall(r"\[(\S+),|(\S+)\]", found.headline())

        for text in [end for end, kind in told if kind == "closed"] + [a or b for a, b in said]:
            assert admits(id, others | {symbol: text}), (symbol, text)


@given(st.fractions(min_value=-(10**9), max_value=10**9), st.integers(1, 15), st.sampled_from([1, -1]))
def test_a_decimal_is_on_its_side(value: Fraction, digits: int, side: int) -> None:
    """And no farther than a unit of its last digit; a float's shortest decimal too, within two floats."""
    told, held = Fraction(short(value, digits, side)), safe_float(value, side)

    assert side * (told - value) >= 0
    assert abs(told - value) <= abs(value) * Fraction(10) ** (1 - digits)
    assert side * (Fraction(repr(held)) - value) >= 0
    assert held == pytest.approx(float(value), rel=5e-16, abs=0)


@pytest.mark.parametrize(
    ("id", "values"),
    [
        ("fedproxvr.remark2.2.mu", {"lam": Fraction(137), "mu": Fraction(5, 2)}),
        ("fedproxvr.remark2.2.mu", {"lam": Fraction(137), "mu": Fraction(1, 3)}),
        (LEMMA, {"L": 1, "lam": "1/2", "tau": 40, "mu": "1/2", "beta": 400, "theta": 1}),
    ],
)
def test_an_open_end_is_not_offered_as_it_is(id: str, values: dict[str, Any]) -> None:
    """mu > lam: beside lam = mu nothing is admissible but what is below it, as a number and as text."""
    found = statement(id).check(**values)

    assert found.nearest is not None
    offered = [c for c in found.nearest.coordinates if c.nearest is not None]
    assert offered
    for c in offered:
        assert admits(id, values | {c.symbol: c.nearest}), c
        assert admits(id, values | {c.symbol: c.typed or c.nearest}), c


def test_a_short_interval_is_no_point() -> None:
    """Six digits do not tell its ends apart; then all are shown, and a point alone stands in braces."""
    assert shown(Stretch(Fraction(1), 1 + Fraction(1, 10**7), True, True)) == "(1.0, 1.0000001)"
    assert shown(Stretch(Fraction(1), Fraction(1), False, False)) == "{1}"


def test_between_two_doubles_none_is_offered() -> None:
    """An open interval above a double that ends before the next one has its exact end, and no double."""
    x = sp.Symbol("x", real=True)
    above = 1 + sp.Rational(1, 10**16)
    asked = [Condition("(1)", x > 1, "(1)"), Condition("(2)", x < above, "(2)")]
    (moved,) = nearest(asked, {"x": Fraction(1)}, {}).coordinates

    assert moved.nearest is None
    assert moved.exact is not None


def test_a_letter_that_counts_is_offered_a_whole_number_as_text() -> None:
    """Beyond 2^53 too, where the nearest double is another number."""
    n = sp.Symbol("n", real=True)
    for least in (Fraction(25, 2), Fraction(10**17 + 1)):
        asked = [Condition("(1)", n >= sp.Rational(least.numerator, least.denominator), "(1)")]
        found = nearest(asked, {"n": Fraction(3)}, {}, whole=frozenset({"n"}))
        (moved,) = found.coordinates
        assert moved.typed == str(math.ceil(least))
        assert f"n={math.ceil(least)}" in found.headline()
