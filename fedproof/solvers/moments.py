"""Exact first and second moments of runs on quadratics: no sampling, any number of steps and rounds.

On a quadratic a local step is an affine map of where the client stands, drawn anew by its sample. The map is
read off the algorithm's own `step` by applying it to unit vectors, so that there is no second implementation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.vocabulary.errors import InputError


class Stepwise(Protocol):
    """An algorithm whose local work is `begin` and then `steps` times `step`."""

    batch_size: int | None

    @property
    def steps(self) -> int:
        """How many times `step` is applied."""
        ...

    @property
    def begins_stochastic(self) -> bool:
        """Whether `begin` uses up a batch."""
        ...

    @property
    def returned(self) -> str:
        """Which iterate is returned: "random" among all but the last, or "last"."""
        ...

    def begin(self, problem: Any, anchor: Array, cohort: Array, batch: Array | None) -> Any:
        """The iterate after the first step; its fields are arrays (k, d), `point` is the local model."""
        ...

    def step(self, problem: Any, at: Any, cohort: Array, batch: Array | None) -> Any:
        """The iterate after one more step."""
        ...


@dataclass(frozen=True, eq=False)
class LocalMoments:
    """Moments of a client's returned model w, given those of the round's start a = (x, 1).

    Arguments:
        map: B (d, d + 1) with E[w | x] = B a.
        second: E[(w, x, 1) (w, x, 1)^T], shape (2 d + 1, 2 d + 1).
    """

    map: Array
    second: Array


@dataclass(frozen=True, eq=False)
class Moments:
    """Second moment E[(x, 1) (x, 1)^T] of the server's model, shape (d + 1, d + 1)."""

    second: Array

    @classmethod
    def at(cls, model: Array) -> Moments:
        """Those of a model that is certain, shape (d,)."""
        known = np.append(model, model[:1] * 0 + 1)
        return cls(np.outer(known, known))

    @property
    def mean(self) -> Array:
        """E[x], shape (d,)."""
        return self.second[:-1, -1]

    def expected_loss(self, problem: Quadratic) -> Any:
        """E of the global loss."""
        shift = _shifted(self.second, problem.centre)
        half = problem.mean_matrix / problem.number(2)
        level = np.add.reduce(problem.levels) / problem.number(problem.partition.total)
        return np.trace(half @ shift[:-1, :-1]) + problem.mean_slope @ shift[:-1, -1] + level

    def expected_squared_gradient(self, problem: Quadratic) -> Any:
        """E of the squared norm of the global gradient."""
        shift = _shifted(self.second, problem.centre)
        affine = np.concatenate([problem.mean_matrix, problem.mean_slope[:, None]], axis=1)
        return np.trace(affine @ shift @ affine.T)


def run_moments(
    algorithm: Stepwise, problem: Quadratic, rounds: int, x0: Array | None = None
) -> list[Moments]:
    """Exact moments of the server's model over the draws of a whole run, at the start and after every round.

    Given the start of a round its clients draw independently, so that E[w_n w_m^T] = B_n E[a a^T] B_m^T for
    n != m. In fractions the result is exact; in floats it is exact up to rounding.

    Arguments:
        algorithm: FedAvg or FedProxVR, or another stepwise one.
        problem: a quadratic; all clients take part.
        rounds: >= 0.
        x0: initial model, shape (d,).

    >>> from fedproof.solvers.algorithms.fedavg import FedAvg
    >>> two = Quadratic.of([[[1]], [[1]]], [[1], [-1]], sizes=[2])
    >>> run_moments(FedAvg(1, 1), two, rounds=1)[1].expected_squared_gradient(two)
    Fraction(1, 1)
    """
    moments = [Moments.at(problem.start() if x0 is None else x0)]
    weights = [problem.number(int(s)) / problem.number(problem.partition.total) for s in problem.sizes]
    affine = [_client_maps(algorithm, problem, n) for n in range(problem.n_clients)]
    for _ in range(rounds):
        second = moments[-1].second
        each = [_local(algorithm, problem, maps, second) for maps in affine]
        d = problem.dimension
        mean = sum(p * m.map for p, m in zip(weights, each, strict=True))
        joint = mean @ second @ mean.T
        for p, m in zip(weights, each, strict=True):
            joint = joint + p * p * (m.second[:d, :d] - m.map @ second @ m.map.T)
        first = mean @ second[:, -1:]
        moments.append(Moments(np.block([[joint, first], [first.T, second[-1:, -1:]]])))
    return moments


def local_moments(algorithm: Stepwise, problem: Quadratic, client: int, start: Moments) -> LocalMoments:
    """Moments of one client's returned model after a round that starts from `start`."""
    return _local(algorithm, problem, _client_maps(algorithm, problem, client), start.second)


