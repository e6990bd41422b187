"""Text with a sign between the cells of a row: pandas reads it, and what a row may be is checked before."""

from __future__ import annotations

import csv
import io
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fedproof.problems.data.columns import MISSING
from fedproof.problems.data.files import check_array, opened
from fedproof.problems.data.natural_order import is_float, is_number
from fedproof.problems.data.table import Table, roles
from fedproof.vocabulary.errors import DataError

ENDINGS = (".csv", ".tsv")
_SIGNS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
_BEGINNING, _LINES = 1 << 16, 50
_CURE = "save a table with one row a line and the same cells in each"
_HEADER_CURE = "remove the header, or give each column a name that begins with a letter"
#: in which spellings pandas is told of a value that is not there
_ABSENT = sorted({word for m in MISSING for word in (m, m.upper(), m.title(), m.capitalize())} | {"NaN"})


@dataclass(frozen=True)
class _Layout:
    """Sign between cells, names of columns (None without a header), its line, and the line of every row."""

    sign: str
    header: list[str] | None
    begin: int
    width: int
    lines: array[int]


def table(path: Path, options: Mapping[str, Any]) -> Table:
    """The rows as a DataFrame; rows are counted from 1, a header included and empty lines too.

    Columns without names are called 1, 2, 3 and so on. Labels and clients are read as text, as written.

    Raises: DataError naming file, row and cure.
    """
    sign = options.get("delimiter") or _sniffed(path)
    layout = _layout(path, sign, _wanted(options))
    if layout.lines and layout.width < 2 and "delimiter" in options:
        raise DataError(str(path), f"1 column when cut at {sign!r}", "two at least", "leave delimiter out")
    if not layout.lines or layout.width < 2:
        raise DataError(str(path), "no rows of features and a label", "at least one", _CURE)
    names = layout.header or [str(n + 1) for n in range(layout.width)]
    chosen = roles(names, options, str(path), layout.header is not None)
    frame = _frame(path, layout, [n for n in (chosen.label, chosen.client) if n is not None])
    frame.columns = names
    found = Table(
        frame, str(path), lambda row: f"row {layout.lines[row]}", comma=sign != ",",
        notes=() if sign == "," else (f"{_SIGNS.get(sign, repr(sign))} between cells",),
        named=layout.header is not None,
    )  # fmt: skip
    if layout.header is not None and not set(_wanted(options)) & set(layout.header):
        _check_header(path, found, layout)
    return found


def _wanted(options: Mapping[str, Any]) -> list[str]:
    """Columns that are asked for by a name, not by a number."""
    asked = [*(options[o] for o in ("client", "label") if o in options), *options.get("ignore", ())]
    return [name for name in asked if not (name.isdigit() and len(name) < 6)]


@contextmanager
def _text(path: Path) -> Iterator[Any]:
    """The file as text."""
    try:
        with opened(path) as stream, io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
            yield text
    except UnicodeDecodeError as error:
        raise DataError(str(path), f"byte {error.object[error.start]:#x}", "comma-separated text in UTF-8",
                        "save it as UTF-8") from None  # fmt: skip


def _sniffed(path: Path) -> str:
    """The sign that cuts the first lines alike; of several, that of the most numbers, then most cells."""
    with _text(path) as text:
        begun = text.read(_BEGINNING)
    lines = begun.splitlines()[: _LINES + 1]
    lines = lines[:-1] if len(lines) > 1 and len(begun) == _BEGINNING else lines

    def fit(sign: str) -> tuple[float, float, int]:
        try:
            rows = [row for row in csv.reader(lines, delimiter=sign, skipinitialspace=True) if row]
        except csv.Error:
            return 0, 0, 0
        (width, agreed), *_ = Counter(map(len, rows)).most_common(1) or [(1, 0)]
        if width == 1:
            return 0, 0, 0
        cells = [cell.strip() for row in rows[1:] or rows for cell in row]
        plain = sum(is_number(cell if sign == "," else cell.replace(",", ".")) for cell in cells)
        return agreed / len(rows), plain / len(cells), width

    return max(_SIGNS, key=fit)


def _layout(path: Path, sign: str, wanted: Sequence[str]) -> _Layout:
    """Every row looked at: as many cells as the first, no open quote, no cell over the end of its line."""
    lines, width, begin, header = array("q"), 0, 0, None
    for line, row in _rows(path, sign):
        if not width:
            width = len(row)
            cells = [cell.strip() for cell in row]
            if _is_header(f"{path}, row {line}", cells, wanted):
                header, begin = cells, line
                continue
        if len(row) != width:
            raise DataError(f"{path}, row {line}", f"{len(row)} columns", f"{width}", _CURE)
        lines.append(line)
        if not len(lines) % 1000:
            check_array(path, len(lines), width)
    return _Layout(sign, header, begin, width, lines)


