"""Many different problems on the line at once, for a search: every entry of one long model is a problem.

Quadratic clients with l1, a square and bounds, additive noise, any start and any corrections of mean 0. The
algorithm's own `round` runs on all of them together, each entry on its own; the random draws are the same for
all. In one dimension nothing is lost against diagonal problems with separable penalties: both sides of every
bound add up over entries. Shapes: S = problems, K = repetitions, n = clients, m = values of the noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratic import fractions
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.composite import CompositeState
from fedproof.validate.checks.composite._family import Case, line
from fedproof.validate.checks.composite._separable import Separable

__all__ = ["GRID", "Swarm", "measured"]

#: every number of a problem is a multiple of 1 / GRID, hence exact in floats and in fractions
GRID = 16


@dataclass(frozen=True, eq=False)
class Swarm:
    """S problems, L = 1.

    Arguments:
        curvatures: within [-1, 1], shape (n, S).
        slopes, corrections: shape (n, S); corrections sum to 0.
        weight, ridge, low, high: of the penalty, shape (S,); low and high may be infinite.
        start: pre-proximal, shape (S,).
        noise: values of the samples' noise, of mean 0, shape (m, S).
        asked: where given, grows by the models (n, S) of every request for gradients.
    """

    curvatures: Array
    slopes: Array
    corrections: Array
    weight: Array
    ridge: Array
    low: Array
    high: Array
    start: Array
    noise: Array
    asked: list[Array] | None = None

    @property
    def n_clients(self) -> int:
        return len(self.curvatures)

    @property
    def dimension(self) -> int:
        return int(self.curvatures.shape[1])

    @property
    def sizes(self) -> Array:
        return np.full(self.n_clients, len(self.noise))

    @cached_property
    def penalty(self) -> Separable:
        """That of each entry."""
        return Separable(self.weight, self.ridge, self.low, self.high)

    def number(self, value: Any) -> float:
        return float(value)

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """Gradients at models (k, S)."""
        if self.asked is not None:
            self.asked.append(models.copy())
        found: Array = self.curvatures[clients] * models + self.slopes[clients]
        return found

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        """Gradients on one sample (k, S) of each client and entry."""
        drawn: Array = np.take_along_axis(self.noise, samples, axis=0)
        return self.client_gradients(models, clients) + drawn

    def tiled(self, times: int) -> Swarm:
        """Every problem so many times over, entry r S + s being problem s."""
        return Swarm(**{name: np.tile(getattr(self, name), times) for name in _ARRAYS}, asked=[])

    def picked(self, where: Array) -> Swarm:
        """Some of the problems."""
        return Swarm(**{name: getattr(self, name)[..., where] for name in _ARRAYS})

    def losses(self, x: Array) -> Array:
        """F at (..., S) within the bounds."""
        a, s = self.curvatures.mean(axis=0) + self.ridge, self.slopes.mean(axis=0)
        values: Array = a * x * x / 2 + s * x + self.weight * abs(x)
        return values

    @cached_property
    def solution(self) -> Array:
        """A minimiser within the bounds, shape (S,); nan where F falls without end."""
        a, s = self.curvatures.mean(axis=0) + self.ridge, self.slopes.mean(axis=0)
        free = np.where(a > 0, np.sign(-s) * np.maximum(abs(s) - self.weight, 0) / np.where(a > 0, a, 1), 0)
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        ends = [np.where(np.isfinite(e), e, 0) for e in (self.low, self.high)]
        points = np.stack([np.clip(free, self.low, self.high), 0 * free, *ends])
        best: Array = np.take_along_axis(points, self.losses(points).argmin(axis=0)[None], axis=0)[0]
        fine = bounded | (a > 0) | ((a == 0) & (abs(s) <= self.weight))
        return np.where(fine, best, np.nan)

    def case(self, number: int, method: FedComposite) -> Case:
        """One of the problems in fractions."""

        def exact(values: Array) -> Array:
            return fractions([Fraction(v) for v in np.atleast_1d(values[..., number]).tolist()])

        ends = [Fraction(e) if np.isfinite(e) else None for e in (self.low[number], self.high[number])]
        penalty = Separable(exact(self.weight)[0], exact(self.ridge)[0], *ends)
        instance = line(exact(self.curvatures), exact(self.slopes), penalty, exact(self.noise), "found")
        return Case(instance, method, exact(self.start), exact(self.corrections)[:, None])


_ARRAYS = tuple(f.name for f in fields(Swarm) if f.name != "asked")


def measured(
    swarm: Swarm,
    method: FedComposite,
    rounds: int,
    repetitions: int = 1,
    rng: np.random.Generator | None = None,
) -> Mapping[str, Any]:
    """The letters of the theorems and lemmas and every metric after some rounds, shape (S,) each.

    Arguments:
        repetitions: K, over which expectations are taken; 1 with full gradients.
        rng: what draws; the same for all problems.
    """
    many: Any = swarm.tiled(repetitions)
    n, count = swarm.n_clients, swarm.dimension
    cohort = Cohort(np.arange(n), np.full(n, 1 / n))
    eta_t, reach = float(method.effective_stepsize), float(method.stepsize) * method.local_steps
    model = many.penalty.prox(many.start, eta_t)
    state = CompositeState(model, many.start, many.corrections)

    def mapping(x: Array) -> Array:
        gradient = (many.curvatures * x + many.slopes).mean(axis=0)
        found: Array = (x - many.penalty.prox(x - eta_t * gradient, eta_t)) / eta_t
        return found

    def spread(s: CompositeState) -> Array:
        whole = reach * (many.curvatures * s.model + many.slopes + s.corrections)
        found: Array = ((whole - whole.mean(axis=0)) ** 2).mean(axis=0)
        return found

    def mean(values: Array) -> Array:
        found: Array = values.reshape(repetitions, count).mean(axis=0)
        return found

    first, squares, states = state, 0.0 * model, [state]
    for _ in range(rounds):
        squares = squares + mapping(state.model) ** 2
        draws = {}
        if method.batch_size is not None and rng is not None:
            high = len(swarm.noise)
            drawn = rng.integers(0, high, (n, method.local_steps, repetitions, 1))
            draws["samples"] = np.broadcast_to(drawn, (*drawn.shape[:3], count)).reshape(
                n, method.local_steps, -1
            )
        state, _ = method.round(many, state, cohort, draws)
        states.append(state)
    asked = np.stack(many.asked[: method.local_steps])
    gap = mean(many.losses(state.model) - many.losses(many.solution))
    spreads = [mean(spread(s)) for s in (first, state)]
    apart = [mean((s.model - many.solution) ** 2) for s in (first, state)]
    start_gap = mean(many.losses(first.model) - many.losses(many.solution))
    return {
        "L": 1.0, "n": n, "tau": method.local_steps, "b": 1, "R": rounds,
        "eta": float(method.stepsize), "eta_g": float(method.server_stepsize),
        "sigma2": (swarm.noise**2).mean(axis=0) if method.batch_size else np.zeros(count),
        "B_g": swarm.weight,
        "mu": swarm.curvatures.mean(axis=0), "mu_sc": swarm.curvatures.mean(axis=0),
        "Omega1": start_gap + spreads[0] / eta_t, "Omega1_sc": apart[0] + spreads[0],
        "G2": mean(mapping(first.model) ** 2), "Lam2": spreads[0], "LamSq": n * spreads[0],
        "moved": mean((states[1].model - first.model) ** 2),
        "mean_squared_prox_gradient": mean(squares) / rounds,
        "potential": gap + spreads[1] / eta_t, "objective_gap": gap,
        "distance_potential": apart[1] + spreads[1], "correction_spread": spreads[1],
        "local_drift": mean(((asked - first.model) ** 2).sum(axis=(0, 1))),
    }  # fmt: skip
