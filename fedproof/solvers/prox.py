"""Proximal operators in closed form, and steps on proximal surrogates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fedproof.problems.problem import Array


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
    moved: Array = point + pull * anchor
    moved *= 1 / (1 + pull)
    return moved


def surrogate_step(point: Array, gradient: Array, anchor: Array, stepsize: Any, prox_weight: Any) -> Array:
    """A gradient step on F + (prox_weight / 2) |. - anchor|^2: w - eta (grad F(w) + mu (w - anchor)).

    With prox_weight = 0 it is w - eta grad F(w) to the last bit.

    Arguments:
        point: w, shape (..., d).
        gradient: of F, or an estimate of it, at w, shape (..., d).
        anchor: shape (..., d).
        stepsize: eta > 0, length^2 / loss.
        prox_weight: mu >= 0, loss / length^2.

    Returns: shape (..., d), a new array.

    >>> surrogate_step(np.array([4.0]), np.array([1.0]), np.array([2.0]), 0.5, 1.0)
    array([2.5])
    """
    move: Array = point - anchor
    move *= prox_weight
    move += gradient
    move *= stepsize
    return np.subtract(point, move, out=move)


def _prox_step(point: Array, gradient: Array, anchor: Array, stepsize: Any, prox_weight: Any) -> Array:
    return prox_to_anchor(point - stepsize * gradient, anchor, stepsize, prox_weight)


UPDATES: Mapping[str, Callable[[Array, Array, Array, Any, Any], Array]] = {
    "gradient": surrogate_step,
    "prox": _prox_step,
}
"""Steps from (point, gradient, anchor, stepsize, prox_weight), by the name of a local solver's `update`."""
