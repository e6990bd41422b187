"""One engine in a child process that lives as long as we do, and is killed and started anew when stuck."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import weakref
from pathlib import Path
from threading import Lock

__all__ = ["BACKSTOP", "CRASH", "FAILURES", "Child"]

BACKSTOP, CRASH = "unknown (backstop)", "unknown (crash)"
#: answers that are none: the text is no SMT-LIB, or the engine does not start
FAILURES = ("unreadable:", "unavailable:")
_WORKER = Path(__file__).with_name("worker.py")
_ALARM = -getattr(signal, "SIGPROF", 0)

_Process = subprocess.Popen[bytes]


def _start(engine: str) -> _Process:
    """-P: nothing in the folder we were started in may pass for an engine."""
    return subprocess.Popen(
        [sys.executable, "-P", "-W", "ignore", str(_WORKER), engine],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _end(process: _Process, owner: int) -> None:
    """Kill and reap, unless we are a fork of the process that owns it."""
    if os.getpid() == owner:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # what was not sent yet can no longer be
                continue


class Child:
    """The process of one engine, started at the first question.

    Arguments:
        engine: "z3" or "cvc5".
        seconds: of processor time after which a question is given up.

    >>> Child("z3").ask("(declare-const x Real) (assert (< (* x x) 0)) (check-sat)", 1000)
    'unsat'
    """

    def __init__(self, engine: str, seconds: float = 60.0) -> None:
        self.engine, self.seconds = engine, seconds
        self._lock = Lock()
        self._process: _Process | None = None
        self._end: weakref.finalize[[_Process, int], Child] | None = None
        self._killed = False

    def ask(self, text: str, units: int) -> str:
        """The engine's answer to SMT-LIB text within a number of its own units of work.

        Returns: "sat", "unsat", "unknown (limit)" after so many units, "unknown (memory)", "unknown
            (backstop)" when stopped by a clock, "unknown (crash)", plain "unknown" when the engine gave up,
            or "unreadable: ..." and "unavailable: ...".
        """
        with self._lock:
            process = self._running()
            body = text.encode()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(b"%d %g %d\n" % (units, self.seconds, len(body)) + body)
                process.stdin.flush()
                answer = process.stdout.readline().decode().strip()
            except OSError:
                answer = ""
            if answer:
                return answer
            status = process.wait()
            self._forget()
            return BACKSTOP if self._killed or status == _ALARM else CRASH

    def stop(self) -> None:
        """End the process, whatever it is doing; another is started at the next question."""
        self._killed = True
        if self._process is not None:
            self._process.kill()

    def _running(self) -> _Process:
        if self._process is None or self._process.poll() is not None:
            self._forget()
            self._process = _start(self.engine)
            self._end = weakref.finalize(self, _end, self._process, os.getpid())
        self._killed = False
        return self._process

    def _forget(self) -> None:
        if self._end is not None:
            self._end()
        self._process = self._end = None
