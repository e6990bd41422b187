"""Commands that are killed or interrupted at a random moment, and then asked again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.fuzz import leftovers

#: that Python is up and has read where the command begins: what comes earlier is the interpreter's own;
#: a shell lets what it starts in the background ignore interrupts, and all that this starts would do so too
_UP = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from fedproof.start import main; print('up', flush=True); sys.exit(main())"
)
#: where a case writes, from the folder in which it runs
OUT = "out"


@dataclass(frozen=True)
class Case:
    """A command.

    Arguments:
        line: its words; it writes where `OUT` is among them.
        span: seconds, about what it takes: it is stopped within these.
        again: whether it is short enough to be asked again.
    """

    line: tuple[str, ...]
    span: float
    again: bool = True

    @property
    def writes(self) -> bool:
        """Whether it writes files."""
        return any(OUT in word.split("/") for word in self.line)


def _case(line: str, span: float, again: bool = True) -> Case:
    return Case(tuple(line.split()), span, again)


SWEEP = _case(f"sweep fedavg tau=2,3 --problem quadratic --rounds 3 --seeds 40 -o {OUT} --quiet", 2.5)
_TWO = _case(
    f"sweep fedavg tau=20,30 --problem quadratic --rounds 40 --seeds 25 --workers 2 -o {OUT} --quiet", 9
)
_FIGURE4 = "figure fedproxvr.figure4 clients=4 mu=0,2 stepsize=0.3 tau=3 rounds=4 seeds=2 --quiet"
#: what writes, the cheap more often
WRITERS = (
    SWEEP, SWEEP, _TWO, _TWO,
    _case(f"figure fedproxvr.figure1 points=3 --fmt svg,png,pdf -o {OUT} --quiet", 4),
    _case(f"figure composite.region points=9 --fmt pdf,svg -o {OUT} --quiet", 4),
    _case(f"{_FIGURE4} --workers 1 -o {OUT}", 7),
    _case(f"{_FIGURE4} --workers 2 -o {OUT}", 7),
    _case(f"audit fedproxvr.remark1.4.monotone -o {OUT} --quiet", 6),
    _case(f"region fedproxvr.lemma1.sarah beta tau L=1 lam=0 theta=1 mu=20 --window 3,60 -o {OUT}/a.svg", 4),
    _case(f"new paper mine -o {OUT}", 0.7),
    _case(f"new paper mine -o {OUT}", 0.7),
    _case(f"report -o {OUT} --workers 2 --quiet", 15, again=False),
)  # fmt: skip
READERS = (
    _case("check fedproxvr.lemma1.sarah L=1 lam=0 mu=20 beta=30 tau=40 theta=1", 2),
    _case("range fedproxvr.lemma1.svrg tau beta=400 theta=1/2 mu=200 L=1 lam=1/2", 2),
    _case("tune fedproxvr.certified.sarah.sharpened L=1 lam=0.5 sigma2=1 gamma=0.01 --json", 4),
    _case("run fedavg --problem quadratic --rounds 400", 2),
    _case("run fedproxvr --problem quadratic --rounds 4000 --workers 2", 4),
    Case(("decide", "x**2 + y**2 >= 2*x*y"), 3),
    _case("list --json", 1),
    _case("find local steps", 2),
    _case("show composite.theorem3.5", 2),
    _case("conditions", 5),
    _case("describe digits --clients 5", 2),
    _case("measure quadratic --clients 3 --rounds 2", 2),
    _case("plan quadratic --clients 3 --epsilon 0.1 --rounds 5 --step-seconds 1e-6 --quiet", 12),
    _case("validate fedproxvr.lemma1.sarah --quiet", 12),
    _case("conform fedproof.testing.example:my_round", 1),
)


@dataclass(frozen=True)
class _End:
    """How a command ended: its code, what it said and what is wrong with what it left."""

    code: int
    said: str
    left: str


def kill_fault(seed: int, number: int) -> str:
    """A command that writes, killed once: what stands is whole, and asked again it ends as undisturbed."""
    rng = Random(f"kill {seed} {number}")
    return _fault(rng.choice(WRITERS), rng, signal.SIGKILL)


def interrupt_fault(seed: int, number: int) -> str:
    """Ctrl-C at a random moment once the interpreter is up: one line and 130, or the answer."""
    rng = Random(f"interrupt {seed} {number}")
    return _fault(rng.choice(rng.choice((WRITERS, READERS))), rng, signal.SIGINT)


def _fault(case: Case, rng: Random, stop: signal.Signals) -> str:
    with TemporaryDirectory() as where:
        home = Path(where)
        end, when = _stopped(case, home, rng, stop)
        found = end.left or (_unsaid(end) if stop == signal.SIGINT else "") or _folder(case, home, stop)
    return f"{stop.name} {when} of {' '.join(case.line)}: {found}" if found else ""


def _stopped(case: Case, home: Path, rng: Random, stop: signal.Signals) -> tuple[_End, str]:
    """Stop a command: where it writes, half of the times soon after its first file is there."""
    first, alone = case.writes and rng.random() < 0.5, rng.random() < 0.5
    delay = rng.uniform(0, 0.3) if first else rng.uniform(0, case.span) * rng.choice((0.2, 1))
    temporary = home / "tmp"
    temporary.mkdir()
    before = os.listdir("/dev/shm")
    child = _started(case, home, subprocess.PIPE, {"TMPDIR": str(temporary)})
    if stop == signal.SIGINT:
        assert child.stdout is not None
        child.stdout.readline()
    while first and child.poll() is None and not _written(home):
        time.sleep(0.01)
    time.sleep(delay)
    # a terminal interrupts all processes of a command at once
    (child.send_signal if alone or stop == signal.SIGKILL else _group(child))(stop)
    _, said = child.communicate(timeout=120)
    left = leftovers.left(child.pid, temporary if stop == signal.SIGINT else None, before)
    return _End(child.returncode, said, left), f"{delay:.2f} s{' after its first file' * first}"


def _started(case: Case, home: Path, output: int, more: dict[str, str]) -> subprocess.Popen[str]:
    (home / OUT).mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-c", _UP, *case.line], cwd=home, stdout=output, stderr=subprocess.PIPE, text=True,
        start_new_session=True, env=os.environ | more,
    )  # fmt: skip


def _group(child: subprocess.Popen[str]):  # type: ignore[no-untyped-def]
    return lambda stop: os.killpg(child.pid, stop)


def _written(home: Path) -> bool:
    # a folder that goes while it is looked through is no fault
    found = ((folder, files) for folder, _, files in os.walk(home / OUT) if files)
    return any(not leftovers.unfinished(Path(folder) / name) for folder, files in found for name in files)


def _unsaid(end: _End) -> str:
    """What is wrong with how an interrupted command ended."""
    # killed by the interrupt is what a shell calls 130 too: the interpreter was ending already
    lines = {130: (1,), -signal.SIGINT: (0,)}.get(end.code, (0, 1))
    fine = end.code in (0, 1, 130, -signal.SIGINT) and end.said.count("\n") in lines
    quiet = not any(word in end.said for word in ("Traceback", "Exception ignored"))
    return "" if fine and quiet else f"{end.code} {end.said[-300:]!r}"


def _folder(case: Case, home: Path, stop: signal.Signals) -> str:
    """What is wrong with what a stopped command wrote, or with what it writes when it is asked again."""
    folder = home / OUT
    if not case.writes:
        return ""
    if stop == signal.SIGINT and (half := [p.name for p in folder.rglob("*") if leftovers.unfinished(p)]):
        return f"unfinished files after an interrupt: {half[:3]}"
    try:
        there = leftovers.contents(folder)
        if not case.again or there == whole(case):
            return ""
        again = _started(case, home, subprocess.DEVNULL, {})
        _, said = again.communicate(timeout=300)
        if again.returncode or said:
            return f"asked again: {again.returncode} {said[-300:]!r}"
        return leftovers.difference(leftovers.contents(folder), whole(case))
    except ValueError as error:
        return str(error)


@cache
def whole(case: Case) -> dict[str, object]:
    """What a command writes when nothing stops it."""
    with TemporaryDirectory() as where:
        child = _started(case, Path(where), subprocess.DEVNULL, {})
        _, said = child.communicate(timeout=300)
        assert (child.returncode, said) == (0, ""), said
        return leftovers.contents(Path(where) / OUT)
