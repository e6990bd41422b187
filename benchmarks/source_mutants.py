"""Mutation testing of the engine rooms' source: are small changes noticed by the tests of their room?

`choose` writes mutants of a tree, by seed. `run` tries each in a clean git worktree of its own, which may
have another layout (mutant_places finds the line by content; mutant_trials says what a trial is). A mutant
that is not found is replaced by a fresh one of its room; both are counted. Run:

    python -m benchmarks.source_mutants choose --tree DIR --out mutants.json --seed 1
    python -m benchmarks.source_mutants run --tree DIR --mutants mutants.json --out outcomes.json (it goes on)
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.mutant_places import Mutant, Place, Rooms
from benchmarks.mutant_trials import outcome, tests_of


def table(rows: dict[str, Any]) -> str:
    """Outcomes in all, of those found by content, of fresh ones, and by room; then what was not killed."""
    lines = []
    groups = {"all": "", "found": "found", "fresh": "fresh", **{r["room"]: r["room"] for r in rows.values()}}
    for name, wanted in groups.items():
        said = Counter(r["outcome"] for r in rows.values() if wanted in ("", r["how"], r["room"]))
        alive = said.total() - said["killed"]
        lines += [f"{name:10} {alive}/{said.total()} survive; {dict(said)}"] if said else []
    for key, r in rows.items():
        if r["outcome"] != "killed":
            lines.append(
                f"{key} {r['outcome']}: {r['path']} {r['function']} [{r['kind']}] {r['processor']} s"
            )
            lines.append(f"    - {r['line']}\n    + {r['mutated']}\n    {r['last']}")
    return "\n".join(lines)


def choose(options: Any) -> None:
    """Write mutants of a tree."""
    rooms = Rooms(options.tree, options.without)
    shares = rooms.shares(options.count, options.least)
    chosen = [m for room, n in shares.items() for m in rooms.choose(room, n, f"{options.seed} {room}")]
    options.out.write_text(json.dumps([asdict(m) for m in chosen], indent=1) + "\n")


def placed(rooms: Rooms, mutants: list[Mutant], options: Any) -> Iterator[tuple[str, str, Mutant, Place]]:
    """Number, "found" or "fresh", mutant and place: those found by content, and fresh ones for the others."""
    places = {f"{i:02}": (m, rooms.find(m)) for i, m in enumerate(mutants, 1)}
    taken = {(p.path, rooms.function(p)) for _, p in places.values() if p is not None}
    for key, (mutant, place) in places.items():
        if place is not None:
            yield key, "found", mutant, place
            continue
        room = longest(options.moved, mutant.path, mutant.room)
        for fresh in rooms.choose(room, 1, f"{options.seed} {key}", taken):
            taken.add((fresh.path, fresh.function))
            yield key, "fresh", fresh, rooms.find(fresh) or Place(fresh.path, 0)


def longest(named: dict[str, str], path: str, otherwise: str) -> str:
    """What is named for the longest beginning of a path."""
    return named[max(fits, key=len)] if (fits := [p for p in named if path.startswith(p)]) else otherwise


def run(options: Any) -> None:
    """Try what was not tried yet, and print the table."""
    status = ["git", "-C", str(options.tree), "status", "--porcelain", "--untracked-files=no"]
    if subprocess.run(status, check=True, capture_output=True).stdout:
        sys.exit(f"{options.tree}: expected a worktree without changes")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    rooms = Rooms(options.tree, options.without)
    mutants = [Mutant(**m) for m in json.loads(options.mutants.read_text())]
    rows: dict[str, Any] = json.loads(options.out.read_text()) if options.out.exists() else {}
    for key, how, mutant, place in placed(rooms, mutants, options):
        if key in rows or (options.only and key not in options.only):
            continue
        room = place.path.split("/")[0]
        folders = longest(options.tests, place.path, f"tests/{room}").split(",")
        said = outcome(rooms, place, mutant, tests_of(rooms, place, folders), options.cap)
        was = {"path": place.path, "at": place.index + 1, "room": room, "function": rooms.function(place)}
        rows[key] = {**asdict(mutant), **was, "how": how, **said}
        options.out.write_text(json.dumps(rows, indent=1) + "\n")
        sys.stdout.write(f"{key} {place.path} {mutant.function}: {said['outcome']}, {said['processor']} s\n")
        sys.stdout.flush()
    sys.stdout.write(table(rows) + "\n")


def pair(text: str) -> tuple[str, str]:
    """PREFIX=VALUE."""
    prefix, _, value = text.partition("=")
    return prefix, value


def main() -> None:
    """Choose or run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("verb", choices=["choose", "run"])
    parser.add_argument(
        "--tree", type=Path, required=True, help="a worktree; `run` changes it and restores it"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--without", nargs="+", default=["papers/", "adapters/"], help="what is no engine room"
    )
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--least", type=int, default=3, help="mutants of a small room")
    parser.add_argument("--mutants", type=Path, help="what `choose` wrote")
    parser.add_argument("--cap", type=float, default=60.0, help="seconds of processor time a mutant")
    parser.add_argument("--only", nargs="*", help="numbers of mutants")
    parser.add_argument("--tests", nargs="*", type=pair, default=[], help="modules' PREFIX=FOLDER[,FOLDER]")
    parser.add_argument("--moved", nargs="*", type=pair, default=[], help="old PREFIX=ROOM of fresh mutants")
    options = parser.parse_args()
    options.tree, options.tests, options.moved = (
        options.tree.resolve(),
        dict(options.tests),
        dict(options.moved),
    )
    (choose if options.verb == "choose" else run)(options)


if __name__ == "__main__":
    main()
