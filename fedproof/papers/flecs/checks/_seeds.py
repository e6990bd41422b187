"""Runs over seeds beside a statement's bound, as one comparison of all cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol
from zlib import crc32

import numpy as np

from fedproof.problems.digest import problem_digest
from fedproof.problems.problem import Array
from fedproof.solvers.parameters import flat_parameters
from fedproof.solvers.runs.stored_runs import as_numbers
from fedproof.solvers.runs.stored_runs import told as named
from fedproof.validate.empirical.comparison import Place, compare, nearest
from fedproof.validate.verdict import BoundComparison, SamplingBudget

SEEDS = 40


class Described(Protocol):
    """A case that says where it lies, and what is run on."""

    @property
    def problem(self) -> Any:
        """What is run on."""
        ...

    def describe(self) -> str:
        """In words."""
        ...


def over_seeds(
    case: Described,
    method: Any,
    measured: Callable[[int], Iterable[float]],
    budget: SamplingBudget,
    **more: Any,
) -> Array:
    """What a case's runs measure, a row a seed; the seeds are the case's own, by its description.

    Arguments:
        case, method: what is run on, and what runs.
        measured: from a seed to a run's numbers.
        budget: its runs are asked for.
        more: what the numbers depend on besides, by name.
    """
    first = (crc32(case.describe().encode()) << 24) + (budget.salt << 16)
    problem = {"problem": problem_digest(case.problem)[:16]}
    name = f"{case.describe()}: {named(flat_parameters(method) | problem | more)}"
    return np.array(
        [
            [float(v) for v in budget.runs(name, f"seed {seed}", partial(_measured, measured, seed))]
            for seed in range(first, first + (budget.seeds or SEEDS))
        ]
    )


def _measured(measured: Callable[[int], Iterable[float]], seed: int) -> list[float | str]:
    return as_numbers(list(measured(seed)))


def told(
    id: str, metric: str, places: Sequence[Place], rounds: int, what: str, budget: SamplingBudget
) -> BoundComparison:
    """All places as one row, which says where the mean over seeds comes nearest to its bound."""
    worst, seeds = nearest(places), budget.seeds or SEEDS
    texts = (
        f"{len(places)} cases, K = {rounds}, {seeds} seeds; worst: {worst.at.describe()}",
        f"{what} comes nearest to its bound at {worst.measured:.5g} against {worst.bound:.5g}, "
        f"{worst.ratio:.4g} of it.",
    )
    return compare(id, metric, places, texts, budget)