def _rows(path: Path, sign: str) -> Iterator[tuple[int, list[str]]]:
    """Lines that are not blank, with their numbers; no cell goes over the end of its line."""
    line = 0
    try:
        with _text(path) as text:
            reader = csv.reader(_no_zero_byte(path, text), strict=True, delimiter=sign,
                                skipinitialspace=sign != " ")  # fmt: skip
            for row in reader:
                if reader.line_num > line + 1:
                    got = f"a quoted cell of {reader.line_num - line} rows"
                    raise DataError(
                        f"{path}, row {line + 1}", got, "each row on a line of its own", "close the quote"
                    )
                line = reader.line_num
                if len(row) > 1 or (row and row[0].strip(" \t")):
                    yield line, row
    except csv.Error as error:
        raise DataError(f"{path}, row {line + 1}", error, "comma-separated text, every quote closed",
                        _CURE) from None  # fmt: skip


def _no_zero_byte(path: Path, text: Any) -> Iterator[str]:
    for number, line in enumerate(text, 1):
        if "\0" in line:
            raise DataError(f"{path}, row {number}", "a zero byte", "comma-separated text", _CURE)
        yield line


def _frame(path: Path, layout: _Layout, as_text: Sequence[int]) -> Any:
    """What pandas reads, of the rows that were looked at."""
    import pandas as pd

    exact: dict[str, Any] = (
        {"float_precision": "round_trip"} if int(pd.__version__.partition(".")[0]) < 3 else {}
    )
    try:
        with _text(path) as text:
            frame: Any = pd.read_csv(
                text, sep=layout.sign, header=None, skiprows=layout.begin, names=list(range(layout.width)),
                index_col=False, dtype=dict.fromkeys(as_text, str), keep_default_na=False,
                na_values=_ABSENT, skipinitialspace=layout.sign != " ", low_memory=False, **exact,
            )  # fmt: skip
    except (ValueError, OverflowError) as error:
        raise DataError(str(path), error, "a table that pandas reads", _CURE) from None
    if len(frame) != len(layout.lines):
        raise DataError(str(path), f"{len(frame)} rows by one reader, {len(layout.lines)} by another",
                        "one way to read it", "remove quotes and blanks around cells")  # fmt: skip
    return frame


def _is_header(where: str, cells: list[str], wanted: Sequence[str]) -> bool:
    """Whether the first row names the columns; a row that may be either is refused.

    A row with a column that was asked for does, and so does one of names alone: text that is no number and
    stands for no missing value. Whole numbers 0, 1, 2, ... are the names that a table without names is saved
    with, and might be data.
    """
    if len(cells) < 2:
        return False
    if set(wanted) & set(cells):
        if "" in cells:
            raise _unnamed(where)
        return True
    if cells == [str(n) for n in range(len(cells))] or (
        cells[:-1] == [str(n) for n in range(len(cells) - 1)] and len(cells) > 2 and _is_name(cells[-1])
    ):
        raise DataError(where, f"{','.join(cells)}, a header or data", "names of columns, or data",
                        f"{_HEADER_CURE}; of data, write 0.0 for 0")  # fmt: skip
    if any(is_number(cell) for cell in cells[:-1]):
        return False
    odd = next((cell for cell in cells[:-1] if not _is_name(cell)), None)
    if odd is None and is_number(cells[-1]):
        odd = cells[-1]
    if odd == "":
        raise _unnamed(where)
    if odd is not None:
        raise DataError(where, repr(odd), "a number, or a name in a header", _HEADER_CURE)
    return True


def _unnamed(where: str) -> DataError:
    return DataError(where, "''", "a number, or a name in a header",
                     "give the column a name; pandas saves without its own with index=False")  # fmt: skip


def _check_header(path: Path, table: Table, layout: _Layout) -> None:
    """Refuse a header that may be data: all columns are text, and each of its words is found below."""
    frame = table.frame
    if all(frame[name].dtype.kind not in "fiub" and (frame[name] == name).any() for name in frame.columns):
        raise DataError(f"{path}, row {layout.begin}", f"{','.join(frame.columns)}, a header or data",
                        "names of columns, or data", "name the columns, or say label=COLUMN")  # fmt: skip


def _is_name(text: str) -> bool:
    return text.lower() not in MISSING | {"none", "-", "missing"} and not is_float(text)
