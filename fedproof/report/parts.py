"""What the report's parts are made of: jobs for the store, and how their documents become one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from importlib import import_module
from io import StringIO
from pathlib import Path
from shutil import rmtree
from typing import Any

from threadpoolctl import threadpool_limits

from fedproof.algebra.ranges.result import Range
from fedproof.bounds.catalog import statement_ids
from fedproof.bounds.statement_handle import statement
from fedproof.proof.certificates import sealed
from fedproof.report.dependencies import paper_modules_of
from fedproof.report.drawings import lighter
from fedproof.report.jobs import Job, Work
from fedproof.report.ledger import (
    audit_document,
    joined_documents,
    paper_pages,
    still_rechecked,
    without_certificates,
    write_document,
)
from fedproof.report.packing import write_packed
from fedproof.report.questions import answer, hold, run_trial
from fedproof.report.run_files import file_digest
from fedproof.report.stored import compared, drawn
from fedproof.solvers.history import History
from fedproof.validate.audit import audit
from fedproof.validate.verdict import BoundComparison, SamplingBudget, Validation, assign_verdicts
from fedproof.vocabulary.discovery import packages, paper_modules
from fedproof.vocabulary.files import folder_for, write_whole
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.progress import Note
from fedproof.vocabulary.questions import Trial, VerbQuery
from fedproof.vocabulary.result import Result, jsonable

Document = dict[str, Any]
#: of a figure, what a report keeps
KEPT = ("csv.xz", "json", "svg")


def statements_job(key: str) -> Job:
    """A paper's statements as they are shown."""
    return Job(
        f"statements {key}",
        lambda folder, note: [statement(id).show() for id in statement_ids(key)],
        ("fedproof.bounds.statement_handle", *_rests_on(key)),
    )


def joined(work: Work, documents: list[Any]) -> list[Any]:
    """Lists one after the other."""
    del work
    return [row for rows in documents for row in rows]


def question_job(question: VerbQuery) -> Job:
    """A question's answer."""
    asked = {
        "command": question.command,
        "why_asked": question.why,
        "values": dict(question.values),
        "unit": question.unit,
    }
    sources = ("fedproof.report.questions", *_rests_on(_owner(question.id)))
    return Job(
        question.command,
        lambda folder, note: asked | _document(answer(question)),
        sources,
        parameters=asdict(question),
    )


def audit_job(key: str) -> Job:
    """A paper's audit, and what is written beside it."""
    return Job(
        f"audit {key}",
        lambda folder, note: audit_document(audit(key, progress=note)),
        ("fedproof.validate.audit", "fedproof.validate.scripts", *_rests_on(key)),
        parameters={"certificates": sealed(key)},
        accept=still_rechecked,
    )


def joined_audit(work: Work, documents: list[Any]) -> Document:
    """The audit of all papers; its ledger is written."""
    whole = joined_documents(documents)
    write_document(whole, work.folder / "ledger", paper_pages(documents))
    light = without_certificates(whole["audit"])
    return {"headline": whole["headline"], **light, "ledger": "ledger/ledger.md.xz"}


def trial_job(trial: Trial) -> Job:
    """A run on real data, beside the statement that it is held against."""
    sources = ("fedproof.report.questions", *_rests_on(_owner(trial.statement)))
    drawn = trial_picture(trial)
    return Job(
        trial.command, lambda folder, note: _run(trial, folder / drawn), sources, (drawn,), asdict(trial)
    )


def trial_picture(trial: Trial) -> str:
    """Where the drawing of a run lies in a report.

    >>> trial_picture(Trial("a run", "fedavg", {}, "digits", 3, "fedproxvr.theorem1"))
    'runs/fedproxvr.theorem1-fa69.svg'
    """
    short = sha256(trial.command.encode()).hexdigest()[:4]
    return f"runs/{trial.statement}-{short}.svg"


def _run(trial: Trial, drawn: Path) -> Document:
    history = run_trial(trial)
    held = hold(trial, history)
    write_whole(folder_for(drawn.parent) / drawn.name, _drawing(history, trial.statement))
    squares = [float(v) for v in history.metrics["squared_gradient"][1:]]
    return {
        "title": trial.title,
        "command": trial.command,
        "verdict": held.verdict,
        "picture": f"{drawn.parent.name}/{drawn.name}",
        "alternative": _alternative(history, trial),
        "seen": dict(held.seen),
        "admits": {name: _admitted(found) for name, found in held.admits.items()},
        "mean_squared_gradient": sum(squares) / len(squares) if squares else None,
        "check": _document(held.check),
        **_document(history),
    }


