"""Comma-separated text: numbers, the label last; a first row of names is a header."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fedproof.problems.data.data_files import Raw
from fedproof.problems.data.files import check_array, opened
from fedproof.vocabulary.errors import DataError

ENDINGS = (".csv",)
MOST_LETTERS = 100
_CURE = "save numbers with commas between and the label in the last column"
_HEADER_CURE = "remove the header, or give each column a name that begins with a letter"
#: what stands for a value that is not there; never a name of a column
_MISSING = frozenset(("", "?", "-", "na", "n/a", "nan", "null", "none", "missing"))


def read(path: Path) -> Raw:
    """Features and labels; rows are counted from 1, a header included and empty lines too.

    Raises: DataError naming file, row and cure.
    """
    values, labels, lines, width = array("d"), [], array("q"), 0
    for line, row in _rows(path):
        if not width:
            width = len(row)
            if _is_header(f"{path}, row {line}", row):
                continue
        if len(row) != width:
            raise DataError(f"{path}, row {line}", f"{len(row)} columns", f"{width}", _CURE)
        where = f"{path}, row {line}"
        values.extend(_numbers(where, row[:-1], _CURE))
        labels.append(_label(where, row[-1].strip()))
        lines.append(line)
        if not len(labels) % 1000:
            check_array(path, len(labels), width)
    if not labels or width < 2:
        raise DataError(str(path), "no rows of features and a label", "at least one", _CURE)
    _check_kinds(path, labels, lines)
    features = np.frombuffer(values, dtype=np.float64).reshape(len(labels), width - 1)
    return Raw(features, np.array(labels), lambda row: f"row {lines[row]}")


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Lines that are not empty, with their numbers; no cell goes over the end of its line."""
    line = 0
    try:
        with opened(path) as stream, io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
            reader = csv.reader(text, strict=True)
            for row in reader:
                if reader.line_num > line + 1:
                    got = f"a quoted cell of {reader.line_num - line} rows"
                    raise DataError(
                        f"{path}, row {line + 1}", got, "each row on a line of its own", "close the quote"
                    )
                line = reader.line_num
                if row:
                    yield line, row
    except UnicodeDecodeError as error:
        raise DataError(str(path), error, "comma-separated text", _CURE) from None
    except csv.Error as error:
        raise DataError(f"{path}, row {line + 1}", error, "comma-separated text, every quote closed",
                        _CURE) from None  # fmt: skip


def _is_header(where: str, first: list[str]) -> bool:
    """Whether the first row names the columns; a row that may be either is refused.

    Names begin with a letter or an underscore, and the label's is no number. Whole numbers 0, 1, 2, ... are
    the names that a table without names is saved with, and might be data.
    """
    cells = [cell.strip() for cell in first]
    if len(cells) < 2:
        return False
    if cells == [str(n) for n in range(len(cells))] or (
        cells[:-1] == [str(n) for n in range(len(cells) - 1)] and len(cells) > 2 and _is_name(cells[-1])
    ):
        raise DataError(where, f"{','.join(cells)}, a header or data", "names of columns, or data",
                        f"{_HEADER_CURE}; of data, write 0.0 for 0")  # fmt: skip
    if any(_is_number(cell) for cell in cells[:-1]):
        _numbers(where, cells[:-1], f"{_CURE}; or {_HEADER_CURE}")
        return False
    odd = next((cell for cell in cells[:-1] if not _is_name(cell)), None)
    if odd is None and _is_number(cells[-1]):
        odd = cells[-1]
    if odd is not None:
        raise DataError(where, repr(odd), "a number, or a name in a header", _HEADER_CURE)
    return True


def _label(where: str, label: str) -> str:
    if not 0 < len(label) <= MOST_LETTERS:
        got = f"a label of {len(label)} letters" if label else "no label"
        raise DataError(where, got, f"one of 1 to {MOST_LETTERS} in the last column", _CURE)
    if '"' in label or (_is_float(label) and not _is_number(label)):
        raise DataError(where, f"label {label!r}", "a plain number, or text without quotes", _CURE)
    return label


def _check_kinds(path: Path, labels: list[str], lines: array[int]) -> None:
    """Refuse a label of another kind than all others: it is a header, a stray cell or a missing value."""
    texts = [n for n, label in enumerate(labels) if not _is_number(label)]
    numbers = len(labels) - len(texts)
    if not texts or not numbers:
        return
    odd = next((n for n in texts if labels[n].lower() in _MISSING), None)
    if odd is None and len(texts) == 1:
        odd = texts[0]
    elif odd is None and numbers == 1:
        odd = next(n for n, label in enumerate(labels) if _is_number(label))
    if odd is not None:
        others = "text" if _is_number(labels[odd]) else "numbers"
        cure = "remove or name the header" if not odd else "mend or drop the row"
        raise DataError(f"{path}, row {lines[odd]}", f"label {labels[odd]!r}",
                        f"one like the others, {others}", cure)  # fmt: skip


def _numbers(where: str, cells: list[str], cure: str) -> list[float]:
    """The cells as floats."""
    text = "".join(cells)
    try:
        if "_" in text or not text.isascii():
            raise ValueError(text)
        return [float(cell) for cell in cells]
    except ValueError:
        bad = next(cell for cell in cells if not _is_number(cell))
        raise DataError(where, repr(bad), "a number", cure) from None


def _is_name(text: str) -> bool:
    return (text[:1].isalpha() or text[:1] == "_") and text.lower() not in _MISSING and not _is_float(text)


def _is_number(text: str) -> bool:
    """Whether this is a number as data files have it: no underscores, digits 0 to 9."""
    return "_" not in text and text.isascii() and _is_float(text)


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
