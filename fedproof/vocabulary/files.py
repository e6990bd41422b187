"""Files that are written whole or not at all, and the folders they lie in."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fedproof.vocabulary.errors import InputError


def write_whole(path: Path, content: bytes) -> Path:
    """Write a file so that a reader, or a crash, sees the old content or the new, never half of it.

    Raises: OSError that names the path, on a full disk too.
    """
    with _naming(path):
        return _replaced(path, content)


def _replaced(path: Path, content: bytes) -> Path:
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


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Errors of the system without a path, as a full disk's, or with a temporary file's, name this one."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def cache_folder() -> Path | None:
    """Where results are stored: $FEDPROOF_CACHE, else the user's cache; None if that is "" or "off".

    Nor is a folder used that belongs to somebody else or that everybody may write to: what is stored there
    would be another's word.
    """
    folder = _named_cache()
    return folder if folder is not None and _own(folder) else None


def _own(folder: Path) -> bool:
    """Whether a folder is the user's own, and no one else's to write to; one that is missing will be."""
    try:
        found = folder.stat()
    except OSError:
        return True
    others = bool(found.st_mode & stat.S_IWOTH) and os.name == "posix"
    return not others and (not hasattr(os, "getuid") or found.st_uid == os.getuid())


def _named_cache() -> Path | None:
    named = os.environ.get("FEDPROOF_CACHE")
    if named is not None:
        return None if named.strip().lower() in ("", "off") else Path(named)
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():
        base = Path(os.path.expanduser("~")) / ".cache"
    return base / "fedproof" if base.is_absolute() else None


def folder_for(path: str | os.PathLike[str], what: str = "output") -> Path:
    """The folder to write to, made if it is missing.

    Arguments:
        path: of the folder.
        what: the argument that named it, for the error message.

    Raises: InputError if the path is a file.
    """
    folder = Path(path)
    try:
        with _naming(folder):
            folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError(what, path, "a folder", "choose a path that is not a file") from None
    return folder
