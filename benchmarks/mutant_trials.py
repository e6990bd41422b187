"""The trial of one mutant: the tests of its room, those most likely to notice it first, under a cap.

The cap is on processor time, of the tests and of what they start, so that other load does not count; the wall
may take twenty times that. A kill counts where the failed test passes on the unchanged tree.
"""

from __future__ import annotations

import ast
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.mutant_places import PACKAGE, Mutant, Place, Rooms, imported

#: Bytes a run may take, test files in its first part, wall time a second of processor time may take.
MEMORY, LIKELY, WALLS = 10 * 2**30, 4, 20

#: pytest's exit status where no test failed: all passed, or there was none.
PASSED = (0, 5)


@dataclass(frozen=True)
class Ran:
    """How pytest ended: status (None: cut off), the failed test, seconds of processor and wall, last line."""

    status: int | None
    failed: str
    processor: float
    wall: float
    last: str


def processes(first: int) -> dict[int, float]:
    """A living process and what it started, with their processor time and that of their ended children."""
    known: dict[int, tuple[int, int, float]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = entry.read_text().rpartition(")")[2].split()
            used = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
            known[int(entry.parent.name)] = int(fields[1]), int(fields[3]), used
    found, before = {first}, 0
    while len(found) > before:
        before = len(found)
        found |= {pid for pid, (parent, session, _) in known.items() if parent in found or session in found}
    return {pid: known[pid][2] for pid in found & known.keys()}


def pytest(tree: Path, arguments: list[str], cap: float, settings: dict[str, str]) -> Ran:
    """Run pytest in a session of its own until it ends or its processor time reaches the cap."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    environment = os.environ | {"PYTHONPATH": str(tree), **threads, **settings}
    start, used = time.monotonic(), 0.0
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryFile("w+") as out:
        reported = ["-x", "-v", "--tb=line", "-o", f"cache_dir={cache}"]
        child = subprocess.Popen(
            [sys.executable, "-m", "pytest", *reported, *arguments], cwd=tree, env=environment,
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        )  # fmt: skip
        try:
            while child.poll() is None and used < cap and time.monotonic() - start < WALLS * cap:
                time.sleep(0.2)
                used = max(used, sum(processes(child.pid).values()))
            status = child.poll()
        finally:
            _end(child)
        out.seek(0)
        lines = [line.strip() for line in out if line.strip()] or [""]
        noted = Path(cache, "v/cache/lastfailed")
        failed = next(iter(json.loads(noted.read_text())), "") if noted.exists() else ""
    return Ran(status, failed, used, time.monotonic() - start, lines[-1][:200])


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a process, if it lives, and what it started."""
    for process in processes(child.pid):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    child.wait()


def tests_of(rooms: Rooms, place: Place, folders: list[str]) -> list[str]:
    """The test files of a place's room, the likely first.

    That is by the imports that lead from the module they bear the name of, else from the nearest module they
    import, to the place; then those that name the function; then the smaller.
    """
    distances, far = rooms.importers(place.path), len(rooms.lines)
    function = rooms.function(place).split(".")[-1]

    def unlikeness(path: Path) -> tuple[float, bool, int]:
        text = path.read_text()
        named = [d for m, d in distances.items() if f"_{m.split('.')[-1]}_" in f"{path.stem}_"]
        needed = [distances[m] + 0.5 for m in imported(ast.parse(text)) & distances.keys()]
        return min([*named, *needed], default=far), not re.search(rf"\b{function}\b", text), len(text)

    found = {path for folder in folders for path in (rooms.tree / folder).glob("**/test_*.py")}
    return [str(path.relative_to(rooms.tree)) for path in sorted(sorted(found), key=unlikeness)]


@contextmanager
def changed(path: Path, text: str) -> Iterator[None]:
    """A file with another text; afterwards it is as it was, its time too."""
    old, times = path.read_bytes(), path.stat()
    try:
        path.write_text(text)
        yield
    finally:
        path.write_bytes(old)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def outcome(rooms: Rooms, place: Place, mutant: Mutant, tests: list[str], cap: float) -> dict[str, Any]:
    """What these tests make of a mutant at its place: how it ended, by which test, and what it took."""
    file = Path(PACKAGE, place.path)
    ran: list[Ran] = []
    with tempfile.TemporaryDirectory() as own:
        # Compiled code is kept by the file of its outermost function alone: what it calls may be the mutant.
        kernels = {"NUMBA_CACHE_DIR": own} if "kernels" in file.parts else {}
        with changed(rooms.tree / file, rooms.mutated(place, mutant.mutated)):
            for part in filter(None, ([str(file), *tests[:LIKELY]], tests[LIKELY:])):
                left = cap - sum(r.processor for r in ran)
                ran.append(pytest(rooms.tree, part, left, kernels))
                if ran[-1].status not in PASSED:
                    break
    last = ran[-1]
    return {
        "outcome": _word(rooms.tree, last, cap), "by": last.failed, "last": last.last, "parts": len(ran),
        "processor": round(sum(r.processor for r in ran), 1), "wall": round(sum(r.wall for r in ran), 1),
    }  # fmt: skip


def _word(tree: Path, ran: Ran, cap: float) -> str:
    """How a mutant ended; a test that fails on the unchanged tree too, or cannot be named, is no kill."""
    if ran.status in PASSED:
        return "survived"
    if ran.status is None:
        return "survived at the cap"
    if not ran.failed:
        return f"pytest ended with {ran.status}"
    only = [] if "::" in ran.failed else ["--collect-only"]
    return "killed" if pytest(tree, [*only, ran.failed], cap, {}).status in PASSED else "failed unchanged too"
