"""The verb `run`: what does the algorithm do on a problem?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from fedproof.problems.catalog import READ, as_problem, usual_average
from fedproof.problems.problem import Problem
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.catalog import algorithm_class
from fedproof.solvers.cohort import Participation
from fedproof.solvers.driver import run as drive
from fedproof.solvers.history import History
from fedproof.solvers.long_steps import long_step
from fedproof.solvers.metrics import MetricFunction, check_own
from fedproof.solvers.parameters import merged


def run(
    algorithm: str,
    problem: str | Path | Problem | Any = "digits",
    *,
    rounds: int = 20,
    seed: int = 0,
    clients: int | None = None,
    problem_seed: int = 0,
    problem_options: Mapping[str, Any] | None = None,
    participation: Participation | int | None = None,
    metrics: Iterable[str] | Mapping[str, MetricFunction] | None = None,
    progress: Callable[[str], Any] | None = None,
    resume: History | None = None,
    workers: int = 1,
    kernel: str = "auto",
    x0: Any = None,
    parameters: Mapping[str, Any] | None = None,
    say: Callable[[str], Any] = READ.warning,
    **hyper: Any,
) -> History:
    """Run an algorithm by name on a problem and return its history.

    Arguments:
        algorithm: its name, such as fedavg or fedproxvr.
        problem: digits, breast_cancer, quadratic, synthetic, a file, data in memory, or a problem.
        rounds, seed: how many global rounds, and what fixes every draw.
        clients, problem_seed, problem_options: how a named problem is built.
        participation: who takes part in a round; a whole number draws that many clients without replacement
            and averages them by size, as FedAvg does; all by default.
        metrics, progress, resume, workers, kernel, x0: as the driver takes them; progress gets a short note,
            and a function of your own has a name of its own, for a record is judged by its names.
        parameters, hyper: hyper-parameters by word (local_steps=5) or letter (tau=5), numbers or text.
            beta (inverse_stepsize) sets stepsize = 1 / (beta L), L the problem's unless given; 10 by default.
            Those of a part lie beside it: local_solver="gradient_descent", local_steps=5.
        say: gets a line before the run begins where a step is longer than 2/L; by default the logger
            `fedproof`.

    Returns: the history; its metric lists start with the value before any round.
    Raises: InputError, UnknownName or DataError, one line each.

    >>> history = run("fedproxvr", "quadratic", rounds=2, beta=5, tau=3, mu="1/2")
    >>> history.rounds, len(history.metrics["loss"])
    (2, 3)
    """
    known = algorithm_class(algorithm)
    made = as_problem(problem, clients, problem_seed, problem_options)
    chosen = make_algorithm(known, made, merged(parameters or {}, hyper))
    check_own(metrics)
    if warning := long_step(chosen, made):
        say(warning)
    return drive(
        chosen,
        made,
        rounds,
        seed,
        x0=x0,
        participation=participation,
        metrics=metrics,
        progress=None if progress is None else lambda _, __, values: progress(first_value(values)),
        resume=resume,
        workers=workers,
        kernel=kernel,
    )


def participation(
    count: int | None, replacement: bool, probability: str, average: str | None, options: Mapping[str, Any]
) -> Participation:
    """Who takes part in a round; models are averaged as a problem of these options weighs its clients.

    Arguments: as of `Participation`; average: None where nothing is said of it.

    >>> participation(None, False, "uniform", None, {"weights": "equal"}).average
    'plain'
    """
    return Participation(count, replacement, probability, average or usual_average(options))


def first_value(values: Mapping[str, Any]) -> str:
    """The first metric that has a value, in a few words."""
    return next((f"{name} {float(v):.4g}" for name, v in values.items() if v is not None), "")
