"""Logs of one setting held against one statement: the comparison, or by name what they lack for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.problems.problem import Array
from fedproof.validate.empirical.comparison import nearest, sampled_place
from fedproof.validate.logs.grounds import outside, trusted
from fedproof.validate.logs.lacks import instead, missing, no_column
from fedproof.validate.logs.letters import numbers_of
from fedproof.validate.logs.readings import Reading
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.saved_runs import SavedRuns, spec_of
from fedproof.validate.statistics import LEAST_SEEDS, LEVEL, MeanTest, mean_test
from fedproof.validate.verdict import BoundComparison
from fedproof.vocabulary.metrics import metric as metric_named

_TWICE = 2 * LEAST_SEEDS


def judged(logs: Sequence[RunLog], id: str, spec: SavedRuns, again: bool) -> BoundComparison:
    """One statement against runs of one setting.

    Arguments:
        logs: the replicas.
        id: of the statement.
        spec: what speaks of it.
        again: whether to repeat a violation: on the second half of the runs, unseen by the first test.

    Raises: DataError for rounds that the metric needs and a log does not have; InputError for numbers that
        contradict each other or lie outside a domain.
    """
    st, first = catalog.statement(id), logs[0]
    claim = st.claim
    assert isinstance(claim, Bound)
    reading = spec.reading(claim.metric)
    assert reading is not None
    name = first.algorithm or spec.algorithm
    where = first.name if len(logs) == 1 else f"{len(logs)} runs"
    problem = f"{name} on {first.problem or where}, {first.last} rounds, {reading.words}"
    row = BoundComparison(id, claim.metric, claim.relation, None, None, problem, "", applies=False)
    if lacking := reading.lacks(first):
        return replace(row, detail=f"{where}: {no_column(reading, lacking, first)}{instead(logs, spec, id)}")
    values = np.stack([reading.values(log) for log in logs])
    row = replace(row, measured=float(values.mean(axis=0)[0]))
    if why := outside(logs, spec, st):
        return replace(row, detail=f"{where}: {why}")
    numbers = numbers_of(logs, spec, st)
    if why := missing(numbers, spec):
        return replace(row, detail=f"{where}: {why}{instead(logs, spec, id)}")
    if numbers.apart:
        return replace(row, detail=f"{where}: {numbers.apart}{instead(logs, spec, id)}")
    check = StatementHandle(st).check(**numbers.letters)
    if not check.applicable:
        fails = ", ".join(c.label for c, d in check.conditions if not d.holds)
        return replace(row, detail=f"{where}: fails {fails}", rests_on=numbers.rests_on)
    if check.bound is None:
        return replace(row, detail=f"{where}: the bound is no number there", rests_on=numbers.rests_on)
    rests = (*numbers.rests_on, *trusted(logs, spec, st, reading))
    row = replace(row, applies=True, rests_on=rests)
    return _tested(row, values, check.bound, where, reading, _twice(logs), again)


def unseen(logs: Sequence[RunLog], id: str) -> BoundComparison:
    """The comparison with a statement that no log can be held against: not applicable, and why."""
    claim, first = catalog.statement(id).claim, logs[0]
    metric = getattr(claim, "metric", "")
    where = first.name if len(logs) == 1 else f"{len(logs)} runs"
    why = f"a claim of kind '{claim.kind}' bounds nothing that a run measures"
    if metric:
        words = metric.replace("_", " ")
        why = f"the columns of a log do not show the {words} that it speaks of"
        if isinstance(claim, Bound):
            why += f": it is taken over {metric_named(metric).index}"
    about = instead(logs, spec_of(first), id) if first.algorithm else ""
    problem = f"{first.algorithm or 'runs'} on {first.problem or where}, {first.last} rounds"
    return BoundComparison(id, metric, "<=", None, None, problem, f"{where}: {why}{about}", applies=False)


def _tested(
    row: BoundComparison, values: Array, bound: float, where: str, reading: Reading, twice: str, again: bool
) -> BoundComparison:
    """The comparison of values (runs, places) with a bound; the nearest place is told."""
    count = len(values)
    halves = count >= _TWICE
    sample = values[count // 2 :] if again else values[: count // 2] if halves else values
    whole, part = ([mean_test(column, bound) for column in v.T] for v in (values, sample))
    worst = nearest([sampled_place(v, bound, r) for r, v in enumerate(values.T, 1)], row.relation)
    place = f" in round {worst.at}" if reading.span == "each" else ""
    words = row.metric.replace("_", " ")
    few = "" if count >= LEAST_SEEDS else f"; {count} of the {LEAST_SEEDS} seeds that decide"
    over, under = _sides(part, row.relation)[0], _sides(whole, row.relation)[1]
    if over <= LEVEL and not halves:
        few = (
            f"; it is beyond its bound, and a violation is repeated on runs of its own: log {2 * LEAST_SEEDS}"
        )
    said = f"{where}: {words} {worst.measured:.4g}{place}, bound {bound:.4g}{few}{twice}."
    return replace(
        row, measured=worst.measured, bound=bound, detail=said, seeds=count,
        p_violated=1.0 if twice else over, p_obeyed=1.0 if twice else under,
    )  # fmt: skip


def _sides(tests: Sequence[MeanTest], relation: str) -> tuple[float, float]:
    """p-values over all places: violated if anywhere, by Bonferroni; obeyed if everywhere."""
    pairs = [(t.p_above, t.p_below) if relation == "<=" else (t.p_below, t.p_above) for t in tests]
    return min(1.0, len(pairs) * min(p for p, _ in pairs)), max(p for _, p in pairs)


def _twice(logs: Sequence[RunLog]) -> str:
    """Runs that agree in every number are one run: nothing is decided then."""
    seen: dict[tuple[tuple[str, tuple[float | None, ...]], ...], str] = {}
    for log in logs:
        key = tuple(sorted(log.columns.items()))
        if key in seen:
            return f"; {seen[key]} and {log.name} agree in every number, so that they are no independent runs"
        seen[key] = log.name
    return ""
