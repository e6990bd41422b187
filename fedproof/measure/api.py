"""The verb `measure`: which constants does a problem have, and how well are they known?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from fedproof.measure.bounded_dissimilarity import bounded_dissimilarity
from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.curvature import lanczos
from fedproof.measure.dissimilarity import measure_dissimilarity
from fedproof.measure.inexactness import measure_inexactness
from fedproof.measure.least_loss import Minimum, measure_initial_gap, minimise
from fedproof.measure.measure_result import MeasureResult
from fedproof.measure.measured_constant import MeasuredConstant, known_constant
from fedproof.measure.search_options import SearchOptions, make_search_options
from fedproof.measure.smoothness import (
    measure_clients,
    measure_samples,
    measure_strong_convexity,
    measure_weak_convexity,
)
from fedproof.measure.variance import measure_variance
from fedproof.problems.catalog import as_problem
from fedproof.problems.composite.composite import smooth_only
from fedproof.problems.data.describe import describe
from fedproof.problems.problem import Constant, Problem
from fedproof.solvers.algorithm import LocalThenAverage
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.catalog import algorithm_class
from fedproof.solvers.parameters import merged, whole_number
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.values import parse_value

CONSTANTS = (
    "smoothness_sample", "smoothness", "weak_convexity", "loss_strong_convexity", "lipschitz_sample",
    "initial_gap", "dissimilarity", "gradient_dissimilarity", "gradient_variance", "inexactness",
)  # fmt: skip
_DATA = (
    "problem", "model", "dimension", "features", "clients", "rows", "held_out", "size_quantiles",
    "heterogeneity", "read",
)  # fmt: skip
_PRODUCTS = 2000
_SOLVE_WORK = 3e10
_MOST_EFFORT = 1_000_000


def measure(
    problem: str | Path | Problem | Any = "digits",
    *,
    clients: int | None = None,
    problem_seed: int = 0,
    problem_options: Mapping[str, Any] | None = None,
    algorithm: str = "fedproxvr",
    rounds: int = 16,
    seed: int = 0,
    seeds: int = 20,
    effort: Any = 1,
    progress: Callable[[str], Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    only: Collection[str] | None = None,
    **hyper: Any,
) -> MeasureResult:
    """Measure the constants that convergence theory asks for, each exact, certified or an estimate.

    FedProxVR: L of (3), lambda of (4), sigma-bar^2 of (5), theta of (11), Delta of Theorem 1; beside them
    L_n of F_n, strong convexity of F, the Lipschitz constant of sample losses, the variance of sample
    gradients and how far the clients' gradients lie apart at any model. Of a loss with
    kinks only what the problem itself proves is reported: the searches need Hessians.

    Arguments:
        problem: a word, a file, data in memory, or a problem in floats.
        clients, problem_seed, problem_options: how a named problem is built.
        algorithm: whose trajectory is sampled and whose local solves are measured.
        rounds: length of the trajectory, a whole number >= 0.
        seed: of all draws.
        seeds: repetitions of every local solve, a whole number >= 2.
        effort: > 0, up to a million; multiplies the work of the searches.
        progress: gets a short note after each constant.
        only: names of `CONSTANTS`; None measures all.
        parameters, hyper: of the algorithm, by word or letter, as `run` takes them; they decide theta.

    Returns: the constants; those that an interrupt cut off are left out, and it says so.
    Raises: InputError, UnknownName or DataError, one line each.

    >>> found = measure("quadratic", clients=3, rounds=2, seeds=2)
    >>> found.constants["smoothness_sample"].kind, float(found.known["smoothness_sample"])
    ('exact', 1.0)
    """
    from threadpoolctl import threadpool_limits

    rounds, seeds = whole_number("rounds", rounds), whole_number("seeds", seeds)
    hard = parse_value(effort, "effort")
    names = CONSTANTS if only is None else _known(only)
    if not 0 < hard <= _MOST_EFFORT:
        raise InputError("effort", effort, f"a number > 0, up to {_MOST_EFFORT}", "leave it out for 1")
    if seeds < 2:
        raise InputError("seeds", seeds, "a whole number >= 2", "write seeds=2")
    problem = smooth_only(as_problem(problem, clients, problem_seed, problem_options))
    if problem.start().dtype == object:
        raise InputError("problem", "fractions", "a problem in floats", "use as_float()")
    note, interrupted = progress or (lambda note: None), False
    if _kinked(problem):
        return MeasureResult({name: _said(problem, name) for name in names}, _data(problem))
    chosen = _algorithm(algorithm, problem, merged(parameters or {}, hyper))
    found: dict[str, MeasuredConstant] = {}
    try:
        with threadpool_limits(1, "blas"), np.errstate(all="ignore"):
            setting = make_search_options(problem, chosen, rounds, seed, seeds, float(hard))
            note("trajectory")
            for name, entry in _each(problem, setting, note, names):
                found[name] = entry
                note(name)
    except KeyboardInterrupt:
        interrupted = True
    return MeasureResult(found, _data(problem), interrupted)


def _known(names: Collection[str]) -> tuple[str, ...]:
    """The names of constants, if all are known."""
    for name in names:
        if name not in CONSTANTS:
            raise UnknownName("constant of only", name, CONSTANTS)
    return tuple(names)


def _data(problem: Problem) -> dict[str, Any]:
    description = describe(problem).to_dict()
    return {key: description[key] for key in _DATA}


def _kinked(problem: Problem) -> bool:
    """Whether it is proved that sample losses have no smoothness constant."""
    known = problem.constants.get("smoothness_sample")
    return known is not None and known.value is None and known.kind == "exact"


def _said(problem: Problem, name: str) -> MeasuredConstant:
    """What the problem itself says of a constant."""
    if name == "loss_strong_convexity":
        return measure_strong_convexity(problem)
    if name == "gradient_dissimilarity":
        return known_constant(bounded_dissimilarity(problem))
    known = problem.constants.get(name)
    return known_constant(Constant(None, "estimate", "not known") if known is None else known)


def _algorithm(name: str, problem: Problem, hyper: dict[str, Any]) -> LocalThenAverage:
    """The algorithm; where the problem has no L, that of the clients at the start sets the step size."""
    made = make_algorithm(algorithm_class(name), problem, hyper, lambda: _smoothness_at_start(problem))
    if not isinstance(made, LocalThenAverage):
        raise InputError("algorithm", name, "one whose clients solve local problems", "write fedproxvr")
    return made


def _smoothness_at_start(problem: Problem) -> float:
    """The largest eigenvalue of a client's Hessian at the start, from below."""
    clients = np.arange(problem.n_clients)
    at = np.repeat(problem.start()[None], len(clients), axis=0)
    begin = np.random.default_rng(0).standard_normal(at.shape)
    top = lanczos(lambda v: problem.hessian_products(at, v, clients), begin, 20).greatest.max()
    return max(float(top), 1e-6)


