"""A log written while a run goes on: a header, then a row a round; a run that is killed keeps its rows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from fedproof.validate.logs.header import KEYS, header_from
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.files import write_whole
from fedproof.vocabulary.values import is_whole

_CSV = (".csv",)
_LINES = (".jsonl", ".ndjson")


class LogWriter:
    """Writes the log of one run, as CSV or as JSON lines by the ending of its file.

    Arguments:
        path: of a file that is not there yet.
        header: algorithm, seed, problem, and the tables parameters, constants, participation: docs/logs.md.

    Raises: InputError for a file that exists, another ending, or a header that no log may have.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with LogWriter(Path(folder) / "run.csv", algorithm="fedprox", parameters={"mu": "1/2"}) as log:
    ...         log.write(0, loss=0.7, squared_gradient=0.2)
    ...     print(log.path.read_text())
    # algorithm = "fedprox"
    # [parameters]
    # mu = "1/2"
    round,loss,squared_gradient
    0,0.7,0.2
    <BLANKLINE>
    """

    def __init__(self, path: str | os.PathLike[str], **header: Any) -> None:
        self.path = Path(path)
        if self.path.suffix not in (*_CSV, *_LINES):
            raise InputError("log", self.path.name, f"a file that ends in {', '.join((*_CSV, *_LINES))}")
        if self.path.exists():
            raise InputError(str(self.path), "a file that exists", "a new one", "a log is of one run")
        said = {key: _table(value) for key, value in header.items() if value is not None}
        header_from(said, self.path.name)
        self._header, self._columns = said, ["round"]
        self._rows: list[dict[str, Any]] = []
        self._rewrite()

    def write(self, round: int, /, **values: Any) -> None:
        """Add a row: what was measured at the server's model after so many rounds; 0 is the start.

        Raises: InputError for a round that is not after the last, or a value that is no number.
        """
        last = self._rows[-1]["round"] if self._rows else -1
        if not is_whole(round) or round <= last:
            raise InputError("round", round, f"a whole number > {last}", "write each round once, in order")
        row: dict[str, Any] = {"round": int(round)} | {name: _number(name, v) for name, v in values.items()}
        self._rows.append(row)
        new = [name for name in row if name not in self._columns]
        self._columns += new
        if new and self.path.suffix in _CSV:
            self._rewrite()
            return
        with self.path.open("a", encoding="utf-8") as out:
            out.write(self._line(row))

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is left to write: every row is in the file already."""

    def _rewrite(self) -> None:
        """The whole file: with a column that was not there before, rows without it have an empty cell."""
        if self.path.suffix in _CSV:
            above = "".join(f"# {line}\n" for line in toml_lines(self._header))
            text = above + ",".join(map(_quoted, self._columns)) + "\n"
        else:
            text = json.dumps({"header": self._header}) + "\n"
        write_whole(self.path, (text + "".join(map(self._line, self._rows))).encode())

    def _line(self, row: Mapping[str, Any]) -> str:
        if self.path.suffix in _LINES:
            return json.dumps(row) + "\n"
        return ",".join(repr(row[name]) if name in row else "" for name in self._columns) + "\n"


def _table(value: Any) -> Any:
    """Header values as JSON and TOML hold them: whole numbers, else text."""
    if isinstance(value, Mapping):
        return {str(name): _table(v) for name, v in value.items() if v is not None}
    return value if isinstance(value, bool | str) else int(value) if is_whole(value) else str(value)


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(name, value, "a number", "a tensor of one number has .item()") from None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(sign in name for sign in '",\n') else name


def toml_lines(header: Mapping[str, Any]) -> list[str]:
    """A header as TOML, a line an entry, what stands alone before the tables.

    >>> toml_lines({"seed": 1, "constants": {"L": "1/4"}})
    ['seed = 1', '[constants]', 'L = "1/4"']
    """
    ordered = {key: header[key] for key in KEYS if key in header}
    lines = [f"{key} = {_toml(value)}" for key, value in ordered.items() if not isinstance(value, Mapping)]
    for key, table in ordered.items():
        if isinstance(table, Mapping):
            lines += [f"[{key}]", *(f"{_key(name)} = {_toml(value)}" for name, value in table.items())]
    return lines


def _toml(value: Any) -> str:
    return json.dumps(value)


def _key(name: str) -> str:
    return name if name.replace("_", "").isalnum() and name.isascii() else json.dumps(name)
