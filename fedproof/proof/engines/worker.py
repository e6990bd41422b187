"""Child process of one engine: questions on stdin, one line of answer each, until stdin ends.

It runs as a file of its own and imports nothing of fedproof. A question is a line "NUMBER UNITS SECONDS
LENGTH" and then LENGTH bytes of SMT-LIB text; its answer begins with the same number. Each is put to the
engine in a state of its own, so that neither the answer nor the work it takes depends on what was asked
before.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

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
            return _unreadable(str(problem))
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
            return _unreadable(str(problem))
        if said in ("sat", "unsat"):
            return said
        return _unknown(said) if said.startswith("unknown") else _unreadable(said)

    return ask


def _engine(name: str) -> Callable[[str, int], str]:
    """How to ask an engine; one that does not start says so at every question."""
    try:
        return {"z3": _z3, "cvc5": _cvc5}[name]()
    except Exception as problem:
        said = f"{UNAVAILABLE}: {problem}"
        return lambda text, units: said


def _unknown(reason: str) -> str:
    if "resource" in reason.lower():
        return LIMIT
    return OUT_OF_MEMORY if _about_memory(reason) else "unknown"


def _unreadable(problem: str) -> str:
    return OUT_OF_MEMORY if _about_memory(problem) else f"{UNREADABLE}: {problem[:200]}"


def _about_memory(reason: str) -> bool:
    return any(word in reason.lower() for word in ("memory", "memout", "bad_alloc"))


def _confine(memory: int) -> None:
    """Limit memory; leave Ctrl-C to the parent, whose end closes stdin; write no core files."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGPROF"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _alarm(seconds: float) -> None:
    """End this process after so much processor time; 0 turns the alarm off."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _answers() -> BinaryIO:
    """Our own way to the parent; what an engine prints goes to stderr."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return out


def _say(out: BinaryIO, number: int, answer: str) -> None:
    out.write(f"{number} {' '.join(answer.split())}\n".encode())
    out.flush()


def main(engine: str, memory: int) -> None:
    """Answer until stdin ends, memory runs out or the alarm goes off."""
    _confine(memory)
    out = _answers()
    ask = _engine(engine)
    while header := sys.stdin.buffer.readline():
        number, units, seconds, length = header.split()
        text = sys.stdin.buffer.read(int(length)).decode()
        _alarm(float(seconds))
        try:
            answer = ask(text, int(units))
        except MemoryError:
            answer = OUT_OF_MEMORY
        _alarm(0)
        _say(out, int(number), answer)
        if answer == OUT_OF_MEMORY:
            return


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
