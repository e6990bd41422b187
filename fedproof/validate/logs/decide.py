"""Values of replicas beside a bound: a verdict takes independent runs, and a violation as many again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fedproof.problems.problem import Array
from fedproof.validate.empirical.comparison import nearest, sampled_place
from fedproof.validate.statistics import LEAST_SEEDS, LEVEL, MeanTest, mean_test
from fedproof.validate.verdict import BoundComparison

_BOTH = 2 * LEAST_SEEDS
"""Runs that a violation takes: the first half for a test, the second to repeat it."""


def decided(
    row: BoundComparison, values: Array, bound: float, where: str, each: bool, again: bool
) -> BoundComparison:
    """The comparison of runs with a bound; the place nearest to it is told.

    Runs that agree in every value may be copies of one: the tests are made with them and without, and the
    worse counts.

    Arguments:
        row: the comparison without numbers.
        values: of every run, shape (runs, places).
        bound: above or below the metric, as the row says.
        where: what the runs are called.
        each: whether places are rounds.
        again: whether to repeat a violation, on the second half.
    """
    alone = np.unique(values, axis=0, return_index=True)[1]
    distinct = values[np.sort(alone)]
    count, halves = len(distinct), len(distinct) >= _BOTH
    over = max(_sides(_half(v, halves, again), bound, row.relation)[0] for v in (values, distinct))
    under = max(_sides(v, bound, row.relation)[1] for v in (values, distinct))
    worst = nearest([sampled_place(v, bound, r) for r, v in enumerate(values.T, 1)], row.relation)
    said = f"{row.metric.replace('_', ' ')} {worst.measured:.4g}" + f" in round {worst.at}" * each
    notes = [f"{where}: {said}, bound {bound:.4g}"]
    if count < len(values):
        notes.append(
            f"{len(values) - count} of the runs agree with another in every number and are not counted"
        )
    if count < LEAST_SEEDS:
        notes.append(f"{count} of the {LEAST_SEEDS} seeds that decide")
    elif over <= LEVEL and row.conditional:
        notes.append("it is beyond the bound for what was measured, which the constants may exceed elsewhere")
    elif over <= LEVEL and not halves:
        notes.append(f"it is beyond its bound, and a violation is repeated on runs of its own: log {_BOTH}")
    notes += [f"conditional on {said}" for said in row.conditional]
    return replace(
        row, measured=worst.measured, bound=bound, detail="; ".join(notes) + ".", seeds=count,
        p_violated=over, p_obeyed=under,
    )  # fmt: skip


def _half(values: Array, halves: bool, again: bool) -> Array:
    """Where a violation is looked for: the first half, and again the second; all of too few."""
    middle = len(values) // 2
    return values[middle:] if again else values[:middle] if halves else values


def _sides(values: Array, bound: float, relation: str) -> tuple[float, float]:
    """p-values over all places: violated if anywhere, by Bonferroni; obeyed if everywhere."""
    tests: Sequence[MeanTest] = [mean_test(column, bound) for column in values.T]
    pairs = [(t.p_above, t.p_below) if relation == "<=" else (t.p_below, t.p_above) for t in tests]
    return min(1.0, len(pairs) * min(p for p, _ in pairs)), max(p for _, p in pairs)
