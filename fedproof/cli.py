"""The shell has the verbs of Python: each command calls one, prints its result and sets the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from math import prod
from pathlib import Path
from typing import Annotated, Any

import typer

from fedproof import __version__, asking, lookups
from fedproof import options as opt
from fedproof.completing import epilog
from fedproof.output import emit as _emit
from fedproof.pipe import exit_code
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.own_file import from_first, use
from fedproof.vocabulary.values import assignments as _values

#: so many runs take long before the first is done, so that their number is said at once
MANY = 10_000

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Check the theory of federated optimisation, tune by it, run it, and compare. "
    "name=value is mathematics, --flag is how to run.",
)


app.command("list")(lookups.list_)
app.command("find")(lookups.find)
app.command("conditions")(lookups.conditions)
app.command("region")(asking.region)
app.command("show")(asking.show)
app.command("check")(asking.check)
app.command("range")(asking.range_)
app.command("tune")(asking.tune)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"fedproof {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    own: opt.From = None,
) -> None:
    """What every command takes."""
    for path in own or ():
        use(path)


@app.command()
@opt.data_flags
def plan(
    data: opt.Data,
    epsilon: opt.Epsilon,
    uplink: opt.Uplink = "1e6",
    downlink: opt.Downlink = None,
    step_seconds: opt.StepSeconds = None,
    bits_per_value: opt.BitsPerValue = "64",
    clients: opt.Clients = None,
    option: opt.ProblemOptions = None,
    problem_seed: opt.ProblemSeed = 0,
    rounds: opt.ShortRounds = 50,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    scheduler: opt.Scheduler = None,
    quiet: opt.Quiet = False,
    json: opt.Json = False,
    toml: opt.Toml = False,
    flower: opt.Flower = False,
) -> None:
    """Which theorem covers my data and network, and what should I run?"""
    from fedproof.planning.api import plan as verb
    from fedproof.terminal import progress

    with progress(f"plan {data}", None, quiet) as tick:
        found = verb(
            data, epsilon=epsilon, uplink=uplink, downlink=downlink, step_seconds=step_seconds,
            bits_per_value=bits_per_value, clients=clients, problem_options=_values(option),
            problem_seed=problem_seed, rounds=rounds, seed=seed, scheduler=scheduler, progress=tick,
        )  # fmt: skip
    _emit(found, json, toml, flower)


@app.command()
@opt.data_flags
def describe(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A problem's name, or a file or folder.")],
    clients: opt.Clients = None,
    option: opt.ProblemOptions = None,
    problem_seed: opt.ProblemSeed = 0,
    json: opt.Json = False,
) -> None:
    """How large are the clients, and how unlike?"""
    from fedproof.problems.data.describe import describe as verb

    _emit(verb(data, clients=clients, problem_seed=problem_seed, problem_options=_values(option)), json)


@app.command()
@opt.data_flags
def measure(
    data: opt.Data,
    values: opt.Values = None,
    clients: opt.Clients = None,
    option: opt.ProblemOptions = None,
    problem_seed: opt.ProblemSeed = 0,
    algorithm: opt.Trajectory = "fedproxvr",
    rounds: Annotated[int, typer.Option("--rounds", min=0, help="Length of the trajectory.")] = 16,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    seeds: Annotated[int, typer.Option("--seeds", min=2, help="Repetitions of every local solve.")] = 20,
    effort: Annotated[str, typer.Option("--effort", help="Multiplies the work of the searches.")] = "1",
    quiet: opt.Quiet = False,
    json: opt.Json = False,
) -> None:
    """Which constants does a problem have, and how well are they known?"""
    from fedproof.measure.api import measure as verb
    from fedproof.terminal import progress

    with progress(f"measure {data}", None, quiet) as tick:
        found = verb(
            data, clients=clients, problem_seed=problem_seed, problem_options=_values(option),
            algorithm=algorithm, rounds=rounds, seed=seed, seeds=seeds, effort=effort, progress=tick,
            parameters=_values(values),
        )  # fmt: skip
    _emit(found, json)


@app.command()
@opt.data_flags
def run(
    algorithm: opt.Algorithm,
    values: opt.Values = None,
    problem: opt.Problem = "digits",
    rounds: Annotated[int, typer.Option("--rounds", min=0)] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
    clients: opt.Clients = None,
    option: opt.ProblemOptions = None,
    problem_seed: opt.ProblemSeed = 0,
    workers: Annotated[int, typer.Option("--workers", min=1)] = 1,
    kernel: Annotated[str, typer.Option("--kernel", help="auto, numpy or numba.")] = "auto",
    cohort: opt.CohortSize = None,
    replacement: opt.Replacement = False,
    probability: opt.Probability = "uniform",
    average: opt.Average = None,
    quiet: opt.Quiet = False,
    json: opt.Json = False,
) -> None:
    """Run an algorithm and print its history."""
    from fedproof.solvers.api import participation
    from fedproof.solvers.api import run as verb
    from fedproof.terminal import progress

    taking = participation(cohort, replacement, probability, average, _values(option))
    with progress(f"{algorithm} on {problem}", rounds, quiet) as tick:
        history = verb(
            algorithm, problem=problem, rounds=rounds, seed=seed, workers=workers, progress=tick,
            participation=taking, parameters=_values(values), clients=clients, problem_seed=problem_seed,
            problem_options=_values(option), kernel=kernel,
        )  # fmt: skip
    _emit(history, json)


@app.command()
@opt.data_flags
def sweep(
    algorithm: opt.Algorithm,
    values: opt.Grid = None,
    problem: opt.Problem = "digits",
    rounds: Annotated[int, typer.Option("--rounds", min=0)] = 20,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="How many, counted from 0.")] = 5,
    clients: opt.Clients = None,
    option: opt.ProblemOptions = None,
    problem_seed: opt.ProblemSeed = 0,
    metric: opt.Measures = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Processes; 1 by default.")] = None,
    scheduler: opt.Scheduler = None,
    cohort: opt.CohortSize = None,
    replacement: opt.Replacement = False,
    probability: opt.Probability = "uniform",
    average: opt.Average = None,
    output: opt.SweepFolder = None,
    quiet: opt.Quiet = False,
    json: opt.Json = False,
) -> None:
    """Run an algorithm at many settings from many seeds; stopped, it goes on where it was."""
    from fedproof.solvers.api import participation
    from fedproof.solvers.runs.sweep import MOST_RUNS
    from fedproof.solvers.runs.sweep import sweep as verb
    from fedproof.terminal import progress

    grid = {name: text.split(",") for name, text in _values(values).items()}
    taking = participation(cohort, replacement, probability, average, _values(option))
    count = prod(map(len, grid.values())) * seeds
    if MANY <= count <= MOST_RUNS and not quiet:
        print(f"fedproof: {count} runs, {count // seeds} settings from {seeds} seeds each", file=sys.stderr)
    with progress(f"{algorithm} on {problem}", count, quiet) as tick:
        runs = verb(
            algorithm, problem, parameters={k: v for k, [v, *rest] in grid.items() if not rest},
            grid={k: v for k, v in grid.items() if len(v) > 1}, seeds=seeds, rounds=rounds, clients=clients,
            problem_seed=problem_seed, problem_options=_values(option), participation=taking, folder=output,
            workers=workers or (1 if scheduler is None else None), scheduler=scheduler, progress=tick,
            metrics=metric or None,
        )  # fmt: skip
    _emit(runs, json)


@app.command()
@opt.data_flags
def validate(
    ids: opt.Ids = None,
    history: opt.Logs = None,
    header: opt.LogHeader = None,
    problem: Annotated[
        str | None, typer.Option("--problem", help="On which the records ran; its constants are proved anew.")
    ] = None,
    clients: opt.Clients = None,
    option: opt.ProblemOptions = None,
    problem_seed: opt.ProblemSeed = 0,
    seeds: Annotated[int | None, typer.Option("--seeds", min=1, help="Runs of each comparison.")] = None,
    quiet: opt.Quiet = False,
    json: opt.Json = False,
) -> None:
    """Does a run obey the theory? Exit 1 when something that should hold does not."""
    from fedproof.terminal import progress
    from fedproof.validate.api import titles
    from fedproof.validate.api import validate as verb

    names = titles(*(ids or ())) if history is None else ()
    made: dict[str, Any] = {"problem": problem, "clients": clients, "problem_seed": problem_seed}
    made["problem_options"] = _values(option)
    with progress("validate", None, quiet, names) as tick:
        results = verb(*(ids or ()), progress=tick, history=history, seeds=seeds, header=header, **made)
    _emit(results, json, failed=bool(results.unexpected))


@app.command()
def audit(
    ids: opt.KeysOrIds = None,
    output: opt.LedgerFolder = None,
    deep: opt.Deep = False,
    quiet: opt.Quiet = False,
    json: opt.Json = False,
) -> None:
    """Is its proof right? Exit 1 when a correction does not hold; what is printed may be refuted."""
    from fedproof.report.ledger import write_ledger
    from fedproof.terminal import progress
    from fedproof.validate.audit import audit as verb
    from fedproof.validate.audit import items
    from fedproof.vocabulary.files import folder_for

    asked = tuple(ids or ())
    if output is not None:
        folder_for(output)
    with progress("audit", None, quiet, items(*asked, deep=deep)) as tick:
        verdicts = verb(*asked, progress=tick, deep=deep)
    _emit(verdicts if output is None else write_ledger(verdicts, output), json)
    if verdicts.failed:
        print(*(f"fedproof: {said}" for said in verdicts.failed), sep="\n", file=sys.stderr)
        raise typer.Exit(1)


@app.command(context_settings={"ignore_unknown_options": True})
def decide(claim: opt.Claim, given: opt.Given = None, json: opt.Json = False) -> None:
    """Is an inequality true? Exit 1 unless it is proved: refuted by exact numbers, or open."""
    from fedproof.proof.decide import decide as verb
    from fedproof.terminal import waiting

    with waiting("decide") as tell:
        decision = verb(claim, given=given or (), progress=tell)
    _emit(decision, json, failed=decision.verdict != "proved")


@app.command()
def conform(function: opt.Function, algorithm: opt.ConformTo = "fedprox", json: opt.Json = False) -> None:
    """Is my implementation right? Imports and runs your code. Exit 1, and the mistake, when it is not."""
    from fedproof.terminal import waiting
    from fedproof.testing.api import conform as verb

    with waiting(f"conform {function}"):
        found = verb(function, algorithm)
    _emit(found, json, failed=not found.conforms)


def _figure_help(context: typer.Context, wanted: bool) -> None:
    """The usual help and, where a figure is named, the parameters that it takes."""
    if wanted:
        from fedproof.figures.api import figure_parameters

        print(context.get_help())
        if context.params["id"]:
            _emit(figure_parameters(context.params["id"]), False)
        raise typer.Exit


@app.command(add_help_option=False)
def figure(
    output: opt.Out,
    id: opt.FigureId = "",
    values: opt.FigureValues = None,
    reuse: opt.Reuse = False,
    workers: opt.RunWorkers = None,
    scheduler: opt.Scheduler = None,
    fmt: opt.Formats = "svg,png",
    quiet: opt.Quiet = False,
    json: opt.Json = False,
    _: Annotated[bool, typer.Option("--help", callback=_figure_help, help="Also what ID takes.")] = False,
) -> None:
    """Make a paper's figure or table again: CSV, JSON provenance and pictures."""
    from fedproof.figures.api import figure as verb
    from fedproof.terminal import progress

    with progress(id, None, quiet) as tick:
        made = verb(
            id, output, reuse=reuse, size=_values(values), progress=tick, workers=workers,
            scheduler=scheduler, fmt=fmt,
        )  # fmt: skip
    _emit(made, json)


