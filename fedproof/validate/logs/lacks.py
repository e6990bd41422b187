"""What logs lack for a statement, by name, and what they hold everything for."""

from __future__ import annotations

from collections.abc import Sequence

from fedproof.bounds import catalog
from fedproof.validate.logs.grounds import outside
from fedproof.validate.logs.letters import Numbers, numbers_of
from fedproof.validate.logs.otherwise import otherwise
from fedproof.validate.logs.readings import Reading, meaning
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.logs.saved_runs import SavedRuns, every_spec

_SHOWN = 5
_MADE_OF = {"initial_gap": "it is made of least_loss and of a loss in round 0 that all runs share"}


def no_column(reading: Reading, lacking: tuple[str, ...], log: RunLog) -> str:
    """The column or the constant that a metric is read off and that is not there."""
    there = ", ".join(log.columns) or "none"
    said = meaning(reading.column)
    of = f" ({said})" if said else ""
    if lacking != (reading.column,):
        return f"no {', '.join(lacking)} for {reading.column}{of}: write it under [constants] of the header"
    return f"no column {reading.column}{of}, {reading.words}; the columns are {there}"


def missing(numbers: Numbers, spec: SavedRuns) -> str:
    """The numbers that a bound takes and a log does not give; "" where it gives all."""
    if not numbers.missing:
        return ""
    named = ", ".join(f"{word} ({name})" for name, word in numbers.missing)
    said = _MADE_OF | dict(spec.lacks) | dict(numbers.hints)
    hints = [said[word] for _, word in numbers.missing if word in said]
    return "; ".join([f"no {named}: write it under [parameters] or [constants] of the header", *hints])


def instead(logs: Sequence[RunLog], spec: SavedRuns, id: str) -> str:
    """Which statements of the same algorithm have their metric among the columns and all their numbers."""
    can = [other for other in judgeable(logs, spec) if other != id]
    if not can:
        return f"; of no statement about {spec.algorithm} it has everything"
    more = f" and {len(can) - _SHOWN} more" if len(can) > _SHOWN else ""
    return f"; it has everything for {', '.join(can[:_SHOWN])}{more}"


def judgeable(logs: Sequence[RunLog], spec: SavedRuns, *, conditional: bool = False) -> tuple[str, ...]:
    """The statements about an algorithm for which logs have the column and every number.

    Arguments:
        conditional: whether a number may be measured at the runs' own models alone.
    """
    found = []
    for other in (s for s in every_spec() if s.algorithm == spec.algorithm):
        for id in other.ids_for(logs[0]):
            st = catalog.statement(id)
            reading = other.reading(getattr(st.claim, "metric", ""))
            if reading is None or reading.lacks(logs[0]):
                continue
            if outside(logs, other, st) or otherwise(logs, other, st):
                continue
            numbers = numbers_of(logs, other, st)
            known = conditional or not numbers.conditional
            if known and not numbers.missing and not numbers.apart:
                found.append(id)
    return tuple(dict.fromkeys(found))
