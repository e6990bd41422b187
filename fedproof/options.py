"""Arguments and options that several commands of the shell take."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from fedproof import completing
from fedproof.vocabulary.printable import printable

Id = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="A statement, such as fedproxvr.lemma1.sarah.",
        autocompletion=completing.statements,
    ),
]
Algorithm = Annotated[str, typer.Argument(metavar="ALGORITHM", autocompletion=completing.algorithms)]
Key = Annotated[str | None, typer.Argument(metavar="KEY", autocompletion=completing.keys)]
Ids = Annotated[list[str] | None, typer.Argument(metavar="ID...", autocompletion=completing.statements)]
KeysOrIds = Annotated[
    list[str] | None, typer.Argument(metavar="KEY or ID...", autocompletion=completing.keys_and_statements)
]
Words = Annotated[list[str], typer.Argument(metavar="WORD...", help="Such as: local steps.")]
Values = Annotated[
    list[str] | None, typer.Argument(metavar="name=value...", help="Letters or canonical words.")
]
Grid = Annotated[
    list[str] | None,
    typer.Argument(metavar="name=value[,value...]", help="Letters or words; all combinations are run."),
]
Problem = Annotated[
    str, typer.Option("--problem", help="A problem's name, such as digits, or a file or folder.")
]
ProblemOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="name=value", help="How the problem is made; repeatable."),
]
Logs = Annotated[
    Path | None, typer.Option("--history", help="A log or saved run, or a folder of them, checked instead.")
]
LogHeader = Annotated[
    Path | None, typer.Option("--header", help="TOML with what the logs do not say: docs/logs.md.")
]
Clients = Annotated[
    int | None, typer.Option("--clients", min=1, help="How many; each problem has a default.")
]
ProblemSeed = Annotated[int, typer.Option("--problem-seed", min=0, help="Of the problem's draws and split.")]
CohortSize = Annotated[
    int | None, typer.Option("--cohort", metavar="K", help="Clients drawn per round; all by default.")
]
Replacement = Annotated[bool, typer.Option("--replacement", help="Draw the cohort with it.")]
Probability = Annotated[str, typer.Option("--probability", help="Of a client in a draw: uniform or size.")]
Average = Annotated[
    str | None,
    typer.Option("--average", help="Weights: size, plain or scaled; by default those of the loss."),
]
Claim = Annotated[str, typer.Argument(metavar="CLAIM", help="In quotes: 'sqrt(x*y) <= (x + y)/2'.")]
Given = Annotated[
    list[str] | None, typer.Argument(metavar="GIVEN", help="Hypotheses, each in quotes: 'x >= 0'.")
]
From = Annotated[
    list[str] | None,
    typer.Option("--from", metavar="FILE", help="A paper of your own in one Python file; its code is run."),
]
Symbol = Annotated[str, typer.Argument(metavar="SYMBOL")]
Function = Annotated[
    str,
    typer.Argument(metavar="MODULE:FUNCTION", help="Or FILE.py:FUNCTION; it is imported and called."),
]
ConformTo = Annotated[
    str, typer.Option("--algorithm", help="fedavg, fedprox, fedproxvr, fedproxvr_svrg or fedcomposite.")
]
NewKind = Annotated[str, typer.Argument(metavar="paper", help="What to begin.")]
NewKey = Annotated[str, typer.Argument(metavar="KEY", help="Its name: small letters, digits and _.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
Toml = Annotated[bool, typer.Option("--toml", help="The same document as TOML.")]
Flower = Annotated[bool, typer.Option("--flower", help="What to run, as [tool.flwr.app.config] of Flower.")]
Out = Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write to.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress on stderr.")]
Formats = Annotated[str, typer.Option("--fmt", help="svg, png, pdf, or several with commas.")]
FigureId = Annotated[str, typer.Argument(metavar="ID", is_eager=True)]
FigureValues = Annotated[
    list[str] | None,
    typer.Argument(metavar="name=value...", help="The computation's own parameters, such as seeds=10."),
]
Reuse = Annotated[bool, typer.Option("--reuse", help="Draw from the CSV in DIR, if there is one.")]
RunWorkers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Processes for its runs; all cores by default.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="tcp://HOST:PORT", help="A Dask cluster that does the runs: docs/sweeps.md."
    ),
]
Deep = Annotated[
    bool, typer.Option("--deep", help="Which hypotheses a step needs, and its slack. Takes long.")
]
LedgerFolder = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder to write the ledger to.")
]
SweepFolder = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="DIR", help="Folder that keeps every finished run; goes on there."
    ),
]
Measures = Annotated[
    list[str] | None, typer.Option("--metric", metavar="NAME", help="What to measure; repeatable.")
]
Data = Annotated[
    str, typer.Argument(metavar="DATA", help="digits, breast_cancer, quadratic, synthetic or a file.")
]
Trajectory = Annotated[
    str, typer.Option("--algorithm", help="Whose trajectory and local solves are measured.")
]
Epsilon = Annotated[str, typer.Option("--epsilon", help="What the mean squared gradient may be.")]
Uplink = Annotated[str, typer.Option("--uplink", help="Of a client, bits a second.")]
Downlink = Annotated[str | None, typer.Option("--downlink", help="By default as the uplink.")]
StepSeconds = Annotated[
    str | None, typer.Option("--step-seconds", help="Of one sample gradient; measured here by default.")
]
BitsPerValue = Annotated[str, typer.Option("--bits-per-value", help="Of a number that is sent.")]
ShortRounds = Annotated[int, typer.Option("--rounds", min=1, help="Of the short runs.")]

#: how a user's data are read: each flag is the option of its name
_DATA_FLAGS = {
    "client": ("COLUMN", "Column of your data that says whose a row is."),
    "label": ("COLUMN", "Column of the label or target; by default the last."),
    "ignore": ("COLUMN[,COLUMN]", "Columns that are left out."),
    "missing": ("error|drop|mean", "What becomes of missing values."),
    "standardise": ("yes|no", "Columns of numbers to mean 0 and deviation 1."),
    "delimiter": ("SIGN", "What stands between cells; by default what fits best."),
    "split": ("NAME", "How rows are dealt to clients, such as iid: docs/data.md."),
    "weights": ("size|equal", "What a client counts in the loss: its samples, or as every other."),
    "labels_per_client": ("N", "Labels that a client holds, where the split deals by label."),
}


def _flag(name: str) -> str:
    """How an option is typed in the shell."""
    return f"--{name.replace('_', '-')}"


def data_flags(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the flags of a user's data, which become options of the problem.

    What is read is said in one line on stderr, unless --quiet is given.
    """
    signature = inspect.signature(command, eval_str=True)
    flags = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=None,
            annotation=Annotated[list[str] | None, typer.Option(_flag(name), metavar=metavar, help=help)],
        )
        for name, (metavar, help) in _DATA_FLAGS.items()
    ]  # fmt: skip

    @wraps(command)
    def taking(**given: Any) -> None:
        said = [f"{name}={value}" for name in _DATA_FLAGS for value in given.pop(name) or ()]
        given["option"] = [*(given["option"] or ()), *said]  # a name that is there twice is refused with them
        with _saying(not given.get("quiet", False)):
            command(**given)

    own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in signature.parameters.values()]
    taking.__signature__ = signature.replace(parameters=[*own, *flags])  # type: ignore[attr-defined]
    taking.__annotations__ = {p.name: p.annotation for p in (*own, *flags)} | {"return": None}
    return taking


class _Stderr(logging.Handler):
    """A line on stderr for each record."""

    def emit(self, record: logging.LogRecord) -> None:
        typer.echo(f"fedproof: {printable(record.getMessage())}", err=True)


@contextmanager
def _saying(wanted: bool) -> Iterator[None]:
    """What is read is said while a command runs."""
    log, handler = logging.getLogger("fedproof"), _Stderr()
    level = log.level
    if wanted:
        log.addHandler(handler)
        log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
