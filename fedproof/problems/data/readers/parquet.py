"""Parquet: columns with names and types, read by pandas through pyarrow (extra `parquet`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from fedproof.problems.data.files import MOST_BYTES, check_array
from fedproof.problems.data.table import Table
from fedproof.vocabulary.errors import DataError

ENDINGS = (".parquet", ".pq")
#: of pandas: a column of whole numbers stays one where a value is missing, and does not become one of floats
NULLABLE: Literal["numpy_nullable"] = "numpy_nullable"


def table(path: Path, options: Mapping[str, Any]) -> Table:
    """The rows as a DataFrame, counted from 0.

    Raises: DataError naming the extra where pyarrow is not installed, and for a file that is no Parquet.
    """
    return read_arrow(
        path,
        options,
        lambda arrow, pandas: pandas.read_parquet(path, engine="pyarrow", dtype_backend=NULLABLE),
        lambda arrow: _size(arrow, path),
    )


def _size(arrow: Any, path: Path) -> tuple[int, int]:
    """Rows and columns, by the file's end."""
    from pyarrow import parquet

    said = parquet.read_metadata(path)
    return int(said.num_rows), int(said.num_columns)


def read_arrow(
    path: Path,
    options: Mapping[str, Any],
    read: Callable[[Any, Any], Any],
    size: Callable[[Any], tuple[int, int]] | None = None,
) -> Table:
    """A table of a file in one of Arrow's formats; an index with a name becomes a column.

    Arguments:
        path, options: what to read; a sign between cells is refused.
        read: makes a DataFrame, given pyarrow and pandas.
        size: tells rows and columns before they are read.

    Raises: DataError or InputError.
    """
    import pandas

    if "delimiter" in options:
        raise DataError(str(path), "delimiter", "a file of text for it", "leave delimiter out")
    if path.stat().st_size > MOST_BYTES:
        raise DataError(
            str(path), f"{path.stat().st_size} bytes", f"at most {MOST_BYTES}", "use a part of it"
        )
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise DataError(str(path), "no pyarrow", "the extra parquet",
                        "run pip install 'fedproof[parquet]', or save it as .csv") from None  # fmt: skip
    try:
        if size is not None:
            check_array(path, *size(pyarrow))
        frame = read(pyarrow, pandas)
    except DataError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, TypeError, KeyError, NotImplementedError) as error:
        raise DataError(str(path), " ".join(str(error).split()), f"a whole {path.suffix} file",
                        "save it again") from None  # fmt: skip
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    return Table(frame, str(path), lambda row: f"row {row}")
