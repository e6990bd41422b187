"""The engines' child processes: limits, ends, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import sympy as sp

from fedproof.proof.engines import engine_pair as pairs
from fedproof.proof.engines.engine_pair import EnginePair
from fedproof.proof.engines.engine_process import BACKSTOP, CRASH, EngineProcess
from fedproof.proof.engines.resource_limits import ENGINES, LIMITS, ORDERS
from fedproof.proof.engines.smt import prove
from fedproof.proof.engines.smtlib import refutation
from fedproof.vocabulary.errors import InternalError

pytestmark = pytest.mark.usefixtures("no_cache")
posix = pytest.mark.skipif(os.name != "posix", reason="signals and forks")
PLENTY = 10**9
#: seconds after which nothing is waited for any more, on the slowest machine
PATIENCE = 120.0

a, b, c, d = sp.symbols("a b c d", real=True)
POSITIVE = [v > 0 for v in (a, b, c, d)]
EASY = refutation(POSITIVE[:2], sp.sqrt(a * b) <= (a + b) / 2)
#: Nesbitt's inequality for four numbers keeps cvc5 busy for longer than any test lasts
STUCK = refutation(POSITIVE, a / (b + c) + b / (c + d) + c / (d + a) + d / (a + b) >= 2)


@pytest.fixture
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here engines are to be seen at work."""
    monkeypatch.setenv("FEDPROOF_CACHE", "off")


@pytest.fixture(params=ENGINES)
def child(request: pytest.FixtureRequest) -> Iterator[EngineProcess]:
    """An engine of its own, ended afterwards."""
    child = EngineProcess(request.param)
    yield child
    child.stop()


def fewest(child: EngineProcess, text: str) -> int:
    """The fewest units of work with which the engine answers."""
    low, high = 0, 2**20
    assert child.ask(text, high) == "unsat"
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if child.ask(text, middle) == "unsat" else (middle, high)
    return high


def process(child: EngineProcess) -> subprocess.Popen[bytes]:
    """The process that runs now."""
    child.ask(EASY, PLENTY)
    assert child._process is not None
    return child._process


def state(pid: int, column: str) -> str:
    """What `ps` says of a process; nothing where there is none."""
    done = subprocess.run(["ps", "-o", f"{column}=", "-p", str(pid)], capture_output=True, text=True)
    return done.stdout.strip()


def comes(happened: Callable[[], bool]) -> bool:
    """Whether it happens; a loaded machine is waited for."""
    end = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def gone(pid: int) -> bool:
    """Whether a process ends."""
    return comes(lambda: state(pid, "stat")[:1] in ("", "Z"))


def think(pids: list[int]) -> bool:
    """Whether one of some processes spends processor time that it had not spent when first looked at."""
    before = [state(pid, "time") for pid in pids]
    return comes(lambda: [state(pid, "time") for pid in pids] != before)


def test_work_is_counted_not_timed(child: EngineProcess) -> None:
    """The least work that suffices is the same before and after other questions, and in another process."""
    least = fewest(child, EASY)
    child.ask(refutation([a > 1], a**3 > 1), PLENTY)
    child.ask(STUCK, 300)
    again = EngineProcess(child.engine)

    for engine in (child, again):
        assert engine.ask(EASY, least) == "unsat"
        assert engine.ask(EASY, least - 1) == "unknown (limit)"


def test_questions_do_not_hear_of_each_other(child: EngineProcess) -> None:
    """What one question declares and asserts is unknown to the next."""
    false = "(declare-const $x Real) (assert (< (* $x $x) 0)) (check-sat)"

    assert [child.ask(text, PLENTY) for text in (false, false)] == ["unsat", "unsat"]
    assert child.ask("(declare-const $x Bool) (assert $x) (check-sat)", PLENTY) == "sat"
    assert child.ask("(assert (> $x 0)) (check-sat)", PLENTY).startswith("unreadable:")


def test_the_same_process_answers_again(child: EngineProcess) -> None:
    """An engine is started once, not for each question."""
    assert process(child).pid == process(child).pid


@posix
def test_a_stuck_engine_is_ended_by_its_own_alarm() -> None:
    """Processor time ends what heeds no limit; the next question goes to another process."""
    child = EngineProcess("cvc5", seconds=0.3)

    assert child.ask(STUCK, PLENTY) == BACKSTOP
    assert child.ask(EASY, PLENTY) == "unsat"


def test_a_stuck_engine_can_be_stopped_from_outside() -> None:
    """The parent kills and starts anew."""
    child = EngineProcess("cvc5")
    timer = threading.Timer(0.5, child.stop)
    timer.start()

    assert child.ask(STUCK, PLENTY) == BACKSTOP
    assert child.ask(EASY, PLENTY) == "unsat"
    timer.join()


@posix
def test_an_engine_that_dies_says_so(child: EngineProcess) -> None:
    """Killed while idle it is replaced; killed while thinking it has crashed, which proves nothing."""
    first = process(child)
    first.kill()
    assert process(child).pid != first.pid

    other = EngineProcess(child.engine, seconds=60.0)
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(other.ask, STUCK, PLENTY)
        while other._process is None:
            time.sleep(0.01)
        time.sleep(0.5)
        other._process.kill()
        assert answer.result() == CRASH
    assert other.ask(EASY, PLENTY) == "unsat"


