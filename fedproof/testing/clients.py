"""The clients that the kit hands over: least squares on a few rows, each along one axis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import cycle
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

AXES = 2
"""Length of a model."""


@dataclass(frozen=True)
class Row:
    """One sample, f(w) = (size w[axis] - target)^2 / 2."""

    axis: int
    size: int
    target: int

    def curvature(self, axis: int) -> int:
        """Second derivative along an axis."""
        return self.size**2 if axis == self.axis else 0

    def gradient(self, axis: int, at: Fraction) -> Fraction:
        """Derivative along an axis where that coordinate is `at`."""
        return self.size * (self.size * at - self.target) if axis == self.axis else Fraction(0)


@dataclass(frozen=True)
class Rows:
    """What one client holds.

    Arguments:
        rows: its samples.
        drawn: numbers of the samples that stochastic steps take, in order and over again.

    F(w) is the mean of the samples' losses: along an axis curvature / 2 (w - slope / curvature)^2 + const.
    """

    rows: tuple[Row, ...]
    drawn: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many samples."""
        return len(self.rows)

    def curvature(self, axis: int) -> Fraction:
        """h of F along an axis."""
        return Fraction(sum(row.curvature(axis) for row in self.rows), self.size)

    def slope(self, axis: int) -> Fraction:
        """b of the derivative h w - b of F along an axis."""
        return Fraction(sum(row.size * row.target for row in self.rows if row.axis == axis), self.size)

    def draw(self, number: int) -> Row:
        """The sample of a stochastic step, counted from 0 over all rounds."""
        return self.rows[self.drawn[number % len(self.drawn)]]


@dataclass(frozen=True, eq=False)
class Client:
    """A client as an implementation sees it: data, and its gradients for those who want no data.

    The loss of a sample is (x w - y)^2 / 2, that of the client their mean F. A model is w, shape (2,).

    Arguments:
        rows: what it holds.

    >>> client = Client(Rows((Row(0, 2, 3), Row(1, 1, 1)), (0, 1)))
    >>> client.size, client.gradient([1.0, 1.0]), client.draw(), client.draw()
    (2, array([-1.,  0.]), 0, 1)
    """

    rows: Rows
    _numbers: Iterator[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_numbers", cycle(self.rows.drawn))

    @property
    def size(self) -> int:
        """How many samples it holds."""
        return self.rows.size

    @cached_property
    def features(self) -> Array:
        """x of every sample, shape (size, 2)."""
        return np.array([[float(r.size) * (r.axis == axis) for axis in range(AXES)] for r in self.rows.rows])

    @cached_property
    def targets(self) -> Array:
        """y of every sample, shape (size,)."""
        return np.array([float(r.target) for r in self.rows.rows])

    def loss(self, w: Any) -> float:
        """F(w), the mean of the samples' losses."""
        return float(np.mean((self.features @ np.asarray(w) - self.targets) ** 2) / 2)

    def gradient(self, w: Any) -> Array:
        """The gradient of F, shape (2,)."""
        found: Array = (self.features @ np.asarray(w) - self.targets) @ self.features / self.size
        return found

    def sample_gradient(self, w: Any, number: int) -> Array:
        """The gradient of one sample's loss, shape (2,)."""
        x: Array = self.features[number]
        found: Array = (x @ np.asarray(w) - self.targets[number]) * x
        return found

    def draw(self) -> int:
        """The number of the sample that the next stochastic step takes; every call is the next step's."""
        return next(self._numbers)


#: three clients of 2, 3 and 5 samples, so that their shares differ from 1/3
UNEQUAL = (
    Rows((Row(0, 2, 2), Row(1, 1, -3)), (1, 0, 0)),
    Rows((Row(0, 1, -1), Row(1, 3, 2), Row(0, 2, 1)), (0, 1, 2, 1)),
    Rows((Row(0, 1, 4), Row(1, 1, 1), Row(1, 2, 6), Row(0, 2, -2), Row(1, 1, -2)), (3, 2, 0, 1, 2, 4)),
)

#: three clients of 3 samples: the plain mean is that weighted by size
EQUAL = (
    Rows((Row(0, 1, 9), Row(1, 2, -1), Row(1, 1, -3)), (0,)),
    Rows((Row(0, 3, 5), Row(1, 1, -8), Row(0, 1, 1)), (0,)),
    Rows((Row(0, 1, -6), Row(1, 2, -5), Row(0, 1, 3)), (0,)),
)
