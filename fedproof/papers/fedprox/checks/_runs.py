"""The mean over rounds of a run's metric: its expectation over every draw of devices, or many seeds.

A model drawn uniformly from w_0 to w_{T-1} has as expected metric the mean of the T expected metrics: that
is taken, so that the draw of t* adds no noise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Any
from zlib import crc32

import numpy as np

from fedproof.papers.fedprox.checks._experiments import Experiment
from fedproof.problems.digest import problem_digest
from fedproof.problems.problem import Array
from fedproof.solvers.algorithm import ModelState, Trace
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run
from fedproof.solvers.metrics import MetricFunction
from fedproof.solvers.parameters import flat_parameters
from fedproof.solvers.randomness import Draws
from fedproof.solvers.runs.stored_runs import DONE_NOW, RunSource, as_numbers, told
from fedproof.validate.empirical.comparison import Place, compare, nearest, sampled_place
from fedproof.validate.verdict import BoundComparison, SamplingBudget

ROUNDING = 1e-9
MOST_STATES = 1 << 16
HIDDEN = "The text hides the constant; here it is that of the proof."
Pointwise = Callable[[Experiment, Any, Array], Array]
"""Of an experiment, its problem with S copies and models (S,): a metric in every copy (S,)."""


def squared_gradients(experiment: Experiment, problem: Any, models: Array) -> Array:
    """|R'(w)|^2 in every copy."""
    del experiment
    slopes: Array = problem.gradient(models)
    return slopes * slopes


def squared_envelope_gradients(experiment: Experiment, problem: Any, models: Array) -> Array:
    """|R_rho'(w)|^2 in every copy."""
    slopes: Array = problem.envelope(models, experiment.letters["rho"])[1]
    return slopes * slopes


def _devices(experiment: Experiment) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """What a device and its minibatch may be: out of equally likely ones how many, which client, samples."""
    (size,) = set(experiment.problem.sizes.tolist())
    batch = experiment.batch or 0
    for client in range(experiment.problem.n_clients):
        for drawn in combinations_with_replacement(range(size), batch):
            yield _orders(drawn), client, drawn


def _orders(drawn: tuple[Any, ...]) -> int:
    """In how many orders something can be drawn."""
    return factorial(len(drawn)) // prod(map(factorial, Counter(drawn).values()))


def cohorts(experiment: Experiment) -> Iterator[tuple[Fraction, Cohort, Draws]]:
    """Every cohort of a round, and its minibatches, with their probability."""
    problem, count, batch = experiment.problem, experiment.count, experiment.batch
    devices = list(_devices(experiment))
    each = combinations if experiment.distinct else combinations_with_replacement
    every = (drawn for drawn in each(range(len(devices)), count) if _may_be(experiment, devices, drawn))
    found = [(drawn, _ways(devices, drawn)) for drawn in every]
    total = sum(ways for _, ways in found)
    for drawn, ways in found:
        clients = tuple(devices[d][1] for d in drawn)
        apart = batch is not None
        cohort = replace(experiment.participation, replacement=True).cohort(
            problem, partial(_tickets, clients), apart
        )
        samples = np.array([devices[d][2] for d in drawn], dtype=np.int64)
        yield Fraction(ways, total), cohort, {"minibatch": samples} if apart else {}


def _may_be(
    experiment: Experiment, devices: list[tuple[int, int, tuple[int, ...]]], drawn: tuple[int, ...]
) -> bool:
    """Whether no device is drawn twice where they are distinct."""
    return not experiment.distinct or len({devices[d][1] for d in drawn}) == len(drawn)


def _ways(devices: list[tuple[int, int, tuple[int, ...]]], drawn: tuple[int, ...]) -> int:
    """Out of equally likely draws of a round, how many are these."""
    return _orders(drawn) * prod(devices[d][0] for d in drawn)


def _tickets(drawn: tuple[int, ...], high: int, number: int) -> Array:
    """Given draws."""
    del high, number
    return np.array(drawn)


def states(experiment: Experiment, method: Any) -> Iterator[tuple[Array, Array]]:
    """The server's models w_0 to w_{T-1} of a run on the line: those possible (S,) with probabilities (S,).

    Raises: RuntimeError where there are too many.
    """
    problem, every = experiment.problem, list(cohorts(experiment))
    one = np.array([Fraction(1)], dtype=object)
    models, shares = problem.start(), one
    yield models, shares
    for _ in range(experiment.rounds - 1):
        where, found = replace(problem, copies=len(models)), Counter[Any]()
        for chance, cohort, draws in every:
            after, _ = method.round(where, ModelState(models), cohort, draws)
            for model, share in zip(after.model.tolist(), shares, strict=True):
                found[model] += share * chance
        if len(found) > MOST_STATES:
            raise RuntimeError(f"{len(found)} outcomes of {experiment.describe()}")
        models, shares = (np.array(list(part), dtype=object) for part in (found.keys(), found.values()))
        yield models, shares


def where_solved(metric: MetricFunction) -> MetricFunction:
    """A metric that ends a run in which a client misses the accuracy asked of its local solver."""

    def measured(problem: Any, state: Any, trace: Trace | None) -> Any:
        missed = trace is not None and trace.solved is not None and not trace.solved.all()
        return np.nan if missed else metric(problem, state, trace)

    return measured


