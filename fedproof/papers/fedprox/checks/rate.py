"""How the means over T rounds fall with T at the theorems' own step sizes, beside how their bounds do.

At every T the mean is compared with its bound. To the means an exponent p of C T^-p is fitted, and shown
beside the bound's own over the same T. The bound says nothing of p over a range of T: means of runs that
start at a stationary point are far below it and may come nearer. Those of runs that start elsewhere and
converge fall as it does: eta sum_t |grad R(w_t)|^2 is about R(w_0) - R(w_T) for small eta.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from fedproof.papers.fedprox.checks import theorem1, theorem2
from fedproof.papers.fedprox.checks._experiments import Experiment, admitted, nonsmooth, on_line
from fedproof.papers.fedprox.checks._instances import nonsmooth_lines, smooth_lines
from fedproof.papers.fedprox.checks._runs import Runs
from fedproof.problems.problem import Array
from fedproof.validate.empirical.comparison import compare, nearest, sampled_place
from fedproof.validate.replicas import generator
from fedproof.validate.statistics import refit
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

SEEDS = 32
#: T from I^3 on, and T below it
FEW, MANY = (1, (16, 64, 256, 1024)), (12, (8, 64, 216, 512))


def exponent(means: Array, rounds: Sequence[int]) -> float:
    """p of the least-squares fit log mean = c - p log T.

    >>> round(exponent(np.array([1.0, 0.25]), (4, 16)), 9)
    1.0
    """
    slope, _ = np.polyfit(np.log(rounds), np.log(means), 1)
    return -float(slope)


def smooth(name: str, count: int, rounds: Sequence[int]) -> list[Experiment]:
    """An instance of Theorem 1 on the line, for every T."""
    line = next(line for line in smooth_lines() if line.name == name)
    return [on_line(line, count, number, pushed=False).in_floats() for number in rounds]


def kinked(count: int, rounds: Sequence[int]) -> list[Experiment]:
    """An instance of Theorem 2 on the line, for every T."""
    line = next(line for line in nonsmooth_lines() if line.name == "three absolute values")
    return [nonsmooth(line, count, number, Fraction(1)).in_floats() for number in rounds]


def fitted(id: str, experiments: Sequence[Experiment], runs: Runs, budget: SamplingBudget) -> BoundComparison:
    """The means of one instance over all its T, refitted over resampled seeds."""
    seeds, pairs = budget.seeds or SEEDS, admitted(id, experiments)
    values = [runs.sampled(e, budget.change(e.method), seeds, budget.salt) for e, _ in pairs]
    places = [sampled_place(v, bound, e) for v, (e, bound) in zip(values, pairs, strict=True)]
    rounds = [e.rounds for e, _ in pairs]
    fit = refit(
        np.stack(values, axis=1), lambda row: exponent(row, rounds), generator(51, budget.salt), resamples=500
    )
    promised = exponent(np.array([bound for _, bound in pairs]), rounds)
    worst, case = nearest(places), pairs[0][0]
    return compare(
        id, runs.name, places,
        (f"{case.problem.name}, I={case.count}, T in {tuple(rounds)}, {seeds} seeds each; worst at "
         f"T={worst.at.rounds}",
         f"With the theorem's own step size the mean falls like T^-{fit.value:.3f} ({100 * fit.level:.0f}% "
         f"interval {fit.low:.3f} to {fit.high:.3f}, refitted over resampled seeds), the bound like "
         f"T^-{promised:.3f}; the mean is at most {worst.ratio:.4g} of the bound."), budget,
    )  # fmt: skip


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Theorem 1 on both sides of T = I^3, and from a stationary point; Theorem 2."""
    outside, between = "opposite slopes, from far outside", "opposite slopes, from between"
    starts = ((outside, FEW), (outside, MANY), (between, MANY))
    found = theorem1.runs(budget.runs)
    rows = [fitted(theorem1.EXPLICIT, smooth(name, *case), found, budget) for name, case in starts]
    return (*rows, fitted(theorem2.EXPLICIT, kinked(*FEW), theorem2.runs(budget.runs), budget))


CHECK = EmpiricalCheck((theorem1.EXPLICIT, theorem2.EXPLICIT), "rates (FedProx, Theorems 1 and 2)", find)
