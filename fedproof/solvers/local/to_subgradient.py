"""Accelerated proximal gradient steps to a short subgradient: for regularisers with kinks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import nextafter
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.problems.supervised.concave_penalties import Flattening
from fedproof.problems.supervised.linear import float_above
from fedproof.problems.supervised.rounding import check_rounding
from fedproof.solvers.algorithm import Local
from fedproof.solvers.parameters import check_parameters
from fedproof.solvers.randomness import Draws, NoDraws
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

_EPS = 2.0**-52


@dataclass(frozen=True)
class ToSubgradient(NoDraws):
    """Every client lowers Q_n(u) = F_n(u) + (mu / 2) |u - w|^2 until Q_n(u) <= min Q_n + eps is proved.

    The inexact oracle of Yuan and Li (2022, FedProx), Definition 2, with mu = 1 / eta, for smooth models with
    an mcp or scad regulariser, whose F_n are weakly convex and have kinks. Q_n is strongly convex with
    m = mu - nu, and for every subgradient q of Q_n at u, Q_n(u) - min Q_n <= |q|^2 / (2 m): that of the
    shortest one, above all rounding, is the certificate. A client stops when it is at most eps; one that is
    not there after `most_steps` is reported: `Trace.solved`, counted by the metric `unsolved`.

    Arguments:
        suboptimality: eps > 0, loss.
        most_steps: >= 1, of two gradients each.

    >>> ToSubgradient("1e-9").most_steps
    10000
    """

    name: ClassVar[str] = "to_subgradient"
    letters: ClassVar[dict[str, str]] = {"eps": "suboptimality"}
    kinked: ClassVar[bool] = True
    reports: ClassVar[tuple[str, ...]] = ("suboptimality", "unsolved")

    suboptimality: Any
    most_steps: int = 10_000

    def __post_init__(self) -> None:
        check_parameters(self)

    def solve(self, problem: Problem, anchor: Array, prox_weight: Any, clients: Array, draws: Draws) -> Local:
        """Steps of those clients of a block that are not there yet."""
        del draws
        found: Any = getattr(problem, "without_kinks", (None, ()))
        smooth, kinked = found
        if len(kinked) != 1:
            raise InputError("local_solver", f"to_subgradient on {problem.name}",
                             "a smooth model with mcp or with scad", "use to_suboptimality")  # fmt: skip
        check_rounding(smooth.model, smooth.regulariser)
        mu, goal = float(prox_weight), -float_above(-parse_value(self.suboptimality))
        modulus = _modulus(problem, prox_weight)
        parts = _Parts(smooth, kinked[0], anchor, clients, mu, modulus)
        return _descend(parts, goal, self.most_steps)


def _modulus(problem: Any, prox_weight: Any) -> float:
    """m = mu + the least curvature of the F_n, rounded down.

    Raises: InputError where none is proved, or m is not above 0.
    """
    least = problem.least_curvature
    if least.value is None or least.kind == "estimate":
        raise InputError("local_solver", f"to_subgradient on {problem.name}", "a proved weak convexity",
                         "use another model")  # fmt: skip
    exact = Fraction(prox_weight) + Fraction(least.value)
    if exact <= 0:
        raise InputError("prox_weight", prox_weight, f"more than {float(-least.value)!r}, the weak "
                         "convexity, so that eta < 1 / nu", "give a larger mu")  # fmt: skip
    return nextafter(float(exact), 0.0)


@dataclass(frozen=True, eq=False)
class _Parts:
    """The surrogates of some clients: smooth losses, the regulariser's kinks, and what ties them to w."""

    smooth: Any
    kinks: Flattening
    anchor: Array
    clients: Array
    mu: float
    modulus: float

    def only(self, which: Array) -> _Parts:
        """Those at some positions."""
        return replace(self, anchor=self.anchor[which], clients=self.clients[which])

    def gradients(self, points: Array) -> Array:
        """Of the smooth part of Q_n at points (k, d)."""
        found: Array = self.smooth.client_gradients(points, self.clients) + self.mu * (points - self.anchor)
        return found

    def certificates(self, points: Array, gradients: Array) -> Array:
        """Bounds on Q_n(u) - min Q_n, shape (k,), given the gradients of the smooth part.

        Beside the error of grad F_n, the sum with mu (u - w) is off by 4 eps of the sizes of both, and a
        slope of the regulariser by 8 eps weight: weight and size cancel to at most weight, after at most 5
        roundings of at most a weight / (a - 1) <= 2 weight for scad, and of at most weight for mcp.
        """
        d = points.shape[1]
        least = self.kinks.nearest(points, gradients)
        reach, size = (np.linalg.norm(v, axis=1) for v in (points - self.anchor, gradients))
        error = self.smooth.gradient_error(points, self.clients)
        error = error + 4 * _EPS * (size + self.mu * reach) + 8 * _EPS * d**0.5 * self.kinks.rounded
        units = (d + 32) * _EPS
        length = (np.linalg.norm(least, axis=1) + error) * (1 + units) + 1e-150
        bound: Array = length**2 / (2 * self.modulus) * (1 + units)
        return bound


def _descend(parts: _Parts, goal: float, most_steps: int) -> Local:
    """Nesterov's method with constant momentum and proximal points of the regulariser's kinks.

    Moving |u|^2 times half its weak convexity from the smooth part to the regulariser makes both convex and
    changes no step, so that the momentum is that of a convex regulariser.
    """
    clients, sizes = parts.clients, parts.smooth.sizes[parts.clients]
    bend = parts.smooth.client_smoothness[clients] + parts.mu
    bent = -float(parts.kinks.least_curvature)
    root = np.sqrt(np.maximum(bend - bent, parts.modulus) / parts.modulus)
    step, momentum = (1 / bend)[:, None], ((root - 1) / (root + 1))[:, None]
    models, going = parts.anchor.copy(), np.arange(len(clients))
    passes, bounds = np.ones(len(clients), dtype=np.int64), np.full(len(clients), np.inf)
    ahead = before = parts.anchor
    for t in range(most_steps + 1):
        gradient = parts.gradients(ahead)
        after = parts.kinks.prox(ahead - step * gradient, step) if t else ahead
        found = parts.certificates(after, parts.gradients(after) if t else gradient)
        passes[going] += 2 if t else 0
        better = found < bounds[going]
        models[going[better]], bounds[going[better]] = after[better], found[better]
        on = ~(bounds[going] <= goal) & np.isfinite(found)
        if t == most_steps or not on.any():
            break
        going, parts, step, momentum = going[on], parts.only(on), step[on], momentum[on]
        ahead = after[on] + momentum * (after[on] - before[on])
        before = after[on]
    return Local(models, passes * sizes, bounds <= goal, suboptimality=bounds)
