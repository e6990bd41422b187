"""Checks and figures from stored runs: a random share is done again, and where one differs, all are.

`python -m fedproof.report.stored NAME ...` stores the runs of checks and figures; without a name it does anew
what has been stored and was made by another source.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypeVar

import numpy as np
from joblib import parallel_config
from threadpoolctl import threadpool_limits

from fedproof.figures.api import FigureFiles, figure_from
from fedproof.figures.catalog import load
from fedproof.figures.spec import Progress
from fedproof.report.dependencies import SourceTexts
from fedproof.report.run_files import (
    RunFile,
    file_digest,
    libraries,
    read_runs,
    source_digest,
    source_here,
    write_runs,
)
from fedproof.solvers.runs.stored_runs import (
    DONE_NOW,
    ROUNDING,
    RecordedRuns,
    RepeatedRuns,
    RunsDiffer,
    RunSource,
)
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget
from fedproof.vocabulary.discovery import paper_modules
from fedproof.vocabulary.errors import DataError, UnknownName

T = TypeVar("T")


@dataclass(frozen=True)
class FromRuns(Generic[T]):
    """What was made from runs, and one sentence on where these came from; "" where all were done now."""

    made: T
    said: str = ""


def from_runs(name: str, module: str, make: Callable[[RunSource], T]) -> FromRuns[T]:
    """Make something from its stored runs, or from runs that are done now where these cannot be used.

    Arguments:
        name: of a check or a figure.
        module: where it is.
        make: from a source of runs.
    """
    if not file_digest(name):
        return FromRuns(make(DONE_NOW))
    file, here, seed = read_runs(name), libraries(), secrets.randbits(32)
    if file is None:
        return FromRuns(make(DONE_NOW), f"{_ANEW}, as the file of the stored ones is damaged.")
    if file.source != source_here(module):
        return FromRuns(make(DONE_NOW), f"{_ANEW}: another source, {file.source[:8]}, did the stored ones.")
    try:
        runs = RepeatedRuns(file.runs, np.random.default_rng(seed), exact=file.libraries == here)
        made = make(runs)
        runs.close()
    except Exception as error:  # of many kinds, where what is stored is no run
        why = str(error) if isinstance(error, RunsDiffer) else type(error).__name__
        return FromRuns(make(DONE_NOW), f"{_ANEW}: the stored ones were refused ({why}).")
    return FromRuns(made, _said(file, runs, here, seed))


_ANEW = "All runs were done now"


def _said(file: RunFile, runs: RepeatedRuns, here: Mapping[str, str], seed: int) -> str:
    """Where the runs came from, in a sentence."""
    unlike = [f"{name} {file.libraries.get(name)}" for name in here if file.libraries.get(name) != here[name]]
    how = f"equal to {ROUNDING:g}, as {' and '.join(unlike)} did them" if unlike else "equal bit for bit"
    return (
        f"{runs.count} runs stored at source {file.source[:8]}; {runs.again} of them, drawn at random "
        f"(seed {seed}), done again: {how}."
    )


def compared(name: str, check: EmpiricalCheck) -> tuple[BoundComparison, ...]:
    """A check's comparisons, of stored runs where there are any; each row says so.

    Arguments:
        name: the check's qualified name.
        check: the check.
    """
    with threadpool_limits(1, "blas"):
        found = from_runs(
            name, paper_modules("checks")[name], lambda runs: check.find(SamplingBudget(runs=runs))
        )
    if not found.said:
        return found.made
    return tuple(replace(row, rests_on=(*row.rests_on, found.said)) for row in found.made)


def drawn(id: str, folder: Path, progress: Progress) -> tuple[FigureFiles, str]:
    """A figure as an SVG in the size that it has for the report, and where its runs came from, in a sentence.

    Arguments:
        id: of the figure.
        folder: to write to.
        progress: called with a note as the work goes on.
    """
    size = load(id).SPEC.brief
    found = from_runs(
        id,
        paper_modules("figures")[id],
        lambda runs: figure_from(runs, id, folder, size=size, progress=progress, fmt="svg"),
    )
    return found.made, found.said


def store(name: str) -> RunFile:
    """Do the runs of a check, or of a figure in the report's size, and write what they gave."""
    kind = "checks" if name in paper_modules("checks") else "figures"
    module = paper_modules(kind)[name]
    source, runs = source_digest(SourceTexts(), module), RecordedRuns()
    with threadpool_limits(1, "blas"), parallel_config("sequential"), TemporaryDirectory() as folder:
        if kind == "checks":
            import_module(module).CHECK.find(SamplingBudget(runs=runs))
        else:
            figure_from(runs, name, folder, size=load(name).SPEC.brief, fmt="svg")
    if source != source_digest(SourceTexts(), module):
        raise DataError(name, "a source that changed meanwhile", "the one that began", "store it again")
    file = RunFile(source, libraries(), runs.values)
    write_runs(name, file)
    return file


def known() -> dict[str, str]:
    """The module of every check and figure, by name."""
    return paper_modules("checks") | paper_modules("figures")


def stale() -> Iterator[str]:
    """The checks and figures whose stored runs are of another source."""
    texts = SourceTexts()
    for name, module in sorted(known().items()):
        file = read_runs(name)
        if file_digest(name) and (file is None or file.source != source_digest(texts, module)):
            yield name


def main(names: Sequence[str]) -> None:
    """Store runs.

    Arguments:
        names: of checks and figures; none means those that are stored and of another source.

    Raises: UnknownName.
    """
    for name in names or list(stale()):
        if name not in known():
            raise UnknownName("check or figure", name, sorted(known()))
        file = store(name)
        sys.stdout.write(f"{name}: {sum(map(len, file.runs.values()))} runs\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