def _each(
    problem: Problem, setting: SearchOptions, note: Callable[[str], Any], names: Collection[str]
) -> Iterator[tuple[str, MeasuredConstant]]:
    """The constants one after the other, each with what it cost."""

    def taken(how: Callable[[CountingProblem], MeasuredConstant]) -> MeasuredConstant:
        meter, begun = CountingProblem(problem), perf_counter()
        entry, seconds = how(meter), perf_counter() - begun
        return replace(entry, seconds=seconds, gradients=meter.gradients, products=meter.products)

    minimum: list[Minimum] = []
    start = setting.models[0]
    most = int(setting.effort * _SOLVE_WORK / (float(problem.sizes.sum()) * len(start) + 1))

    def solved(meter: CountingProblem) -> Minimum:
        if not minimum:
            minimum.append(minimise(meter, start, max(100, min(most, _PRODUCTS)), note))
        return minimum[0]

    def apart(meter: CountingProblem) -> MeasuredConstant:
        smooth = found["smoothness"].upper if "smoothness" in found else None
        smooth = None if smooth is None else float(smooth)
        return measure_dissimilarity(meter, setting, solved(meter), smooth)

    every: dict[str, Callable[[CountingProblem], MeasuredConstant]] = {
        "smoothness_sample": lambda meter: measure_samples(meter, setting),
        "smoothness": lambda meter: measure_clients(meter, setting),
        "weak_convexity": lambda meter: measure_weak_convexity(meter, setting),
        "initial_gap": lambda meter: measure_initial_gap(meter, solved(meter), start),
        "dissimilarity": apart,
        "gradient_variance": lambda meter: measure_variance(meter, setting),
        "inexactness": lambda meter: measure_inexactness(meter, setting),
    }
    found: dict[str, MeasuredConstant] = {}
    for name in CONSTANTS:
        if name in names:
            found[name] = taken(every[name]) if name in every else _said(problem, name)
            yield name, found[name]
