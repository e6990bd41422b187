"""What is checked of compressors: their mean and distortion over all outcomes, and their messages."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.solvers.randomness import RandomSource

ROUNDING = 1e-12


def moments(q: Any, x: Array) -> tuple[Array, Any]:
    """E Q(x) and E|Q(x) - x|^2 of one vector, over all outcomes."""
    weights, draws = q.outcomes(x)
    assert abs(weights.sum() - 1) <= (0 if weights.dtype == object else ROUNDING)
    found = q.compress(np.tile(x, (len(draws), 1)), draws)
    return (weights[:, None] * found).sum(axis=0), (weights * ((found - x) ** 2).sum(axis=1)).sum()


def assert_fair(q: Any, x: Array) -> None:
    """It is unbiased if it says so, and its distortion is kept; in fractions there is no tolerance."""
    mean, error = moments(q, x)
    slack = 0 if x.dtype == object else ROUNDING
    size = x @ x
    if q.unbiased:
        assert (abs(mean - x) <= slack * size).all()
    number = Fraction if x.dtype == object else float
    assert error <= (number(q.distortion(len(x)).value) + slack) * size


def drawn(q: Any, x: Array, seed: int = 1) -> Array:
    """The draws of clients 0, 1, ... for the rows of an array."""
    found: Array = q.draw(x.shape[1], np.arange(len(x)), RandomSource(seed, 1))
    return found


def assert_returns(q: Any, x: Array) -> None:
    """Messages have the length that is said, and give back Q(x) bit for bit."""
    draws, d = drawn(q, x), x.shape[1]
    messages, found = q.encode(x, draws), q.compress(x, draws)
    padding = 8 * messages.shape[1] - q.bits(d)

    assert 0 <= padding < 8
    assert not np.unpackbits(messages, axis=1)[:, q.bits(d) :].any()
    assert q.decode(messages, d, draws).tobytes() == found.tobytes()
