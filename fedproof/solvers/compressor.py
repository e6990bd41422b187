"""The shape of a compressor: what a client sends in place of a vector, its draws, bits and distortion."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Constant
from fedproof.solvers.exact import MOST_OUTCOMES
from fedproof.solvers.messages import Field, pack, unpack
from fedproof.solvers.parameters import check_parameters
from fedproof.solvers.randomness import RandomSource, Uniform, draw_uniform
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import is_whole

COIN = 1 << 53
"""A number drawn below it is less than COIN * p with probability p, up to 2^-53."""


class Compressor:
    """A random map Q of vectors of any length d; subclasses are frozen dataclasses, one file each.

    Subclasses give `fields`, `message`, `restore`, `distortion`, and `uniform` where they draw. What is
    drawn comes in, so that all methods are functions of their arguments. Vectors stand in the rows of an
    array (k, d), one a client. Floats are float64; where a compressor is `exact`, rows may be fractions.
    """

    name: ClassVar[str]
    unbiased: ClassVar[bool] = True
    """Whether E Q(x) = x for every x."""

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def exact(self) -> bool:
        """Whether it also compresses fractions."""
        return True

    def uniform(self, dimension: int, count: int) -> Uniform:
        """What the messages of `count` clients draw, for an algorithm's `ranges`; nothing by default."""
        del dimension
        return Uniform(np.ones(count, dtype=np.int64), (0,))

    def fields(self, dimension: int) -> tuple[Field, ...]:
        """What a message consists of."""
        raise NotImplementedError(type(self).__name__)

    def message(self, x: Array, draws: Array) -> tuple[Array, ...]:
        """What is sent: an array (k, count) for each of the fields."""
        raise NotImplementedError(type(self).__name__)

    def restore(self, message: tuple[Array, ...], dimension: int, draws: Array) -> Array:
        """Q(x), shape (k, d), from what is sent, and from the draws where client and server share them."""
        raise NotImplementedError(type(self).__name__)

    def distortion(self, dimension: int) -> Constant:
        """The least c with E|Q(x) - x|^2 <= c |x|^2 for all x of this length, or a certified bound on it."""
        raise NotImplementedError(type(self).__name__)

    def omega(self, dimension: int) -> Constant:
        """The least omega with Q in U(omega): unbiased, and E|Q(x)|^2 <= (omega + 1) |x|^2.

        FLECS-CGD, Definition 3. For an unbiased Q it is the distortion, as E|Q(x)|^2 = E|Q(x) - x|^2 + |x|^2.

        Returns: a number, float where it is irrational and then rounded up; None where Q is biased.
        Raises: InputError for a length that no vector has, or that holds fewer entries than are kept.
        """
        check_dimension(dimension)
        if not self.unbiased:
            return Constant(None, "exact", f"none exists: {self.name} is biased")
        return self.distortion(dimension)

    def bits(self, dimension: int) -> int:
        """Bits of one message, without those that fill up its last byte; raises as `omega` does."""
        check_dimension(dimension)
        return sum(field.bits for field in self.fields(dimension))

    def draw(
        self, dimension: int, clients: Array, source: RandomSource, purpose: str = "compressor"
    ) -> Array:
        """The draws of clients (k,) in a round, shape (k, ...); of several compressors each has a purpose."""
        return draw_uniform({purpose: self.uniform(dimension, len(clients))}, clients, source)[purpose]

    def compress(self, x: Array, draws: Array) -> Array:
        """Q(x) of every client.

        Arguments:
            x: shape (k, d); it is not changed.
            draws: whole numbers, as `draw` gives them.

        Returns: shape (k, d), float64 or fractions.
        Raises: InputError for what is no finite vector, or for other draws.
        """
        rows = self._rows(x, draws)
        return self.restore(self.message(rows, draws), rows.shape[1], draws)

    def encode(self, x: Array, draws: Array) -> Array:
        """What every client sends, in bytes (k, ceil(bits / 8)).

        Raises: InputError, for fractions too, which have no fixed width.
        """
        rows = self._rows(x, draws)
        if rows.dtype == object:
            raise InputError("x", "fractions", "float64", "fractions have no fixed width")
        return pack(self.fields(rows.shape[1]), self.message(rows, draws))

    def decode(self, messages: Array, dimension: int, draws: Array) -> Array:
        """Q(x), bit for bit as `compress` gives it, from what `encode` gives.

        Arguments:
            draws: those of the sender; most compressors do not look at them.
        """
        self._check_draws(draws, dimension, len(messages))
        return self.restore(unpack(self.fields(dimension), messages), dimension, draws)

    def outcomes(self, x: Array) -> tuple[Array, Array]:
        """Draws that stand for all that there are, shape (m, ...), and their probabilities, shape (m,).

        Arguments:
            x: one vector, shape (d,).

        Raises: InputError for more than 2^22.
        """
        uniform = self.uniform(len(x), 1)
        highs = [int(high) for high in uniform.highs[0].ravel()]
        total = count_outcomes(highs)
        draws = np.array([*product(*map(range, highs))], dtype=np.int64).reshape(total, *uniform.shape)
        return np.full(total, Fraction(1, total)), draws

    def _rows(self, x: Array, draws: Array) -> Array:
        rows = np.asarray(x)
        if rows.ndim != 2 or not rows.shape[1]:
            raise InputError("x", f"shape {rows.shape}", "(clients, d) with d >= 1")
        if rows.dtype.kind not in "biufO":
            raise InputError("x", f"entries of type {rows.dtype}", "real numbers")
        if rows.dtype != object:
            rows = rows.astype(np.float64, copy=False)
            fine = np.isfinite(rows)
            if not fine.all():
                row, entry = np.argwhere(~fine)[0]
                raise InputError("x", f"{rows[row, entry]} at entry {entry} of row {row}", "finite numbers")
        elif not self.exact:
            raise InputError("x", f"fractions for {self}", "float64", "its numbers are irrational")
        self._check_draws(draws, rows.shape[1], len(rows))
        return rows

    def _check_draws(self, draws: Array, dimension: int, count: int) -> None:
        uniform = self.uniform(dimension, count)
        if draws.shape != (count, *uniform.shape):
            expected = f"shape {(count, *uniform.shape)}"
            raise InputError("draws", f"shape {draws.shape}", expected, "pass what draw gives")
        if draws.size and (draws.min() < 0 or (draws >= uniform.highs).any()):
            raise InputError("draws", "a number out of range", "what draw gives")


