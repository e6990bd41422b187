"""The verb `report`: does the main job and writes its pages, keeping every part as it is finished."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from joblib import cpu_count

from fedproof.figures.api import versions
from fedproof.report.front import cards
from fedproof.report.packing import write_packed
from fedproof.report.pipeline import PARTS, Part, PartialReport, finished
from fedproof.report.site import write_pages
from fedproof.vocabulary.files import folder_for
from fedproof.vocabulary.result import Result, Table, to_json

#: seconds between two pages, while there is nothing new to say of a part that took none
PAUSE = 10


@dataclass(frozen=True)
class Report(Result):
    """A written report.

    Arguments:
        index: the page.
        results: everything on it, as JSON; the same as `results.json.xz` beside it.
    """

    index: Path
    results: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """The contract's `report` document."""
        return {"index": str(self.index), "results": dict(self.results)}

    def headline(self) -> str:
        """Where the page is and what the audit and the runs said."""
        said = [self.results[key]["headline"] for key in ("audit", "validate") if key in self.results]
        return f"{self.index}: " + "; ".join(said)

    def tables(self) -> tuple[Table, ...]:
        """The front page: the verdicts of each paper, and its distinct errors."""
        papers = cards(self.results)
        verdicts = [
            (p.key, g.title, ", ".join(filter(None, (*(c.words for c in g.chips), g.more))))
            for p in papers
            for g in p.groups
        ]
        errors = [
            (p.key, f.why, ", ".join((*(c.words for c in f.statements), *f.lines)))
            for p in papers
            for f in p.faults
        ]
        return (
            Table("", ("paper", "", "claims"), tuple(verdicts)),
            Table("Distinct errors", ("paper", "why", "where"), tuple(errors)),
        )


def report(
    output: str | os.PathLike[str] = "report",
    progress: Callable[[str], Any] | None = None,
    *,
    parts: tuple[Part, ...] = PARTS,
    workers: int | None = None,
) -> Report:
    """Judge, tune, run, compare, draw, and write `index.html` and `results.json.xz`.

    Arguments:
        output: folder to write to, made if missing.
        progress: called with a note as the work goes on.
        parts: what to do, in order; the page is written anew as they are finished, so that an
            interruption loses nothing. Where a part fails the others are still done. What is computed
            from the same source, parameters and libraries as in an earlier run is read from the cache folder.
        workers: processes that compute what is not; by default one for each core.

    Returns: where the page is, and everything on it.
    Raises: InputError if the output is a file; after the page is written, what a part that failed raised.
    """
    folder = folder_for(output)
    index, done, written = folder / "index.html", PartialReport({}, {}), -math.inf
    try:
        for done in finished(parts, folder, progress or (lambda note: None), workers or cpu_count()):
            if time.monotonic() - written > PAUSE:
                _write(folder, done.results)
                written = time.monotonic()
    finally:
        results = _write(folder, done.results) if done.results else {}
    for error in done.errors.values():
        raise error
    return Report(index, results)


def _write(folder: Path, document: Mapping[str, Any]) -> dict[str, Any]:
    results = {**document, "versions": versions()}
    (folder / "results.json").unlink(missing_ok=True)  # of an earlier release
    write_packed(folder / "results.json", to_json(results).encode())
    write_pages(results, folder)
    return results
