"""Random dithering: the norm, and every entry rounded at random to a multiple of a part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.solvers.compressor import COIN, Compressor, check_dimension, coin_outcomes, coins, number_like
from fedproof.solvers.compressors._dithering_distortion import dithering_distortion
from fedproof.solvers.messages import Field
from fedproof.solvers.randomness import Uniform
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.options import Reader
from fedproof.vocabulary.values import double_of, parse_value

MOST_LEVELS = 1 << 20


def _read_norm(name: str, value: Any) -> Any:
    """p >= 1 as it is, or "inf"."""
    if value == "inf" or (isinstance(value, float) and value == np.inf):
        return "inf"
    exact = parse_value(value, name)
    if exact < 1:
        raise InputError(name, value, _NORMS, f"write {name}=2 or {name}=inf")
    double_of(exact, name, value)
    return int(exact) if exact.denominator == 1 else exact


_NORMS = "a number >= 1, or inf"


@dataclass(frozen=True)
class Dithering(Compressor):
    """Q(x)_i = |x|_p sign(x_i) L_i / s, where L_i is r = s |x_i| / |x|_p rounded up with chance r - floor(r).

    Alistarh et al. (2017, QSGD), Section 3.1, for p = 2; FLECS-CGD, Section 5, with p = infinity. A message
    is |x|_p in float64, and for every entry a sign and a level 0..s: 64 + d (1 + ceil(log2(s + 1))) bits.

    Arguments:
        levels: s, from 1 to 2^20.
        norm: p >= 1, or "inf". Fractions are compressed with p = 1 and "inf".

    >>> q = Dithering(levels=4, norm="inf")
    >>> q.compress(np.array([[1.0, -0.3, 0.0]]), np.array([[0, COIN // 4, 0]])).tolist()
    [[1.0, -0.25, 0.0]]
    >>> q.bits(3), q.omega(10).value
    (76, Fraction(1, 8))
    """

    name: ClassVar[str] = "dithering"
    letters: ClassVar[dict[str, str]] = {"s": "levels", "p": "norm"}
    readers: ClassVar[dict[str, tuple[str, Reader]]] = {"norm": (_NORMS, _read_norm)}

    levels: int
    norm: Any = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "norm", _read_norm("norm", self.norm))
        if self.levels > MOST_LEVELS:
            raise InputError("levels", self.levels, f"at most {MOST_LEVELS}")

    @property
    def exact(self) -> bool:
        return self.norm in (1, "inf")

    def uniform(self, dimension: int, count: int) -> Uniform:
        return coins(dimension, count)

    def fields(self, dimension: int) -> tuple[Field, ...]:
        return Field(1), Field(dimension, 1), Field(dimension, self.levels)

    def message(self, x: Array, draws: Array) -> tuple[Array, ...]:
        norms, levels, chances = self._steps(x)
        levels += draws < COIN * chances
        return norms, x < 0, levels

    def restore(self, message: tuple[Array, ...], dimension: int, draws: Array) -> Array:
        del dimension, draws
        norms, negative, levels = message
        found: Array = levels / number_like(norms, self.levels)
        found *= norms
        found *= 1 - 2 * negative.astype(np.int8)  # the sign; eight times as fast as np.where
        return found

    def distortion(self, dimension: int) -> Constant:
        check_dimension(dimension)
        return dithering_distortion(self.levels, dimension, self.norm)

    def outcomes(self, x: Array) -> tuple[Array, Array]:
        return coin_outcomes(self._steps(x[None])[2][0])

    def _steps(self, x: Array) -> tuple[Array, Array, Array]:
        """|x|_p of each row, shape (k, 1), the levels below the entries, and their chances to rise."""
        reach, s = np.abs(x), number_like(x, self.levels)
        norms = self._norms(reach)
        reach /= np.where(norms > 0, norms, number_like(x, 1))
        reach *= s
        np.minimum(reach, s, out=reach)
        floors = np.floor(reach)
        reach -= floors
        return norms, floors, reach

    def _norms(self, sizes: Array) -> Array:
        """|x|_p from the |x_i| of each row, shape (k, 1), over their largest so that no power overflows."""
        most: Array = sizes.max(axis=1, keepdims=True)
        if self.norm == "inf":
            return most
        if self.norm == 1 and sizes.dtype == object:
            total: Array = sizes.sum(axis=1, keepdims=True)
            return total
        p = float(self.norm)
        parts = (sizes / np.where(most > 0, most, 1.0)) ** p
        with np.errstate(over="ignore"):
            found: Array = most * parts.sum(axis=1, keepdims=True) ** (1 / p)
        if not np.isfinite(found).all():
            raise InputError("x", "a norm above all floats", "a finite one", "scale x down")
        return found
