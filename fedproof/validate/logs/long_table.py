"""MLflow's metric history, a row a value, as a row a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.vocabulary.errors import DataError
from fedproof.vocabulary.values import is_whole

Row = Mapping[str, Any]

_LONG = frozenset({"key", "value", "step"})


def is_long(columns: tuple[str, ...]) -> bool:
    """Whether a table has MLflow's columns key, value and step."""
    return _LONG <= {*columns}


def by_step(rows: tuple[tuple[str, Row], ...], name: str) -> tuple[tuple[str, Row], ...]:
    """A row a step, in order, of each run; `run_id`, where there is one, becomes the column `run`.

    Raises: DataError for a value without a step, and for a metric whose steps are repeated or out of order.
    """
    found: dict[tuple[str, int], dict[str, Any]] = {}
    last: dict[tuple[str, str], int] = {}
    for place, row in rows:
        if not {*row} >= _LONG:
            raise DataError(name, f"no {', '.join(sorted(_LONG - {*row}))} in {place}", "key, value and step")
        run, key, step = str(row.get("run_id", "")), str(row["key"]), round_of(row["step"], name, place)
        if step <= last.get((run, key), -1):
            got = f"step {step} of {key} after step {last[run, key]} in {place}"
            raise DataError(name, got, "the steps of a metric in order, each once", "write one table a run")
        last[run, key] = step
        found.setdefault((run, step), {"step": step} | ({"run": run} if run else {}))[key] = row["value"]
    return tuple(
        (f"step {step}", row) for (_, step), row in sorted(found.items(), key=lambda entry: entry[0])
    )


def round_of(value: Any, name: str, place: str) -> int:
    """A round as it is written.

    Raises: DataError for what is no whole number >= 0.

    >>> round_of("3.0", "log", "row 1")
    3
    """
    text = str(value).strip()
    number = int(value) if is_whole(value) else None
    if number is None and text.removesuffix(".0").isdecimal() and text.isascii():
        number = int(text.removesuffix(".0"))
    if number is None or number < 0:
        raise DataError(name, f"round {text} in {place}", "a whole number >= 0")
    return number
