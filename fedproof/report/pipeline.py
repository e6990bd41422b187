"""The main job: every part of the report, one after the other, each a plain JSON document."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fedproof.algebra.ranges.result import Range
from fedproof.bounds.catalog import statement_ids
from fedproof.bounds.statement_handle import statement
from fedproof.figures.api import figure
from fedproof.figures.catalog import figure_ids, load
from fedproof.report.ledger import write_ledger
from fedproof.report.questions import answer, hold, questions, run_trial, trials
from fedproof.validate.api import validate
from fedproof.validate.audit import audit
from fedproof.vocabulary.errors import shorten
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.questions import Trial, VerbQuery
from fedproof.vocabulary.result import Result, jsonable

Note = Callable[[str], Any]
Document = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """One part of the report.

    Arguments:
        key: its name in `results.json`.
        title: a few words.
        make: from the folder of the report and a progress function to the part's document.
    """

    key: str
    title: str
    make: Callable[[Path, Note], Any]


def _document(result: Result) -> Document:
    return {"headline": result.headline(), **jsonable(result.to_dict())}


def _papers(folder: Path, note: Note) -> list[Document]:
    del folder, note
    return [
        {"key": p.key, "title": p.title, "authors": p.authors, "venue": p.venue} for p in papers().values()
    ]


def _statements(folder: Path, note: Note) -> list[Document]:
    del folder, note
    return [jsonable(statement(id).show().to_dict()) for id in statement_ids()]


def _audit(folder: Path, note: Note) -> Document:
    found = audit(progress=note)
    page = write_ledger(found, folder / "ledger").index
    return {**_document(found), "ledger": f"ledger/{page.name}"}


def _asked(verb: str) -> Callable[[Path, Note], list[Document]]:
    def make(folder: Path, note: Note) -> list[Document]:
        del folder
        return [_answer(q, note) for q in questions(verb)]

    return make


def _answer(question: VerbQuery, note: Note) -> Document:
    note(question.command)
    return {
        "command": question.command,
        "why_asked": question.why,
        "values": dict(question.values),
        **_document(answer(question)),
    }


def _runs(folder: Path, note: Note) -> list[Document]:
    del folder
    return [_run(trial, note) for trial in trials()]


def _run(trial: Trial, note: Note) -> Document:
    note(trial.command)
    history = run_trial(trial)
    held = hold(trial, history)
    squares = [float(v) for v in history.metrics["squared_gradient"][1:]]
    return {
        "title": trial.title,
        "command": trial.command,
        "verdict": held.verdict,
        "seen": dict(held.seen),
        "admits": {name: _admitted(found) for name, found in held.admits.items()},
        "mean_squared_gradient": sum(squares) / len(squares) if squares else None,
        "check": _document(held.check),
        **_document(history),
    }


def _admitted(found: Range) -> str:
    said = found.headline()
    return said if found.empty else f"the other values are admissible for {said}"


def _figures(folder: Path, note: Note) -> list[Document]:
    return [_figure(id, folder, note) for id in figure_ids()]


def _figure(id: str, folder: Path, note: Note) -> Document:
    note(id)
    brief = load(id).SPEC.brief
    made = figure(id, folder / "figures", size=brief, progress=lambda what: note(f"{id}: {what}"))
    document: Document = jsonable(made.to_dict())
    document["files"] = [f"figures/{made.path(e).name}" for e in ("csv", "json", "svg", "png")]
    document["table"] = document["files"][0]
    return document


PARTS = (
    Part("papers", "papers", _papers),
    Part("statements", "statements", _statements),
    Part("tune", "best parameters", _asked("tune")),
    Part("range", "admissible ranges", _asked("range")),
    Part("check", "numbers against statements", _asked("check")),
    Part("audit", "what is true", _audit),
    Part("runs", "runs on real data", _runs),
    Part("figures", "figures", _figures),
    Part("validate", "runs against theory", lambda _, note: _document(validate(progress=note))),
)


@dataclass(frozen=True)
class Progress:
    """The job so far.

    Arguments:
        results: the document of `results.json`.
        errors: what went wrong, by part; the parts after it are done all the same.
    """

    results: Mapping[str, Any]
    errors: Mapping[str, Exception]


def finished(parts: tuple[Part, ...], folder: Path, note: Note) -> Iterator[Progress]:
    """The job after each part: results by key, what is missing, what failed, and the seconds it took."""
    found: dict[str, Any] = {}
    seconds: dict[str, float] = {}
    errors: dict[str, Exception] = {}
    for done, part in enumerate(parts, start=1):
        start = time.perf_counter()
        try:
            found[part.key] = part.make(folder, _titled(part.title, note))
        except Exception as error:
            errors[part.key] = error
        seconds[part.key] = time.perf_counter() - start
        failed = [f"{p.title} ({_said(errors[p.key])})" for p in parts if p.key in errors]
        status = {"missing": [p.title for p in parts[done:]], "failed": failed, "seconds": dict(seconds)}
        yield Progress(found | status, dict(errors))


def _said(error: Exception) -> str:
    return shorten(str(error) or type(error).__name__, 200)


def _titled(title: str, note: Note) -> Note:
    return lambda what: note(f"{title}: {what}".rstrip(": "))
