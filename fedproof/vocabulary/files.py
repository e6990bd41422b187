"""Files that are written whole or not at all, and the folders they lie in."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from fedproof.vocabulary.errors import InputError


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


def folder_for(path: str | os.PathLike[str], what: str = "output") -> Path:
    """The folder to write to, made if it is missing.

    Arguments:
        path: of the folder.
        what: the argument that named it, for the error message.

    Raises: InputError if the path is a file.
    """
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError(what, path, "a folder", "choose a path that is not a file") from None
    return folder
