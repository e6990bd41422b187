"""exp of many numbers that are not positive, in a form that compilers turn into vector code."""

from __future__ import annotations

import numpy as np

from fedproof.problems.kernels.cached import compiled
from fedproof.problems.problem import Array

__all__ = ["exponentials"]

_LEAST = -708.0
"""exp is a normal number from here on; below it is set to 0."""

_LOG2E = 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""log 2 in two parts; the first has 33 bits, so that its product with a whole number below 2^20 is exact."""

_ROUND = 6755399441055744.0
"""1.5 * 2^52: adding it rounds to a whole number, which then stands in the last bits."""


@compiled
def exponentials(z: Array) -> None:
    """z = exp(z) in place for z (m, n) <= 0 or NaN, within 4e-16 of the value, relatively; 0 below -708.

    exp(z) = 2^k exp(r) with k the nearest whole number to z / log 2, |r| <= (log 2) / 2, and the Taylor
    polynomial of degree 13, whose remainder is below |r|^14 / 14! * sqrt(2) < 6e-18.
    """
    for i in range(z.shape[0]):
        for j in range(z.shape[1]):
            value = z[i, j]
            x = _LEAST if value < _LEAST else value
            shifted = x * _LOG2E + _ROUND
            k = shifted - _ROUND
            r = (x - k * _LN2_HIGH) - k * _LN2_LOW
            p = 1.0 / 6227020800.0
            p = p * r + 1.0 / 479001600.0
            p = p * r + 1.0 / 39916800.0
            p = p * r + 1.0 / 3628800.0
            p = p * r + 1.0 / 362880.0
            p = p * r + 1.0 / 40320.0
            p = p * r + 1.0 / 5040.0
            p = p * r + 1.0 / 720.0
            p = p * r + 1.0 / 120.0
            p = p * r + 1.0 / 24.0
            p = p * r + 1.0 / 6.0
            p = p * r + 0.5
            p = p * r + 1.0
            p = p * r + 1.0
            power = np.int64((np.float64(shifted).view(np.int64) + 1023) << 52).view(np.float64)
            z[i, j] = 0.0 if value < _LEAST else p * power