@dataclass(frozen=True, eq=False)
class Runs:
    """What one call has run: the values of one metric alone, so that statements share them.

    Arguments:
        name: canonical, of the mean over rounds.
        pointwise: the metric on the line.
        along: of an experiment, the metric of one run: a function of problem, state and trace.
        source: where runs come from.
        cache: by run; it lives as long as the call that made it.
    """

    name: str
    pointwise: Pointwise
    along: Callable[[Experiment], MetricFunction]
    source: RunSource = DONE_NOW
    cache: dict[Any, Any] = field(default_factory=dict)

    def _named(self, experiment: Experiment, method: Any) -> str:
        """Experiment, method and metric with all that their numbers depend on."""
        rho = experiment.letters.get("rho")
        more = {"problem": problem_digest(experiment.problem)[:16], "metric": self.name, "rho": rho}
        return f"{experiment.describe()}: {told(flat_parameters(method) | more)}"

    def expected(self, experiment: Experiment, method: Any) -> tuple[Fraction, int]:
        """(1/T) sum_t E metric(w_t) over t = 0..T-1 in fractions, and how many different models there are."""
        key = (experiment, method)
        if key not in self.cache:
            of = partial(self._expected, experiment, method)
            value, count = self.source("every draw", self._named(experiment, method), of)
            self.cache[key] = Fraction(value), int(count)
        found: tuple[Fraction, int] = self.cache[key]
        return found

    def _expected(self, experiment: Experiment, method: Any) -> list[Any]:
        """The same as a fraction in text, and a number."""
        total, count = Fraction(0), 0
        for models, shares in states(experiment, method):
            where = replace(experiment.problem, copies=len(models))
            total += np.add.reduce(shares * self.pointwise(experiment, where, models))
            count += len(models)
        return [str(total / experiment.rounds), count]

    def sampled(self, experiment: Experiment, method: Any, seeds: int, salt: int) -> Array:
        """(1/T) sum_t metric(w_t) over t = 0..T-1 in independent runs of the driver, shape (seeds,)."""
        key = (experiment, method, seeds, salt)
        if key not in self.cache:
            first = (crc32(experiment.describe().encode()) << 24) + (salt << 16)
            case, of = self._named(experiment, method), partial(self._mean, experiment, method)
            names = [(case, f"seed {seed}") for seed in range(first, first + seeds)]
            if seeds == 1:
                names = [("one run", f"{case}, seed {first}")]
            means = [self.source(*name, partial(of, first + number)) for number, name in enumerate(names)]
            self.cache[key] = np.array([float(mean) for (mean,) in means])
        found: Array = self.cache[key]
        return found

    def _mean(self, experiment: Experiment, method: Any, seed: int) -> list[float | str]:
        """The mean over the rounds of one run; not a number where it diverged."""
        metrics = {"metric": where_solved(self.along(experiment))}
        history = run(
            method, experiment.problem, experiment.rounds - 1, seed,
            participation=experiment.participation, metrics=metrics,
        )  # fmt: skip
        return as_numbers([np.nan if history.diverged else float(np.mean(history.metrics["metric"]))])


Pairs = Sequence[tuple[Experiment, float]]
"""Experiments with the bounds of a statement."""


def enumerated(id: str, pairs: Pairs, runs: Runs, said: str, budget: SamplingBudget) -> BoundComparison:
    """Experiments on the line, the expectation over every draw of devices in fractions."""
    places, count = [], 0
    for experiment, bound in pairs:
        value, models = runs.expected(experiment, budget.change(experiment.method))
        places.append(Place(value, bound, experiment))
        count += models
    worst = nearest(places)
    return compare(
        id, runs.name, places,
        (f"{len(places)} cases on the line, every draw in fractions; worst: {worst.at.describe()}",
         f"{said} The expectation over t* and all draws of devices ({count} different models) is exact; it "
         f"comes nearest to its bound at {float(worst.measured):.5g} against {worst.bound:.5g}, "
         f"{worst.ratio:.4g} of it."), budget, tolerance=ROUNDING,
    )  # fmt: skip


def sampled(
    id: str, pairs: Pairs, runs: Runs, seeds: int, said: str, budget: SamplingBudget,
    add: Callable[[Experiment], float] = lambda _: 0.0,
) -> BoundComparison:  # fmt: skip
    """Many seeds of every experiment; `add` comes on top of what was measured."""
    places, seeds = [], budget.seeds or seeds
    for experiment, bound in pairs:
        values = runs.sampled(experiment, budget.change(experiment.method), seeds, budget.salt)
        places.append(sampled_place(values + add(experiment), bound, experiment))
    worst = nearest(places)
    return compare(
        id, runs.name, places,
        (f"{len(places)} cases, {seeds} seeds; worst: {worst.at.describe()}",
         f"{said} {seeds} runs of each case, averaged over t = 0..T-1: the mean comes nearest to its bound "
         f"at {worst.measured:.5g} against {worst.bound:.5g}, {worst.ratio:.4g} of it."), budget,
    )  # fmt: skip


def without_chance(id: str, pairs: Pairs, runs: Runs, said: str, budget: SamplingBudget) -> BoundComparison:
    """Experiments in which nothing is drawn, each run once in floats."""
    places = [
        Place(float(runs.sampled(experiment, budget.change(experiment.method), 1, 0)[0]), bound, experiment)
        for experiment, bound in pairs
    ]
    worst = nearest(places)
    return compare(
        id, runs.name, places,
        (f"{len(places)} cases, nothing is drawn; worst: {worst.at.describe()}",
         f"{said} Averaged over t = 0..T-1 it comes nearest to its bound at {worst.measured:.5g} against "
         f"{worst.bound:.5g}, {worst.ratio:.4g} of it."), budget, tolerance=ROUNDING,
    )  # fmt: skip
