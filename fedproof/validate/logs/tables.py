"""Rows of a log: CSV, JSON lines or a DataFrame, in wide form or in MLflow's long one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fedproof.solvers.history_file import parsed
from fedproof.validate.logs.header import Header, header_from, header_of_toml
from fedproof.validate.logs.long_table import Row, by_step, is_long
from fedproof.vocabulary.errors import DataError

_EXPECTED = "a header line with the columns' names and a row a round"


@dataclass(frozen=True)
class RawLog:
    """A log as it stands in a file.

    Arguments:
        name: of the file.
        header: what stands above the columns.
        columns: their names, in order.
        rows: where each stands, and its cells by column, those without a value left out.
    """

    name: str
    header: Header
    columns: tuple[str, ...]
    rows: tuple[tuple[str, Row], ...]


def raw_log(path: Path) -> RawLog:
    """A file with the ending .csv, .tsv, .jsonl or .ndjson.

    Raises: DataError for a file that cannot be read, or is no log.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise DataError(path.name, error, _EXPECTED, "check the path") from None
    if not text.strip():
        raise DataError(path.name, "an empty file", _EXPECTED)
    return wide((_lines if path.suffix in (".jsonl", ".ndjson") else _cells)(text, path.name))


def raw_frame(frame: Any, name: str = "DataFrame") -> RawLog:
    """A DataFrame; its `attrs` may hold a header under "fedproof". What pandas calls missing is no value."""
    if frame.index.name is not None and frame.index.name not in frame.columns:
        frame = frame.reset_index()
    columns = tuple(map(str, frame.columns))
    missing = frame.isna().to_numpy()
    rows = [
        (f"row {place}", {c: v for c, v, gone in zip(columns, values, holes, strict=True) if not gone})
        for place, (values, holes) in enumerate(
            zip(frame.itertuples(index=False, name=None), missing, strict=True), 1
        )
    ]
    return wide(RawLog(name, header_from(frame.attrs.get("fedproof", {}), name), columns, tuple(rows)))


def _cells(text: str, name: str) -> RawLog:
    """CSV below lines of TOML that begin with #."""
    lines = text.splitlines()
    above = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    header = header_of_toml("\n".join(line[1:].removeprefix(" ") for line in lines[:above]), name)
    if above == len(lines):
        raise DataError(name, "a header and no columns", _EXPECTED)
    sign = max(",;\t", key=lines[above].count)
    columns: list[str] = []
    rows: list[tuple[str, Row]] = []
    for cells in csv.reader(io.StringIO("\n".join(lines[above:])), delimiter=sign):
        filled = [cell.strip() for cell in cells]
        if not any(filled):
            continue
        place = f"row {len(rows) + 1}"
        if not columns:
            columns = filled
        elif len(filled) != len(columns):
            raise DataError(name, f"{len(filled)} cells in {place}", f"{len(columns)}, one a column")
        else:
            rows.append((place, {c: v for c, v in zip(columns, filled, strict=True) if v}))
    if twice := sorted({c for c in columns if columns.count(c) > 1}):
        raise DataError(name, f"two columns called {twice[0]}", "a name a column")
    return RawLog(name, header, tuple(columns), tuple(rows))


def _lines(text: str, name: str) -> RawLog:
    """JSON lines: a row each; the first may hold the header, under "header"."""
    header = Header()
    rows: list[tuple[str, Row]] = []
    for number, said in _objects(text, name):
        if not rows and set(said) == {"header"} and isinstance(said["header"], Mapping):
            header = header_from(said["header"], name)
        else:
            rows.append((f"line {number}", {str(k): v for k, v in said.items() if v is not None}))
    columns = tuple(dict.fromkeys(column for _, row in rows for column in row))
    return RawLog(name, header, columns, tuple(rows))


def _objects(text: str, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            said = parsed(line, parse_float=str)
        except ValueError as error:
            raise DataError(name, f"line {number} that is no JSON ({error})", "an object a line") from None
        if not isinstance(said, dict):
            raise DataError(name, f"line {number}: {line}", "an object a line")
        yield number, said


def wide(log: RawLog) -> RawLog:
    """A log with a column a metric, also where it was MLflow's table with a row a value."""
    if not is_long(log.columns):
        return log
    rows = by_step(log.rows, log.name)
    return RawLog(log.name, log.header, tuple(dict.fromkeys(c for _, row in rows for c in row)), rows)
