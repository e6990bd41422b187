"""Theorems 4 and 5 and Corollary 6 as printed, at the instances that break them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from fedproof.papers.flecs.checks._cases import Case, Measure, drawn_gradient, enumerated, lyapunov
from fedproof.papers.flecs.checks._moments import Listing, exact
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

THEOREM4, THEOREM5, COROLLARY6 = "flecs.theorem4", "flecs.theorem5", "flecs.corollary6"
GRADIENT = "squared_gradient_of_drawn_model"


def one_worker() -> Case:
    """w^2/2 with exact messages, the identity being in U(1/100), at the longest steps that are printed."""
    at = replace(exact("one worker", [[1]], [[0]], [1], start=[1]), omega=Fraction(1, 100))
    return Case(at, Listing(Fraction(19, 10), Fraction(1, 2)), Fraction(2, 25), 1)


def slow_shifts() -> Case:
    """w^2/2 from its solution and h_0 = 1 with exact messages: a short step, and shifts that hardly move.

    alpha is as long as it may be with 2/5 in place of 5/2: no reading of that number saves the theorem.
    """
    begun = exact("one worker at the solution, h_0 = 1", [[1]], [[0]], [1], shifts=[[1]])
    at = replace(begun, omega=Fraction(1, 100))
    return Case(at, Listing(Fraction(40, 101), Fraction(1, 100)), Fraction(7999, 9999), 8)


def two_workers(alpha: Fraction, c: Fraction, rounds: int) -> Case:
    """w^2/2 + w and w^2/2 - w from the solution and h_0 = 0."""
    at = exact("two workers apart", [[1], [1]], [[-1], [1]], [1], omega=Fraction(1))
    return Case(at, Listing(alpha, Fraction(1, 4)), c, rounds)


def begun_well() -> Case:
    """w^2/2 from 1 and h_0 = grad F(w_0): no start of the shifts saves the bound."""
    at = exact(
        "one worker, h_0 = grad F(w_0)", [[1]], [[0]], [1], start=[1], shifts=[[1]], omega=Fraction(1, 4)
    )
    return Case(at, Listing(Fraction(5, 4), Fraction(2, 5)), Fraction(1, 1000), 8)


def found() -> tuple[tuple[str, str, Case, Measure], ...]:
    """What breaks what, at the numbers of the audit, and from a better start."""
    return (
        (THEOREM4, "lyapunov", one_worker(), lyapunov),
        (THEOREM4, "lyapunov", slow_shifts(), lyapunov),
        (THEOREM5, GRADIENT, two_workers(Fraction(1, 2), Fraction(1, 100), 2), drawn_gradient),
        (THEOREM5, GRADIENT, begun_well(), drawn_gradient),
        (COROLLARY6, GRADIENT, two_workers(Fraction(1000, 2001), Fraction(1, 1000), 4), drawn_gradient),
    )


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Each printed statement exceeded in exact expectation."""
    return tuple(
        replace(row, refuted=True)
        for id, metric, case, measure in found()
        for row in enumerated((id,), metric, (case,), measure, budget)
    )


CHECK = EmpiricalCheck((THEOREM4, THEOREM5, COROLLARY6), "instances (FLECS-CGD, as printed)", find)
