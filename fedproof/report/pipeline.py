"""The main work: every part of the report, one after the other, each a plain JSON document."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fedproof.figures.catalog import figure_ids
from fedproof.report import parts
from fedproof.report.jobs import Job, Work
from fedproof.report.plan_part import plan_of
from fedproof.report.questions import questions, told, trials
from fedproof.vocabulary.errors import shorten
from fedproof.vocabulary.papers import Paper, papers
from fedproof.vocabulary.progress import Note


@dataclass(frozen=True)
class Part:
    """One part of the report.

    Arguments:
        key: its name in the report's document.
        title: a few words.
        join: from the work and the documents of its jobs to the part's document.
        jobs: what it is made of, each stored by itself.
    """

    key: str
    title: str
    join: Callable[[Work, list[Any]], Any]
    jobs: Callable[[], Sequence[Job]] = tuple


def _asked(verb: str) -> Callable[[], Sequence[Job]]:
    return lambda: tuple(map(parts.question_job, questions(verb)))


def _each(work: Work, documents: list[Any]) -> list[Any]:
    del work
    return documents


def _facts(paper: Paper) -> dict[str, Any]:
    """How a paper is cited, what it claims, its distinct errors and its algorithms."""
    return paper.facts | told(paper.key) | {"algorithms": list(paper.algorithms)}


PARTS = (
    Part("papers", "papers", lambda work, documents: list(map(_facts, papers().values()))),
    Part("statements", "statements", parts.joined, lambda: tuple(map(parts.statements_job, papers()))),
    Part("tune", "best parameters", _each, _asked("tune")),
    Part("range", "admissible ranges", _each, _asked("range")),
    Part("check", "numbers against statements", _each, _asked("check")),
    Part("audit", "what is true", parts.joined_audit, lambda: tuple(map(parts.audit_job, papers()))),
    Part("runs", "runs on real data", _each, lambda: tuple(map(parts.trial_job, trials()))),
    Part("plan", "what to run", plan_of),
    Part("figures", "figures", _each, lambda: tuple(map(parts.figure_job, figure_ids()))),
    Part("validate", "runs against theory", parts.joined_checks, parts.check_jobs),
)


@dataclass(frozen=True)
class PartialReport:
    """The report so far.

    Arguments:
        results: the report's document.
        errors: what went wrong, by part; the parts after it are done all the same.
    """

    results: Mapping[str, Any]
    errors: Mapping[str, Exception]


def finished(parts: tuple[Part, ...], folder: Path, note: Note, workers: int = 1) -> Iterator[PartialReport]:
    """The report after each part: results by key, what is missing or failed, what was stored, the seconds."""
    with closing(Work(folder, note, workers)) as work:
        yield from _finished(parts, work)


def _finished(parts: tuple[Part, ...], work: Work) -> Iterator[PartialReport]:
    found = work.found
    seconds: dict[str, float] = {}
    stored: dict[str, Any] = {}
    errors: dict[str, Exception] = {}
    jobs = _listed(parts, errors)
    work.expect(job for known in jobs.values() for job in known)
    for done, part in enumerate(parts, start=1):
        start, before = time.perf_counter(), len(work.done)
        documents = list(_done(part, work, jobs.get(part.key, ()), errors))
        if part.key not in errors or (part.join is _each and documents):
            try:
                found[part.key] = part.join(work, documents)
            except Exception as error:
                errors[part.key] = error
        seconds[part.key] = time.perf_counter() - start
        asked = work.done[before:]
        stored[part.key] = {"of": len(asked), "names": [name for name, was in asked if was]}
        failed = [f"{p.title} ({_said(errors[p.key])})" for p in parts if p.key in errors]
        status = {"missing": [p.title for p in parts[done:]], "failed": failed, "seconds": dict(seconds)}
        yield PartialReport(found | status | {"stored": dict(stored)}, dict(errors))


def _done(part: Part, work: Work, jobs: Sequence[Job], errors: dict[str, Exception]) -> Iterator[Any]:
    """The documents of a part's jobs; one that fails stops no other, and the part has failed."""
    for job in jobs:
        try:
            yield work.do(job, part.title)
        except Exception as error:
            errors.setdefault(part.key, error)


def _listed(parts: tuple[Part, ...], errors: dict[str, Exception]) -> dict[str, Sequence[Job]]:
    """The jobs of each part; where they cannot be listed the part has failed."""
    found: dict[str, Sequence[Job]] = {}
    for part in parts:
        try:
            found[part.key] = part.jobs()
        except Exception as error:
            errors[part.key] = error
    return found


def _said(error: Exception) -> str:
    return shorten(str(error) or type(error).__name__, 200)
