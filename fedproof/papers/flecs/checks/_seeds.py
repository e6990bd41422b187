"""Runs over seeds beside a statement's bound, as one comparison of all cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol
from zlib import crc32

import numpy as np

from fedproof.problems.problem import Array
from fedproof.validate.empirical.comparison import Place, compare, nearest
from fedproof.validate.verdict import BoundComparison, SamplingBudget

SEEDS = 40


class Described(Protocol):
    """A case that says where it lies."""

    def describe(self) -> str:
        """In words."""
        ...


def over_seeds(case: Described, measured: Callable[[int], Array], budget: SamplingBudget) -> Array:
    """What a case's runs measure, a row a seed; the seeds are the case's own, by its description."""
    first = (crc32(case.describe().encode()) << 24) + (budget.salt << 16)
    return np.array([measured(first + seed) for seed in range(budget.seeds or SEEDS)])


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