@app.command()
def report(
    output: opt.Out = Path("report"),
    workers: opt.RunWorkers = None,
    quiet: opt.Quiet = False,
    json: opt.Json = False,
) -> None:
    """Write pages that open from a folder: what holds, what does not, by what margin."""
    from fedproof.report.api import report as verb
    from fedproof.terminal import progress

    with progress("report", None, quiet, lines=True) as tick:
        results = verb(output, progress=tick, workers=workers)
    _emit(results, json)


@app.command()
def new(kind: opt.NewKind, key: opt.NewKey, output: opt.Out = Path("."), json: opt.Json = False) -> None:
    """Write the folder of a new paper: a statement, a proof step and a check, which pass."""
    from fedproof.report.new_paper import new_paper

    if kind != "paper":
        raise UnknownName("kind", kind, ("paper",))
    _emit(new_paper(key, output), json)


for _command in app.registered_commands:
    if _command.callback:
        _command.epilog = epilog(_command.name or _command.callback.__name__)


@cache
def _whole() -> Callable[..., Any]:
    """All commands as one, made once a process."""
    return typer.main.get_command(app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 a check failed, 2 bad input.

    >>> main(["check", "fedproxvr.lemma1.sarah", "L=0"])
    2
    """
    given = from_first(list(sys.argv[1:] if arguments is None else arguments)) or ["--help"]
    return exit_code(lambda: _whole()(args=given, prog_name="fedproof", standalone_mode=False))
