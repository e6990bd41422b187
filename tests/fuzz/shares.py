"""Ranges and optima with what was looked at: python -m tests.fuzz.shares --seed 1 --ranges 1000."""

from __future__ import annotations

import signal
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.fuzz import optima, ranges

#: processor seconds for a number, after which it is given up
STOPPED = 60.0


@contextmanager
def limited() -> Iterator[None]:
    """What takes too long ends here: an error after so much processor time."""

    def stop(signum: int, frame: object) -> None:
        del signum, frame
        raise TimeoutError(f"stopped after {STOPPED:.0f} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, STOPPED)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def looked_at(
    one: Callable[[int, int], tuple[str, Counter[str]]], seed: int, first: int, count: int
) -> tuple[list[str], Counter[str]]:
    """The faults of so many numbers, and how many of each kind were looked at."""
    wrong, counts = [], Counter[str]()
    for number in range(first, first + count):
        try:
            with limited():
                fault, seen = one(seed, number)
        except Exception as error:
            fault, seen = f"{type(error).__name__}: {error}", Counter[str](["stopped"])
        counts += seen
        if fault:
            wrong.append(f"seed {seed} number {number}: {fault}")
            sys.stdout.write(f"{wrong[-1]}\n")
            sys.stdout.flush()
    return wrong, counts


def main(arguments: list[str] | None = None) -> int:
    """Say what was found, what was looked at and its processor time; 1 where anything was wrong."""
    asks = ArgumentParser(prog="tests.fuzz.shares", description=__doc__)
    for name, usual in (("seed", 1), ("first", 0), ("ranges", 0), ("optima", 0)):
        asks.add_argument(f"--{name}", type=int, default=usual)
    given, all_wrong = asks.parse_args(arguments), 0
    for name, one in (("ranges", ranges.tried), ("optima", optima.tried)):
        count, begun = getattr(given, name), time.process_time()
        if not count:
            continue
        wrong, counts = looked_at(one, given.seed, given.first, count)
        all_wrong += len(wrong)
        spent = 1000 * (time.process_time() - begun) / count
        of = f"{count} of seed {given.seed} from {given.first}"
        head = f"{name}: {of}, {len(wrong)} wrong, {spent:.0f} ms of processor time each"
        every = (f"  {kind}: {many}" for kind, many in sorted(counts.items()))
        sys.stdout.write("\n".join([head, *every]) + "\n")
    return int(all_wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