def _drawing(history: History, id: str) -> bytes:
    """The run beside the statement's bound, over the rounds."""
    from fedproof.figures.style import blank, house_style

    with house_style():
        drawn = blank(6.4, 3.4)
        history.plot(drawn.add_subplot(), bound=id)
        text = StringIO()
        drawn.savefig(text, format="svg", metadata={"Date": None})
    return lighter(text.getvalue()).encode()


def _alternative(history: History, trial: Trial) -> str:
    """What is read aloud in place of the drawing."""
    word, values = next(iter(history.metrics.items()))
    first, end = float(values[0]), float(values[-1])
    return f"{trial.title}: {word} from {first:.4g} to {end:.4g} in {history.rounds} rounds"


def _admitted(found: Range) -> str:
    said = found.headline()
    return said if found.empty else f"the other values are admissible for {said}"


def figure_job(id: str) -> Job:
    """A figure in the size that it has for the report, its table packed; runs that it kept are removed."""
    files = tuple(f"figures/{id}.{ending}" for ending in KEPT)

    def make(folder: Path, note: Note) -> Document:
        made, said = drawn(id, folder / "figures", note)
        rmtree(folder / "figures" / f"{id}.runs", ignore_errors=True)
        drawing = folder / f"figures/{id}.svg"
        write_whole(drawing, lighter(drawing.read_text(encoding="utf-8")).encode())
        table = folder / f"figures/{id}.csv"
        write_packed(table, table.read_bytes())
        table.unlink()
        document: Document = jsonable(made.to_dict())
        return document | {"files": list(files), "table": files[0], "runs": said}

    sources = ("fedproof.figures.api", "fedproof.report.stored", *_module(id, "figures"))
    return Job(f"figure {id}", make, sources, files, {"stored": file_digest(id)})


def check_jobs() -> tuple[Job, ...]:
    """Every check in practice."""
    return tuple(check_job(name) for name in sorted(paper_modules("checks")))


def check_job(name: str, salt: int = 0) -> Job:
    """The comparisons that a check makes."""

    def make(folder: Path, note: Note) -> list[Document]:
        del folder, note
        check = import_module(paper_modules("checks")[name]).CHECK
        if not salt:
            return [_row(found) for found in compared(name, check)]
        with threadpool_limits(1, "blas"):
            return [_row(found) for found in check.find(SamplingBudget(None, salt))]

    fresh = f", fresh seeds {salt}" if salt else ""
    sources = ("fedproof.report.stored", *_module(name, "checks"))
    given = salt or {"stored": file_digest(name)}
    return Job(f"validate {name}{fresh}", make, sources, parameters=given)


def joined_checks(work: Work, documents: list[Any]) -> Document:
    """The verdicts, corrected together; what looks violated is compared again on fresh seeds."""

    names = sorted(paper_modules("checks"))

    def again() -> tuple[BoundComparison, ...]:
        fresh = [work.do(check_job(name, 1), "runs against theory, again") for name in names]
        return tuple(map(_comparison, joined(work, fresh)))

    found = tuple(map(_comparison, joined(work, documents)))
    return _document(Validation(assign_verdicts(found, again)))


def _row(found: BoundComparison) -> Document:
    """A comparison as JSON, which has no infinities."""
    values = {name: getattr(found, name) for name in found.__slots__}
    return {k: repr(v) if isinstance(v, float) and not math.isfinite(v) else v for k, v in values.items()}


def _comparison(row: Mapping[str, Any]) -> BoundComparison:
    endless = {k: float(v) for k, v in row.items() if v in ("inf", "-inf", "nan")}
    said = {name: tuple(row[name]) for name in ("rests_on", "conditional")}
    return BoundComparison(**{**row, **endless, **said})


def _document(result: Result) -> Document:
    return {"headline": result.headline(), **jsonable(result.to_dict())}


def _owner(id: str) -> str:
    """The paper that a statement is of; a bare key is one."""
    return next((key for key, paper in papers().items() if id == key or id in paper.statements), "")


def _rests_on(key: str) -> tuple[str, ...]:
    """The modules of a paper that anything about it may rest on."""
    return tuple(paper_modules_of(packages()[key])) if key in packages() else ()


def _module(name: str, folder: str) -> tuple[str, ...]:
    """A check's or figure's module, and those of its paper."""
    return (paper_modules(folder)[name], *_rests_on(name.partition(".")[0]))
