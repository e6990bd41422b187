"""Verdicts of engines kept on disk between runs, each in a file of its own; never needed, only faster."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from fedproof.vocabulary.files import cache_folder, write_whole

#: answers that the question alone decides; a clock or a crash is never kept
STORABLE = ("sat", "unsat", "unknown", "unknown (limit)")


def key(*parts: object) -> str:
    """What a verdict is filed under.

    >>> key("z3", 1) == key("z3", 1), key("z3", 1) == key("z31", "")
    (True, False)
    """
    return sha256("\0".join(map(str, parts)).encode()).hexdigest()


def read_cached(under: str) -> str | None:
    """The verdict on file, or None where there is none or the file is not as it was written."""
    path = _path(under)
    if path is None:
        return None
    try:
        answer, check = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None
    return answer if answer in STORABLE and check == key(under, answer) else None


def write_cached(under: str, answer: str) -> None:
    """File a verdict, whole or not at all; where nothing can be written, nothing is."""
    path = _path(under)
    if path is None or answer not in STORABLE:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, f"{answer}\n{key(under, answer)}\n".encode())


def _path(key: str) -> Path | None:
    home = cache_folder()
    return None if home is None else home / "verdicts" / key[:2] / key
