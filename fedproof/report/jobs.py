"""The report's work in pieces: each done once for what it is computed from, then read from the store."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fedproof.report.dependencies import SourceTexts
from fedproof.report.result_store import (
    Accept,
    StoredResult,
    last_seconds,
    read_stored,
    restore_files,
    write_stored,
)
from fedproof.vocabulary.progress import Note, left_words
from fedproof.vocabulary.result import jsonable


@dataclass(frozen=True)
class Job:
    """One result of the report.

    Arguments:
        name: what is told of it, and where it is stored; every job has its own.
        make: from the folder of the report and a progress function to a JSON document.
        sources: modules that it is computed from; all that they name counts too.
        files: that it leaves in the folder, as paths from there.
        parameters: of the computation, as JSON; they count as the sources do.
        accept: whether a stored document may be used, beside its hash.
    """

    name: str
    make: Callable[[Path, Note], Any]
    sources: tuple[str, ...]
    files: tuple[str, ...] = ()
    parameters: Any = None
    accept: Accept | None = None


@dataclass
class Work:
    """Does jobs, and tells what is being computed and how long is left.

    Arguments:
        folder: of the report.
        tell: called with a note as the work goes on.
        texts: of the source.
        done: names of the jobs so far, in order, and whether each was stored and not computed.
    """

    folder: Path
    tell: Note
    texts: SourceTexts = field(default_factory=SourceTexts)
    done: list[tuple[str, bool]] = field(default_factory=list)
    _owed: dict[str, float | None] = field(default_factory=dict)

    def expect(self, jobs: Iterable[Job]) -> None:
        """Jobs that will be asked for: one that must be computed is expected to take as long as last time."""
        for job in jobs:
            known = read_stored(job.name, self._key(job), job.accept)
            self._owed[job.name] = last_seconds(job.name) if known is None else 0.0

    def do(self, job: Job, title: str) -> Any:
        """The job's document, from the store if what it is computed from is as it was."""
        key = self._key(job)
        found = read_stored(job.name, key, job.accept)
        if found is not None and restore_files(job.name, self.folder):
            self.done.append((job.name, True))
            self._owed.pop(job.name, None)
            self.tell(f"{title}: {job.name}, stored")
            return found.document
        start, owed = time.perf_counter(), tuple(self._owed.values())
        self._owed.pop(job.name, None)

        def note(inner: str = "") -> None:
            gone = time.perf_counter() - start
            said = [f"{title}: {job.name}", *([inner] if inner and inner != job.name else [])]
            self.tell(", ".join([*said, *left_words(owed, gone)]))

        note()
        document = jsonable(job.make(self.folder, note))
        result = StoredResult(document, time.perf_counter() - start)
        write_stored(job.name, key, result, self.folder, job.files)
        self.done.append((job.name, False))
        return document

    def _key(self, job: Job) -> str:
        return f"{self.texts.digest(job.sources)} {json.dumps(job.parameters, sort_keys=True)}"
