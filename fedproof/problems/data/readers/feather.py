"""Feather: columns with names and types, read by pandas through pyarrow (extra `parquet`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fedproof.problems.data.readers.parquet import NULLABLE, read_arrow
from fedproof.problems.data.table import Table

ENDINGS = (".feather", ".ftr")


def table(path: Path, options: Mapping[str, Any]) -> Table:
    """The rows as a DataFrame, counted from 0.

    Raises: DataError naming the extra where pyarrow is not installed, and for a file that is no Feather.
    """
    return read_arrow(path, options, lambda arrow, pandas: pandas.read_feather(path, dtype_backend=NULLABLE))
