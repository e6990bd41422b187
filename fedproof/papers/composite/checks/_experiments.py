"""Which problems run with which settings: the edges of the theorems' conditions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import isqrt

import numpy as np

from fedproof.papers.composite.checks._family import QuadraticInstance, RunExperiment, family, line
from fedproof.papers.composite.checks._stacked import run_copies, seeded
from fedproof.papers.composite.checks._theory import methods
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.replicas import generator

STEPS = (1, 4)
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


def _settings(
    instance: QuadraticInstance, batch: int | None, steps: tuple[int, ...]
) -> Iterator[FedComposite]:
    """Longest steps at the edges of (13), of the sharpened theorems, and below: eta tau = 1/(10 L)."""
    for server in (least_server(instance.smooth.n_clients), Fraction(1), SMALL):
        yield from methods(instance.smoothness, server, batch, steps, (SHARE * min(Fraction(1), server),))


def far(instance: QuadraticInstance) -> Array:
    """A start some way from the solution, on the other side where a bound is nearer than that."""
    high = instance.penalty.high
    signs = [1 if high is None or x + 1 < high else -1 for x in instance.solution]
    steps = fractions([3] + [1] * (instance.smooth.dimension - 1))
    found: Array = instance.solution + steps * fractions(signs)
    return found


def _all(batch: int | None) -> Iterator[RunExperiment]:
    for instance in family():
        for method in _settings(instance, batch, STEPS):
            yield RunExperiment(instance, method, far(instance))
            if method.local_steps > 1 and instance.smooth.n_clients > 1:
                yield RunExperiment(instance, method, instance.solution)


@cache
def full_cases() -> tuple[RunExperiment, ...]:
    """All problems with full gradients: tau = 1 and 4, each server, two starts."""
    return tuple(_all(None))


@cache
def noisy_cases() -> tuple[RunExperiment, ...]:
    """Every problem with noise under each server, tau and start in turn."""
    found: dict[tuple[int, Fraction], list[RunExperiment]] = {}
    for case in _all(1):
        if case.instance.variance:
            found.setdefault((id(case.instance), case.method.server_stepsize), []).append(case)
    chosen = (cases[number // 3 % len(cases)] for number, cases in enumerate(found.values()))
    return tuple(case for case in chosen if _moved_by_noise(case))


def _moved_by_noise(case: RunExperiment) -> bool:
    """Whether noise moves the server off the solution; in a corner it may not, and runs would be equal."""
    problem, solution = case.instance.rounded, case.instance.solution.astype(float)
    draws = seeded(problem, case.method, 64, generator(12))
    path = run_copies(case.method, problem, 3, draws, 64, np.repeat(solution[None], 64, axis=0))
    return bool(np.ptp(path.models[-1], axis=0).any())


@cache
def short_cases() -> tuple[tuple[RunExperiment, int], ...]:
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
        for method in _settings(instance, 1, (1, 2)):
            rounds = 5 // (n * method.local_steps)
            for start in (instance.solution, far(instance)):
                found.append((RunExperiment(instance, method, start), rounds))
    return tuple(found)


@cache
def strong_cases(batch: int | None) -> tuple[RunExperiment, ...]:
    """Theorem 3.8: strongly convex, n a square, eta_g = sqrt(n), eta~ = mu_sc / (150 L^2)."""
    found = []
    for instance in family():
        n, mu, smooth = instance.smooth.n_clients, instance.strong_convexity, instance.smoothness
        if mu > 0 and isqrt(n) ** 2 == n and (batch is None or instance.variance):
            share = mu / (150 * smooth)
            for method in methods(smooth, Fraction(isqrt(n)), batch, (1, 4), (share,)):
                found.append(RunExperiment(instance, method, far(instance)))
    return tuple(case for case in found if batch is None or _moved_by_noise(case))


@cache
def distance_cases(batch: int | None) -> tuple[RunExperiment, ...]:
    """Theorem 3.8 sharpened: strongly convex, any n, eta_g = 1 or 3, eta~ = mu_sc / (10 L^2)."""
    found = []
    for instance in family():
        mu, smooth = instance.strong_convexity, instance.smoothness
        if mu > 0 and (batch is None or instance.variance):
            for server, tau in ((Fraction(1), 4), (Fraction(3), 2)):
                for method in methods(smooth, server, batch, (tau,), (mu / (10 * smooth),)):
                    found.append(RunExperiment(instance, method, far(instance)))
    return tuple(case for case in found if batch is None or _moved_by_noise(case))
