"""MCP and SCAD: regularisers with a kink at 0 that flatten, so that large entries are not shrunk."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.separable import Weighted
from fedproof.problems.supervised.regularisers import Regulariser, Sum
from fedproof.vocabulary.options import number

FALL, KNOT = number("1/100", "1e6"), number(2, "1e6")
"""What gamma and a may be."""


class Flattening(Weighted):
    """r(w) = sum_j p(|w_j|), p concave with p'(0) = weight: slope at most weight, and weakly convex.

    The gradient at 0 is the subgradient 0, the curvature there 0. Bounded and >= 0.
    """

    least_value: ClassVar[Fraction] = Fraction(0)

    def slope(self, size: Array) -> Array:
        """p' of |w_j|."""
        raise NotImplementedError(type(self).__name__)

    def gradient(self, w: Array) -> Array:
        """p'(|w_j|) with the sign of w_j."""
        gradient: Array = np.sign(w) * self.slope(np.abs(w))
        return gradient

    def prox(self, x: Array, step: Array) -> Array:
        """argmin_u step r(u) + |u - x|^2 / 2 of (k, d), steps (k, 1) below 1 / weak convexity."""
        raise NotImplementedError(type(self).__name__)

    def nearest(self, w: Array, slope: Array) -> Array:
        """The least, in every entry, of slope + s over the subgradients s of r at w."""
        least: Array = np.sign(slope) * np.maximum(np.abs(slope) - self.rounded, 0.0)
        return np.where(w == 0, least, slope + self.gradient(w))

    @property
    def least_curvature(self) -> Fraction:
        """The least second derivative, which is attained."""
        raise NotImplementedError(type(self).__name__)

    @property
    def smoothness(self) -> Fraction | None:
        """None: the gradient jumps at 0; 0 with the weight 0."""
        return None if self.exact else Fraction(0)

    @property
    def slope_square(self) -> Fraction:
        """weight^2."""
        return self.exact**2


@dataclass(frozen=True)
class MCP(Flattening):
    """The minimax concave penalty (Zhang 2010): p' = max(0, weight - t / gamma).

    p(t) = weight t - t^2 / (2 gamma) up to t = gamma weight, then constant. Its second derivative is -1/gamma
    in between: r + |w|^2 / (2 gamma) is convex, and with any smaller factor not.

    Arguments:
        gamma: how far it falls, from 1/100 to 1e6, length^2 / loss.

    >>> MCP(weight=1, gamma=3).least_curvature
    Fraction(-1, 3)
    """

    name: ClassVar[str] = "mcp"

    gamma: Any = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        FALL[1]("mcp_gamma", self.gamma)

    @cached_property
    def _gamma(self) -> Fraction:
        found: Fraction = FALL[1]("mcp_gamma", self.gamma)
        return found

    def value(self, w: Array) -> Any:
        size = np.minimum(np.abs(w), self.rounded * float(self._gamma))
        return (size * (self.rounded - size / (2 * float(self._gamma)))).sum(axis=-1)

    def slope(self, size: Array) -> Array:
        return np.maximum(0.0, self.rounded - size / float(self._gamma))

    def prox(self, x: Array, step: Array) -> Array:
        """0 up to step weight, x from gamma weight on, a line in between."""
        size, end = np.abs(x), float(self._gamma)
        near = np.maximum(size - step * self.rounded, 0.0) / (1 - step / end)
        return np.sign(x) * np.where(size < end * self.rounded, near, size)

    def curvature(self, w: Array) -> Array:
        """-1/gamma where 0 < |w_j| < gamma weight, else 0."""
        size = np.abs(w)
        inside = (size > 0) & (size < self.rounded * float(self._gamma))
        return np.where(inside, -1 / float(self._gamma), 0.0)

    @property
    def least_curvature(self) -> Fraction:
        """-1/gamma."""
        return -1 / self._gamma if self.exact else Fraction(0)

    @property
    def text(self) -> str:
        return f"mcp with weight {self.weight} and gamma {self.gamma}"


@dataclass(frozen=True)
class SCAD(Flattening):
    """The smoothly clipped absolute deviation (Fan and Li 2001): p' = weight, then it falls to 0.

    It falls in a line from t = weight to t = a weight, so that the second derivative is -1/(a - 1) there:
    r + |w|^2 / (2 (a - 1)) is convex, and with any smaller factor not.

    Arguments:
        a: where it is flat, in weights, from 2 to 1e6.

    >>> SCAD(weight=1, a=3).least_curvature
    Fraction(-1, 2)
    """

    name: ClassVar[str] = "scad"

    a: Any = "3.7"

    def __post_init__(self) -> None:
        super().__post_init__()
        KNOT[1]("scad_a", self.a)

    @cached_property
    def _a(self) -> Fraction:
        found: Fraction = KNOT[1]("scad_a", self.a)
        return found

    def value(self, w: Array) -> Any:
        """weight t, less (t - weight)^2 / (2 (a - 1)) beyond t = weight, t = |w_j| cut at a weight."""
        end = float(self._a)
        size = np.minimum(np.abs(w), end * self.rounded)
        beyond = np.maximum(0.0, size - self.rounded)
        return (self.rounded * size - np.square(beyond) / (2 * (end - 1))).sum(axis=-1)

    def slope(self, size: Array) -> Array:
        end = float(self._a)
        return np.clip((end * self.rounded - size) / (end - 1), 0.0, self.rounded)

    def prox(self, x: Array, step: Array) -> Array:
        """0 up to step weight, x from a weight on, two lines in between, which meet at weight."""
        size, end = np.abs(x), float(self._a)
        near = np.maximum(size - step * self.rounded, 0.0)
        far = ((end - 1) * size - step * end * self.rounded) / (end - 1 - step)
        found = np.where(size <= (1 + step) * self.rounded, near, far)
        return np.sign(x) * np.where(size < end * self.rounded, found, size)

    def curvature(self, w: Array) -> Array:
        """-1/(a - 1) where weight < |w_j| < a weight, else 0."""
        size, end = np.abs(w), float(self._a)
        inside = (size > self.rounded) & (size < end * self.rounded)
        return np.where(inside, -1 / (end - 1), 0.0)

    @property
    def least_curvature(self) -> Fraction:
        """-1/(a - 1)."""
        return -1 / (self._a - 1) if self.exact else Fraction(0)

    @property
    def text(self) -> str:
        return f"scad with weight {self.weight} and a {self.a}"


def split(regulariser: Regulariser | None) -> tuple[Regulariser | None, tuple[Flattening, ...]]:
    """What a regulariser is the sum of: the parts without kinks, None for none, and the flattening ones.

    >>> from fedproof.problems.supervised.regularisers import L2
    >>> split(Sum(L2(1), MCP(2)))
    (L2(weight=1), (MCP(weight=2, gamma=3),))
    """
    if type(regulariser) is Sum:
        (first, some), (second, more) = split(regulariser.first), split(regulariser.second)
        rest = first if second is None else second if first is None else Sum(first, second)
        return rest, (*some, *more)
    if isinstance(regulariser, Flattening):
        return None, (regulariser,)
    return regulariser, ()
