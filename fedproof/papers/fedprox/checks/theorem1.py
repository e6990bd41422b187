"""Theorem 1: the mean squared gradient over w_0 to w_{T-1}, against its bound with constants."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from fedproof.papers.fedprox.checks._experiments import (
    Experiment,
    admitted,
    constants,
    on_line,
    refused,
    smooth,
)
from fedproof.papers.fedprox.checks._instances import equal_digits, robust, slope, smooth_lines
from fedproof.papers.fedprox.checks._runs import HIDDEN, Runs, enumerated, sampled, squared_gradients
from fedproof.solvers.metrics import METRICS
from fedproof.solvers.runs.stored_runs import DONE_NOW, RunSource
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

PRINTED, GENERAL, EXPLICIT = (f"fedprox.theorem1{part}" for part in ("", ".general", ".explicit"))
SEEDS = 40
#: I and T with the theorem's own step size
OWN = ((1, 1), (1, 4), (1, 9), (2, 8))
#: L eta, and T
OTHERS = ((Fraction(1, 3), 3), (Fraction(1, 10), 6), (Fraction(1, 300), 6))
#: of clients that differ there are at most so many draws of devices
MOST_DRAWS = 10**4
LONG = 400


@cache
def short() -> tuple[Experiment, ...]:
    """Instances on the line with the theorem's step and others, solved exactly and as badly as may be."""
    found = []
    for line in smooth_lines():
        for count, rounds, share in (*((*own, None) for own in OWN), *((1, t, share) for share, t in OTHERS)):
            if line.n_clients ** (count * (rounds - 1)) <= MOST_DRAWS:
                found += [on_line(line, count, rounds, share, pushed) for pushed in (False, True)]
    return tuple(found)


@cache
def descents() -> tuple[Experiment, ...]:
    """Down a constant slope in all T rounds: there 2 Delta / (eta T) is about twice the metric."""
    found = []
    for share, rounds in ((None, LONG), (Fraction(1, 150), 2500)):
        step = on_line(slope(Fraction(1)), 1, rounds, share).stepsize
        found.append(on_line(slope(rounds * step), 1, rounds, share, pushed=False))
    return tuple(found)


@cache
def long() -> tuple[Experiment, ...]:
    """Opposite slopes in many rounds, one client a round: in floats, over seeds."""
    apart = (line for line in smooth_lines() if "opposite" in line.name)
    return tuple(on_line(line, 1, LONG).in_floats() for line in apart)


@cache
def on_data() -> tuple[Experiment, ...]:
    """Softmax regression on the digits and robust regression, each solved to the accuracy of the theorem."""
    cases = [(equal_digits(), 5, 64), (equal_digits(), 1, 100)]
    cases += [(robust(model), count, 64) for model in ("huber", "cauchy") for count in (1, 4)]
    return tuple(smooth(*case) for case in cases)


def runs(source: RunSource = DONE_NOW) -> Runs:
    """Runs whose squared gradients are kept."""
    return Runs("drawn_squared_gradient", squared_gradients, lambda _: METRICS["squared_gradient"], source)


def rows(id: str, found: Runs, budget: SamplingBudget) -> Iterator[BoundComparison]:
    """What a form of the theorem is compared with."""
    said = HIDDEN if id == PRINTED else "Constants are exact."
    yield enumerated(id, admitted(id, (*short(), *descents())), found, said, budget)
    yield sampled(id, admitted(id, long()), found, SEEDS, said, budget)
    said = HIDDEN if id == PRINTED else "Constants are certified, from the data as they are."
    yield sampled(id, admitted(id, on_data()), found, SEEDS, said, budget)


def outside(metric: str) -> Iterator[BoundComparison]:
    """What the theorem promises nothing of: a longer step, losses that are not Lipschitz or not smooth."""
    line = smooth_lines()[-1]
    long = 1 / (2 * constants(line)["L"])
    letters = {"T": 4, "I": 1, "Delta": 1, "eps": Fraction(1, 10**9)}
    yield refused(GENERAL, metric, line, "L eta = 1/2", **letters, eta=long)
    yield refused(EXPLICIT, metric, equal_digits("least_squares"), "the pixels as they are", **letters)
    yield refused(EXPLICIT, metric, robust("absolute"), "a loss with kinks", **letters)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """The general form, that with the theorem's step size, and the printed one with its proof's constant."""
    found = runs(budget.runs)
    compared = (row for id in (GENERAL, EXPLICIT, PRINTED) for row in rows(id, found, budget))
    return (*compared, *outside(found.name))


CHECK = EmpiricalCheck((GENERAL, EXPLICIT, PRINTED), "mean squared gradient (FedProx, Theorem 1)", find)
