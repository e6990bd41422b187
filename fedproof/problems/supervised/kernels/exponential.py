"""exp of eight numbers at once, and probabilities."""

from __future__ import annotations

from math import factorial
from typing import Any

from fedproof.problems.supervised.kernels.cached import compiled, inlined
from fedproof.problems.supervised.kernels.lanes import (
    add,
    at_least,
    divide,
    larger,
    multiply,
    plus_product,
    power_of_two,
    spread,
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

_TAYLOR = tuple(1 / factorial(k) for k in range(13, -1, -1))


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
    p = spread(_TAYLOR[0])
    for coefficient in _TAYLOR[1:]:
        p = times_plus(p, r, coefficient)
    return zero_where_less(z, _LEAST, multiply(p, power_of_two(shifted)))


@inlined
def minus_size_power(score: Any) -> Any:
    """exp(-|score|)."""
    return exponential(subtract(spread(0.0), larger(score, subtract(spread(0.0), score))))


@inlined
def probability(score: Any, power: Any) -> Any:
    """1 / (1 + exp(-score)), from power = exp(-|score|)."""
    above = larger(power, zero_where_less(score, 0.0, spread(1.0)))
    return divide(above, add(spread(1.0), power))
