"""Child process of one engine: questions on stdin, one line of answer each, until stdin ends.

It runs as a file of its own and imports nothing of fedproof. A question is a line "UNITS SECONDS LENGTH"
and then LENGTH bytes of SMT-LIB text. Each is put to the engine in a state of its own, so that neither
the answer nor the work it takes depends on what was asked before.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

MEMORY = 2 << 30
LIMIT, OUT_OF_MEMORY = "unknown (limit)", "unknown (memory)"
UNREADABLE, UNAVAILABLE = "unreadable", "unavailable"


def _z3() -> Callable[[str, int], str]:
    import z3

    def ask(text: str, units: int) -> str:
        solver = z3.SolverFor("QF_NRA", ctx=z3.Context())
        solver.set("rlimit", units)
        try:
            solver.from_string(text.replace("(check-sat)", ""))
        except z3.Z3Exception as problem:
            return f"{UNREADABLE}: {problem}"
        try:
            answer = str(solver.check())
        except z3.Z3Exception as problem:
            return _unknown(str(problem))
        return answer if answer != "unknown" else _unknown(solver.reason_unknown())

    return ask


def _cvc5() -> Callable[[str, int], str]:
    import cvc5

    def ask(text: str, units: int) -> str:
        solver = cvc5.Solver(cvc5.TermManager())
        solver.setOption("nl-cov", "true")
        solver.setOption("rlimit", str(units))
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
        symbols = parser.getSymbolManager()
        said = ""
        try:
            while not (command := parser.nextCommand()).isNull():
                said += str(command.invoke(solver, symbols)).strip()
        except RuntimeError as problem:
            return f"{UNREADABLE}: {problem}"
        if said in ("sat", "unsat"):
            return said
        return _unknown(said) if said.startswith("unknown") else f"{UNREADABLE}: {said}"

    return ask


def _unknown(reason: str) -> str:
    reason = reason.lower().replace(" ", "")
    if "resource" in reason:
        return LIMIT
    return OUT_OF_MEMORY if "mem" in reason else "unknown"


def _confine() -> None:
    """Limit memory; leave Ctrl-C to the parent, whose end closes stdin; write no core files."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _within(seconds: float, question: Callable[[], str]) -> str:
    """An answer within so much processor time; beyond it the alarm ends this process."""
    if not hasattr(signal, "setitimer"):
        return question()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return question()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _answers() -> BinaryIO:
    """Our own way to the parent; what an engine prints goes to stderr."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return out


def _say(out: BinaryIO, answer: str) -> None:
    out.write(" ".join(answer.split()).encode() + b"\n")
    out.flush()


def main(engine: str) -> None:
    """Answer until stdin ends, memory runs out or the alarm goes off."""
    _confine()
    out = _answers()
    try:
        ask = {"z3": _z3, "cvc5": _cvc5}[engine]()
    except Exception as problem:
        _say(out, f"{UNAVAILABLE}: {problem}")
        return
    while header := sys.stdin.buffer.readline():
        units, seconds, length = header.split()
        text = sys.stdin.buffer.read(int(length)).decode()
        try:
            answer = _within(float(seconds), lambda text=text, units=units: ask(text, int(units)))
        except MemoryError:
            answer = OUT_OF_MEMORY
        _say(out, answer)
        if answer == OUT_OF_MEMORY:
            return


if __name__ == "__main__":
    main(sys.argv[1])
