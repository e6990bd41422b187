"""One engine in a child process that lives as long as we do, and is killed and started anew when stuck."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from pathlib import Path

from fedproof.proof.engines.resource_limits import CPU, MEMORY

BACKSTOP, CRASH = "unknown (backstop)", "unknown (crash)"
#: answers that are none: the text is no SMT-LIB, or the engine does not start
FAILURES = ("unreadable:", "unavailable:")
_WORKER = Path(__file__).with_name("worker.py")
_ALARM = -getattr(signal, "SIGPROF", 0)

_Process = subprocess.Popen[bytes]


def _end(process: _Process, owner: int) -> None:
    """Kill and reap, unless we are a fork of the process that owns it."""
    if os.getpid() == owner:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # what was not sent yet can no longer be
                pipe.close()


class EngineProcess:
    """The process of one engine, started at the first question.

    Arguments:
        engine: "z3" or "cvc5".
        seconds: of processor time after which a question is given up.
        memory: bytes of address space.

    >>> EngineProcess("z3").ask("(declare-const x Real) (assert (< (* x x) 0)) (check-sat)", 1000)
    'unsat'
    """

    def __init__(self, engine: str, seconds: float = CPU, memory: int = MEMORY) -> None:
        self.engine, self.seconds, self.memory = engine, seconds, memory
        self._process: _Process | None = None
        self._ending: weakref.finalize[[_Process, int], EngineProcess] | None = None
        self._stopped = False
        self._number = 0

    def ask(self, text: str, units: int) -> str:
        """The engine's answer to SMT-LIB text within a number of its own units of work.

        Meanwhile another thread may `stop` it.

        Returns: "sat", "unsat", "unknown (limit)" after so many units, "unknown (memory)", "unknown
            (backstop)" when stopped by a clock, "unknown (crash)", plain "unknown" when the engine gave up,
            or "unreadable: ..." and "unavailable: ...".
        """
        if self._stopped or (self._process is not None and self._process.poll() is not None):
            self._forget()
        self._stopped = False
        self._number += 1
        body = text.encode()
        question = b"%d %d %g %d\n" % (self._number, units, self.seconds, len(body)) + body
        fresh = self._process is None
        answer = self._answer(question)
        if answer == CRASH and not fresh:  # it may have died before it was asked
            answer = self._answer(question)
        return answer

    def stop(self) -> None:
        """End the process, whatever it is doing; another is started at the next question."""
        self._stopped = True
        process = self._process
        if process is not None:
            process.kill()

    def _answer(self, question: bytes) -> str:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):  # a child that has died is noticed below
            process.stdin.write(question)
            process.stdin.flush()
        number, _, answer = process.stdout.readline().decode().strip().partition(" ")
        if number == str(self._number) and answer:
            return answer
        status = process.wait() if not number else 0
        self._forget()
        return BACKSTOP if self._stopped or status == _ALARM else CRASH

    def _running(self) -> _Process:
        if self._process is None:
            # -P: nothing in the folder we were started in may pass for an engine
            command = [sys.executable, "-P", "-W", "ignore", str(_WORKER), self.engine, str(self.memory)]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
            self._ending = weakref.finalize(self, _end, self._process, os.getpid())
        if self._stopped:
            self._process.kill()
        return self._process

    def _forget(self) -> None:
        if self._ending is not None:
            self._ending()
        self._process = self._ending = None
