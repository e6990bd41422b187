"""Comma-separated text: numbers, the label last; an optional header."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fedproof.problems.files import check_array, opened
from fedproof.problems.reading import Raw
from fedproof.vocabulary.errors import DataError

__all__ = ["ENDINGS", "claims", "files", "read"]

ENDINGS = (".csv",)
MOST_LETTERS = 100
_CURE = "save numbers with commas between and the label in the last column"


def claims(path: Path) -> bool:
    """Never: CSV goes by its ending."""
    del path
    return False


def files(path: Path) -> tuple[Path, ...]:
    """The file itself."""
    return (path,)


def read(path: Path) -> Raw:
    """Features and labels; rows are counted from 1, a header included and empty lines too.

    Raises: DataError naming file, row and cure.
    """
    values, labels, lines, width = array("d"), [], array("q"), 0
    for line, row in _rows(path):
        if not width:
            width = len(row)
            if width > 1 and not any(_is_number(cell) for cell in row[:-1]):
                continue
        if len(row) != width:
            raise DataError(f"{path}, row {line}", f"{len(row)} columns", f"{width}", _CURE)
        try:
            values.extend([float(cell) for cell in row[:-1]])
        except ValueError:
            bad = next(cell for cell in row[:-1] if not _is_number(cell))
            raise DataError(f"{path}, row {line}", repr(bad), "a number", _CURE) from None
        label = row[-1].strip()
        if not 0 < len(label) <= MOST_LETTERS:
            got = f"a label of {len(label)} letters" if label else "no label"
            raise DataError(
                f"{path}, row {line}", got, f"one of 1 to {MOST_LETTERS} in the last column", _CURE
            )
        labels.append(label)
        lines.append(line)
        if not len(labels) % 1000:
            check_array(path, len(labels), width)
    if not labels or width < 2:
        raise DataError(str(path), "no rows of features and a label", "at least one", _CURE)
    features = np.frombuffer(values, dtype=np.float64).reshape(len(labels), width - 1)
    return Raw(features, np.array(labels), lambda row: f"row {lines[row]}")


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Lines that are not empty, with their numbers."""
    try:
        with opened(path) as stream, io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
            reader = csv.reader(text)
            for row in reader:
                if row:
                    yield reader.line_num, row
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(str(path), error, "comma-separated text", _CURE) from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
