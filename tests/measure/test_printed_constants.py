"""Proved constants are printed, and planned with, on the safe side: L not below what it is, mu not above."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from fedproof.measure.api import measure
from fedproof.measure.start import constants
from fedproof.problems.quadratics.quadratic import Quadratic

#: that curvature is proved of every client and of the loss
ABOVE, BELOW = ("smoothness", "smoothness_sample"), "loss_strong_convexity"


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 997), st.integers(1, 997))
def test_what_is_printed_is_safe(top: int, bottom: int) -> None:
    """A bowl of curvature p/q in both columns of the table, and in the numbers that a plan goes by."""
    bent = Fraction(top, bottom)
    exact = Quadratic.of([[[bent]]], [[1]], sizes=[1])
    found = measure(exact.as_float(), only=[*ABOVE, BELOW], rounds=1, seeds=2)
    rows = {name: (value, most) for name, _, value, _, _, most in found.tables()[0].rows}
    proved, _ = constants(exact.as_float(), found)

    for name in ABOVE:
        assert all(bent <= Fraction(text) <= bent * Fraction(1001, 1000) for text in rows[name])
        assert Fraction(repr(proved[name])) >= bent
    assert bent * Fraction(999, 1000) <= Fraction(rows[BELOW][0]) <= bent
    assert Fraction(repr(proved[BELOW])) <= bent
