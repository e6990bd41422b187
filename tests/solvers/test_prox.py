"""The closed form (10) of the proximal step against its definition (9)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fedproof.solvers.prox import prox_to_anchor

numbers = st.fractions(min_value=-50, max_value=50, max_denominator=40)
positive = st.fractions(min_value=Fraction(1, 40), max_value=50, max_denominator=40)


@given(x=numbers, anchor=numbers, eta=positive, mu=positive, step=numbers)
def test_prox_minimises_its_definition(
    x: Fraction, anchor: Fraction, eta: Fraction, mu: Fraction, step: Fraction
) -> None:
    """No other point has a smaller value of h(w) + |w - x|^2 / (2 eta): the gap is exactly quadratic."""

    def objective(w: Fraction) -> Fraction:
        return mu / 2 * (w - anchor) ** 2 + (w - x) ** 2 / (2 * eta)

    best = prox_to_anchor(x, anchor, eta, mu)  # type: ignore[arg-type]

    assert objective(best + step) - objective(best) == (mu + 1 / eta) / 2 * step**2


def test_weight_zero_returns_the_point_to_the_last_bit() -> None:
    """Without a proximal term nothing is pulled, bit for bit, in floats."""
    point, anchor = np.random.default_rng(0).standard_normal((2, 1000))

    assert (prox_to_anchor(point, anchor, 0.1, 0.0) == point).all()
