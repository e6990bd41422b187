"""Convex losses of one score with a single kink, such as the hinge and the absolute value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.linear import Linear
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True, eq=False)
class Box:
    """Losses max(low (z - kink), high (z - kink)), low <= 0 <= high: v (z - kink) at the best v in between.

    Arguments:
        low, high, kink: of every label, of the labels' shape.
    """

    low: Array
    high: Array
    kink: Array


class Kinked(Linear):
    """A loss that is the largest v (z - kink) over low <= v <= high; subclasses say of what by `box`.

    At the kink its gradient is the subgradient 0. There is no Hessian.
    Subclasses state the facts: `kinked`, and `slope_square`, the larger of low^2 and high^2.
    """

    outputs = 1

    def box(self, y: Array) -> Box:
        """The ends and kinks of labels, of their shape; no end is larger than 1 in size."""
        raise NotImplementedError(type(self).__name__)

    def score_losses(self, z: Array, y: Array) -> Array:
        """The larger of low (z - kink) and high (z - kink)."""
        box = self.box(y)
        past = z[0] - box.kink
        losses: Array = np.maximum(box.low * past, box.high * past)
        return losses

    def score_gradients(self, z: Array, y: Array) -> Array:
        """A subgradient: low before the kink, high behind it, 0 at it."""
        box = self.box(y)
        past = z - box.kink
        slopes: Array = np.where(past < 0, box.low, np.where(past > 0, box.high, 0.0))
        return slopes

    def score_products(self, z: Array, dz: Array, y: Array) -> Array:
        """There is no Hessian.

        Raises: InputError.
        """
        name = getattr(self, "name", type(self).__name__)
        raise InputError("model", f"the Hessian of {name}, which has kinks", "a smooth loss",
                         "use model=huber, or a method that needs no Hessian")  # fmt: skip
