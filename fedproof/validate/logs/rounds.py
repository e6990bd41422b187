"""From a log's rows to columns by round: what is repeated, out of order or no number is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from fedproof.validate.logs.header import Header
from fedproof.validate.logs.long_table import Row, round_of
from fedproof.validate.logs.run_log import SYNONYMS, RunLog, number_of
from fedproof.validate.logs.saved_runs import columns_read
from fedproof.validate.logs.tables import RawLog
from fedproof.vocabulary.errors import DataError, UnknownName

_ROUND = ("round", "server_round")
_LIKELY = ("step", "epoch", "iteration")
_REPLICA = ("run", "seed")
"""Columns that tell the runs in one table apart."""


def run_logs(raw: RawLog, beside: Header) -> tuple[RunLog, ...]:
    """The runs of a table, in order; one, unless a column `seed` or `run` tells several apart.

    Raises: DataError for rows that are no log; UnknownName for a column that the header names in vain.
    """
    header = raw.header.beside(beside, raw.name)
    names = _names(raw, header)
    if not raw.rows:
        raise DataError(raw.name, "no rows", "a row a round")
    own = [c for c in _REPLICA if c in raw.columns]
    groups: dict[tuple[str, ...], list[tuple[str, Row]]] = {}
    for place, row in raw.rows:
        groups.setdefault(tuple(str(row.get(c, "")) for c in own), []).append((place, row))
    logs = []
    for key, rows in groups.items():
        said = dict(zip(own, key, strict=True))
        label = ", ".join(f"{c} {v}" for c, v in said.items())
        name = f"{raw.name}, {label}" if len(groups) > 1 else raw.name
        logs.append(_log(name, rows, names, header, said.get("seed"), own))
    return tuple(logs)


def _names(raw: RawLog, header: Header) -> dict[str, str]:
    """By column of the file, its canonical name."""
    for name, own in header.columns.items():
        if own not in raw.columns:
            raise UnknownName(f"column of {raw.name} for {name}", own, raw.columns)
    mapped = {own: name for name, own in header.columns.items()}
    found = {c: mapped.get(c, SYNONYMS.get(c, c)) for c in raw.columns}
    if "round" not in found.values():
        usual = [c for c in _ROUND if c in raw.columns]
        likely = [c for c in _LIKELY if c in raw.columns]
        if not usual:
            cure = f'write [columns] round = "{likely[0] if likely else "..."}" in the header'
            raise DataError(raw.name, f"columns {', '.join(raw.columns)}", "a column round", cure)
        found[usual[0]] = "round"
    for name in {*found.values()}:
        if len(both := [c for c, n in found.items() if n == name]) > 1:
            raise DataError(raw.name, f"columns {' and '.join(both)} for {name}", "one", "name one otherwise")
    return found


def _log(
    name: str,
    rows: list[tuple[str, Row]],
    names: Mapping[str, str],
    header: Header,
    seed: Any,
    own: list[str],
) -> RunLog:
    at = next(c for c, n in names.items() if n == "round")
    merged: dict[int, dict[str, float]] = {}
    before, metrics = -1, columns_read()
    for place, row in rows:
        if at not in row:
            raise DataError(name, f"no round in {place}", "a whole number >= 0")
        r = round_of(row[at], name, place)
        if r < before:
            raise DataError(name, f"round {r} after round {before} in {place}", "rounds in order",
                            "sort the rows by round, or write one file a run")  # fmt: skip
        known = merged.setdefault(r, {})
        for column, value in _numbers(row, names, {at, *own}, metrics, name, place):
            if column in known and column in metrics:
                raise DataError(name, f"{column} of round {r} again in {place}", "each round once",
                                "write one file a run")  # fmt: skip
            known[column] = value
        if r == before and len(row) == 1:
            raise DataError(name, f"round {r} again in {place}", "each round once")
        before = r
    columns = [n for c, n in names.items() if c != at and c not in own]
    series = {c: tuple(known.get(c) for known in merged.values()) for c in columns}
    said = header.texts.get("seed", seed)
    return RunLog(
        name, tuple(merged), {c: v for c, v in series.items() if any(x is not None for x in v)},
        header.texts.get("algorithm", ""), header.texts.get("problem", ""), said if seed is None else seed,
        header.numbers, header.choices, header.participation,
    )  # fmt: skip


def _numbers(
    row: Row, names: Mapping[str, str], passed: Set[str], metrics: Set[str], name: str, place: str
) -> Iterator[tuple[str, float]]:
    """The values of a row, by canonical column; text in a column that nobody asks for is passed over."""
    for column, value in row.items():
        if column in passed:
            continue
        try:
            yield names[column], number_of(value)
        except (TypeError, ValueError, OverflowError):
            if names[column] in metrics:
                got = f"{column} = {value} in {place}"
                raise DataError(name, got, "a number", "leave the cell empty where there is none") from None
