"""Workers end when the process that started them is killed, and leave nothing in shared memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fedproof.solvers.runs import workers
from fedproof.solvers.runs.workers import follow

#: it says who works for it, then waits to be killed
PARENT = """
import os, time
from joblib import Parallel, delayed
from fedproof.solvers.runs.workers import follow
def who(_):
    time.sleep(0.2)
    return os.getpid()
begin = {{"initializer": follow, "initargs": (os.getpid(),)}} if {follows} else {{}}
many = Parallel(n_jobs=2, **begin)(delayed(who)(k) for k in range(6))
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


def killed(follows: bool) -> tuple[int, list[int]]:
    """A process with two workers after SIGKILL: its number, and those of its workers."""
    child = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(follows=follows)], stdout=subprocess.PIPE, text=True
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
    parent, found = killed(True)

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
    _, found = killed(False)
    left = not gone(found, 3)
    for pid in found:
        os.kill(pid, signal.SIGKILL)

    assert left


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_worker_that_begins_after_the_end_of_its_parent_ends() -> None:
    """Killed while its worker was starting, before any work was sent, a process leaves none either."""
    follows = "import time; from fedproof.solvers.runs.workers import follow; follow({}); time.sleep(60)"
    late = subprocess.Popen([sys.executable, "-c", follows.format(2**22 + 1)])

    assert late.wait(timeout=30) == 1


#: two workers, whose interpreters take a second to start
INTERRUPTED = """
import os, signal, sys, time
from joblib import Parallel, delayed
from fedproof.solvers.runs.workers import follow, starting_workers
signal.signal(signal.SIGINT, signal.default_int_handler)
begin = {"initializer": follow, "initargs": (os.getpid(),)}
held = starting_workers()
if sys.argv[1:] == ["held"]:
    held.__enter__()
many = Parallel(n_jobs=2, return_as="generator_unordered", **begin)
found = many(delayed(time.sleep)(60) for k in range(2))
if sys.argv[1:] == ["held"]:
    held.__exit__(None, None, None)
print("up", flush=True)
try:
    list(found)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs POSIX signals")
@pytest.mark.parametrize("how", ["held", "plain"])
def test_an_interrupt_while_workers_start_is_not_told_by_them(how: str, tmp_path: Path) -> None:
    """Ctrl-C meets all processes of a command; held back until a worker begins, it says nothing there."""
    (tmp_path / "sitecustomize.py").write_text("import time; time.sleep(1.5)")
    where = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", os.getcwd())])
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, env=os.environ | {"PYTHONPATH": where},
    )  # fmt: skip
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(0.2)
    os.killpg(child.pid, signal.SIGINT)
    _, said = child.communicate(timeout=60)

    assert child.returncode == 130
    # since Python 3.13 an interpreter that is interrupted while it starts says only that it failed
    assert ("KeyboardInterrupt" in said or "Fatal Python error" in said) == (how == "plain")


def test_nobody_follows_himself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the work is done by who asks for it, no thread is started."""
    monkeypatch.setattr(workers, "Thread", None)

    follow(os.getpid())