def check_dimension(dimension: Any) -> None:
    """Refuse what is not the length of a vector.

    Raises: InputError.
    """
    if not is_whole(dimension) or dimension < 1:
        raise InputError("dimension", dimension, "a whole number >= 1")


def coins(dimension: int, count: int) -> Uniform:
    """The draws of compressors that toss a coin for every entry."""
    return Uniform(np.full(count, COIN), (dimension,))


def coin_outcomes(chances: Array) -> tuple[Array, Array]:
    """`outcomes` of independent coins: draws (m, d) on either side of COIN times each chance.

    >>> weights, draws = coin_outcomes(np.array([Fraction(1, 4), Fraction(0)]))
    >>> weights.tolist(), (draws < COIN * Fraction(1, 4)).tolist()
    ([Fraction(1, 4), Fraction(3, 4)], [[True, True], [False, True]])
    """
    sides = [[(w, u) for w, u in ((c, 0 * c), (1 - c, COIN * c)) if w] for c in chances]
    total = count_outcomes([len(side) for side in sides])
    rows = [*product(*sides)]
    weights = np.array([prod(w for w, _ in row) for row in rows], dtype=chances.dtype)
    draws = np.array([[u for _, u in row] for row in rows], dtype=chances.dtype)
    return weights, draws.reshape(total, len(chances))


def count_outcomes(sizes: list[int]) -> int:
    """How many outcomes there are.

    Raises: InputError for more than 2^22.
    """
    total = prod(sizes)
    if total > MOST_OUTCOMES:
        raise InputError("x", f"{total} outcomes", f"at most {MOST_OUTCOMES}", "use fewer entries")
    return total


def number_like(rows: Array, value: Any) -> Any:
    """A number in the arithmetic of an array: a fraction, or the nearest float."""
    exact = Fraction(value)
    return exact if rows.dtype == object else float(exact)


def zeros_like(rows: Array, dimension: int) -> Array:
    """Zeros (k, d) in the arithmetic of an array (k, ...)."""
    return np.full((len(rows), dimension), number_like(rows, 0), dtype=rows.dtype)
