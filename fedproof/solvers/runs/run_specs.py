"""Run specifications, done by as many workers as there are, each run kept as soon as it is finished."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from joblib import Parallel, delayed

from fedproof.solvers.api import first_value, run
from fedproof.solvers.history import History
from fedproof.solvers.parameters import whole_number
from fedproof.solvers.runs.cluster import cluster
from fedproof.solvers.runs.problem_spec import clear_problem_cache
from fedproof.solvers.runs.run_spec import RunSpec
from fedproof.solvers.runs.run_store import lengths_in, load_run, longest_prefix, save_run
from fedproof.solvers.runs.sweep_result import RunResults
from fedproof.solvers.runs.workers import follow, starting_workers
from fedproof.vocabulary.errors import ClusterLost, InputError
from fedproof.vocabulary.files import folder_for
from fedproof.vocabulary.result import jsonable

#: seconds, about what worker processes take to start: runs that are done by then are done here
WORTH_WORKERS = 2.0


def execute_run_specs(
    specs: Iterable[RunSpec],
    folder: str | Path | None = None,
    *,
    workers: int | None = None,
    progress: Callable[[str], Any] | None = None,
    current: bool = False,
    scheduler: str | None = None,
) -> RunResults:
    """Do every run once and return the histories in the order of the specifications.

    Arguments:
        specs: of any algorithms and problems; one given twice is done once.
        folder: where finished runs are kept and found again; nothing is kept without one.
        workers: processes; by default what `joblib.parallel_config` says, else this one alone.
        progress: called with a short note after each finished run.
        current: a run that another version or source made, which is else taken with a note, is done anew.
        scheduler: address of a Dask cluster that does the runs, in place of `workers`; they are kept here.

    Returns: the histories; the numbers do not depend on workers, on order, or on what was found.
    Raises: KeyboardInterrupt after an interrupt and ClusterLost where the cluster is gone, what was finished
        being kept; DataError for a record that is not what its name says; InputError.

    >>> from fedproof.solvers.runs.run_spec import make_run_spec
    >>> specs = [make_run_spec("fedavg", "quadratic", rounds=2, seed=s) for s in range(3)]
    >>> [history.seed for history in execute_run_specs(specs).histories]
    [0, 1, 2]
    """
    runs = execute(
        tuple(specs), folder, workers=workers, progress=progress, current=current, scheduler=scheduler
    )
    if runs.interrupted:
        raise runs.lost or KeyboardInterrupt
    return runs


def execute(
    specs: Sequence[RunSpec],
    folder: str | Path | None = None,
    *,
    workers: int | None = None,
    progress: Callable[[str], Any] | None = None,
    current: bool = False,
    scheduler: str | None = None,
) -> RunResults:
    """As `execute_run_specs`, but an interrupt or a lost cluster returns what was finished, marked."""
    if scheduler is not None and workers is not None:
        raise InputError("workers", f"{workers} and a scheduler", "one of them", "leave workers out")
    where = None if folder is None else folder_for(folder, "folder").resolve()
    count = None if workers is None else whole_number("workers", workers)
    named = {spec.key: spec for spec in specs}
    histories: dict[str, History] = {}
    notes: dict[str, int] = {}
    interrupted, lost, found = False, None, 0
    try:
        for key, record in _records(named, where, notes, current):
            histories[key] = record
            found += 1
            _tell(progress, record)
        missing = {key: spec for key, spec in named.items() if key not in histories}
        for key, history in _done(missing, where, count, current, scheduler):
            histories[key] = history
            _tell(progress, history)
    except KeyboardInterrupt:
        interrupted = True
    except ClusterLost as error:
        interrupted, lost = True, error
    finally:
        clear_problem_cache()
    finished = tuple(spec for spec in specs if spec.key in histories)
    notes |= dict.fromkeys(_mixed(finished, histories), 1)
    texts = tuple(text if number == 1 else f"{text} ({number} runs)" for text, number in notes.items())
    histories_of = tuple(histories[spec.key] for spec in finished)
    return RunResults(finished, histories_of, found, texts, interrupted, lost)


def _records(
    named: Mapping[str, RunSpec], folder: Path | None, notes: dict[str, int], current: bool
) -> Iterator[tuple[str, History]]:
    """What the folder has already."""
    if folder is None:
        return
    for key, spec in _ordered(named):
        record = load_run(folder, spec, current)
        if record.note:
            notes[record.note] = notes.get(record.note, 0) + 1
        if record.history is not None:
            yield key, record.history


def _mixed(specs: Sequence[RunSpec], histories: Mapping[str, History]) -> Iterator[str]:
    """One note a problem whose runs were not all computed by the same kernel."""
    kernels: dict[Any, dict[str, str]] = {}
    for spec in specs:
        kernels.setdefault(spec.problem_spec, {})[spec.key] = histories[spec.key].kernel
    for used in kernels.values():
        names = list(used.values())
        if len(set(names)) > 1:
            counts = ", ".join(f"{names.count(name)} by {name}" for name in sorted(set(names), reverse=True))
            yield f"runs on one problem were computed by two kernels ({counts}), which agree to rounding"


def _done(
    named: Mapping[str, RunSpec],
    folder: Path | None,
    workers: int | None,
    current: bool,
    scheduler: str | None,
) -> Iterator[tuple[str, History]]:
    """Every run's history as soon as it is there; those on one problem follow each other."""
    if scheduler is not None:
        yield from _afar(named, folder, scheduler)
        return
    begun = _lengths(named, folder)
    waiting = ((key, spec, folder, current, begun.get(spec.run_key, ())) for key, spec in _ordered(named))
    since = monotonic()
    while monotonic() - since < WORTH_WORKERS and (item := next(waiting, None)):
        yield _perform(*item)
    rest = list(waiting)
    if rest:
        begin = {"initializer": follow, "initargs": (os.getpid(),)}
        parallel = Parallel(n_jobs=workers, return_as="generator_unordered", **begin)
        with starting_workers():
            found = parallel(delayed(_perform)(*item) for item in rest)
        yield from found


