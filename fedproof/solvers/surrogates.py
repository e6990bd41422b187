"""The clients' surrogates Q_n(u) = F_n(u) + (mu / 2) |u - w_n|^2 and proofs of how nearly they are solved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, nextafter
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.linear_systems import solutions
from fedproof.vocabulary.errors import InputError

EPS = 2.0**-52
_COLUMNS = 16
"""Of Hessians, that are asked for together: what a product with them takes in memory stays small."""


@dataclass(frozen=True, eq=False)
class Surrogates:
    """The surrogates of some clients, strongly convex with `modulus`.

    Arguments:
        anchor: w_n, shape (k, d).
        clients: ids, shape (k,).
        prox_weight: mu = 1 / eta.
        modulus: m = mu + c > 0, rounded down; c the least curvature of the F_n, -nu where they are weakly
            convex and above 0 where they are strongly convex.
        smoothness: L of the Q_n, rounded up.
    """

    problem: Problem
    anchor: Array
    clients: Array
    prox_weight: Any
    modulus: Any
    smoothness: Any

    @classmethod
    def of(cls, problem: Problem, anchor: Array, prox_weight: Any, clients: Array) -> Surrogates:
        """Those of a problem whose weak convexity and smoothness are proved.

        Raises: InputError where they are not, or where mu <= nu, that is eta >= 1 / nu.
        """
        least, smooth = _least_curvature(problem), _proved(problem, "smoothness")
        if not hasattr(problem, "gradient_error"):
            raise InputError("local_solver", f"to_suboptimality on {problem.name}",
                             "a problem with gradient_error", "use to_inexactness")  # fmt: skip
        mu = Fraction(prox_weight)
        modulus, high = mu + least, mu + smooth
        low = modulus if anchor.dtype == object else modulus - mu * Fraction(EPS)
        if low <= 0:
            raise InputError("prox_weight", prox_weight, f"more than {float(-least) + 0.0!r}, the weak "
                             "convexity, so that eta < 1 / nu", "give a larger mu")  # fmt: skip
        if anchor.dtype == object:
            return cls(problem, anchor, clients, prox_weight, low, high)
        ends = nextafter(float(low), 0.0), nextafter(float(high), inf)
        return cls(problem, anchor, clients, prox_weight, *ends)

    def only(self, which: Array) -> Surrogates:
        """Those at some positions."""
        return replace(self, anchor=self.anchor[which], clients=self.clients[which])

    def gradients(self, points: Array) -> Array:
        """grad Q_n at points (k, d): a new array."""
        gradients = points - self.anchor
        gradients *= self.prox_weight
        gradients += self.problem.client_gradients(points, self.clients)
        return gradients

    def hessians(self, points: Array) -> Array:
        """Those of the Q_n, shape (k, d, d)."""
        k, d = points.shape
        eye = np.eye(d, dtype=int) * self.problem.number(1)
        own: Any = getattr(self.problem, "client_hessians", None)
        found = None if own is None else own(points, self.clients)
        if found is None:
            along = np.broadcast_to(eye[:, None], (d, k, d))
            some = (along[first : first + _COLUMNS] for first in range(0, d, _COLUMNS))
            columns = [self.problem.hessian_products(points, v, self.clients) for v in some]
            found = np.concatenate(columns).transpose(1, 0, 2)
        whole: Array = found + self.prox_weight * eye
        return whole

    def newton_moves(self, points: Array, gradients: Array) -> Array:
        """Hessians of the Q_n at points (k, d), inverted, times gradients (k, d); 0 of a singular one."""
        own: Any = getattr(self.problem, "hessian_solutions", None)
        found = None if own is None else own(points, gradients, self.prox_weight, self.clients)
        moves: Array = solutions(self.hessians(points), gradients, 0.0) if found is None else found
        return moves

    def certificates(self, points: Array, gradients: Array) -> Array:
        """Bounds on Q_n(u) - min Q_n: |grad Q_n(u)|^2 / (2 m), above all rounding, shape (k,).

        The computed gradient is off by the error of grad F_n and by three roundings of the sum with
        mu (u - w), where mu itself may be rounded: 4 eps (|q| + mu |u - w|).
        """
        if points.dtype == object:
            exact: Array = np.add.reduce(gradients * gradients, axis=1) / (2 * self.modulus)
            return exact
        size, reach = (np.linalg.norm(v, axis=1) for v in (gradients, points - self.anchor))
        error = self.problem.gradient_error(points, self.clients)  # type: ignore[attr-defined]
        units = (points.shape[1] + 16) * EPS
        length = (size + 4 * EPS * (size + self.prox_weight * reach) * (1 + units) + error) * (1 + units)
        bound: Array = (length + 1e-150) ** 2 / (2 * self.modulus) * (1 + units)
        return bound


def _least_curvature(problem: Problem) -> Fraction:
    """What a problem proves of it, or else -nu."""
    known: Any = getattr(problem, "least_curvature", None)
    if known is None or known.value is None or known.kind == "estimate":
        return -_proved(problem, "weak_convexity")
    return Fraction(known.value)


def _proved(problem: Problem, name: str) -> Fraction:
    found = problem.constants.get(name)
    if found is None or found.value is None or found.kind == "estimate":
        raise InputError("local_solver", f"to_suboptimality on {problem.name}",
                         f"a problem with a proved {name}", "use to_inexactness")  # fmt: skip
    return Fraction(found.value)
