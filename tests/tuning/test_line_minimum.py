"""The least value along a line, against functions whose least is known."""

from __future__ import annotations

import numpy as np
import pytest

from fedproof.algebra.arithmetic import Array
from fedproof.tuning.line_minimum import minimise_on_line

CUTS = np.linspace(0.0, 4.0, 9)


def bowl(x: Array) -> Array:
    """Least, 2, at 1/3 * 4."""
    found: Array = (x - 4 / 3) ** 2 + 2
    return found


def below(low: Array, high: Array) -> Array:
    """Its least between, for certain: by its slope, which is at most 6."""
    return np.minimum(bowl(low), bowl(high)) - 3 * (high - low)


def test_the_least_is_enclosed() -> None:
    """With a bound of first order the gap closes to what was asked."""
    found = minimise_on_line(bowl, below, CUTS)

    assert found.lower_bound <= 2 <= found.value
    assert found.value - found.lower_bound <= 1e-3
    assert found.place == pytest.approx(4 / 3, abs=0.02)


def test_whole_values_are_proved_and_the_last_of_equals_is_taken() -> None:
    """Of a step function the plateau's value is proved, and the bound meets it."""
    found = minimise_on_line(lambda x: np.ceil(bowl(x) + 0.5), lambda a, b: np.ceil(below(a, b) + 0.5), CUTS)

    assert found.value == found.lower_bound == 3
    assert minimise_on_line(lambda x: 0 * x + 5, lambda a, b: 0 * a + 5, CUTS).place == 4


def test_few_ranges_end_with_what_is_proved() -> None:
    """A search cut short says a bound that is lower, and still true."""
    short, long = (minimise_on_line(bowl, below, CUTS, most_ranges=many) for many in (16, 1024))

    assert short.lower_bound < long.lower_bound <= 2


def test_where_nothing_is_admitted_the_bound_says_so() -> None:
    """Infinite values leave an infinite value; the bound is that of the ranges, infinite if they are."""
    none = minimise_on_line(lambda x: 0 * x + np.inf, lambda a, b: 0 * a + np.inf, CUTS)

    assert none.value == none.lower_bound == np.inf
