"""The Euclidean norm, of the whole model or of groups of entries: models with whole groups at 0."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.composite.penalty import check_divides, in_floats
from fedproof.problems.problem import Array, Constant
from fedproof.problems.separable import Weighted
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.options import MOST_COUNT, MOST_NUMBER, Option, number, shown, whole

_EXPECTED = "none (one group), the size of every group, or sizes such as 2+3+5"


def _sizes(name: str, value: Any) -> tuple[int, ...] | int | None:
    """None, one size for all groups, or the size of each."""
    if value is None or value == "none":
        return None
    listed = not isinstance(value, (str, int)) or "+" in str(value)
    try:
        each = value.split("+") if isinstance(value, str) else (list(value) if listed else [value])
        sizes = tuple(whole(1, MOST_COUNT)[1](name, size) for size in each)
    except (InputError, TypeError):
        raise InputError(name, value, _EXPECTED) from None
    if not sizes:
        raise InputError(name, value, _EXPECTED)
    return sizes if listed else sizes[0]


OPTIONS = (
    Option("weight", "1/1000", number(0, MOST_NUMBER), "of the sum of the groups' lengths"),
    Option("groups", None, (_EXPECTED, _sizes), "of consecutive entries"),
)


@dataclass(frozen=True)
class L2(Weighted):
    """g(x) = weight sum_G |x_G| over groups of consecutive entries; its prox shortens every group.

    Arguments:
        weight: >= 0.
        groups: None for one group, a number that every group has of entries, or the size of each.

    >>> L2(5).prox(np.array([6.0, 8.0]), 1.0)
    array([3., 4.])
    >>> L2(5, groups=1).prox(np.array([6.0, 8.0]), 1.0)
    array([1., 3.])
    """

    name: ClassVar[str] = "l2"

    groups: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.sizes

    @cached_property
    def sizes(self) -> tuple[int, ...] | int | None:
        """The groups as given, read."""
        return _sizes("groups", self.groups)

    def _each(self, dimension: int) -> tuple[int, ...]:
        """The size of every group of a model."""
        if self.sizes is None:
            return (dimension,)
        if isinstance(self.sizes, int):
            check_divides("groups", self.sizes, dimension)
            return (self.sizes,) * (dimension // self.sizes)
        if sum(self.sizes) != dimension:
            got = f"sizes whose sum is {sum(self.sizes)}"
            raise InputError("groups", got, f"sizes whose sum is {dimension}, the model's length")
        return self.sizes

    def _lengths(self, x: Array) -> tuple[Array, tuple[int, ...]]:
        """|x_G|, shape (..., groups), and the sizes."""
        in_floats(self.name, x)
        sizes = self._each(x.shape[-1])
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        top = np.maximum.reduceat(np.abs(x), starts, axis=-1)
        unit = np.where((top > 0) & np.isfinite(top), top, 1.0)
        squares = np.square(x / np.repeat(unit, sizes, axis=-1))
        return unit * np.sqrt(np.add.reduceat(squares, starts, axis=-1)), sizes

    def value(self, x: Array) -> Any:
        return self.rounded * self._lengths(x)[0].sum(axis=-1)

    def prox(self, x: Array, scale: Any) -> Array:
        """Every group times 1 - scale weight / |x_G|, or 0 where that is negative."""
        lengths, sizes = self._lengths(x)
        reach = scale * self.rounded
        if not reach:
            return x.copy()
        left = np.maximum(1 - reach / np.where(lengths > 0, lengths, reach), 0)
        shortened: Array = x * np.repeat(left, sizes, axis=-1)
        return shortened

    def subgradient_bound(self, dimension: int) -> Constant:
        """weight times the root of the number of groups, reached where none is 0."""
        count = len(self._each(dimension))
        return Constant(self.rounded * sqrt(count), "exact", f"sqrt({count}) times the weight, by groups")

    @property
    def text(self) -> str:
        if self.sizes is None:
            return f"{shown(self.exact)} |x|"
        groups = f"of {self.sizes}" if isinstance(self.sizes, int) else "+".join(map(str, self.sizes))
        return f"{shown(self.exact)} sum |x_G|, groups {groups}"


PENALTY = L2
