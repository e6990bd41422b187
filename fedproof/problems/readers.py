"""Reading labelled samples from a user's file: CSV text or NumPy's npz, never unpickled."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path

import numpy as np

from fedproof.problems.dataset import Dataset
from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import DataError

__all__ = ["read_dataset"]

MOST_BYTES = 1 << 31
_CURE = "save numbers with commas between and the label in the last column"


def read_dataset(path: str | Path) -> Dataset:
    """Read features and labels; labels are numbered in sorted order.

    Arguments:
        path: a .csv file (an optional header; numbers, the label last, of any kind), or an .npz file with
            arrays `features` and `labels` (or `X` and `y`).

    Raises: DataError naming file, row and cure.
    """
    where = Path(path)
    if not where.is_file():
        raise DataError(str(path), "no such file", "a .csv or .npz file", "check the path")
    if where.stat().st_size > MOST_BYTES:
        raise DataError(str(path), f"{where.stat().st_size} bytes", f"at most {MOST_BYTES} bytes")
    readers = {".csv": _from_csv, ".npz": _from_npz}
    if where.suffix.lower() not in readers:
        raise DataError(str(path), f"a {where.suffix or 'nameless'} file", "a .csv or .npz file")
    features, labels, first = readers[where.suffix.lower()](where)
    bad = np.flatnonzero(~np.isfinite(features).all(axis=1))
    if bad.size:
        raise DataError(f"{path}, row {bad[0] + first}", "a value that is not finite", "finite numbers",
                        "drop or fill the row")  # fmt: skip
    kinds, numbered = np.unique(labels, return_inverse=True)
    if len(kinds) < 2:
        raise DataError(
            str(path), f"{len(kinds)} kinds of label", "at least two", "the label is the last column"
        )
    return Dataset(where.stem, features, numbered.reshape(-1), len(kinds))


def _from_csv(path: Path) -> tuple[Array, Array, int]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            table = [row for row in csv.reader(lines) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(str(path), error, "comma-separated text", _CURE) from None
    first = 1
    if table and not any(_is_number(cell) for cell in table[0][:-1]):
        table, first = table[1:], 2
    if not table or len(table[0]) < 2:
        raise DataError(str(path), "no rows of features and a label", "at least one", _CURE)
    features = np.empty((len(table), len(table[0]) - 1))
    for number, row in enumerate(table):
        if len(row) != len(table[0]):
            raise DataError(f"{path}, row {number + first}", f"{len(row)} columns", f"{len(table[0])}", _CURE)
        try:
            features[number] = [float(cell) for cell in row[:-1]]
        except ValueError:
            bad = next(cell for cell in row[:-1] if not _is_number(cell))
            raise DataError(f"{path}, row {number + first}", repr(bad), "a number", _CURE) from None
    labels = [row[-1].strip() for row in table]
    if "" in labels:
        raise DataError(
            f"{path}, row {labels.index('') + first}", "no label", "one in the last column", _CURE
        )
    return features, np.array(labels), first


def _from_npz(path: Path) -> tuple[Array, Array, int]:
    names = (("features", "labels"), ("X", "y"))
    cure = "save with numpy.savez(path, features=..., labels=...)"
    try:
        _check_expansion(path)
        with np.load(path, allow_pickle=False) as arrays:
            pair = next((p for p in names if set(p) <= set(arrays.files)), None)
            if pair is None:
                raise DataError(str(path), f"arrays {', '.join(arrays.files)}", "features and labels", cure)
            features, labels = arrays[pair[0]], arrays[pair[1]]
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(str(path), error, "an npz file of plain arrays", cure) from None
    if features.ndim != 2 or labels.shape != (len(features),) or not len(features):
        got = f"shapes {features.shape} and {labels.shape}"
        raise DataError(str(path), got, "shapes (rows, p) and (rows,)", cure)
    if features.dtype.kind not in "fiub":
        raise DataError(str(path), f"features of type {features.dtype}", "numbers", cure)
    return features.astype(np.float64), labels, 0


def _check_expansion(path: Path) -> None:
    """Refuse an archive whose members claim to unpack to more than the limit."""
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > MOST_BYTES:
        raise DataError(str(path), f"{size} bytes once unpacked", f"at most {MOST_BYTES} bytes")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
