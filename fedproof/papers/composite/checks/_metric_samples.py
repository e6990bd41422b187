"""Values of the theorems' metrics in runs of a case: full gradients, every outcome, or many seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np

from fedproof.papers.composite.checks._family import RunExperiment
from fedproof.papers.composite.checks._measures import gaps, mean_spread, potentials, squared_mapping
from fedproof.papers.composite.checks._stacked import Path, every_outcome, run_copies, seeded
from fedproof.problems.problem import Array
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.replicas import generator

#: as many seeds run side by side, so that memory does not grow with the seeds
BLOCK = 500


def _mean_mapping(case: RunExperiment, problem: Any, path: Path, after: Array) -> Array:
    squares = squared_mapping(problem, path.models[: after.max()], case.method.effective_stepsize)
    means: Array = np.add.accumulate(squares, axis=0)[after - 1] / (after[:, None] * problem.number(1))
    return means


def _potential(case: RunExperiment, problem: Any, path: Path, after: Array) -> Array:
    return potentials(problem, case.method, path.models[after], path.corrections[after], case.instance.least)


def _gap(case: RunExperiment, problem: Any, path: Path, after: Array) -> Array:
    return gaps(problem, path.models[after], case.instance.least)


def _squared_distance(case: RunExperiment, problem: Any, path: Path, after: Array) -> Array:
    apart = path.models[after] - (case.instance.solution * problem.number(1))
    found: Array = np.add.reduce(apart * apart, axis=-1)
    return found


def _distance(case: RunExperiment, problem: Any, path: Path, after: Array) -> Array:
    spread = mean_spread(problem, case.method, path.models[after], path.corrections[after])
    found: Array = _squared_distance(case, problem, path, after) + spread
    return found


#: by metric: the values after each of some numbers of rounds (H,) in every copy, shape (H, S)
MEASURES: Mapping[str, Callable[[RunExperiment, Any, Path, Array], Array]] = {
    "mean_squared_prox_gradient": _mean_mapping,
    "potential": _potential,
    "objective_gap": _gap,
    "distance_potential": _distance,
    "squared_distance": _squared_distance,
}


def measured(
    case: RunExperiment, problem: Any, path: Path, metrics: tuple[str, ...], after: Any
) -> dict[str, Array]:
    """The metrics after each of some numbers of rounds, shape (H, S) each."""
    return {name: MEASURES[name](case, problem, path, np.asarray(after)) for name in metrics}


def blocks(seeds: int) -> Iterator[tuple[int, int]]:
    """The numbers and sizes of the blocks that some seeds are run in.

    >>> list(blocks(600))
    [(0, 500), (1, 100)]
    """
    for number, first in enumerate(range(0, seeds, BLOCK)):
        yield number, min(BLOCK, seeds - first)


def _repeated(values: Array | None, count: int) -> Array | None:
    return None if values is None else np.repeat(values[None], count, axis=0)


@dataclass(frozen=True, eq=False)
class MetricSamples:
    """What one call has run: its metrics' values alone, so that statements of the same runs share them.

    Arguments:
        metrics: that are measured in every run.
        kept: by run; it lives as long as the call that made it.
    """

    metrics: tuple[str, ...]
    cache: dict[Any, Any] = field(default_factory=dict)

    def full(
        self, cases: tuple[RunExperiment, ...], change: Callable[[FedComposite], FedComposite], rounds: int
    ) -> tuple[Mapping[str, Array], ...]:
        """After each of 1..R rounds of every case with full gradients, shape (R,); starts side by side."""
        groups: dict[Any, list[RunExperiment]] = {}
        for case in cases:
            if (case, change(case.method), rounds) not in self.cache:
                groups.setdefault((case.instance, case.method), []).append(case)
        for (instance, method), group in groups.items():
            plain, problem = replace(change(method), batch_size=None), instance.rounded
            start = np.stack([case.start.astype(float) for case in group])
            c = np.stack([case.applied_corrections.astype(float) for case in group])
            path = run_copies(plain, problem, rounds, None, len(group), start, c)
            found = measured(group[0], problem, path, self.metrics, np.arange(1, rounds + 1))
            for number, case in enumerate(group):
                own = {name: values[:, number] for name, values in found.items()}
                self.cache[case, change(case.method), rounds] = own
        return tuple(self.cache[case, change(case.method), rounds] for case in cases)

    def every(
        self, case: RunExperiment, method: FedComposite, rounds: int
    ) -> tuple[Mapping[str, Fraction], int]:
        """Expectations over every outcome after R rounds, in fractions, and how many outcomes there are."""
        key = (case, method, rounds, "every")
        if key not in self.cache:
            problem = case.instance.problem
            draws, count = every_outcome(problem, method, rounds)
            start, c = _repeated(case.start, count), _repeated(case.corrections, count)
            path = run_copies(method, problem, rounds, draws, count, start, c)
            found = measured(case, problem, path, self.metrics, [rounds])
            means = {name: np.add.reduce(values[0]) / Fraction(count) for name, values in found.items()}
            self.cache[key] = (means, count)
        result: tuple[Mapping[str, Fraction], int] = self.cache[key]
        return result

    def sampled(
        self, case: RunExperiment, method: FedComposite, after: tuple[int, ...], seeds: int, salt: int
    ) -> Mapping[str, Array]:
        """After some numbers of rounds in independent runs, shape (H, seeds); other cases, other draws."""
        key = (case, method, after, seeds, salt)
        if key not in self.cache:
            problem, name = case.instance.rounded, crc32(case.describe().encode())
            start, c = case.rounded_start
            parts = []
            for number, count in blocks(seeds):
                draws = seeded(problem, method, count, generator(11, salt, name, number))
                path = run_copies(
                    method, problem, max(after), draws, count, _repeated(start, count), _repeated(c, count)
                )
                parts.append(measured(case, problem, path, self.metrics, after))
            self.cache[key] = {
                name: np.concatenate([p[name] for p in parts], axis=1) for name in self.metrics
            }
        result: Mapping[str, Array] = self.cache[key]
        return result
