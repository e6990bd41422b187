"""A measured number beside its bound, at every place that was looked at: the nearest is told, all decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan
from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.validate.statistics import ConfidenceInterval, MeanTest, mean_test
from fedproof.validate.verdict import BoundComparison, Relation, SamplingBudget
from fedproof.vocabulary.errors import InputError


def over(measured: Any, bound: Any) -> float:
    """Measured over bound: infinite where something is above a bound of 0, and where it is not a number.

    >>> over(1, 4), over(1, 0), over(0, 0), over(-1, 0)
    (0.25, inf, 0.0, 0.0)
    """
    if float(bound) > 0:
        ratio = float(measured) / float(bound)
        return inf if isnan(ratio) else ratio
    return 0.0 if measured <= bound else inf


@dataclass(frozen=True, eq=False)
class Place:
    """A measured number beside its bound.

    Arguments:
        measured, bound: numbers; `measured` is an expectation known exactly, or the mean of `values`.
        at: what was measured there: an experiment, hyper-parameters, a number of rounds.
        values: independent ones, shape (seeds,), where the expectation is sampled.
    """

    measured: Any
    bound: Any
    at: Any
    values: Array | None = None

    @property
    def ratio(self) -> float:
        """Measured over bound."""
        return over(self.measured, self.bound)


def sampled_place(values: Array, bound: float, at: Any) -> Place:
    """The mean of independent values beside a bound."""
    sample = np.asarray(values, dtype=np.float64)
    return Place(float(sample.mean()), bound, at, sample)


def nearest(places: Iterable[Place], relation: Relation = "<=") -> Place:
    """The place where the metric is nearest to its bound, or farthest beyond it; the first of equal ones."""
    return max(places, key=lambda p: p.ratio if relation == "<=" else over(p.bound, p.measured))


def tightened(bound: Any, relation: Relation, budget: SamplingBudget) -> Any:
    """A bound with the falsehood that is planted in it, none by default."""
    if budget.tighten == 1:
        return bound
    return bound / budget.tighten if (relation == "<=") == (bound >= 0) else bound * budget.tighten


def compare(
    id: str,
    metric: str,
    places: Sequence[Place],
    texts: tuple[str, str],
    budget: SamplingBudget,
    relation: Relation = "<=",
    tolerance: float = 0.0,
) -> BoundComparison:
    """All places as one comparison, which reports the nearest.

    One p-value speaks for all places: violated if it is anywhere (where expectations are sampled by
    Bonferroni), obeyed if it is everywhere (the largest).

    Arguments:
        id: the statement.
        metric: canonical name.
        places: at least one; all exact or all sampled.
        texts: what was run, and one sentence made of the numbers.
        budget: its `tighten` is planted here.
        relation: "<=" where the bound is above the metric.
        tolerance: relative; exact numbers that are nearer than that decide nothing.

    Raises: InputError where some places are exact and some sampled.
    """
    sampled = sum(p.values is not None for p in places)
    if 0 < sampled < len(places):
        got = f"{len(places) - sampled} exact and {sampled} sampled"
        raise InputError(f"places of {id}", got, "all exact or all sampled", "make a comparison of each kind")

    def row(place: Place) -> BoundComparison:
        limit = tightened(place.bound, relation, budget)
        found = BoundComparison(id, metric, relation, place.measured, limit, *texts)
        if place.values is None:
            return found.decided(tolerance)
        return found.tested(mean_test(place.values, float(limit)))

    rows = [row(p) for p in places]
    worst = nearest(places, relation)
    return replace(
        rows[places.index(worst)],
        measured=float(worst.measured),
        bound=float(tightened(worst.bound, relation, budget)),
        p_violated=min(1.0, len(rows) * min(r.p_violated for r in rows)),
        p_obeyed=max(r.p_obeyed for r in rows),
    )


def decided_exactly(row: BoundComparison, obeyed: bool) -> BoundComparison:
    """A comparison that was decided in exact arithmetic."""
    return replace(row, p_violated=float(obeyed), p_obeyed=float(not obeyed))


def controlled(row: BoundComparison, tests: Iterable[MeanTest], level: float, said: str) -> BoundComparison:
    """A sampled row proves nothing where the runs miss what is known of them exactly.

    Arguments:
        row: the comparison.
        tests: of the runs against exact expectations.
        level: of the smallest p-value that is believed.
        said: what is added to the sentence where they miss, made of the mean that misses most.
    """
    worst = min(tests, key=lambda t: min(t.p_above, t.p_below), default=None)
    if worst is None or min(worst.p_above, worst.p_below) >= level:
        return row
    return replace(row, detail=f"{row.detail} {said.format(worst.mean)}", p_obeyed=1.0)


def refitted(
    id: str,
    metric: str,
    fit: ConfidenceInterval,
    bound: float,
    texts: tuple[str, str],
    budget: SamplingBudget,
    seeds: int,
    relation: Relation = ">=",
) -> BoundComparison:
    """A statistic refitted on resampled seeds beside its bound."""
    limit = tightened(bound, relation, budget)
    return BoundComparison(id, metric, relation, fit.value, limit, *texts).tested(fit.test(limit, seeds))
