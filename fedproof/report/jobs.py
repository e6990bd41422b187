"""The report's work in pieces: each done once for what it is computed from, then read from the store."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed, parallel_config

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


Made = StoredResult | Exception
"""What became of a job that a worker computed."""


@dataclass
class Work:
    """Does jobs, and tells what is being computed and how long is left.

    Arguments:
        folder: of the report.
        tell: called with a note as the work goes on.
        workers: processes that compute what is expected; with one, all is computed here when it is asked for.
        texts: of the source.
        done: names of the jobs so far, in order, and whether each was stored and not computed.
    """

    folder: Path
    tell: Note
    workers: int = 1
    texts: SourceTexts = field(default_factory=SourceTexts)
    done: list[tuple[str, bool]] = field(default_factory=list)
    _owed: dict[str, float | None] = field(default_factory=dict)
    _underway: dict[str, Job] = field(default_factory=dict)
    _results: Iterator[tuple[str, Made]] = field(default_factory=lambda: iter(()))
    _made: dict[str, Made] = field(default_factory=dict)

    def expect(self, jobs: Iterable[Job]) -> None:
        """Jobs that will be asked for; several workers begin at once with those that must be computed.

        Such a job is expected to take as long as last time.
        """
        missing = {}
        for job in jobs:
            known = read_stored(job.name, self._key(job), job.accept)
            self._owed[job.name] = last_seconds(job.name) if known is None else 0.0
            if known is None:
                missing[job.name] = job
        if self.workers > 1 and len(missing) > 1:
            parallel = Parallel(n_jobs=self.workers, return_as="generator_unordered")
            self._underway = missing
            self._results = parallel(delayed(_by_worker)(job, self.folder) for job in list(missing.values()))

    def do(self, job: Job, title: str) -> Any:
        """The job's document, from the store if what it is computed from is as it was.

        Raises: what a worker raised that computed it.
        """
        while job.name in self._underway:
            self._collect(f"{title}: {job.name}")
        made = self._made.get(job.name)
        if isinstance(made, Exception):
            raise made
        found = None if made else read_stored(job.name, self._key(job), job.accept)
        if found is not None and restore_files(job.name, self.folder):
            self.done.append((job.name, True))
            self._owed.pop(job.name, None)
            self.tell(f"{title}: {job.name}, stored")
            return found.document
        result = made or self._compute(job, f"{title}: {job.name}")
        self.done.append((job.name, False))
        return result.document

    def _compute(self, job: Job, said: str) -> StoredResult:
        """Here and now."""
        start, owed = time.perf_counter(), tuple(self._owed.values())
        self._owed.pop(job.name, None)

        def note(inner: str = "") -> None:
            gone = time.perf_counter() - start
            words = [said, *([inner] if inner and inner != job.name else [])]
            self.tell(", ".join([*words, *left_words(owed, gone)]))

        note()
        result = _result(job, self.folder, note)
        self._store(job, result)
        return result

    def _collect(self, said: str) -> None:
        """Wait for whatever worker is done first."""
        owed = [None if s is None else s / self.workers for s in self._owed.values()]
        self.tell(", ".join([said, *left_words(owed)]))
        name, made = next(self._results)
        job = self._underway.pop(name)
        self._owed.pop(name, None)
        self._made[name] = made
        if isinstance(made, StoredResult):
            self._store(job, made)

    def _store(self, job: Job, result: StoredResult) -> None:
        write_stored(job.name, self._key(job), result, self.folder, job.files)

    def _key(self, job: Job) -> str:
        return f"{self.texts.digest(job.sources)} {json.dumps(job.parameters, sort_keys=True)}"


def _result(job: Job, folder: Path, note: Note) -> StoredResult:
    start = time.perf_counter()
    document = jsonable(job.make(folder, note))
    return StoredResult(document, time.perf_counter() - start)


def _by_worker(job: Job, folder: Path) -> tuple[str, Made]:
    """In a process of its own; what it raises is told when the job is asked for."""
    try:
        with parallel_config("sequential"):
            return job.name, _result(job, folder, lambda note: None)
    except Exception as error:
        return job.name, error
