"""Does every verb answer as it did before? Records the answers to fixed questions, and compares two records.

Asked are what every statement says, 300 ranges, 200 checks, 200 optima, every figure at a small size,
everything that has a check in practice, and the whole audit, with nothing read from earlier runs. Floats are
kept to the last bit, so compare records that were made in one environment on one machine.

Run: python -m benchmarks.parity record FILE.json [--only audit,range]
     python -m benchmarks.parity compare BEFORE.json AFTER.json [--only audit,range]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fedproof as fp
from benchmarks.parity_questions import SECTIONS, note

ABSENT = "(absent)"
ROUNDING = 1e-9
"""Relative: numbers that differ by less are counted apart."""
SHOWN = 160
"""Of a value that differs, so many characters are printed."""
ALONE = {"FEDPROOF_CACHE": "off", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Nothing read from earlier runs, and one thread, whose sums have one order."""

Record = dict[str, dict[str, Any]]
"""Section -> question -> answer."""


@dataclass(frozen=True)
class Difference:
    """A value that differs: where it is, and what it was and is."""

    section: str
    question: str
    field: str
    before: Any
    after: Any

    @property
    def kind(self) -> str:
        """One of gone, new, rounding and changed."""
        if ABSENT in (self.before, self.after):
            return "gone" if self.after == ABSENT else "new"
        return "rounding" if _close(self.before, self.after) else "changed"

    def __str__(self) -> str:
        sides = [json.dumps(side, ensure_ascii=False) for side in (self.before, self.after)]
        same = next((i for i, (a, b) in enumerate(zip(*sides, strict=False)) if a != b), 0)
        start = max(0, same - SHOWN // 4)
        before, after = (("... " if start else "") + side[start : start + SHOWN] for side in sides)
        return f"{self.section} | {self.question} | {self.field} | {self.kind}: {before} -> {after}"


def _close(before: Any, after: Any) -> bool:
    """Whether both are numbers, or texts of numbers, that are nearly equal."""
    if isinstance(before, bool) or isinstance(after, bool):
        return False
    try:
        return math.isclose(float(before), float(after), rel_tol=ROUNDING)
    except (TypeError, ValueError):
        return False


def leaves(value: Any, field: str = "") -> Iterator[tuple[str, Any]]:
    """Every value inside a document, with its path.

    >>> dict(leaves({"a": [1, {"b": None}], "c": []}))
    {'a.0': 1, 'a.1.b': None, 'c': []}
    """
    if not isinstance(value, (dict, list)) or not value:
        yield field, value
        return
    for name, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield from leaves(part, f"{field}.{name}" if field else str(name))


def _paired(before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for name in sorted({*before, *after}):
        yield name, before.get(name, ABSENT), after.get(name, ABSENT)


def differences(before: Record, after: Record) -> Iterator[Difference]:
    """What differs; a section or a question that only one record has is one difference."""
    for section, asked, again in _paired(before, after):
        if ABSENT in (asked, again):
            yield Difference(
                section, "", "", *(s if s == ABSENT else f"{len(s)} answers" for s in (asked, again))
            )
            continue
        for question, was, now in _paired(asked, again):
            if ABSENT in (was, now):
                yield Difference(section, question, "", *(a if a == ABSENT else "asked" for a in (was, now)))
                continue
            for field, old, new in _paired(dict(leaves(was)), dict(leaves(now))):
                if json.dumps(old) != json.dumps(new):
                    yield Difference(section, question, field, old, new)


def environment() -> dict[str, Any]:
    """What the last bits of floats depend on."""
    import numpy as np
    from threadpoolctl import threadpool_info

    blas = {str(pool.get("architecture")) for pool in threadpool_info() if pool["user_api"] == "blas"}
    return {"python": platform.python_version(), "numpy": np.__version__, "blas": ", ".join(sorted(blas))}


def answers_of(section: str) -> dict[str, Any]:
    """The answers of a section, or the one line of what ended it."""
    try:
        return dict(SECTIONS[section]())
    except Exception as error:
        traceback.print_exc()
        return {"": {"failed": f"{type(error).__name__}: {error}"}}


def record(file: Path, sections: Sequence[str]) -> None:
    """Ask the questions of sections; each is written when it is done, beside those of earlier runs."""
    for section in sections:
        start = time.perf_counter()
        answers = answers_of(section)
        found = read(file) if file.exists() else {}
        found |= {"environment": environment(), section: answers}
        partial = file.with_name(f"{file.name}.partial")
        partial.write_text(json.dumps(found, indent=1, ensure_ascii=False), encoding="utf-8")
        partial.replace(file)
        note(f"== {section}: {len(answers)} answers in {time.perf_counter() - start:.0f} s")


def read(file: Path) -> Record:
    """A record from its file."""
    found: Record = json.loads(file.read_text(encoding="utf-8"))
    return found


def compare(before: Record, after: Record) -> int:
    """Print every difference and how many there are of each kind; return 1 if there are any."""
    counted: Counter[str] = Counter()
    for difference in differences(before, after):
        print(difference)
        counted[f"{difference.section}: {difference.kind}"] += 1
    for section in sorted({*before} & {*after}):
        print(f"{section}: {len(after[section])} compared")
    for kind, number in sorted(counted.items()):
        print(f"{kind}: {number}")
    return int(bool(counted))


def chosen(only: str) -> list[str]:
    """Sections by name, with commas between.

    Raises: ArgumentTypeError for a name that is none.
    """
    sections = only.split(",")
    if unknown := [section for section in sections if section not in SECTIONS]:
        raise argparse.ArgumentTypeError(f"no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    return sections


def main() -> int:
    """Record or compare."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="ask, and write the answers into a file")
    recording.add_argument("file", type=Path)
    comparing = commands.add_parser("compare", help="print what differs; exit 1 if anything does")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    for command in (recording, comparing):
        command.add_argument("--only", type=chosen, default=[*SECTIONS], help="sections, with commas between")
    given = parser.parse_args()
    if given.command == "compare":
        wanted = {"environment", *given.only}
        before, after = ({s: r[s] for s in r if s in wanted} for r in map(read, (given.before, given.after)))
        return compare(before, after)
    os.environ.update(ALONE)
    note(f"asking {fp.__file__}")
    record(given.file, given.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
