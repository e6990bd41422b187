"""Metrics in runs of an experiment: with full gradients, over every outcome, or over many seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np

from fedproof.problems.problem import Array
from fedproof.validate.empirical.copies import Path, every_outcome, run_copies, seeded
from fedproof.validate.replicas import generator

#: as many seeds run side by side, so that memory does not grow with the seeds
BLOCK = 500


Experiment = Any
"""A problem, an algorithm with its numbers and where it starts.

`problem` in fractions and `rounded` in floats, `method`, `start` (d,) before the prox, `applied_corrections`
(n, d), `grain` (below which a metric is rounding), `letters` (what statements speak of after some rounds),
`describe`.
"""
Measure = Callable[[Any, Any, Path, Array], Array]
"""Of an experiment, its problem, a path and numbers of rounds (H,): values in every copy, shape (H, S)."""


def run_from(
    group: Sequence[Experiment], method: Any, rounds: int, draws: Any, copies: int, exact: bool,
    watched: bool = False,
) -> Path:  # fmt: skip
    """Copies that start as the experiments of a group do, equally many of each, one after the other.

    Arguments:
        group: experiments of one problem and one method.
        method: what runs.
        rounds, draws, copies, watched: as in `run_copies`.
        exact: in fractions, or in floats.
    """
    problem = group[0].problem if exact else group[0].rounded
    starts = np.stack([e.start for e in group]), np.stack([e.applied_corrections for e in group])
    first, corrections = (
        np.repeat(v if exact else v.astype(float), copies // len(group), axis=0) for v in starts
    )
    return run_copies(method, problem, rounds, draws, copies, first, corrections, watched)


def blocks(seeds: int) -> Iterator[tuple[int, int]]:
    """The numbers and sizes of the blocks that some seeds are run in.

    >>> list(blocks(600))
    [(0, 500), (1, 100)]
    """
    for number, first in enumerate(range(0, seeds, BLOCK)):
        yield number, min(BLOCK, seeds - first)


@dataclass(frozen=True, eq=False)
class Runs:
    """What one call has run: its metrics' values alone, so that statements of the same runs share them.

    Arguments:
        measures: by metric, of every run.
        cache: by run; it lives as long as the call that made it.
    """

    measures: Mapping[str, Measure]
    cache: dict[Any, Any] = field(default_factory=dict)

    def _measured(self, group: Sequence[Experiment], path: Path, exact: bool, after: Any) -> dict[str, Array]:
        problem = group[0].problem if exact else group[0].rounded
        rounds = np.asarray(after)
        return {name: measure(group[0], problem, path, rounds) for name, measure in self.measures.items()}

    def full(
        self, experiments: Sequence[Any], change: Callable[[Any], Any], rounds: int
    ) -> tuple[Mapping[str, Array], ...]:
        """After each of 1..R rounds with full gradients, shape (R,); starts side by side."""
        keys = [(e, change(e.method), rounds) for e in experiments]
        groups: dict[Any, list[Any]] = {}
        for experiment, key in zip(experiments, keys, strict=True):
            if key not in self.cache:
                groups.setdefault((experiment.problem, experiment.method), []).append(experiment)
        for (_, method), group in groups.items():
            plain = replace(change(method), batch_size=None)
            path = run_from(group, plain, rounds, None, len(group), exact=False)
            found = self._measured(group, path, False, range(1, rounds + 1))
            for number, experiment in enumerate(group):
                own = {name: values[:, number] for name, values in found.items()}
                self.cache[experiment, change(method), rounds] = own
        return tuple(self.cache[key] for key in keys)

    def every(self, experiment: Experiment, method: Any, rounds: int) -> tuple[Mapping[str, Fraction], int]:
        """Expectations over every outcome after R rounds, in fractions, and how many outcomes there are."""
        key = (experiment, method, rounds, "every")
        if key not in self.cache:
            draws, count = every_outcome(experiment.problem, method, rounds)
            path = run_from([experiment], method, rounds, draws, count, exact=True)
            found = self._measured([experiment], path, True, [rounds])
            means = {name: np.add.reduce(values[0]) / Fraction(count) for name, values in found.items()}
            self.cache[key] = (means, count)
        result: tuple[Mapping[str, Fraction], int] = self.cache[key]
        return result

    def sampled(
        self, experiment: Experiment, method: Any, after: tuple[int, ...], seeds: int, salt: int
    ) -> Mapping[str, Array]:
        """After some numbers of rounds in independent runs, shape (H, seeds); each experiment's own draws."""
        key = (experiment, method, after, seeds, salt)
        if key not in self.cache:
            name, parts = crc32(experiment.describe().encode()), []
            for number, count in blocks(seeds):
                draws = seeded(experiment.rounded, method, count, generator(11, salt, name, number))
                path = run_from([experiment], method, max(after), draws, count, exact=False)
                parts.append(self._measured([experiment], path, False, after))
            self.cache[key] = {
                name: np.concatenate([part[name] for part in parts], axis=1) for name in self.measures
            }
        result: Mapping[str, Array] = self.cache[key]
        return result
