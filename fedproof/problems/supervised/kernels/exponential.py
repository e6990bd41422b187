"""exp of eight numbers at once."""

from __future__ import annotations

from typing import Any

from fedproof.problems.problem import Array
from fedproof.problems.supervised.kernels.cached import compiled
from fedproof.problems.supervised.kernels.lanes import (
    WIDTH,
    at_least,
    load,
    multiply,
    plus_product,
    power_of_two,
    spread,
    store,
    subtract,
    times_plus,
    zero_where_less,
)

_LEAST = -708.0
"""exp is a normal number from here on."""

_LOG2E = 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""log 2 in two parts; the first has 33 bits, so that its product with a whole number below 2^20 is exact."""

_ROUND = 6755399441055744.0
"""1.5 * 2^52: adding it rounds to a whole number k, which then stands in the last bits."""


@compiled
def exponential(z: Any) -> Any:
    """exp(z) for lanes z <= 0, within 4e-16 of the value, relatively; 0 below -708, NaN for NaN.

    exp(z) = 2^k exp(r) with k the nearest whole number to z / log 2, |r| <= (log 2) / 2, and the Taylor
    polynomial of degree 13, whose remainder is below |r|^14 / 14! * sqrt(2) < 6e-18.
    """
    x = at_least(z, _LEAST)
    shifted = times_plus(x, spread(_LOG2E), _ROUND)
    k = subtract(shifted, spread(_ROUND))
    r = plus_product(plus_product(x, -_LN2_HIGH, k), -_LN2_LOW, k)
    p = times_plus(spread(1.0 / 6227020800.0), r, 1.0 / 479001600.0)
    p = times_plus(p, r, 1.0 / 39916800.0)
    p = times_plus(p, r, 1.0 / 3628800.0)
    p = times_plus(p, r, 1.0 / 362880.0)
    p = times_plus(p, r, 1.0 / 40320.0)
    p = times_plus(p, r, 1.0 / 5040.0)
    p = times_plus(p, r, 1.0 / 720.0)
    p = times_plus(p, r, 1.0 / 120.0)
    p = times_plus(p, r, 1.0 / 24.0)
    p = times_plus(p, r, 1.0 / 6.0)
    p = times_plus(p, r, 0.5)
    p = times_plus(p, r, 1.0)
    p = times_plus(p, r, 1.0)
    return zero_where_less(z, _LEAST, multiply(p, power_of_two(shifted)))


@compiled
def exponentials(z: Array) -> None:
    """z = exp(z) in place for z (m, n), n whole vectors."""
    for i in range(z.shape[0]):
        for j in range(0, z.shape[1], WIDTH):
            store(z, i, j, exponential(load(z, i, j)))
