"""The long form: python -m tests.fuzz --seed 1 --lines 2000 --files 2000 --records 500 --ranges 200 ..."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.fuzz import drawing, faults, judging, optima, ranges, tiny

#: processor seconds after which a command that does not end is killed
KILLED = 60.0
PARTS = ("lines", "files", "records", "ranges", "optima", "tiny", "kills", "interrupts")


def line_fault(seed: int, number: int) -> str:
    """A command line's."""
    line = drawing.command_line(seed, number)
    found = judging.fault(line, judging.ended(line))
    return f"{line}: {found}" if found else ""


def file_fault(seed: int, number: int) -> str:
    """A data file's, which is described."""
    with TemporaryDirectory() as where:
        path = drawing.data_file(seed, number, Path(where))
        line = ["describe", str(path), "--clients", "2", "--option", "label=y", "--json"]
        line = line if path.name.startswith("a.csv") else [*line[:4], "--json"]
        found = judging.fault(line, judging.ended(line))
    return f"{path.name}: {found}" if found else ""


def record_fault(seed: int, number: int, good: dict[str, Any]) -> str:
    """A record's, held against a theorem and read as a run's."""
    with TemporaryDirectory() as where:
        path = Path(where) / "run.json"
        path.write_text(drawing.record(seed, number, good))
        line = ["validate", "fedproxvr.theorem1", "--history", str(path), "--json"]
        found = judging.fault(line, judging.ended(line))
    return found


def good_record() -> dict[str, Any]:
    """A run's own document."""
    from fedproof.solvers.api import run

    with TemporaryDirectory() as where:
        path = run("fedproxvr", "quadratic", rounds=2).save(Path(where) / "run.json")
        document: dict[str, Any] = json.loads(path.read_text())
        return document


def asked(part: str) -> Callable[[int, int], str]:
    """What is done for each number of a part."""
    if part == "records":
        return partial(record_fault, good=good_record())
    return {
        "lines": line_fault, "files": file_fault, "ranges": ranges.range_fault,
        "optima": optima.optimum_fault, "tiny": tiny.tiny_fault, "kills": faults.kill_fault,
        "interrupts": faults.interrupt_fault,
    }[part]  # fmt: skip


def _work(part: str, seed: int, first: int, last: int, at: Any, told: Any) -> None:
    one = asked(part)
    for number in range(first, last):
        at.value = number
        try:
            found = one(seed, number)
        except BaseException as error:  # a fault of the fuzzer, or of the product where it is called directly
            found = f"{type(error).__name__}: {error}"
        if found:
            told.put((number, found))
    at.value = last


def found(part: str, seed: int, count: int) -> Iterator[tuple[int, str]]:
    """The faults of a part, each number in a process that is killed when it takes too long."""
    first = 0
    while first < count:
        at, told = multiprocessing.Value("q", first), multiprocessing.SimpleQueue()
        child = multiprocessing.Process(target=_work, args=(part, seed, first, count, at, told))
        child.start()
        since, begun = first, _spent(child.pid)
        while child.is_alive():
            child.join(0.2)
            while not told.empty():
                yield told.get()
            if at.value != since:
                since, begun = at.value, _spent(child.pid)
            elif _spent(child.pid) - begun > KILLED:
                os.kill(int(child.pid or 0), signal.SIGKILL)
                child.join()
                yield since, f"killed after {KILLED:.0f} s of processor time"
        while not told.empty():
            yield told.get()
        if at.value < count and child.exitcode not in (0, -signal.SIGKILL):
            yield at.value, f"the process died: {child.exitcode}"
        first = count if at.value >= count else at.value + 1


def _spent(pid: int | None) -> float:
    """Processor seconds of a process; 0 of one that is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: list[str] | None = None) -> int:
    """Run so many of each part, say what was found and how many there were; 1 where anything was."""
    asks = ArgumentParser(prog="tests.fuzz", description=__doc__)
    asks.add_argument("--seed", type=int, default=1)
    for part in PARTS:
        asks.add_argument(f"--{part}", type=int, default=0)
    given = asks.parse_args(arguments)
    with TemporaryDirectory(prefix="fedproof-fuzz-") as cache:
        os.environ["FEDPROOF_CACHE"] = cache
        return int(_wrong(given) > 0)


def _wrong(given: Namespace) -> int:
    """Run each part and say what was found; how many faults there were."""
    wrong = 0
    for part in PARTS:
        count, begun = getattr(given, part), time.monotonic()
        if not count:
            continue
        of_part = 0
        for number, fault in found(part, given.seed, count):
            of_part += 1
            _say(f"{part} seed {given.seed} number {number}: {fault}"[:600])
        wrong += of_part
        took = time.monotonic() - begun
        _say(f"{part}: {count} from seed {given.seed}, {of_part} wrong, {took:.0f} s")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
