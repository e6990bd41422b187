"""The report's work in pieces: each done once for what it is computed from, then read from the store."""

from __future__ import annotations

import json
import os
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from joblib import Parallel, delayed, parallel_config
from joblib.externals.loky import get_reusable_executor

from fedproof import LOADED
from fedproof.report.dependencies import SourceTexts
from fedproof.report.result_store import (
    Accept,
    StoredResult,
    last_seconds,
    read_stored,
    restore_files,
    write_stored,
)
from fedproof.solvers.runs.workers import follow, starting_workers
from fedproof.vocabulary.errors import FedproofError
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


Key: TypeAlias = tuple[str, str]
"""A job's name, and what it is computed from."""

Made: TypeAlias = StoredResult | Exception
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
        found: the documents of the parts so far, by key, for parts that go by others.
    """

    folder: Path
    tell: Note
    workers: int = 1
    texts: SourceTexts = field(default_factory=SourceTexts)
    done: list[tuple[str, bool]] = field(default_factory=list)
    found: dict[str, Any] = field(default_factory=dict)
    _stored: dict[Key, StoredResult] = field(default_factory=dict)
    _durations: dict[Key, float | None] = field(default_factory=dict)
    _underway: dict[Key, Job] = field(default_factory=dict)
    _results: Iterator[tuple[Key, Made]] = field(default_factory=lambda: iter(()))
    _made: dict[Key, Made] = field(default_factory=dict)

    def expect(self, jobs: Iterable[Job]) -> None:
        """Jobs that will be asked for; several workers begin at once with those that must be computed.

        Such a job is expected to take as long as last time. What is wrong with it `do` tells.
        """
        missing = {}
        for job in jobs:
            with suppress(Exception):
                key = self._key(job)
                known = read_stored(*key, job.accept)
                self._durations[key] = last_seconds(job.name) if known is None else 0.0
                if known is None:
                    missing[key] = job
                else:
                    self._stored[key] = known
        if self.workers > 1 and len(missing) > 1:
            begin = {"initializer": follow, "initargs": (os.getpid(),)}
            parallel = Parallel(n_jobs=self.workers, return_as="generator_unordered", **begin)
            self._underway = dict(missing)
            with starting_workers():
                self._results = parallel(
                    delayed(_by_worker)(key, job, self.folder) for key, job in missing.items()
                )

    def do(self, job: Job, title: str) -> Any:
        """The job's document, from the store if what it is computed from is as it was.

        Raises: what a worker raised that computed it.
        """
        key, said = self._key(job), f"{title}: {job.name}"
        while key in self._underway:
            self._collect(said)
        made = self._made.get(key)
        if isinstance(made, Exception):
            raise made
        found = self._read(key, job) if made is None else None
        if found is not None and restore_files(job.name, found.files, self.folder):
            self.done.append((job.name, True))
            self._durations.pop(key, None)
            self.tell(f"{said}, stored")
            return found.document
        result = made or self._compute(key, job, said)
        self.done.append((job.name, False))
        return result.document

    def _read(self, key: Key, job: Job) -> StoredResult | None:
        """What is stored; it is read and checked once."""
        return self._stored.pop(key, None) or read_stored(*key, job.accept)

    def close(self) -> None:
        """End the workers, whatever they are computing; what was collected is stored."""
        if self._underway:
            self._underway = {}
            get_reusable_executor(reuse=True).shutdown(wait=False, kill_workers=True)
            with suppress(Exception):  # what the workers' end makes of the results
                next(self._results)

    def _compute(self, key: Key, job: Job, said: str) -> StoredResult:
        """Here and now."""
        start, durations = time.perf_counter(), tuple(self._durations.values())
        self._durations.pop(key, None)

        def note(inner: str = "") -> None:
            gone = time.perf_counter() - start
            words = [said, *([inner] if inner and inner != job.name else [])]
            self.tell(", ".join([*words, *left_words(durations, gone)]))

        note()
        result = _result(job, self.folder, note)
        self._store(key, job, result)
        return result

    def _collect(self, said: str) -> None:
        """Wait for the next result; where the workers are lost, what is left is computed here."""
        durations = [None if s is None else s / self.workers for s in self._durations.values()]
        self.tell(", ".join([said, *left_words(durations)]))
        try:
            key, made = next(self._results)
        except (StopIteration, BrokenProcessPool):
            self._underway = {}
            return
        job = self._underway.pop(key)
        self._durations.pop(key, None)
        self._made[key] = made
        if isinstance(made, StoredResult):
            self._store(key, job, made)

    def _store(self, key: Key, job: Job, result: StoredResult) -> None:
        """Unless a source was written since this process began: its modules may be of another text."""
        if not self.texts.changed_since(job.sources, LOADED):
            write_stored(*key, result, self.folder, job.files)

    def _key(self, job: Job) -> Key:
        return job.name, f"{self.texts.digest(job.sources)} {json.dumps(job.parameters, sort_keys=True)}"


def _result(job: Job, folder: Path, note: Note) -> StoredResult:
    start = time.perf_counter()
    document = jsonable(job.make(folder, note))
    return StoredResult(document, time.perf_counter() - start)


def _by_worker(key: Key, job: Job, folder: Path) -> tuple[Key, Made]:
    """In a process of its own; what it raises is told when the job is asked for."""
    try:
        with parallel_config("sequential"):
            return key, _result(job, folder, lambda note: None)
    except Exception as error:
        if isinstance(error, FedproofError) or type(error).__module__ == "builtins":
            return key, error
        failed = RuntimeError(f"{type(error).__name__}: {error}")  # it may be of a kind that cannot travel
        failed.add_note(traceback.format_exc())
        return key, failed
