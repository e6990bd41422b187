"""Child process of one engine: SMT-LIB text on stdin, its answer on the first line of stdout."""

from __future__ import annotations

import resource
import sys

MEMORY = 2 << 30


def _z3(text: str) -> str:
    import z3

    solver = z3.SolverFor("QF_NRA")
    solver.set("rlimit", 40_000_000)
    solver.from_string(text.replace("(check-sat)", "").replace("(get-model)", ""))
    return str(solver.check())


def _cvc5(text: str) -> str:
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("nl-cov", "true")
    solver.setOption("rlimit", "40000000")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text.replace("(get-model)", ""), "query")
    symbols = parser.getSymbolManager()
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer += str(command.invoke(solver, symbols))
    return answer.strip()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    engine = {"z3": _z3, "cvc5": _cvc5}[sys.argv[1]]
    sys.stdout.write(engine(sys.stdin.read()) + "\n")
