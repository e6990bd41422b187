"""Where and how hard `measure` looks: points of a trajectory, seeds, effort."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import LocalThenAverage
from fedproof.solvers.driver import run
from fedproof.vocabulary.errors import InputError

_WORK = 2e9
"""Multiplications that one search may take at effort 1."""


@dataclass(frozen=True, eq=False)
class SearchOptions:
    """What the measurements share.

    Arguments:
        algorithm: whose trajectory and whose local solves are measured.
        models: points of the trajectory, shape (m, d), from the start on.
        rounds_at: the round of each.
        seed: of all draws.
        seeds: repetitions of a local solve.
        effort: multiplies the work of the searches.
        radius: how far searches go where no constant holds at all models.
        noted: the algorithm's settings, as a run records them.
    """

    algorithm: LocalThenAverage
    models: Array
    rounds_at: tuple[int, ...]
    seed: int
    seeds: int
    effort: float
    radius: float
    noted: Mapping[str, Any] = field(default_factory=dict)

    def rng(self, purpose: str) -> np.random.Generator:
        """The stream of one measurement."""
        key = np.array([self.seed, zlib.crc32(f"measure {purpose}".encode())], dtype=np.uint64)
        return np.random.Generator(np.random.Philox(key=key))

    def spread_out(self, count: int) -> Array:
        """At most `count` points of the trajectory, the first and the last among them."""
        index = np.unique(np.linspace(0, len(self.models) - 1, min(count, len(self.models))).astype(int))
        points: Array = self.models[index]
        return points

    def passes(self, problem: Problem, clients: Array | None = None) -> int:
        """How many passes over the samples of these clients one search may take."""
        rows = problem.sizes.sum() if clients is None else problem.sizes[clients].sum()
        return max(8, int(self.effort * _WORK / (float(rows) * problem.dimension + 1e5)))

    def rounds(self, problem: Problem, clients: Array, most: int) -> int:
        """Rounds of `most_bent`, about 14 passes each."""
        return max(2, min(int(most * self.effort), self.passes(problem, clients) // 14))


def make_search_options(
    problem: Problem, algorithm: Any, rounds: int, seed: int, seeds: int, effort: float
) -> SearchOptions:
    """Run the algorithm and keep its models after 0, 1, 2, 4, 8, ... rounds.

    Raises: InputError for a run that diverges at once.
    """
    history = run(algorithm, problem, 0, seed, metrics=("loss",))
    models, at, nxt = [history.model], [0], 1
    while at[-1] < rounds and not history.diverged and not history.interrupted:
        history = run(algorithm, problem, min(nxt, rounds), seed, metrics=("loss",), resume=history)
        if history.diverged or history.rounds == at[-1]:
            break
        models.append(history.model)
        at.append(history.rounds)
        nxt *= 2
    if history.interrupted:
        raise KeyboardInterrupt
    finite = [i for i, m in enumerate(models) if np.isfinite(m).all()]
    if not finite:
        raise InputError("problem", "a start that is not finite", "a finite one")
    kept = np.stack([models[i] for i in finite])
    reach = float(np.linalg.norm(kept - kept[0], axis=1).max())
    known = problem.constants.get("smoothness_sample")
    everywhere = known is not None and known.value is not None
    radius = 1e6 if everywhere else max(reach, 1e-3 * (1 + float(np.linalg.norm(kept[0]))))
    return SearchOptions(
        algorithm, kept, tuple(at[i] for i in finite), seed, seeds, effort, radius, history.parameters
    )
