"""Results kept on disk from one run to the next: JSON and files, each checked by its hash when it is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from fedproof.vocabulary.files import cache_folder, folder_for, write_whole

Accept = Callable[[Any], bool]
"""Decides whether a stored document may be used: the place where a certificate is checked when it is read."""


@dataclass(frozen=True)
class StoredResult:
    """A result as it was computed: JSON, the seconds that took, and the digests of its files by place."""

    document: Any
    seconds: float
    files: Mapping[str, str] = field(default_factory=dict)


def read_stored(name: str, key: str, accept: Accept | None = None) -> StoredResult | None:
    """What is stored by this name for exactly this key; None where there is none, or it is not as written."""
    found = _record(name)
    if found is None or found["key"] != key or (accept is not None and not accept(found["document"])):
        return None
    return StoredResult(found["document"], float(found["seconds"]), found["files"])


def last_seconds(name: str) -> float | None:
    """How long what is stored by this name took, whatever it was computed from."""
    found = _record(name)
    return None if found is None else float(found["seconds"])


def restore_files(name: str, files: Mapping[str, str], folder: Path) -> bool:
    """Put the files of a stored result where they belong; False where one is missing or was changed."""
    slot = _slot(name)
    if slot is None:
        return False
    for place, digest in files.items():
        here, stored = folder / place, slot / Path(place).name
        if _digest_of(here) != digest:
            if _digest_of(stored) != digest:
                return False
            write_whole(folder_for(here.parent) / here.name, stored.read_bytes())
    return True


def write_stored(
    name: str, key: str, result: StoredResult, folder: Path | None = None, files: tuple[str, ...] = ()
) -> None:
    """Store a result and the files of a folder that belong to it; where that cannot be, nothing is."""
    slot = _slot(name)
    if slot is None:
        return
    with suppress(OSError):
        slot.mkdir(parents=True, exist_ok=True)
        contents = {place: (Path(folder or ".") / place).read_bytes() for place in files}
        for place, content in contents.items():
            write_whole(slot / Path(place).name, content)
        body = {
            "name": name,
            "key": key,
            "seconds": result.seconds,
            "files": {place: sha256(content).hexdigest() for place, content in contents.items()},
            "document": result.document,
        }
        text = json.dumps(body, ensure_ascii=False, allow_nan=False)
        write_whole(slot / "result.json", f"{sha256(text.encode()).hexdigest()}\n{text}\n".encode())


def _record(name: str) -> Mapping[str, Any] | None:
    slot = _slot(name)
    if slot is None:
        return None
    try:
        digest, _, text = (slot / "result.json").read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return None
    text = text.removesuffix("\n")
    if digest != sha256(text.encode()).hexdigest():
        return None
    found: Mapping[str, Any] = json.loads(text)
    whole = {"name", "key", "seconds", "files", "document"} <= set(found)
    return found if whole and found["name"] == name else None


def _slot(name: str) -> Path | None:
    home = cache_folder()
    return None if home is None else home / "results" / sha256(name.encode()).hexdigest()[:24]


def _digest_of(file: Path) -> str | None:
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError:
        return None
