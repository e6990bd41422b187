"""Many different problems on the line at once, for a search: every copy of a run is a problem of its own.

Quadratic clients with l1, a square and bounds, additive noise, any start and any corrections of mean 0. The
algorithm's own `round` runs on all of them together, as on copies of one problem; the random draws are the
same for all. In one dimension nothing is lost against diagonal problems with separable penalties: both sides
of every bound add up over entries. Shapes: S = problems, K = repetitions, n = clients, m = values of noise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.papers.composite.checks._metrics import MEASURES, of_a_round, omegas
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.empirical.copies import run_copies

#: every number of a problem is a multiple of 1 / GRID, hence exact in floats and in fractions
GRID = 16


@dataclass(frozen=True, eq=False)
class ProblemBatch:
    """S problems, L = 1, as the one problem that `run_copies` makes S copies of.

    Arguments:
        curvatures: within [-1, 1], shape (n, S).
        slopes, corrections: shape (n, S); corrections sum to 0.
        weight, ridge, low, high: of the penalty, shape (S,); low and high may be infinite.
        start: pre-proximal, shape (S,).
        noise: values of the samples' noise, of mean 0, shape (m, S).
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

    dimension = 1

    @property
    def n_clients(self) -> int:
        return len(self.curvatures)

    @property
    def sizes(self) -> Array:
        return np.full(self.n_clients, len(self.noise))

    @cached_property
    def penalty(self) -> Separable:
        """That of each copy."""
        return Separable(*(v[:, None] for v in (self.weight, self.ridge, self.low, self.high)))

    def number(self, value: Any) -> Any:
        return value if isinstance(value, np.ndarray) else float(value)

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """Gradients at models (..., S, n, 1)."""
        curvatures, slopes = (v[clients].T[..., None] for v in (self.curvatures, self.slopes))
        found: Array = curvatures * models + slopes
        return found

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        """Gradients on one sample (n S, 1) of each client and copy at models (n S, 1)."""
        copies = np.arange(len(models)) % len(self.start)
        slopes = self.slopes[clients, copies] + self.noise[samples[:, 0], copies]
        found: Array = self.curvatures[clients, copies][:, None] * models + slopes[:, None]
        return found

    def client_losses(self, models: Array, clients: Array) -> Array:
        """F of every client at models (..., S, n, 1) within the bounds."""
        x, ridge, weight = models[..., 0], self.ridge[:, None], self.weight[:, None]
        smooth = (self.curvatures[clients].T + ridge) * x * x / 2 + self.slopes[clients].T * x
        found: Array = smooth + weight * abs(x)
        return found

    def tiled(self, times: int) -> ProblemBatch:
        """Every problem so many times over, entry r S + s being problem s."""
        return ProblemBatch(**{f.name: np.tile(getattr(self, f.name), times) for f in fields(self)})

    def _losses(self, x: Array) -> Array:
        a, s = self.curvatures.mean(axis=0) + self.ridge, self.slopes.mean(axis=0)
        values: Array = a * x * x / 2 + s * x + self.weight * abs(x)
        return values

    @cached_property
    def solution(self) -> Array:
        """A minimiser within the bounds, shape (S, 1); nan where F falls without end."""
        a, s = self.curvatures.mean(axis=0) + self.ridge, self.slopes.mean(axis=0)
        free = np.where(a > 0, np.sign(-s) * np.maximum(abs(s) - self.weight, 0) / np.where(a > 0, a, 1), 0)
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        ends = [np.where(np.isfinite(e), e, 0) for e in (self.low, self.high)]
        points = np.stack([np.clip(free, self.low, self.high), 0 * free, *ends])
        best: Array = np.take_along_axis(points, self._losses(points).argmin(axis=0)[None], axis=0)[0]
        fine = bounded | (a > 0) | ((a == 0) & (abs(s) <= self.weight))
        return np.where(fine, best, np.nan)[:, None]

    @cached_property
    def least(self) -> Array:
        """F*, shape (S,)."""
        return self._losses(self.solution[:, 0])

    def case(self, number: int, method: FedComposite) -> RunExperiment:
        """One of the problems in fractions."""

        def exact(values: Array) -> Array:
            return fractions([Fraction(v) for v in np.atleast_1d(values[..., number]).tolist()])

        ends = [Fraction(e) if np.isfinite(e) else None for e in (self.low[number], self.high[number])]
        penalty = Separable(exact(self.weight)[0], exact(self.ridge)[0], *ends)
        instance = line(exact(self.curvatures), exact(self.slopes), penalty, exact(self.noise), "found")
        return RunExperiment(instance, method, exact(self.start), exact(self.corrections)[:, None])


@dataclass(frozen=True)
class _Searched:
    """What the metrics ask of an experiment."""

    method: FedComposite
    instance: ProblemBatch


def _draws(batch: ProblemBatch, tau: int, repetitions: int, rng: np.random.Generator) -> Callable[..., Array]:
    """The draws of a repetition are the same for all problems."""
    shape, count = (batch.n_clients, tau, repetitions, 1), len(batch.start)
    return lambda number: np.repeat(rng.integers(0, len(batch.noise), shape), count, axis=2)


def measured(
    batch: ProblemBatch,
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
    many, noisy = batch.tiled(repetitions), method.batch_size is not None and rng is not None
    draws = _draws(batch, method.local_steps, repetitions, rng) if noisy and rng is not None else None
    start, corrections = many.start[:, None], many.corrections.T[..., None]
    path = run_copies(method, many, rounds, draws, len(start), start, corrections, watched=True)
    first = many, method, path.models[0], path.corrections[0]
    found = of_a_round(many, method, path) | omegas(*first, 1.0, many.least, many.solution)
    for name, measure in MEASURES.items():
        found[name] = measure(_Searched(method, many), many, path, np.array([rounds]))[0]
    curvature = batch.curvatures.mean(axis=0)
    sigma2 = (batch.noise**2).mean(axis=0) if method.batch_size else np.zeros(len(batch.start))
    letters: dict[str, Any] = {
        "L": 1.0, "n": batch.n_clients, "tau": method.local_steps, "b": 1, "R": rounds,
        "eta": float(method.stepsize), "eta_g": float(method.server_stepsize),
        "sigma2": sigma2, "B_g": batch.weight, "mu": curvature, "mu_sc": curvature,
    }  # fmt: skip
    means = {name: values.reshape(repetitions, -1).mean(axis=0) for name, values in found.items()}
    return letters | means
