"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from fedproof.figures.spec import Frame
from fedproof.vocabulary.errors import DataError, InputError

__all__ = ["folder_for", "read_table", "write_whole"]


def write_whole(path: Path, content: bytes) -> Path:
    """Write a file so that a reader, or a crash, sees the old content or the new, never half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return path


def folder_for(output: str | os.PathLike[str]) -> Path:
    """The folder to write to, made if it is missing.

    Raises: InputError if the path is a file.
    """
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError("output", output, "a folder", "choose a path that is not a file") from None
    return folder


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
