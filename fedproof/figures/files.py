"""Tables as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fedproof.figures.spec import Frame
from fedproof.vocabulary.errors import DataError


def read_table(path: Path) -> Frame:
    """A table from the CSV that pandas wrote, every number to its last bit.

    Raises: DataError if it is no table.
    """
    import pandas as pd

    try:
        text = pd.read_csv(path, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise DataError(str(path), error, "a table in CSV", "compute it again") from None
    return pd.DataFrame({name: _typed(list(text[name])) for name in text.columns})


def _typed(cells: list[str]) -> list[Any]:
    """Truth values, whole numbers, numbers (an empty cell is none) or text: the first that all cells are."""
    if set(cells) <= {"True", "False"}:
        return [c == "True" for c in cells]
    for kind in (int, float):
        try:
            return [kind(c) if c or kind is int else float("nan") for c in cells]
        except ValueError:
            continue
    return list(cells)
