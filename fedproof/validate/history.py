"""Logged runs against what their paper says of their algorithm, as far as what they hold allows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from fedproof.bounds import catalog
from fedproof.validate.logs.header import read_header
from fedproof.validate.logs.judge import judged, unseen
from fedproof.validate.logs.lacks import judgeable
from fedproof.validate.logs.proved import ProvedData
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.saved_runs import SavedRuns, every_spec, spec_for, spec_of
from fedproof.validate.logs.sources import groups_of
from fedproof.validate.verdict import BoundComparison
from fedproof.vocabulary.errors import UnknownName


def check_history(
    history: Any,
    ids: Sequence[str] = (),
    header: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    again: bool = False,
    data: ProvedData | None = None,
) -> tuple[BoundComparison, ...]:
    """Compare logged runs with the statements that speak of their algorithm.

    Arguments:
        history: as `validate` takes it: runs of one setting that differ in their seeds, or a `Sweep`.
        ids: statements asked for; none means the first on the runs' algorithm for which they have everything.
        header: what the logs do not say themselves.
        again: whether to repeat a violation, on runs of their own: the second half.
        data: the runs' problem with what is proved of it; in place of what records say of it.

    Returns: a comparison for every setting and statement; a bound on an expectation is decided by 30 seeds or
        more, never by one run, and a violation by twice as many.
    Raises: DataError for what is no log; InputError for runs that do not belong together; UnknownName for an
        id that no log of the algorithm can be held against.
    """
    rows = []
    for found in groups_of(history, read_header(header)):
        logs = found if data is None else tuple(data.beside(log) for log in found)
        for id, spec in _asked(logs, ids):
            rows.append(unseen(logs, id) if spec is None else judged(logs, id, spec, again))
    return tuple(rows)


def _asked(logs: Sequence[RunLog], ids: Sequence[str]) -> list[tuple[str, SavedRuns | None]]:
    """Statements with what speaks of them; None for one that no log shows."""
    log = logs[0]
    if not ids:
        spec = spec_of(log)
        ids = judgeable(logs, spec) or judgeable(logs, spec, conditional=True)
        can = [(id, spec_for(id, log)) for id in ids]
        return [*can, ((*spec.ids_for(log), *spec.ids)[0], spec)][:1]
    found: list[tuple[str, SavedRuns | None]] = []
    for id in ids:
        speaks = spec_for(id, log)
        if speaks is None and id in catalog.statement_ids():
            found.append((id, None))
            continue
        known = [
            i for s in every_spec() if s.algorithm == (log.algorithm or s.algorithm) for i in s.ids_for(log)
        ]
        if speaks is None or (log.algorithm == speaks.algorithm and id not in known):
            raise UnknownName(f"statement for a log of {log.algorithm or 'runs'}", id, _near(id, known))
        if log.algorithm and log.algorithm != speaks.algorithm and log.record:
            raise UnknownName(f"statement for a log of {log.algorithm}", id, known or catalog.statement_ids())
        found.append((id, speaks))
    return found


def _near(id: str, known: Sequence[str]) -> list[str]:
    """Those of the same paper first."""
    key = id.partition(".")[0]
    return sorted(known, key=lambda other: not other.startswith(f"{key}."))
