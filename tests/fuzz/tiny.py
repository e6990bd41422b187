"""Command lines that run, compute or write, on tiny problems, each judged in a folder of its own."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fedproof.planning import api as planning
from fedproof.validate.statement_verdict import StatementVerdict, declared
from tests.fuzz import judging, leftovers, tiny_lines, tiny_wild

#: verbs whose work on a tiny problem may take longer than a line of the others
SECONDS = {"figure": 30.0, "validate": 40.0, "plan": 30.0}


def command_line(seed: int, number: int, folder: Path) -> list[str]:
    """The line of a number: valid where it is even; what it reads is made in the folder."""
    rng = Random(f"tiny {seed} {number}")
    line = tiny_lines.valid(rng, folder)
    return line if number % 2 == 0 else tiny_wild.broken(rng, line, folder)


def tiny_fault(seed: int, number: int) -> str:
    """A line's."""
    line, _, found = outcome(seed, number)
    return f"{' '.join(map(_quoted, line))}: {found}" if found else ""


def outcome(seed: int, number: int) -> tuple[list[str], judging.End, str]:
    """The line of a number, how it ended and what is wrong with that."""
    with tempfile.TemporaryDirectory() as where:
        folder, temporary = Path(where) / "here", Path(where) / "tmp"
        folder.mkdir(), temporary.mkdir()
        line = command_line(seed, number, folder)
        with _in(folder, temporary), _audits_as_declared(), watched(Path(where)) as written:
            end = judging.ended(line)
        judged = replace(end, said=_last(end)) if end.code == 2 else end
        found = judging.fault(line, judged, _seconds(line)) or files_fault(
            line, end, folder, written, whole=number % 2 == 0
        )
        return line, end, found


def _last(end: judging.End) -> str:
    """What was said last: how own data were read stands in a line of its own before what is wrong with it."""
    *notes, last = end.said.splitlines(keepends=True) or [""]
    return last if all(re.match(r"fedproof: (own|stepsize)", note) for note in notes) else end.said


def _seconds(line: list[str]) -> float:
    return max((SECONDS.get(word, judging.SECONDS) for word in line), default=judging.SECONDS)


def files_fault(
    line: list[str], end: judging.End, folder: Path, written: list[str], whole: bool = True
) -> str:
    """What is wrong with the files of a command that ended.

    Arguments:
        written: outside its folder.
        whole: whether no file was damaged before.
    """
    if written:
        return f"written outside its folder: {written[:3]}"
    if half := [p.name for p in folder.rglob("*") if leftovers.unfinished(p.relative_to(folder))]:
        return f"unfinished files: {half[:3]}"
    if end.code or "--help" in line or not whole:
        return ""
    missing = [name for name in _said(line, end) if not (folder / name).is_file()]
    if missing:
        return f"said to be written, and are not: {missing[:3]}"
    out = folder / tiny_lines.OUT
    try:
        nothing = not leftovers.contents(out) if out.is_dir() else tiny_lines.OUT in line
    except ValueError as error:
        return str(error)
    return "nothing is written" if nothing and "new" not in line else ""


def _said(line: list[str], end: judging.End) -> list[str]:
    """The files that a document names."""
    if "--json" not in line:
        return []
    document = json.loads(end.out)
    return [*document.get("files", ()), *([document["table"]] if "table" in document else ())]


@contextmanager
def _in(folder: Path, temporary: Path) -> Iterator[None]:
    """A working folder and a folder for temporary files."""
    before, was = os.getcwd(), tempfile.tempdir
    os.chdir(folder)
    tempfile.tempdir = str(temporary)
    try:
        yield
    finally:
        os.chdir(before)
        tempfile.tempdir = was


def _audits_as_declared() -> Any:
    """Plans go by the verdicts that papers declare: their audits take minutes and are tried elsewhere."""

    def ask(id: str) -> Any:
        return lambda: StatementVerdict(id, declared(id.partition(".")[0]).get(id, "holds"), (), "")

    return _replaced(planning, "beside", lambda: nullcontext(ask))


@contextmanager
def _replaced(module: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


class _Watch:
    """What this process opens to write, makes, moves or removes, while there is a folder to stay in."""

    def __init__(self) -> None:
        self.home: Path | None = None
        self.outside: list[str] = []

    def __call__(self, event: str, given: tuple[Any, ...]) -> None:
        """An event of Python's audit."""
        if self.home is None or event not in _WRITES:
            return
        for path in given[: _WRITES[event]]:
            if isinstance(path, str | bytes | os.PathLike) and (event != "open" or _to_write(given)):
                place = os.path.realpath(os.fsdecode(path))
                if not place.startswith((str(self.home), *_FREE)) and "__pycache__" not in place:
                    self.outside.append(f"{event} {place}")


_WRITES = {"open": 1, "os.mkdir": 1, "os.rename": 2, "os.remove": 1, "os.rmdir": 1, "os.symlink": 2}
#: the null device, and what worker processes share
_FREE = ("/dev/null", "/dev/shm", "/dev/tty")


def _to_write(given: tuple[Any, ...]) -> bool:
    _, mode, flags = given
    return bool(set(mode) & set("wax+")) if isinstance(mode, str) else bool(flags & (os.O_WRONLY | os.O_RDWR))


@cache
def _watch() -> _Watch:
    watch = _Watch()
    sys.addaudithook(watch)
    return watch


@contextmanager
def watched(home: Path) -> Iterator[list[str]]:
    """What is written outside a folder and the cache; worker processes are not watched."""
    watch = _watch()
    cached = os.environ.get("FEDPROOF_CACHE", "off")
    watch.outside = []
    watch.home = Path(os.path.realpath(home))
    try:
        found: list[str] = watch.outside
        yield found
    finally:
        watch.home = None
        found[:] = [one for one in found if os.path.realpath(cached) not in one]


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w.,=/:+-]+", word) else repr(word)
