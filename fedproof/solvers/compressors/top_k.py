"""The largest entries."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.solvers.compressor import Compressor, zeros_like
from fedproof.solvers.messages import Field
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True)
class TopK(Compressor):
    """The k entries of largest size as they are; the others are 0. Of equal ones the first are kept.

    It is biased, and so in no class U(omega); |Q(x) - x|^2 <= (1 - k / d) |x|^2 is its contraction. A message
    is 64 + ceil(log2 d) bits for each of the k entries.

    Arguments:
        kept: k, from 1 to d.

    >>> q = TopK(kept=1)
    >>> q.compress(np.array([[1.0, -3.0, 2.0]]), np.zeros((1, 0))).tolist()
    [[0.0, -3.0, 0.0]]
    >>> q.bits(3), q.distortion(3).value, q.omega(3).value
    (66, Fraction(2, 3), None)
    """

    name: ClassVar[str] = "top_k"
    unbiased: ClassVar[bool] = False
    letters: ClassVar[dict[str, str]] = {"k": "kept"}

    kept: int

    def fields(self, dimension: int) -> tuple[Field, ...]:
        self._check(dimension)
        return Field(self.kept), Field(self.kept, dimension - 1)

    def message(self, x: Array, draws: Array) -> tuple[Array, ...]:
        del draws
        self._check(x.shape[1])
        where = np.sort(np.argsort(-np.abs(x), axis=1, kind="stable")[:, : self.kept], axis=1)
        return np.take_along_axis(x, where, axis=1), where

    def restore(self, message: tuple[Array, ...], dimension: int, draws: Array) -> Array:
        del draws
        entries, where = message
        found = zeros_like(entries, dimension)
        np.put_along_axis(found, where, entries, axis=1)
        return found

    def distortion(self, dimension: int) -> Constant:
        self._check(dimension)
        return Constant(1 - Fraction(self.kept, dimension), "exact", "1 - k / d, attained by equal entries")

    def _check(self, dimension: int) -> None:
        if self.kept > dimension:
            raise InputError("kept", self.kept, f"at most {dimension}, the number of entries")