@posix
def test_memory_is_limited(child: EngineProcess) -> None:
    """A question that needs more memory than there may be is left open, and the next one is answered."""
    names = [f"$x{i}" for i in range(30_000)]
    large = "".join(f"(declare-const {n} Real)(assert (> (* {n} {n}) {i}))" for i, n in enumerate(names))
    child.memory = 120 << 20

    assert child.ask(large + "(check-sat)", PLENTY) in ("unknown (memory)", CRASH)
    assert child.ask(EASY, PLENTY) == "unsat"


def test_an_answer_to_another_question_is_not_taken() -> None:
    """An answer that nobody waited for is never read as that to the next question."""
    child = EngineProcess("z3")
    sat = refutation([a > 0], a > 1).encode()
    stdin = process(child).stdin
    assert stdin is not None
    stdin.write(b"77 1000000 5 %d\n%b" % (len(sat), sat))

    assert child.ask(EASY, PLENTY) == "unsat"
    assert child.ask(EASY, PLENTY) == "unsat"


def test_what_no_engine_can_read_is_our_mistake() -> None:
    """Text that is no SMT-LIB breaks off with an error of ours, not with unknown."""
    with pytest.raises(InternalError, match="z3: unreadable"):
        EnginePair().ask("(assert (> x", 1.0)


def test_an_engine_that_does_not_start_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Without its library an engine is unavailable, and no verdict is given."""
    (tmp_path / "cvc5.py").write_text("raise ImportError('no such engine')")  # type: ignore[attr-defined]
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    with pytest.raises(InternalError, match="cvc5: unavailable: no such engine"):
        EnginePair().ask(EASY, 1.0)


def test_a_folder_full_of_impostors_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """A file named like an engine in the folder we are started in is not run."""
    for name in ("z3.py", "cvc5.py", "resource.py"):
        (tmp_path / name).write_text("raise SystemExit")  # type: ignore[operator]
    monkeypatch.chdir(str(tmp_path))

    assert EnginePair().ask(EASY, 4.0) == {"z3": "unsat", "cvc5": "unsat"}


# How long the pair waits, with engines of the test's making.


class Scripted(EngineProcess):
    """Says what the script says; None thinks until stopped."""

    script: dict[str, str | None] = {}  # noqa: RUF012
    asked: list[str] = []  # noqa: RUF012
    texts: list[str] = []  # noqa: RUF012

    def __init__(self, engine: str, seconds: float) -> None:
        super().__init__(engine, seconds)
        self.halt = threading.Event()

    def ask(self, text: str, units: int) -> str:
        """The scripted answer."""
        self.asked.append(self.engine)
        self.texts.append(text)
        said = self.script[self.engine]
        if said is None:
            self.halt.wait(20)
            self.halt.clear()
        return said or BACKSTOP

    def stop(self) -> None:
        """No longer think."""
        self.halt.set()


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> type[Scripted]:
    """Engines that follow a script."""
    monkeypatch.setattr(pairs, "EngineProcess", Scripted)
    monkeypatch.setattr(Scripted, "asked", [])
    monkeypatch.setattr(Scripted, "texts", [])
    return Scripted


def timed(pair: EnginePair, seconds: float = 1.0) -> tuple[dict[str, str], float]:
    """Answers and how long they took."""
    start = time.monotonic()
    return pair.ask(EASY, seconds), time.monotonic() - start


@pytest.mark.parametrize(
    ("said", "wall", "grace", "waited"),
    [
        ("unsat", 0.5, 0.0, 0.5),
        ("unknown (limit)", 30.0, 0.3, 0.3),
        ("unknown", 30.0, 0.3, 0.3),
        ("sat", 30.0, 30.0, 0.0),
    ],
)
def test_patience_depends_on_what_may_still_come_of_it(
    said: str, wall: float, grace: float, waited: float, scripted: type[Scripted]
) -> None:
    """A stuck engine has all its time while a proof is possible, less for a counterexample, else none."""
    scripted.script = {"z3": said, "cvc5": None}
    answers, took = timed(EnginePair(wall=wall, grace=grace, check=0.0))

    assert answers == {"z3": said, "cvc5": BACKSTOP}
    assert waited <= took < waited + 10.0


def test_an_engine_that_heeds_its_limit_is_waited_for(scripted: type[Scripted]) -> None:
    """What the other says does not shorten it, so that its answer is the same on a slow machine."""
    scripted.script = {"z3": None, "cvc5": "sat"}

    assert timed(EnginePair(wall=0.5, grace=0.0, check=0.0))[1] >= 0.5


def test_patience_is_spent_once(scripted: type[Scripted]) -> None:
    """Asked again with more work, a question that an engine was stuck at does not cost the time again."""
    scripted.script = {"z3": "unknown (limit)", "cvc5": None}
    pair = EnginePair(wall=2.0, grace=1.0)
    timed(pair, 1.0)
    assert timed(pair, 2.0)[1] < 0.9

    scripted.script["z3"] = "unsat"
    assert 0.9 <= timed(pair, 3.0)[1] < 1.9
    assert timed(pair, 4.0)[1] < 0.9
    assert scripted.asked.count("z3") == 4
    assert scripted.asked[-1] == "z3"


def test_answers_are_remembered(scripted: type[Scripted]) -> None:
    """The same question with the same limit is put once; a crash is tried again."""
    scripted.script = {"z3": "unknown (limit)", "cvc5": CRASH}
    pair = EnginePair()

    for seconds in (1.0, 1.0, 2.0):
        assert pair.ask(EASY, seconds) == scripted.script
    assert [scripted.asked.count(e) for e in ENGINES] == [2, 3]


def test_an_engine_that_its_alarm_ended_is_asked_in_other_orders(scripted: type[Scripted]) -> None:
    """Each order is another text with the same lines; when all have failed it is not asked again."""
    scripted.script = {"z3": "unsat", "cvc5": BACKSTOP}
    pair = EnginePair()
    text = refutation(POSITIVE, a + b + c + d > 0)

    assert pair.ask(text, 1.0) == {"z3": "unsat", "cvc5": BACKSTOP}
    assert [scripted.asked.count(e) for e in ENGINES] == [1, ORDERS]
    assert scripted.texts.count(text) == 2
    assert len(set(scripted.texts)) == ORDERS
    assert {tuple(sorted(t.splitlines())) for t in scripted.texts} == {tuple(sorted(text.splitlines()))}

    assert pair.ask(text, 9.0)["cvc5"] == BACKSTOP
    assert scripted.asked.count("cvc5") == ORDERS


def test_limits_grow_with_what_is_asked() -> None:
    """More seconds mean more units, never none, which engines read as no limit."""
    for limit in LIMITS.values():
        assert 1 == limit.of(0) <= limit.of(1e-9) <= limit.of(4) < limit.of(20)


# With the world around.


def test_threads_may_ask_at_once() -> None:
    """Eight threads get each the answer to its own question."""

    def asked(n: int) -> bool:
        return prove([a > n], a**2 >= n**2 + (n % 2) * 2 * n + n % 2).proved == prove([a > n], a > n).proved

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(asked, range(24))) == [n % 2 == 0 for n in range(24)]


SCRIPT = """
import os, signal, sys, time, sympy as sp
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
from fedproof.proof.engines.engine_pair import engine_pair
from fedproof.proof.engines.smt import prove
x = sp.Symbol("x", real=True)
assert prove([x > 1], x**2 > 1).proved
print(*(c._process.pid for c in engine_pair()._children.values()), flush=True)
"""
FORK = """
child = os.fork()
if not child:
    os._exit(0 if prove([x > 2], x**2 > 4).proved else 1)
