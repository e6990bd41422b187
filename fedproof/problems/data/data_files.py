"""Reading labelled samples from a user's file or folder, by its ending or its content; never unpickled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.labels import check_squares
from fedproof.problems.problem import Array
from fedproof.vocabulary.discovery import parts
from fedproof.vocabulary.errors import DataError


@dataclass(frozen=True, eq=False)
class Raw:
    """What a reader found.

    Arguments:
        features: float64, shape (rows, p).
        labels: numbers or text, shape (rows,).
        place: where a row is in the source, in words.
        owners: who wrote each row, numbered from 0, shape (rows,); or None.
    """

    features: Array
    labels: Array
    place: Callable[[int], str]
    owners: Array | None = None


def endings() -> tuple[str, ...]:
    """Endings of files that can be read, each also with .gz after it; IDX files go by their names.

    >>> ".csv" in endings() and ".npz" in endings()
    True
    """
    return tuple(sorted(ending for reader in parts("readers").values() for ending in reader.ENDINGS))


def is_path(name: str | Path) -> bool:
    """Whether this is meant as a file or folder, not as a word.

    >>> is_path("my.csv"), is_path("data/mnist"), is_path("digits")
    (True, True, False)
    """
    if isinstance(name, Path) or "/" in name or "\\" in name:
        return True
    with suppress(OSError):
        return bool(name) and (_plain(Path(name)).endswith(endings()) or Path(name).exists())
    return False


def files_of(path: str | Path) -> tuple[Path, ...]:
    """All files whose content decides what `read_dataset` gives for this path.

    Raises: DataError as `read_dataset` does for a path that nothing reads.
    """
    where = Path(path)
    with _as_data_error(where):
        reader = _reader(where)
        return tuple(reader.files(where)) if hasattr(reader, "files") else (where,)


def read_dataset(path: str | Path) -> Dataset:
    """Read features and labels; labels are numbered in sorted order and keep their names.

    Arguments:
        path: a file of one of `endings()`, packed by gzip or not; a file in LIBSVM's format whatever its
            name; an IDX file or a folder of these; a folder of LEAF's JSON files.

    Raises: DataError naming file, row and cure.
    """
    where = Path(path)
    with _as_data_error(where):
        raw: Raw = _reader(where).read(where)
    rows = len(raw.labels)
    for first in range(0, rows, 4096):
        bad = np.flatnonzero(~np.isfinite(raw.features[first : first + 4096]).all(axis=1))
        if bad.size:
            raise DataError(f"{path}, {raw.place(first + int(bad[0]))}", "a value that is not finite",
                            "finite numbers", "drop or fill the row")  # fmt: skip
    check_squares(raw.features, lambda row: f"{path}, {raw.place(row)}")
    kinds, numbered = _numbered(path, raw)
    if len(kinds) < 2:
        raise DataError(str(path), f"{len(kinds)} kind of label", "at least two",
                        "check which column is the label")  # fmt: skip
    return Dataset(_plain(where).partition(".")[0] or where.name, raw.features, numbered, len(kinds), kinds,
                   raw.owners)  # fmt: skip


def _numbered(path: str | Path, raw: Raw) -> tuple[Array, Array]:
    """The kinds of label in order, numbers by size, and which of them each row has."""
    labels = raw.labels
    if labels.dtype.kind in "US":
        try:
            labels = labels.astype(np.float64)
        except ValueError:
            labels = raw.labels
    if labels.dtype.kind == "f":
        bad = np.flatnonzero(~np.isfinite(labels))
        if bad.size:
            raise DataError(f"{path}, {raw.place(int(bad[0]))}", "a label that is not finite", "a number",
                            "drop or fill the row")  # fmt: skip
        if (labels == np.floor(labels)).all() and np.abs(labels).max() < 1 << 53:
            labels = labels.astype(np.int64)
    kinds, numbered = np.unique(labels, return_inverse=True)
    return kinds, numbered.reshape(-1)


@contextmanager
def _as_data_error(path: Path) -> Iterator[None]:
    """What the system refuses is a DataError too."""
    try:
        yield
    except OSError as error:
        raise DataError(str(path), error.strerror or error, "a path that can be read") from None


def _plain(path: Path) -> str:
    """The file's name in small letters, without a .gz at its end."""
    return path.name.lower().removesuffix(".gz")


def _reader(path: Path) -> Any:
    """The reader of a path: by ending, else the first that claims it."""
    expected = f"a file ({' '.join(endings())}, IDX, LIBSVM text; .gz too) or a folder of IDX or JSON files"
    if not path.exists():
        raise DataError(str(path), "no such file", expected, "check the path")
    readers = parts("readers").values()
    for reader in readers:
        if path.is_file() and _plain(path).endswith(reader.ENDINGS):
            return reader
    for reader in readers:
        if hasattr(reader, "claims") and reader.claims(path):
            return reader
    kind = "a folder without any" if path.is_dir() else f"a {path.suffix or 'nameless'} file"
    raise DataError(str(path), kind, expected)
