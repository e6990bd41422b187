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

from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.composite import CompositeState

#: every number of a problem is a multiple of 1 / GRID, hence exact in floats and in fractions
GRID = 16


@dataclass(frozen=True, eq=False)
class ProblemBatch:
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

    def tiled(self, times: int) -> ProblemBatch:
        """Every problem so many times over, entry r S + s being problem s."""
        return ProblemBatch(**{name: np.tile(getattr(self, name), times) for name in _ARRAYS}, asked=[])

    def picked(self, where: Array) -> ProblemBatch:
        """Some of the problems."""
        return ProblemBatch(**{name: getattr(self, name)[..., where] for name in _ARRAYS})

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

    def case(self, number: int, method: FedComposite) -> RunExperiment:
        """One of the problems in fractions."""

        def exact(values: Array) -> Array:
            return fractions([Fraction(v) for v in np.atleast_1d(values[..., number]).tolist()])

        ends = [Fraction(e) if np.isfinite(e) else None for e in (self.low[number], self.high[number])]
        penalty = Separable(exact(self.weight)[0], exact(self.ridge)[0], *ends)
        instance = line(exact(self.curvatures), exact(self.slopes), penalty, exact(self.noise), "found")
        return RunExperiment(instance, method, exact(self.start), exact(self.corrections)[:, None])


_ARRAYS = tuple(f.name for f in fields(ProblemBatch) if f.name != "asked")


@dataclass(frozen=True, eq=False)
class _Meter:
    """What the theorems speak of at a state of all repetitions; means over them have shape (S,).

    Arguments:
        many: K times the S problems.
        method: whose step sizes the definitions take.
        repetitions: K.
    """

    many: ProblemBatch
    method: FedComposite
    repetitions: int

    def mean(self, values: Array) -> Array:
        found: Array = values.reshape(self.repetitions, -1).mean(axis=0)
        return found

    def squared_mapping(self, x: Array) -> Array:
        """|G|^2, shape (K S,)."""
        step = float(self.method.effective_stepsize)
        gradient = (self.many.curvatures * x + self.many.slopes).mean(axis=0)
        found: Array = ((x - self.many.penalty.prox(x - step * gradient, step)) / step) ** 2
        return found

    def spread(self, state: CompositeState) -> Array:
        """(1/n) |Lambda - mean|^2."""
        reach = float(self.method.stepsize) * self.method.local_steps
        whole = reach * (self.many.curvatures * state.model + self.many.slopes + state.corrections)
        return self.mean(((whole - whole.mean(axis=0)) ** 2).mean(axis=0))

    def gap(self, x: Array) -> Array:
        return self.mean(self.many.losses(x) - self.many.losses(self.many.solution))

    def squared_distance(self, x: Array) -> Array:
        return self.mean((x - self.many.solution) ** 2)


def _states(
    many: ProblemBatch, method: FedComposite, rounds: int, repetitions: int, rng: np.random.Generator | None
) -> list[CompositeState]:
    """The states before and after every round, the draws of a repetition being the same for all problems."""
    where: Any = many
    n, count, values = many.n_clients, many.dimension // repetitions, len(many.noise)
    cohort = Cohort(np.arange(n), np.full(n, 1 / n))
    model = many.penalty.prox(many.start, float(method.effective_stepsize))
    states = [CompositeState(model, many.start, many.corrections)]
    for _ in range(rounds):
        draws = {}
        if method.batch_size is not None and rng is not None:
            drawn = rng.integers(0, values, (n, method.local_steps, repetitions, 1))
            wide = np.broadcast_to(drawn, (*drawn.shape[:3], count))
            draws["samples"] = wide.reshape(n, method.local_steps, -1)
        states.append(method.round(where, states[-1], cohort, draws)[0])
    return states


def _letters(
    swarm: ProblemBatch, method: FedComposite, rounds: int, meter: _Meter, first: CompositeState
) -> dict[str, Any]:
    """The letters of the theorems and lemmas at the start."""
    eta_t, curvature = float(method.effective_stepsize), swarm.curvatures.mean(axis=0)
    gap, spread = meter.gap(first.model), meter.spread(first)
    return {
        "L": 1.0, "n": swarm.n_clients, "tau": method.local_steps, "b": 1, "R": rounds,
        "eta": float(method.stepsize), "eta_g": float(method.server_stepsize),
        "sigma2": (swarm.noise**2).mean(axis=0) if method.batch_size else np.zeros(swarm.dimension),
        "B_g": swarm.weight, "mu": curvature, "mu_sc": curvature,
        "Omega1": gap + spread / eta_t, "Omega1_hat": gap + eta_t * spread,
        "Omega1_sc": meter.squared_distance(first.model) + spread,
        "Lam2": spread, "LamSq": swarm.n_clients * spread,
    }  # fmt: skip


def measured(
    swarm: ProblemBatch,
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
    many = swarm.tiled(repetitions)
    meter = _Meter(many, method, repetitions)
    states = _states(many, method, rounds, repetitions, rng)
    first, last = states[0], states[-1]
    squares = [meter.squared_mapping(s.model) for s in states[:-1]]
    asked = np.stack((many.asked or [])[: method.local_steps])
    gap, spread, distance = meter.gap(last.model), meter.spread(last), meter.squared_distance(last.model)
    return _letters(swarm, method, rounds, meter, first) | {
        "G2": meter.mean(squares[0]),
        "moved": meter.mean((states[1].model - first.model) ** 2),
        "mean_squared_prox_gradient": meter.mean(np.add.reduce(squares)) / rounds,
        "potential": gap + spread / float(method.effective_stepsize), "objective_gap": gap,
        "squared_distance": distance, "distance_potential": distance + spread, "correction_spread": spread,
        "local_drift": meter.mean(((asked - first.model) ** 2).sum(axis=(0, 1))),
    }  # fmt: skip
