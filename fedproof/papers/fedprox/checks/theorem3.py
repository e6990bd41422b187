"""Theorem 3, repaired: FedMSPP's mean squared gradient over w_0 to w_{T-1}, against its bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from fedproof.papers.fedprox.checks._experiments import EXACT, Experiment, admitted, minibatched, refused
from fedproof.papers.fedprox.checks._instances import equal_digits, robust, sampled_lines, slope
from fedproof.papers.fedprox.checks._runs import Runs, enumerated, sampled
from fedproof.papers.fedprox.checks.theorem1 import runs
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

GENERAL, EXPLICIT = "fedprox.theorem3.general.repaired", "fedprox.theorem3.repaired"
SEEDS, LONG = 40, 400
#: I, b, T with the theorem's own step size where J is a whole number
OWN = {"alike devices": ((1, 1, 9), (1, 2, 8), (2, 1, 8)), "devices apart": ((2, 1, 4), (2, 1, 9))}
#: L eta, b, T
OTHERS = ((Fraction(1, 8), 1, 5), (Fraction(1, 100), 2, 5), (Fraction(1, 1000), 1, 6))


@cache
def short() -> tuple[Experiment, ...]:
    """Instances on the line, solved exactly, every minibatch enumerated."""
    found = []
    for line in sampled_lines():
        found += [minibatched(line, *own, solver=EXACT) for own in OWN.get(line.name, ())]
        found += [minibatched(line, 1, b, rounds, eta, EXACT) for eta, b, rounds in OTHERS]
    step = minibatched(slope(Fraction(1)), 1, 1, LONG, solver=EXACT).stepsize
    return (*found, minibatched(slope(LONG * step), 1, 1, LONG, solver=EXACT))


@cache
def on_data() -> tuple[Experiment, ...]:
    """Softmax regression on the digits and robust regression, with H^2 <= G^2 where b I counts as 4 draws."""
    problems = (equal_digits(), robust("huber"), robust("cauchy"))
    return tuple(minibatched(problem, 5, 4, 64) for problem in problems)


def rows(id: str, found: Runs, budget: SamplingBudget) -> Iterator[BoundComparison]:
    """What a form of the theorem is compared with."""
    yield enumerated(id, admitted(id, short()), found, "Local solves and constants are exact.", budget)
    said = "Constants are certified, H^2 by G^2."
    yield sampled(id, admitted(id, on_data()), found, SEEDS, said, budget)


def outside(metric: str) -> Iterator[BoundComparison]:
    """What the theorem promises nothing of: a longer step, losses that are not Lipschitz."""
    letters = {"T": 4, "I": 1, "b": 1, "H2": 1, "Delta": 1, "eps": Fraction(1, 10**9)}
    yield refused(GENERAL, metric, sampled_lines()[0], "L eta = 1/3", **letters, eta=Fraction(1, 3))
    yield refused(EXPLICIT, metric, equal_digits("least_squares"), "the pixels as they are", **letters)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """The general form and that with the theorem's step size."""
    found = runs(budget.runs)
    compared = (row for id in (GENERAL, EXPLICIT) for row in rows(id, found, budget))
    return (*compared, *outside(found.name))


CHECK = EmpiricalCheck((GENERAL, EXPLICIT), "mean squared gradient (FedMSPP, Theorem 3 repaired)", find)
