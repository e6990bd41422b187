"""Sec. 2 and Remark 2: distinct devices in a round, and all of them in every round, against the bounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from fedproof.papers.fedprox.checks._experiments import (
    EXACT,
    Experiment,
    admitted,
    constants,
    minibatched,
    on_line,
    smooth,
)
from fedproof.papers.fedprox.checks._instances import equal_digits, robust, sampled_lines, slope, smooth_lines
from fedproof.papers.fedprox.checks._runs import HIDDEN, Runs, enumerated, sampled, without_chance
from fedproof.papers.fedprox.checks.theorem1 import LONG, runs
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

DRAWN, GENERAL = "fedprox.section2.distinct", "fedprox.section2.distinct.general"
MINIBATCHED = "fedprox.section2.distinct.theorem3"
ALL, ALL_GENERAL, ALIKE = (f"fedprox.remark2{part}" for part in ("", ".general", ".lgd"))
SEEDS = 40
#: T where T^(-1/3) is the printed pace with M >= 2 devices, and L eta with T
OWN, OTHERS = (1, 8), ((Fraction(1, 3), 6), (Fraction(1, 10), 6), (Fraction(1, 300), 4))


@cache
def part() -> tuple[Experiment, ...]:
    """Two of three devices, and one of them; every cohort in fractions."""
    lines = [line for line in smooth_lines() if line.n_clients == 3]
    cases = [(1, 1, None), (2, 8, None), *((2, rounds, share) for share, rounds in OTHERS)]
    return tuple(
        on_line(line, *case, pushed, True) for line in lines for case in cases for pushed in (False, True)
    )


@cache
def minibatched_lines() -> tuple[Experiment, ...]:
    """FedMSPP with one sample a draw: one of two devices, and both, every draw in fractions."""
    steps = (Fraction(1, 8), Fraction(1, 40))
    return tuple(
        minibatched(line, count, 1, rounds, step / constants(line)["L"], EXACT, True)
        for line in sampled_lines()
        for count in (1, 2)
        for rounds in (1, 3)
        for step in steps
    )


@cache
def everyone() -> tuple[Experiment, ...]:
    """All devices in every round, solved exactly and as badly as may be, and down a slope."""
    cases = [*((rounds, None) for rounds in OWN), *((rounds, share) for share, rounds in OTHERS)]
    lines = [line for line in smooth_lines() if line.n_clients > 1]
    found = [
        on_line(line, line.n_clients, *case, pushed, True)
        for line in lines
        for case in cases
        for pushed in (False, True)
    ]
    step = on_line(slope(Fraction(1)), 1, LONG, Fraction(1, 150)).stepsize
    return (*found, on_line(slope(LONG * step), 1, LONG, Fraction(1, 150), False, True))


@cache
def alike() -> tuple[Experiment, ...]:
    """Equal devices have (1, 0)-LGD."""
    same = (e for e in everyone() if not e.own and ("alike" in e.problem.name or e.problem.n_clients == 1))
    return tuple(e.given(B=1) for e in same)


@cache
def on_data(everyone: bool) -> tuple[Experiment, ...]:
    """Digits and robust regression, a part of the clients or all, solved to the accuracy of the theorem."""
    digits, huber = equal_digits(), robust("huber")
    return tuple(
        smooth(problem, problem.n_clients if everyone else count, rounds, distinct=True)
        for problem, count, rounds in ((digits, 5, 64), (huber, 4, 64))
    )


def rows(found: Runs, budget: SamplingBudget) -> Iterator[BoundComparison]:
    """Every statement on the line, then on data."""
    said = {DRAWN: HIDDEN}
    on_lines = {
        GENERAL: part(), DRAWN: part(), ALL_GENERAL: everyone(), ALL: everyone(), ALIKE: alike(),
        MINIBATCHED: minibatched_lines(),
    }  # fmt: skip
    for id, cases in on_lines.items():
        yield enumerated(id, admitted(id, cases), found, said.get(id, "Constants are exact."), budget)
    words = "Constants are certified, from the data as they are."
    for id in (GENERAL, DRAWN):
        yield sampled(id, admitted(id, on_data(False)), found, SEEDS, said.get(id, words), budget)
    for id in (ALL_GENERAL, ALL):
        yield without_chance(id, admitted(id, on_data(True)), found, words, budget)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """A part of the devices without replacement, and all of them."""
    return tuple(rows(runs(budget.runs), budget))


CHECK = EmpiricalCheck(
    (GENERAL, DRAWN, MINIBATCHED, ALL_GENERAL, ALL, ALIKE),
    "mean squared gradient (FedProx, distinct devices)",
    find,
)
