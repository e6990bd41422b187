"""Proximal operators in closed form."""

from __future__ import annotations

from typing import Any

from fedproof.problems.problem import Array

__all__ = ["prox_to_anchor"]


def prox_to_anchor(point: Array, anchor: Array, stepsize: Any, prox_weight: Any) -> Array:
    """The minimiser over w of (prox_weight / 2) |w - anchor|^2 + |w - point|^2 / (2 stepsize).

    FedProxVR, definition (9) and closed form (10), multiplied out so that prox_weight = 0 returns `point`
    to the last bit.

    Arguments:
        point: x, shape (..., d).
        anchor: the global model of the round's start, shape (d,) or (..., d).
        stepsize: eta > 0, length^2 / loss.
        prox_weight: mu >= 0, loss / length^2.

    Returns: shape (..., d).

    >>> from fractions import Fraction
    >>> prox_to_anchor(Fraction(4), Fraction(0), Fraction(1), Fraction(3))
    Fraction(1, 1)
    """
    pull = stepsize * prox_weight
    moved: Array = (point + pull * anchor) / (1 + pull)
    return moved
