"""Reading labelled samples from a user's file or folder, by its ending or its content; never unpickled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.finished import finished, marked, only_tables
from fedproof.problems.data.raw import Raw
from fedproof.problems.data.table import from_table
from fedproof.vocabulary.discovery import parts
from fedproof.vocabulary.errors import DataError


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


def read_dataset(path: str | Path, **options: Any) -> Dataset:
    """Read features and labels; labels are numbered in natural order and keep their names.

    Arguments:
        path: a file of one of `endings()`, packed by gzip or not; a file in LIBSVM's format whatever its
            name; an IDX file or a folder of these; a folder of LEAF's JSON files.
        options: those of `table_options.TABLE`, as meant.

    Raises: DataError naming file, row and cure.
    """
    where = Path(path)
    with _as_data_error(where):
        reader = _reader(where)
        if hasattr(reader, "table"):
            raw: Raw = from_table(reader.table(where, options), options)
        else:
            mark = getattr(reader, "CLIENT", None)
            only_tables(str(path), options, tuple(_tables()), mark)
            raw = reader.read(where)
            if mark is not None:
                raw = marked(str(path), raw, mark, "client" in options)
    return finished(str(path), _plain(where).partition(".")[0] or where.name, raw, options)


def _tables() -> Iterator[str]:
    """Endings of tables with named columns."""
    return (e for reader in parts("readers").values() if hasattr(reader, "table") for e in reader.ENDINGS)


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
