"""The Moreau envelope of the global loss, by a proximal solve with a proved error.

With rho < 1 / nu the envelope F_rho(w) = min_u F(u) + |u - w|^2 / (2 rho) has the gradient (w - u*) / rho,
u* the proximal point prox_{rho F}(w): Yuan and Li (2022, FedProx), Theorems 2 and 4, bound it.
The problem under the minimum is strongly convex with m = 1 / rho - nu, so that a u whose value is proved
within e of the least one is within sqrt(2 e / m) of u*.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import nextafter, sqrt
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import Trace
from fedproof.solvers.local.to_duality_gap import ToDualityGap
from fedproof.solvers.local.to_subgradient import ToSubgradient
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

_EPS = 2.0**-52
SUBOPTIMALITY, MOST_STEPS = Fraction(1, 10**13), 1000


@dataclass(frozen=True, eq=False)
class EnvelopeGradient:
    """The gradient of F_rho at a model, and how far it can be from the true one.

    Arguments:
        gradient: (w - u) / rho, shape (d,), loss / length.
        error: its distance from the gradient of F_rho is proved to be at most that; 0 where it is exact.
        point: u, near prox_{rho F}(w), shape (d,).
        value: F(u) + |u - w|^2 / (2 rho) >= F_rho(w), up to the rounding of the loss.
    """

    gradient: Array
    error: Any
    point: Array
    value: Any

    @property
    def square(self) -> Any:
        """The squared length of the gradient."""
        return np.add.reduce(self.gradient * self.gradient)

    @property
    def square_ends(self) -> tuple[float, float]:
        """What the squared length of the true gradient lies between."""
        length = sqrt(self.square)
        least = max(0.0, length * (1 - 4 * _EPS) - float(self.error))
        most = length * (1 + (4 + len(self.gradient)) * _EPS) + float(self.error)
        return least**2 * (1 - (4 + len(self.gradient)) * _EPS), most**2 * (1 + 4 * _EPS)


def envelope_gradient(
    problem: Problem, model: Array, rho: Any, suboptimality: Any = SUBOPTIMALITY
) -> EnvelopeGradient:
    """The gradient of the Moreau envelope of the global loss at a model (d,).

    The global loss weighs every sample alike, as this package does; Yuan and Li weigh every device alike,
    which is the same where devices have equally many samples. All samples are one client's here, whose
    proximal point is found by `to_suboptimality`, by `to_duality_gap` where the loss has kinks, or by
    `to_subgradient` where the regulariser has.

    Arguments:
        problem: on rows or quadratic, with a proved weak convexity nu.
        model: w, shape (d,); not changed.
        rho: > 0 and below 1 / nu, length^2 / loss.
        suboptimality: e that is asked for, > 0; where it is not reached `error` says what is.

    Raises: InputError for a rho that is too large, and for problems that the local solvers refuse.

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> bowl = Quadratic.of([[[2]]], [[0]], sizes=[1])
    >>> found = envelope_gradient(bowl, bowl.number(1) + bowl.start(), rho=1)
    >>> found.gradient[0], found.error
    (Fraction(2, 3), 0)
    """
    step = parse_value(rho, "rho")
    whole: Any = getattr(problem, "pooled", None)
    if whole is None:
        raise InputError("problem", problem.name, "one on rows or a quadratic, without penalty")
    modulus = _modulus(whole, step)
    mu = whole.number(1 / step)
    solver: Any = ToSuboptimality(suboptimality, most_steps=MOST_STEPS)
    if getattr(whole, "without_kinks", (None, ()))[1]:
        solver = ToSubgradient(suboptimality)
    elif getattr(whole, "kinked_clients", lambda _: None)(np.zeros(1, dtype=int)) is not None:
        solver = ToDualityGap(suboptimality)
    local = solver.solve(whole, model[None], mu, np.zeros(1, dtype=int), {})
    point, bound = local.models[0], local.suboptimality[0]
    move = model - point
    gradient, square = mu * move, np.add.reduce(move * move)
    value = whole.loss(point) + mu * square / 2
    if model.dtype == object:
        error: Any = sqrt(2 * bound / modulus) / step if bound else 0
        return EnvelopeGradient(gradient, error, point, value)
    return EnvelopeGradient(gradient, _error(float(mu), bound, modulus, sqrt(square)), point, value)


def _error(mu: float, bound: float, modulus: Fraction, moved: float) -> float:
    """A bound on the gradient's error in floats.

    mu is off by a unit of rounding, which moves the proximal point by eps mu |w - u| / m at most, and the
    gradient is a difference times mu.
    """
    low = nextafter(float(modulus) * (1 - 4 * _EPS), 0.0)
    lost = _EPS * mu * moved * (mu / low + 4)
    return (mu * sqrt(2 * bound / low) + lost) * (1 + 32 * _EPS) + 1e-300


def _modulus(problem: Any, rho: Fraction) -> Fraction:
    """m = 1 / rho + the least curvature that is proved.

    Raises: InputError where none is proved, or rho is not in (0, 1 / nu).
    """
    if rho <= 0:
        raise InputError("rho", rho, "a number > 0")
    least = problem.least_curvature
    if least.value is None or least.kind == "estimate":
        raise InputError("problem", problem.name, "a proved weak convexity", "use another model")
    modulus = 1 / rho + Fraction(least.value)
    if modulus <= 0:
        raise InputError("rho", float(rho), f"less than {float(-1 / Fraction(least.value))!r}, 1 / nu",
                         "give a smaller rho")  # fmt: skip
    return modulus


def squared_envelope_gradient(rho: Any, suboptimality: Any = SUBOPTIMALITY) -> Any:
    """The metric |grad F_rho(w)|^2 at the server's model, for `run(..., metrics={name: this})`.

    Arguments:
        rho, suboptimality: as `envelope_gradient` takes them; the metric errs by no more than that says.

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> from fedproof.solvers.algorithm import ModelState
    >>> bowl = Quadratic.of([[[2]]], [[0]], sizes=[1])
    >>> squared_envelope_gradient(1)(bowl, ModelState(bowl.number(1) + bowl.start()), None)
    Fraction(4, 9)
    """

    def metric(problem: Problem, state: Any, trace: Trace | None) -> Any:
        del trace
        return envelope_gradient(problem, state.model, rho, suboptimality).square

    return metric
