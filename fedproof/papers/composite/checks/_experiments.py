"""Which problems run with which settings: the edges of the theorems' conditions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import isqrt

import numpy as np

from fedproof.papers.composite.checks._family import QuadraticInstance, RunExperiment, family, line
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.empirical.copies import seeded
from fedproof.validate.empirical.regimes import admits, enumerated, full, sampled
from fedproof.validate.empirical.runs import Runs, run_from
from fedproof.validate.replicas import generator
from fedproof.validate.verdict import BoundComparison, SamplingBudget

Experiments = tuple[RunExperiment, ...]

STEPS = (1, 4)
ROUNDS, SEEDS, HORIZONS = 60, 100, (10, 60)
#: L eta~ at the edge of (13)
SHARE = Fraction(1, 10)
MARGIN = 64
#: a server step size below 1
SMALL = Fraction(1, 4)


def least_server(n: int) -> Fraction:
    """The least eta_g of (13), rounded up to a multiple of 1/64.

    >>> least_server(4), least_server(32)
    (Fraction(3, 2), Fraction(2, 1))
    """
    root = isqrt(n * MARGIN**2 // 8)
    while 8 * root * root < n * MARGIN**2:
        root += 1
    return max(Fraction(3, 2), Fraction(root, MARGIN))


def methods(
    smoothness: Fraction, server: Fraction, batch: int | None, steps: tuple[int, ...], share: Fraction
) -> Iterator[FedComposite]:
    """Algorithm 1 with L eta~ = share and tau in `steps`."""
    for tau in steps:
        yield FedComposite(share / (smoothness * server * tau), tau, server, batch)


def _longest(
    instance: QuadraticInstance, batch: int | None, steps: tuple[int, ...]
) -> Iterator[FedComposite]:
    """Longest steps at the edges of (13), of the sharpened theorems, and below: eta tau = 1/(10 L)."""
    for server in (least_server(instance.smooth.n_clients), Fraction(1), SMALL):
        yield from methods(instance.constants["L"], server, batch, steps, SHARE * min(Fraction(1), server))


def far(instance: QuadraticInstance) -> Array:
    """A start some way from the solution, on the other side where a bound is nearer than that."""
    high = instance.penalty.high
    signs = [1 if high is None or x + 1 < high else -1 for x in instance.solution]
    steps = fractions([3] + [1] * (instance.smooth.dimension - 1))
    found: Array = instance.solution + steps * fractions(signs)
    return found


def _all(batch: int | None) -> Iterator[RunExperiment]:
    for instance in family():
        for method in _longest(instance, batch, STEPS):
            yield RunExperiment(instance, method, far(instance))
            if method.local_steps > 1 and instance.smooth.n_clients > 1:
                yield RunExperiment(instance, method, instance.solution)


@cache
def full_experiments() -> Experiments:
    """All problems with full gradients: tau = 1 and 4, each server, two starts."""
    return tuple(_all(None))


@cache
def noisy_experiments() -> Experiments:
    """Every problem with noise under each server, tau and start in turn."""
    found: dict[tuple[int, Fraction], list[RunExperiment]] = {}
    for case in _all(1):
        if case.instance.constants["sigma2"]:
            found.setdefault((id(case.instance), case.method.server_stepsize), []).append(case)
    chosen = (cases[number // 3 % len(cases)] for number, cases in enumerate(found.values()))
    return tuple(case for case in chosen if _moved_by_noise(case))


def _moved_by_noise(case: RunExperiment) -> bool:
    """Whether noise moves the server off the solution; in a corner it may not, and runs would be equal."""
    at_solution = replace(case, start=case.instance.solution, corrections=None)
    draws = seeded(case.rounded, case.method, 64, generator(12))
    path = run_from([at_solution], case.method, 3, draws, 64, exact=False)
    return bool(np.ptp(path.models[-1], axis=0).any())


@cache
def short_experiments() -> tuple[tuple[RunExperiment, int], ...]:
    """Cases small enough to go through every outcome: n tau R at most 5."""
    noise = ["-1", "1"]
    kinds = (
        line([1], [0], Separable(Fraction(1, 2)), noise, "one client at the kink"),
        line([1, "-1/2"], [1, -1], Separable(Fraction(1, 4)), noise, "one client concave"),
        line([1, 1], [2, -2], Separable(Fraction(1, 4), low=Fraction(-1), high=Fraction(1)), noise, "apart"),
        line([1, "1/2"], ["1/2", "1/4"], Separable(Fraction(0), Fraction(1)), noise, "squared l2"),
    )
    found = []
    for instance in kinds:
        n = instance.smooth.n_clients
        for method in _longest(instance, 1, (1, 2)):
            rounds = 5 // (n * method.local_steps)
            for start in (instance.solution, far(instance)):
                found.append((RunExperiment(instance, method, start), rounds))
    return tuple(found)


@cache
def strong_experiments(batch: int | None, sharpened: bool = False) -> Experiments:
    """Theorem 3.8 at its longest steps: n a square, eta_g = sqrt(n), eta~ = mu_sc / (150 L^2).

    Sharpened: any n, eta_g = 1 or 3, eta~ = mu_sc / (10 L^2).
    """
    found = []
    for instance in family():
        smooth, n, root = instance.constants["L"], instance.smooth.n_clients, isqrt(instance.smooth.n_clients)
        if instance.strong_convexity <= 0 or not (batch is None or instance.constants["sigma2"]):
            continue
        share = instance.strong_convexity / ((10 if sharpened else 150) * smooth)
        printed = [(Fraction(root), STEPS)] if root**2 == n else []
        for server, steps in [(Fraction(1), (4,)), (Fraction(3), (2,))] if sharpened else printed:
            for method in methods(smooth, server, batch, steps, share):
                found.append(RunExperiment(instance, method, far(instance)))
    return tuple(e for e in found if batch is None or _moved_by_noise(e))


def every_regime(
    id: str, runs: Runs, budget: SamplingBudget, noise: bool = True
) -> Iterator[BoundComparison]:
    """A theorem with full gradients and, with noise, over every outcome of short runs and in long ones."""
    yield full(id, [e for e in full_experiments() if admits(id, e)], ROUNDS, runs, budget)
    if noise:
        yield enumerated(id, [(e, r) for e, r in short_experiments() if admits(id, e)], runs, budget)
        noisy = [e for e in noisy_experiments() if admits(id, e)]
        yield sampled(id, noisy, HORIZONS, SEEDS, runs, budget)