assert os.waitpid(child, 0)[1] == 0
assert prove([x > 3], x**2 > 9).proved
print(*(c._process.pid for c in engine_pair()._children.values()), flush=True)
"""
THINK = """
engine_pair().ask(sys.stdin.read(), 1e6)
"""


def script(rest: str, stdin: str = "") -> subprocess.Popen[str]:
    """A program of its own that asks the engines and goes on."""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", SCRIPT + rest]
    pipe = subprocess.PIPE
    done = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    assert done.stdin is not None
    done.stdin.write(stdin)
    done.stdin.close()
    done.stdin = None
    return done


def pids(program: subprocess.Popen[str]) -> list[int]:
    """The engines' processes that a program has printed."""
    assert program.stdout is not None
    found = [int(p) for p in program.stdout.readline().split()]
    assert len(found) == 2
    return found


@posix
@pytest.mark.parametrize("rest", ["", "os._exit(0)", "raise SystemExit(0)"])
def test_engines_end_with_the_program(rest: str) -> None:
    """However it ends, no engine outlives it, and nothing is said on stderr."""
    program = script(rest)
    engines = pids(program)

    assert program.communicate(timeout=PATIENCE) == ("", "")
    assert all(gone(pid) for pid in engines)


@posix
def test_engines_end_when_the_program_is_killed() -> None:
    """Idle engines see the end of their input."""
    program = script("time.sleep(60)")
    engines = pids(program)
    program.kill()
    program.communicate(timeout=PATIENCE)

    assert all(gone(pid) for pid in engines)


@posix
def test_an_interrupt_ends_a_thinking_engine() -> None:
    """Ctrl-C, which reaches the whole group, ends program and engines at once, with Python's own report."""
    program = script(THINK, STUCK)
    engines = pids(program)
    assert think(engines)
    os.killpg(program.pid, signal.SIGINT)
    said = program.communicate(timeout=PATIENCE)[1]

    assert "KeyboardInterrupt" in said or program.returncode == -signal.SIGINT
    assert all(gone(pid) for pid in engines)


@posix
def test_a_fork_has_engines_of_its_own() -> None:
    """Parent and fork both get their answers, and the parent keeps its engines."""
    program = script(FORK)
    before, after = pids(program), pids(program)

    assert program.communicate(timeout=PATIENCE) == ("", "")
    assert before == after
