"""What a stopped command leaves: files that are whole or none, records that others begin with, no process."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

#: seconds that a process, or its files in memory, may outlive the one that started it
PATIENCE = 5.0
#: what of a figure's record is another number each time
_CLOCK = ("seconds",)


def contents(folder: Path) -> dict[str, Any]:
    """What every file says, by its place; what a kill left unfinished under a hidden name is none.

    Raises: ValueError for a file that is not whole, with its place.
    """
    found = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not unfinished(p)):
        place = str(path.relative_to(folder))
        try:
            found[place] = _READ.get(path.suffix, bytes)(path.read_bytes())
        except (ValueError, SyntaxError, AssertionError) as error:
            raise ValueError(f"{place} is not whole: {type(error).__name__} {error}"[:200]) from None
    return found


def unfinished(path: Path) -> bool:
    """Whether a file, or the folder that it lies in, has a name of what is being written."""
    return any(part.startswith(".") and part.endswith(".tmp") for part in path.parts)


def _json(data: bytes) -> Any:
    document = json.loads(data)
    if isinstance(document, dict) and "sha256" in document and "format" in document:
        rest = {name: value for name, value in document.items() if name != "sha256"}
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == document["sha256"], "the seal is wrong"
    if isinstance(document, dict):
        document = {name: value for name, value in document.items() if name not in _CLOCK}
    return document


def _svg(data: bytes) -> bytes:
    ElementTree.fromstring(data)
    return data


def _csv(data: bytes) -> bytes:
    lines = _ended(data).decode().splitlines()
    assert len({line.count(",") for line in lines if '"' not in line}) <= 1, "a line cut short"
    return data


def _python(data: bytes) -> bytes:
    compile(_ended(data), "written", "exec")
    return data


def _ended(data: bytes) -> bytes:
    assert not data or data.endswith(b"\n"), f"ends in {data[-20:]!r}"
    return data


def _ending(sign: bytes) -> Callable[[bytes], bytes]:
    def read(data: bytes) -> bytes:
        assert sign in data[-40:], f"ends in {data[-20:]!r}"
        return data

    return read


_READ: Mapping[str, Callable[[bytes], Any]] = {
    ".json": _json, ".svg": _svg, ".csv": _csv, ".py": _python, ".png": _ending(b"IEND"),
    ".pdf": _ending(b"%%EOF"), ".html": _ending(b"</html>"), ".md": _ended, ".smt2": _ended,
}  # fmt: skip


def difference(found: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    """In what a folder differs from an undisturbed one; shorter records of the same runs may lie beside it.

    >>> difference({"a.csv": 1}, {"a.csv": 1, "b.csv": 2})
    'missing b.csv'
    """
    if missing := sorted(set(whole) - set(found)):
        return f"missing {', '.join(missing[:3])}"
    if other := sorted(place for place in whole if found[place] != whole[place]):
        return f"other bits in {', '.join(other[:3])}"
    for place in sorted(set(found) - set(whole)):
        run = place.rpartition("-")[0]
        longer = [whole[p] for p in whole if run and p.rpartition("-")[0] == run]
        if not any(begins(found[place], record) for record in longer):
            return f"{place} belongs to nothing"
    return ""


def begins(short: Any, long: Any) -> bool:
    """Whether a record is, to the bit, the first rounds of a longer one."""
    rounds = short["rounds"]
    if not 0 < rounds < long["rounds"] or short["requested"] != rounds:
        return False
    counted = ("uplink_bits", "downlink_bits", "gradients")
    cut = {name: long[name][:rounds] for name in counted}
    cut["metrics"] = {name: values[: rounds + 1] for name, values in long["metrics"].items()}
    cut |= {"rounds": rounds, "requested": rounds, "job": long["job"] | {"rounds": rounds}}
    apart = {"sha256", "state"}
    return {k: v for k, v in (long | cut).items() if k not in apart} == {
        k: v for k, v in short.items() if k not in apart
    }


def living(session: int) -> list[int]:
    """The processes of a session, none that is only waiting to be counted."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, *rest = stat.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if state != "Z" and int(rest[2]) == session:
            found.append(int(stat.parent.name))
    return found


def in_memory(pid: int) -> list[str]:
    """What lies in shared memory under a process's number."""
    return [name for name in os.listdir("/dev/shm") if re.search(rf"(?<!\d){pid}(?!\d)", name)]


def left(pid: int, temporary: Path | None = None, before: Collection[str] = ()) -> str:
    """What is still there a while after a process has ended; "" where nothing is.

    Arguments:
        temporary: its folder for temporary files.
        before: names in shared memory that were there before, of an older process of the same number.
    """
    until = time.monotonic() + PATIENCE
    while True:
        files = sorted(p.name for p in temporary.iterdir()) if temporary else []
        processes, memory = living(pid), [name for name in in_memory(pid) if name not in before]
        if not (files or processes or memory):
            return ""
        if time.monotonic() > until:
            break
        time.sleep(0.1)
    for one in processes:
        os.kill(one, 9)
    return f"left: processes {processes}, in memory {memory[:3]}, temporary files {files[:3]}"
