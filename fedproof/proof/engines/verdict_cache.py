"""Verdicts of engines kept on disk between runs, each in a file of its own; never needed, only faster."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

#: answers that the question alone decides; a clock or a crash is never kept
STORABLE = ("sat", "unsat", "unknown", "unknown (limit)")


def folder() -> Path | None:
    """Where verdicts are kept: $FEDPROOF_CACHE, else the user's cache folder; None if that is "" or "off"."""
    named = os.environ.get("FEDPROOF_CACHE")
    if named is not None:
        return None if named.strip().lower() in ("", "off") else Path(named)
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():
        base = Path(os.path.expanduser("~")) / ".cache"
    return base / "fedproof" if base.is_absolute() else None


def key(*parts: object) -> str:
    """What a verdict is filed under.

    >>> key("z3", 1) == key("z3", 1), key("z3", 1) == key("z31", "")
    (True, False)
    """
    return _digest(*map(str, parts))


def read_cached(key: str) -> str | None:
    """The verdict on file, or None where there is none or the file is not as it was written."""
    path = _path(key)
    if path is None:
        return None
    try:
        answer, check = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None
    return answer if answer in STORABLE and check == _digest(key, answer) else None


def write_cached(key: str, answer: str) -> None:
    """File a verdict, whole or not at all; where nothing can be written, nothing is."""
    path = _path(key)
    if path is None or answer not in STORABLE:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
            file.write(f"{answer}\n{_digest(key, answer)}\n")
        try:
            os.replace(file.name, path)
        except OSError:
            os.unlink(file.name)


def _path(key: str) -> Path | None:
    home = folder()
    return None if home is None else home / "verdicts" / key[:2] / key


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()
