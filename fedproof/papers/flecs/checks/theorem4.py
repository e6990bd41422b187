"""Theorem 4, repaired: the expected Lyapunov function after K rounds, in exact expectation."""

from __future__ import annotations

from fractions import Fraction

from fedproof.papers.flecs.checks._cases import (
    Case,
    convex_case,
    drawn_instances,
    enumerated,
    instances,
    lyapunov,
    outside,
    searched,
)
from fedproof.papers.flecs.checks.refuted import one_worker
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

REPAIRED, METRIC = "flecs.theorem4.repaired", "lyapunov"
SHARES, STEPS, ROUNDS = (Fraction(1, 2), Fraction(1)), (Fraction(1, 10), Fraction(1)), (1, 2, 8)
DRAWN = 40


def cases() -> tuple[Case, ...]:
    """Short and long steps, few and many rounds."""
    return tuple(
        convex_case(at, share, step, rounds)
        for at in instances(alike=False)
        for share in SHARES
        for step in STEPS
        for rounds in ROUNDS
    )


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """The repaired statement at instances of ours and at drawn ones."""
    drawn = tuple(
        convex_case(at, share, Fraction(1), 1)
        for at in drawn_instances(DRAWN, alike=False, salt=budget.salt)
        for share in SHARES
    )
    return (
        *enumerated((REPAIRED,), METRIC, cases(), lyapunov, budget),
        outside(REPAIRED, METRIC, one_worker()),
        *searched((REPAIRED,), METRIC, drawn, lyapunov, budget),
    )


CHECK = EmpiricalCheck((REPAIRED,), "Lyapunov function (FLECS-CGD, Theorem 4 repaired)", find)
