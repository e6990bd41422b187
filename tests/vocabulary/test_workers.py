"""Workers end when the process that started them is killed, and leave nothing in shared memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fedproof.vocabulary import workers
from fedproof.vocabulary.workers import followed

#: it says who works for it, then waits to be killed
PARENT = """
import os, time
from joblib import Parallel, delayed
from fedproof.vocabulary.workers import followed
def who(_):
    time.sleep(0.2)
    return os.getpid()
own = os.getpid()
many = Parallel(n_jobs=2)(delayed({what}) for k in range(6))
print(*sorted(set(many)), flush=True)
time.sleep(60)
"""
SHARED = Path("/dev/shm")


def alive(pid: int) -> bool:
    """Whether a process is there and runs."""
    state = Path(f"/proc/{pid}/stat")
    try:
        return state.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def killed(what: str) -> tuple[int, list[int]]:
    """A process with two workers after SIGKILL: its number, and those of its workers."""
    child = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(what=what)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    found = [int(pid) for pid in child.stdout.readline().split()]
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    return child.pid, found


def gone(pids: list[int], seconds: float) -> bool:
    """Whether all of them end within so many seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not any(map(alive, pids)):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_workers_follow_who_started_them() -> None:
    """After a kill both workers end within seconds, and what they held of shared memory is given back."""
    parent, found = killed("followed)(own, who, k")

    assert len(found) == 2
    assert gone(found, 20)
    for _ in range(100):
        if not [p for p in SHARED.glob("*") if str(parent) in p.name]:
            break
        time.sleep(0.1)
    assert [p.name for p in SHARED.glob("*") if str(parent) in p.name] == []


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_without_it_they_stay() -> None:
    """The same work sent as it is leaves its workers behind: the test above can fail."""
    _, found = killed("who)(k")
    left = not gone(found, 3)
    for pid in found:
        os.kill(pid, signal.SIGKILL)

    assert left


def test_nobody_follows_himself_or_a_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where work is done by who sends it, or on another machine, no thread is started."""
    monkeypatch.setattr(workers, "Thread", None)

    assert followed(os.getpid(), max, 1, 2) == 2
    assert followed(os.getppid() + 10**9, max, 3, 4) == 4
