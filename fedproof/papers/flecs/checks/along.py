"""Theorem 5 with zeta along the run: workers that bend differently, where no zeta holds at all points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from fedproof.papers.flecs.checks._cases import Case, drawn_gradient, enumerated, nonconvex_case
from fedproof.papers.flecs.checks._moments import Instance, exact, moments, one_entry
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

IDS = ("flecs.theorem5.along", "flecs.theorem5.along.sharpened")
METRIC = "squared_gradient_of_drawn_model"
SHARES, STEPS = (Fraction(1, 4), Fraction(1, 2)), (Fraction(1, 10), Fraction(1, 2))
#: what accumulates in the shifts shows after many rounds, at the instance with the better messages
ROUNDS, MANY = (1, 3), (8,)
HALF, ONE = Fraction(1, 2), Fraction(1)


@dataclass(frozen=True, eq=False)
class Along(Case):
    """A run with the zeta^2 of its own models."""

    @property
    def letters(self) -> dict[str, Any]:
        """Everything that the statements take; zeta^2 is the largest of w_0 to w_{K-1} and w*."""
        before = moments(self.at, self.listing, self.rounds - 1)
        solution = self.at.solution
        there = sum(apart(self.at, j, w, w * w) for j, w in enumerate(solution))
        found = [sum(apart(self.at, j, m[j, -1], m[j, j]) for j in range(self.at.d)) for m in before]
        return super().letters | {"zeta2": max(there, *found)}


def apart(at: Instance, entry: int, mean: Any, square: Any) -> Any:
    """The mean over workers of E(grad f_i - grad F)^2 in one entry of a model with these moments.

    >>> pair = exact("pair", [[1], [0]], [[1], [0]], [1])  # slopes w - 1 and 0
    >>> apart(pair, 0, 3, 9)
    Fraction(1, 1)
    """
    rise, fall = at.slope[0][entry], at.slope[1][entry]
    bend = at.curvatures[:, entry] - rise
    level = at.curvatures[:, entry] * at.centres[:, entry] - fall
    return ((bend * bend).sum() * square - 2 * (bend * level).sum() * mean + (level * level).sum()) / at.n


def unlike() -> tuple[Instance, ...]:
    """In fractions: curvatures that differ, one of them negative, from near the solution and from afar."""
    lines = [
        exact(f"curvatures 1 and {bend}, from {start}", [[1], [bend]], [[-1], [3]], [1], omega=ONE,
              start=[start], noise=noise)
        for bend, noise in ((HALF, 0), (HALF, HALF), (Fraction(1, 10), 0), (Fraction(-1, 4), 0))
        for start in (Fraction(1, 5), Fraction(9))
    ]  # fmt: skip
    bent, apart_ = [[1, Fraction(1, 4)], [HALF, 1]], [[1, 0], [0, -1]]
    plane = exact(
        "two workers in the plane", bent, apart_, [1, HALF], start=[2, 1], compressor=one_entry(2), omega=ONE
    )
    better = exact(
        "curvatures 1 and 1/2, from 9", [[1], [HALF]], [[-1], [3]], [1], start=[9], omega=Fraction(1, 4)
    )
    return (*lines, plane, better)


@cache
def cases() -> tuple[Along, ...]:
    """Short and long steps, few and many rounds."""
    plain = (
        nonconvex_case(at, share, step, rounds)
        for at in unlike()
        for share in SHARES
        for step in STEPS
        for rounds in (MANY if at.omega < 1 else ROUNDS)
    )
    return tuple(Along(case.at, case.listing, case.c, case.rounds) for case in plain)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Both forms at instances that Assumption 5 does not admit with any zeta."""
    said = ", and zeta is the largest at the run's own models and the solution"
    return enumerated(IDS, METRIC, cases(), drawn_gradient, budget, said)


CHECK = EmpiricalCheck(IDS, "mean squared gradient (FLECS-CGD, Theorem 5, zeta along the run)", find)
