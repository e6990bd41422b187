"""Natural compression: every entry becomes a power of two."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.solvers.compressor import COIN, Compressor, coin_outcomes, coins, number_like
from fedproof.solvers.messages import Field
from fedproof.solvers.randomness import Uniform
from fedproof.vocabulary.errors import InputError

_LEAST, _MOST = -1074, 1023
"""The exponents of the least and of the largest power of two that is a float64."""


@dataclass(frozen=True)
class Natural(Compressor):
    """Every entry goes to one of the two powers of two around its size, without bias; 0 stays 0.

    Horvath et al. (2022, Natural Compression), Definition 1. A message is a sign and 12 bits for the exponent
    of every entry: all powers from 2^-1074 on, where 11 bits would lose those below 2^-1022.

    >>> q = Natural()
    >>> q.compress(np.array([[3.0, -0.75, 0.0]]), np.array([[0, COIN - 1, 0]])).tolist()
    [[4.0, -0.5, 0.0]]
    >>> q.bits(3), q.omega(3).value
    (39, Fraction(1, 8))
    """

    name: ClassVar[str] = "natural"

    def uniform(self, dimension: int, count: int) -> Uniform:
        return coins(dimension, count)

    def fields(self, dimension: int) -> tuple[Field, ...]:
        return Field(dimension, 1), Field(dimension, _MOST - _LEAST + 1)

    def message(self, x: Array, draws: Array) -> tuple[Array, ...]:
        exponents, chances = _steps(x)
        codes = exponents + (draws < COIN * chances) + (1 - _LEAST)
        return x < 0, np.where(x == 0, 0, codes)

    def restore(self, message: tuple[Array, ...], dimension: int, draws: Array) -> Array:
        del dimension, draws
        negative, codes = message
        exponents = codes - (1 - _LEAST)
        powers = _powers(exponents) if codes.dtype == object else np.ldexp(1.0, exponents)
        sizes = np.where(codes == 0, 0 * powers, powers)
        found: Array = np.where(negative, -sizes, sizes)
        return found

    def distortion(self, dimension: int) -> Constant:
        del dimension
        return Constant(Fraction(1, 8), "exact", "attained where every size is 4/3 of a power of two")

    def outcomes(self, x: Array) -> tuple[Array, Array]:
        return coin_outcomes(_steps(x[None])[1][0])


def _steps(x: Array) -> tuple[Array, Array]:
    """The exponents of the powers of two below the sizes of entries, and their chances to rise by one.

    The chance is |x| / 2^e - 1; of a 0 it is 0.

    Raises: InputError for a float whose power above is none.
    """
    sizes, none = np.abs(x), number_like(x, 0)
    if x.dtype == object:
        exponents = _exponents(sizes)
        return exponents, np.maximum(sizes / _powers(exponents) - 1, none)
    if (sizes > 2.0**_MOST).any():
        raise InputError("x", float(sizes.max()), "at most 2^1023", "scale x down")
    parts, above = np.frexp(sizes)
    return above - 1, np.maximum(2 * parts - 1, none)


def _exponent(size: Any) -> int:
    """The largest e with 2^e <= size; 0 for 0."""
    exact = Fraction(size)
    e = exact.numerator.bit_length() - exact.denominator.bit_length()
    return e if not exact or Fraction(2) ** e <= exact else e - 1


def _exponents(sizes: Array) -> Array:
    found: Array = np.frompyfunc(_exponent, 1, 1)(sizes)
    return found


def _powers(exponents: Array) -> Array:
    found: Array = np.frompyfunc(lambda e: Fraction(2) ** e, 1, 1)(exponents)
    return found