@dataclass(frozen=True, eq=False)
class _Maps:
    """Affine maps in homogeneous coordinates, by sample: `begin` (D, z, d + 1), `step` (D, z, z)."""

    begin: Array
    step: Array
    points: slice


def _client_maps(algorithm: Stepwise, problem: Quadratic, client: int) -> _Maps:
    if getattr(algorithm, "sampler", "uniform") != "uniform":
        raise InputError("sampler", "blocks", "uniform", "moments are those of uniform samples")
    d, size = problem.dimension, int(problem.sizes[client])
    probe = algorithm.begin(problem, problem.start()[None], np.array([client]), None)
    kind, names = type(probe), [f.name for f in fields(probe)]
    samples = size if algorithm.batch_size is not None else 1

    def stack(at: Any, anchors: Array) -> Array:
        return np.concatenate([*(getattr(at, name) for name in names), anchors], axis=-1)

    def begun(z: Array, cohort: Array, batch: Array | None) -> Array:
        used = batch if algorithm.begins_stochastic else None
        return stack(algorithm.begin(problem, z, cohort, used), z)

    def stepped(z: Array, cohort: Array, batch: Array | None) -> Array:
        at = kind(*(z[:, i * d : (i + 1) * d] for i in range(len(names))))
        return stack(algorithm.step(problem, at, cohort, batch), z[:, len(names) * d :])

    point = names.index("point") * d
    return _Maps(
        _affine(begun, problem, client, samples, d),
        _affine(stepped, problem, client, samples, (len(names) + 1) * d),
        slice(point, point + d),
    )


def _affine(
    f: Callable[[Array, Array, Array | None], Array],
    problem: Quadratic,
    client: int,
    samples: int,
    width: int,
) -> Array:
    """Matrices M_i with (f_i(z), 1) = M_i (z, 1), from the values of f at 0 and at the unit vectors."""
    one = problem.number(1)
    units = np.concatenate([np.eye(width, dtype=int), np.zeros((1, width), dtype=int)]) * one
    z = np.tile(units, (samples, 1))
    batch = np.repeat(np.arange(samples), width + 1)[:, None]
    whole = samples == 1 and int(problem.sizes[client]) > 1
    values = f(z, np.full(len(z), client), None if whole else batch).reshape(samples, width + 1, -1)
    linear = np.swapaxes(values[:, :-1] - values[:, -1:], 1, 2)
    top = np.concatenate([linear, values[:, -1, :, None]], axis=2)
    bottom = np.zeros((samples, 1, width + 1), dtype=int) * one
    bottom[:, :, -1] = one
    return np.concatenate([top, bottom], axis=1)


def _local(algorithm: Stepwise, problem: Quadratic, maps: _Maps, start: Array) -> LocalMoments:
    """Moments through `begin` and the steps, then the mixture of the iterates that may be returned."""
    d, batch = problem.dimension, algorithm.batch_size
    first, whole = np.mean(maps.begin, axis=0), np.mean(maps.step, axis=0)
    mean, second = first, _spread(maps.begin, first, start, batch)
    anchor = np.concatenate([np.eye(d, dtype=int), np.zeros((d, 1), dtype=int)], axis=1) * problem.number(1)
    iterates = [(anchor, np.block([[start[:d, :d], start[:d]], [start[:, :d], start]]))]
    pick = [*range(maps.points.start, maps.points.stop), *range(len(second) - 1 - d, len(second))]
    iterates.append((mean[maps.points], second[np.ix_(pick, pick)]))
    for _ in range(algorithm.steps):
        mean, second = whole @ mean, _spread(maps.step, whole, second, batch)
        iterates.append((mean[maps.points], second[np.ix_(pick, pick)]))
    chosen = iterates[:-1] if algorithm.returned == "random" else iterates[-1:]
    share = problem.number(len(chosen))
    return LocalMoments(sum(m for m, _ in chosen) / share, sum(s for _, s in chosen) / share)


def _spread(maps: Array, mean: Array, second: Array, batch: int | None) -> Array:
    """E[M S M^T] for the mean M of a batch of independent maps, each of mean `mean`."""
    whole: Array = mean @ second @ mean.T
    if batch is None or len(maps) == 1:
        return whole
    each = np.mean(maps @ second @ np.swapaxes(maps, 1, 2), axis=0)
    spread: Array = whole + (each - whole) / (each[-1, -1] * batch)
    return spread


def _shifted(second: Array, centre: Array) -> Array:
    """The same moment about another origin: of (x - centre, 1)."""
    d = len(centre)
    move = np.concatenate(
        [np.eye(d + 1, dtype=int)[:, :d], np.append(-centre, second[-1, -1])[:, None]], axis=1
    )
    shifted: Array = move @ second @ move.T
    return shifted
