"""The verb `sweep`: what does an algorithm do over many settings and seeds?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from numbers import Integral
from pathlib import Path
from typing import Any

from fedproof.problems.problem import Problem
from fedproof.solvers.catalog import algorithm_class
from fedproof.solvers.cohort import Participation
from fedproof.solvers.parameters import merged
from fedproof.solvers.runs.problem_spec import canonical_form, make_problem_spec
from fedproof.solvers.runs.run_spec import RunSpec, make_run_spec
from fedproof.solvers.runs.run_specs import execute
from fedproof.solvers.runs.sweep_result import Sweep
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

MOST_RUNS = 1_000_000


def sweep(
    algorithm: str,
    problem: str | Path | Problem | Any = "digits",
    *,
    grid: Mapping[str, Iterable[Any]] | None = None,
    settings: Iterable[Mapping[str, Any]] | None = None,
    seeds: int | Iterable[int] = 5,
    rounds: int = 20,
    clients: int | None = None,
    problem_seed: int = 0,
    problem_options: Mapping[str, Any] | None = None,
    metrics: Iterable[str] | None = None,
    participation: Participation | int | None = None,
    parameters: Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[str], Any] | None = None,
    **hyper: Any,
) -> Sweep:
    """Run an algorithm at every setting from every seed; the result does not depend on who ran what.

    Arguments:
        algorithm, problem, rounds, clients, problem_seed, problem_options, participation: as for `run`.
        metrics: by name.
        grid: hyper-parameter by word or letter to its values; all combinations are run.
        settings: explicit settings, each a mapping; with a grid, each is combined with all of it.
        seeds: how many, counted from 0, or which.
        parameters, hyper: hyper-parameters that all runs share.
        folder: where every finished run is kept at once as a JSON file; a sweep that was stopped, however it
            was, goes on from there, and one with more rounds goes on from the runs that are there.
        workers: processes; by default what `joblib.parallel_config` says, else this one alone.
        scheduler: address of a Dask cluster that does the runs instead, such as tcp://192.0.2.1:8786.
        progress: called with a short note after each finished run.

    Returns: the runs, setting by setting; after an interrupt, or a cluster's end, the finished ones, marked.
    Raises: InputError, UnknownName or DataError, one line each.

    >>> found = sweep("fedproxvr", "quadratic", grid={"tau": [2, 4], "mu": [0, "1/2"]}, seeds=3, rounds=2)
    >>> len(found.histories), list(found.summary().columns[:5])
    (12, ['tau', 'mu', 'round', 'runs', 'diverged'])
    """
    points, chosen = _points(grid or {}, settings), _seeds(seeds)
    if len(points) * len(chosen) > MOST_RUNS:
        what = f"{len(points)} settings x {len(chosen)} seeds"
        raise InputError("grid", what, f"at most {MOST_RUNS} runs", "sweep over less at a time")
    shared = merged(parameters or {}, hyper)
    problem_spec = make_problem_spec(problem, clients, problem_seed, problem_options)
    specs: list[RunSpec] = []
    for point in points:
        all_of_it = merged(shared, point)
        spec = make_run_spec(
            algorithm, problem_spec, rounds=rounds, metrics=metrics, participation=participation,
            parameters=all_of_it,
        )  # fmt: skip
        specs += [spec.with_seed(seed) for seed in chosen]
    _all_different(specs)
    names = list(dict.fromkeys(name for point in points for name in point))
    runs = execute(specs, folder, workers=workers, scheduler=scheduler, progress=progress)
    letters = getattr(algorithm_class(algorithm), "letters", {})
    varied = tuple(
        {name: _number(spec.parameters.get(name, spec.exact.get(letters.get(name, name)))) for name in names}
        for spec in runs.jobs
    )  # fmt: skip
    return Sweep(**vars(runs), points=varied, requested=len(specs))


def _points(
    grid: Mapping[str, Iterable[Any]], settings: Iterable[Mapping[str, Any]] | None
) -> list[dict[str, Any]]:
    """Every setting of the sweep."""
    if isinstance(settings, Mapping):
        raise InputError("settings", "one mapping", "a list of mappings", "write settings=[{...}]")
    values = [list(_values(name, given)) for name, given in grid.items()]
    explicit: list[Mapping[str, Any]] = [{}] if settings is None else list(settings)
    size = len(explicit) * prod(map(len, values))
    if not size:
        raise InputError("settings", "none", "at least one", "give every name of the grid a value")
    if size > MOST_RUNS:
        raise InputError("grid", f"{size} settings", f"at most {MOST_RUNS}", "sweep over less at a time")
    points = []
    for setting in explicit:
        for chosen in product(*values):
            points.append(merged(setting, dict(zip(grid, chosen, strict=True))))
    return points


def _values(name: str, given: Any) -> Iterator[Any]:
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        yield given
    else:
        yield from islice(given, MOST_RUNS + 1)


def _seeds(seeds: int | Iterable[int]) -> Sequence[int]:
    if isinstance(seeds, bool) or (isinstance(seeds, Integral) and not 1 <= int(seeds) <= MOST_RUNS):
        raise InputError("seeds", seeds, f"how many, from 1 to {MOST_RUNS}, or a list of them")
    if isinstance(seeds, Integral):
        return range(int(seeds))
    if isinstance(seeds, str) or not isinstance(seeds, Iterable):
        raise InputError("seeds", seeds, "how many, or a list of them", "write seeds=5 or seeds=[0, 1]")
    chosen = list(islice(seeds, MOST_RUNS + 1))
    if not chosen:
        raise InputError("seeds", "none", "at least one", "write seeds=5")
    return chosen


def _all_different(specs: Sequence[RunSpec]) -> None:
    seen: set[str] = set()
    for spec in specs:
        if spec.key in seen:
            what = " ".join(f"{k}={v}" for k, v in spec.parameters.items())
            raise InputError("sweep", f"twice seed={spec.seed} {what}", "every run once", "leave one out")
        seen.add(spec.key)


def _number(value: Any) -> Any:
    """A parameter as a table shows it: text that is a number becomes one."""
    form = canonical_form(value)
    if isinstance(form, str):
        try:
            return float(parse_value(form))
        except InputError:
            return form
    return form