def _afar(named: Mapping[str, RunSpec], folder: Path | None, scheduler: str) -> Iterator[tuple[str, History]]:
    """The same on a cluster, whose machines need not see the folder: this process keeps what comes back."""
    if not named:
        return
    begun = _lengths(named, folder)
    problems: dict[int, Any] = {}
    with cluster(scheduler) as there:

        def pieces() -> Iterator[tuple[str, tuple[Any, ...]]]:
            for key, spec in _ordered(named):
                lengths = begun.get(spec.run_key, ())
                earlier = None if folder is None else longest_prefix(folder, spec, lengths)
                given, light = spec.problem_spec.given, replace(spec.problem_spec, given=None)
                if given is not None and id(given) not in problems:
                    problems[id(given)] = there.shared(given)
                sent = replace(spec, problem_spec=light)
                yield spec.algorithm, (key, sent, earlier, problems.get(id(given)))

        for key, history in there.done(_elsewhere, pieces()):
            if folder is not None:
                save_run(folder, named[key], history)
            yield key, history


def _elsewhere(key: str, spec: RunSpec, earlier: History | None, given: Any) -> tuple[str, History]:
    """Do one run for a process on another machine, which keeps it."""
    whole = replace(spec, problem_spec=replace(spec.problem_spec, given=given))
    return key, _plainly(_run(whole, earlier))


def _ordered(named: Mapping[str, RunSpec]) -> list[tuple[str, RunSpec]]:
    return sorted(named.items(), key=lambda item: repr(item[1].problem_spec))


def _lengths(named: Mapping[str, RunSpec], folder: Path | None) -> dict[str, list[int]]:
    return lengths_in(folder, {spec.run_key for spec in named.values()}) if named else {}


def _perform(
    key: str, spec: RunSpec, folder: Path | None, current: bool, lengths: Sequence[int]
) -> tuple[str, History]:
    """Do one run where it is sent, and keep it there, before anything else can happen to it."""
    if folder is not None:
        # another sweep that shares the folder may have been faster
        record = load_run(folder, spec, current)
        if record.history is not None:
            return key, record.history
    history = _plainly(_run(spec, None if folder is None else longest_prefix(folder, spec, lengths)))
    stopped = history.interrupted
    if stopped:
        spec = replace(spec, rounds=history.rounds)
        history = replace(history, interrupted=False, requested=history.rounds)
    if folder is not None and history.rounds + (not stopped):
        save_run(folder, spec, history)
    if stopped:
        raise KeyboardInterrupt
    return key, history


def _run(spec: RunSpec, earlier: History | None) -> History:
    def go(resume: History | None) -> History:
        return run(
            spec.algorithm, spec.problem_spec.build(), rounds=spec.rounds, seed=spec.seed,
            metrics=spec.metrics, participation=spec.participation, parameters=spec.parameters, resume=resume,
            say=lambda _: None,
        )  # fmt: skip

    try:
        return go(earlier)
    except InputError:
        if earlier is None:
            raise
        return go(None)


def _plainly(history: History) -> History:
    """The history as a file gives it back, so that nobody can tell whether it was read or run."""
    return replace(history, constants=jsonable(history.constants))


def _tell(progress: Callable[[str], Any] | None, history: History) -> None:
    if progress is not None:
        last = {name: values[-1] for name, values in history.metrics.items()}
        progress("diverged" if history.diverged else first_value(last))
