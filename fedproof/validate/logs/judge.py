"""Logs of one setting held against one statement: the comparison, or by name what they lack for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.validate.logs.decide import decided
from fedproof.validate.logs.grounds import outside, trusted
from fedproof.validate.logs.lacks import instead, missing, no_column
from fedproof.validate.logs.letters import numbers_of
from fedproof.validate.logs.otherwise import otherwise, unsaid
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.saved_runs import SavedRuns, spec_of
from fedproof.validate.verdict import BoundComparison
from fedproof.vocabulary.metrics import metric as metric_named


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
    where = _called(logs)
    problem = f"{name} on {first.problem or where}, {first.last} rounds, {reading.words}"
    row = BoundComparison(id, claim.metric, claim.relation, None, None, problem, "", applies=False)
    if lacking := reading.lacks(first):
        return replace(row, detail=f"{where}: {no_column(reading, lacking, first)}{instead(logs, spec, id)}")
    gone = [log for log in logs if log.diverged]
    values = None if gone else np.stack([reading.values(log) for log in logs])
    if values is not None:
        row = replace(row, measured=float(values.mean(axis=0)[0]))
    if why := outside(logs, spec, st) or otherwise(logs, spec, st):
        return replace(row, detail=f"{where}: {why}")
    numbers = numbers_of(logs, spec, st)
    if why := missing(numbers, spec):
        return replace(row, detail=f"{where}: {why}{instead(logs, spec, id)}")
    if numbers.apart:
        return replace(row, detail=f"{where}: {numbers.apart}{instead(logs, spec, id)}")
    check = StatementHandle(st).check(**numbers.letters)
    if not check.applicable:
        fails = ", ".join(c.label for c, d in check.conditions if not d.holds)
        said = f"; with {'; '.join(numbers.conditional)}" if numbers.conditional else ""
        return replace(row, detail=f"{where}: fails {fails}{said}", rests_on=numbers.rests_on)
    if check.bound is None:
        return replace(row, detail=f"{where}: the bound is no number there", rests_on=numbers.rests_on)
    rests = (*numbers.rests_on, *unsaid(first, spec, st), *trusted(logs, spec, st, reading))
    row = replace(row, applies=True, rests_on=rests, conditional=numbers.conditional)
    if values is None:
        return _undecided(row, check.bound, where, gone, logs)
    return decided(row, values, check.bound, where, reading.span == "each", again)


def unseen(logs: Sequence[RunLog], id: str) -> BoundComparison:
    """The comparison with a statement that no log can be held against: not applicable, and why."""
    claim, first = catalog.statement(id).claim, logs[0]
    metric = getattr(claim, "metric", "")
    where = _called(logs)
    why = f"a claim of kind '{claim.kind}' bounds nothing that a run measures"
    if metric:
        words = metric.replace("_", " ")
        why = f"the columns of a log do not show the {words} that it speaks of"
        if isinstance(claim, Bound):
            why += f": it is taken over {metric_named(metric).index}"
    about = instead(logs, spec_of(first), id) if first.algorithm else ""
    problem = f"{first.algorithm or 'runs'} on {first.problem or where}, {first.last} rounds"
    return BoundComparison(id, metric, "<=", None, None, problem, f"{where}: {why}{about}", applies=False)


def _undecided(
    row: BoundComparison, bound: float, where: str, gone: Sequence[RunLog], logs: Sequence[RunLog]
) -> BoundComparison:
    """The comparison where runs diverged: they have no value, so that the others' mean is not that of all."""
    who = "the run" if len(logs) == 1 else f"{len(gone)} of them, {gone[0].name} first,"
    why = f"{who} diverged within {logs[0].last} rounds, so that nothing is decided"
    return replace(row, bound=bound, seeds=len(logs), detail=f"{where}: {why}; the bound is {bound:.4g}.")


def _called(logs: Sequence[RunLog]) -> str:
    """What the runs are called in a sentence."""
    return logs[0].name if len(logs) == 1 else f"{len(logs)} runs, {logs[0].name} to {logs[-1].name}"
