"""A Dask cluster of real processes on this machine, which answer on the loopback alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

#: starts a command with the environment's own interpreter, whatever else is on the path
_DASK = [sys.executable, "-m", "dask"]
_LIMIT = 180.0


@dataclass
class Machines:
    """A scheduler and its workers, each a process that can be killed."""

    folder: Path
    scheduler: subprocess.Popen[bytes]
    address: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add(self, threads: int = 1, **env: str) -> None:
        """Start another worker; without a nanny, so that one that is killed stays away."""
        words = ["worker", self.address, "--nthreads", str(threads), "--no-nanny", "--no-dashboard"]
        words += ["--death-timeout", "60", "--host", "127.0.0.1", "--local-directory", str(self.folder)]
        self.workers.append(_started(words, **env))

    def complete(self) -> None:
        """Wait until all workers are there."""
        from distributed import Client

        with Client(self.address, timeout=_LIMIT, set_as_default=False) as client:
            client.wait_for_workers(len(self.workers), timeout=_LIMIT)


def _started(words: list[str], **env: str) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen([*_DASK, *words], stdout=quiet, stderr=quiet, env={**os.environ, **env})


@contextmanager
def machines(folder: Path, workers: int = 2) -> Iterator[Machines]:
    """A cluster of so many workers; all of its processes are gone afterwards."""
    told = folder / "scheduler.json"
    words = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--idle-timeout", "900"]
    scheduler = _started([*words, "--scheduler-file", str(told)])
    made = None
    try:
        since = time.monotonic()
        while not told.exists() or not told.read_text():
            assert scheduler.poll() is None
            assert time.monotonic() - since < _LIMIT
            time.sleep(0.1)
        made = Machines(folder, scheduler, json.loads(told.read_text())["address"])
        for _ in range(workers):
            made.add()
        if workers:
            made.complete()
        yield made
    finally:
        for process in (*(made.workers if made else ()), scheduler):
            process.send_signal(signal.SIGKILL)
            process.wait()
