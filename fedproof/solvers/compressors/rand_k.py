"""Some entries, drawn at random and scaled up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.solvers.compressor import Compressor, number_like, zeros_like
from fedproof.solvers.messages import Field
from fedproof.solvers.randomness import Uniform, distinct
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True)
class RandK(Compressor):
    """k of the d entries, every set of k equally likely, times d / k; the others are 0.

    Arguments:
        kept: k, from 1 to d.
        positions: "shared", drawn by client and server from a seed that both know, so that a message is 64 k
            bits; or "sent", ceil(log2 d) more bits for each entry.

    >>> q = RandK(kept=2)
    >>> q.compress(np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[0, 2]])).tolist()
    [[2.0, 0.0, 6.0, 0.0]]
    >>> q.bits(4), RandK(2, positions="sent").bits(4), q.omega(4).value
    (128, 132, Fraction(1, 1))
    """

    name: ClassVar[str] = "rand_k"
    letters: ClassVar[dict[str, str]] = {"k": "kept"}
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"positions": ("shared", "sent")}

    kept: int
    positions: str = "shared"

    def uniform(self, dimension: int, count: int) -> Uniform:
        self._check(dimension)
        high = dimension - self.kept + 1 + np.arange(self.kept)
        return Uniform(np.tile(high, (count, 1)), (self.kept,))

    def fields(self, dimension: int) -> tuple[Field, ...]:
        self._check(dimension)
        entries = Field(self.kept)
        return (entries,) if self.positions == "shared" else (entries, Field(self.kept, dimension - 1))

    def message(self, x: Array, draws: Array) -> tuple[Array, ...]:
        where = _positions(draws, x.shape[1])
        entries = np.take_along_axis(x, where, axis=1)
        return (entries,) if self.positions == "shared" else (entries, where)

    def restore(self, message: tuple[Array, ...], dimension: int, draws: Array) -> Array:
        entries = message[0]
        where = _positions(draws, dimension) if self.positions == "shared" else message[1]
        found = zeros_like(entries, dimension)
        scaled = entries * number_like(entries, Fraction(dimension, self.kept))
        np.put_along_axis(found, where, scaled, axis=1)
        return found

    def distortion(self, dimension: int) -> Constant:
        self._check(dimension)
        return Constant(Fraction(dimension, self.kept) - 1, "exact", "d / k - 1, attained by every x")

    def _check(self, dimension: int) -> None:
        if self.kept > dimension:
            raise InputError("kept", self.kept, f"at most {dimension}, the number of entries")


def _positions(draws: Array, dimension: int) -> Array:
    return distinct(draws, np.full(len(draws), dimension))
