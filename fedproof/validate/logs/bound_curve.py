"""What a statement says of a run after each number of rounds, as if it had ended there, beside the run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fedproof.bounds import catalog
from fedproof.problems.problem import Array
from fedproof.validate.logs.header import read_header
from fedproof.validate.logs.judge import judged, unseen
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.saved_runs import spec_for
from fedproof.validate.logs.sources import groups_of
from fedproof.validate.verdict import BoundComparison
from fedproof.vocabulary.errors import UnknownName

#: at so many numbers of rounds a bound is computed
POINTS = 60


@dataclass(frozen=True, eq=False)
class BoundCurve:
    """A bound along the rounds of runs of one setting.

    Arguments:
        id, metric, relation: of the statement.
        column: what the runs recorded and the metric is read off.
        words: which of the rounds count.
        rounds: shape (k,).
        measured: the mean over the runs of the metric, had they ended after these rounds, shape (k,).
        bound: what the statement says of it there, NaN where it does not apply, shape (k,).
        why: why it does not apply to the runs as they are, or they have no mean; "" where both is not so.
        rests_on: what is taken on trust, a line each.
    """

    id: str
    metric: str
    relation: str
    column: str
    words: str
    rounds: Array
    measured: Array
    bound: Array
    why: str = ""
    rests_on: tuple[str, ...] = ()


def bound_curves(
    history: Any, id: str, header: Mapping[str, Any] | str | os.PathLike[str] | None = None
) -> tuple[BoundCurve, ...]:
    """A statement's bound along logged runs: at every number of rounds what `validate` compares.

    A run that ended earlier is judged with the parameters that ran: where the statement asks for others after
    fewer rounds, or a condition fails there, it promises nothing.

    Arguments:
        history: as `validate` takes it.
        id: of a statement.
        header: what the logs do not say themselves.

    Returns: a curve for each setting.
    Raises: as `validate`; UnknownName for an id that is no statement.
    """
    if id not in catalog.statement_ids():
        raise UnknownName("statement", id, catalog.statement_ids())
    return tuple(_curve(logs, id) for logs in groups_of(history, read_header(header)))


def _curve(logs: Sequence[RunLog], id: str) -> BoundCurve:
    spec, claim = spec_for(id, logs[0]), catalog.statement(id).claim
    reading = None if spec is None else spec.reading(getattr(claim, "metric", ""))
    whole = unseen(logs, id) if spec is None or reading is None else judged(logs, id, spec, again=False)
    column, words = ("", "") if reading is None else (reading.column, reading.words)
    empty = np.empty(0)
    head = (id, whole.metric, whole.relation, column, words)
    if spec is None or reading is None or not whole.applies or whole.measured is None:
        return BoundCurve(*head, empty, empty, empty, whole.detail)
    if reading.span == "each":
        rounds = np.arange(1, logs[0].last + 1)
        measured = np.stack([reading.values(log) for log in logs]).mean(axis=0)
        return BoundCurve(*head, rounds, measured, np.full(len(rounds), whole.bound), "", whole.rests_on)
    rounds = some_of(logs[0].last)
    rows = [judged([_until(log, int(r)) for log in logs], id, spec, again=False) for r in rounds]
    measured = np.array([row.measured for row in rows], dtype=np.float64)
    return BoundCurve(*head, rounds, measured, np.array([_bound(r) for r in rows]), "", whole.rests_on)


def some_of(last: int) -> Array:
    """About `POINTS` of the numbers 1 to last, the first and the last among them, denser at the start.

    >>> some_of(5).tolist()
    [1, 2, 3, 4, 5]
    """
    even, dense = np.linspace(1, last, POINTS // 2), np.geomspace(1, last, POINTS // 2)
    return np.unique(np.rint(np.concatenate([even, dense])).astype(np.int64))


def _until(log: RunLog, last: int) -> RunLog:
    """The log of a run that was stopped after so many rounds."""
    count = sum(r <= last for r in log.rounds)
    columns = {name: values[:count] for name, values in log.columns.items()}
    return replace(log, rounds=log.rounds[:count], columns=columns)


def _bound(row: BoundComparison) -> float:
    return float(row.bound) if row.applies and row.bound is not None else float("nan")
