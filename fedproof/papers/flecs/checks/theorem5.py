"""Theorem 5 and Corollary 6, repaired: the mean squared gradient over the rounds, in exact expectation."""

from __future__ import annotations

from fractions import Fraction

from fedproof.algebra.expressions import FractionAlgebra, fold
from fedproof.papers.flecs.checks._cases import (
    Case,
    as_fractions,
    drawn_gradient,
    drawn_instances,
    enumerated,
    instances,
    nonconvex_case,
    outside,
    searched,
)
from fedproof.papers.flecs.checks._moments import Listing
from fedproof.papers.flecs.checks.refuted import two_workers
from fedproof.papers.flecs.statements import formulas as f
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

REPAIRED, SHARPENED = "flecs.theorem5.repaired", "flecs.theorem5.sharpened"
COROLLARY, UNITS = "flecs.corollary6.repaired", "flecs.corollary6.units"
METRIC = "squared_gradient_of_drawn_model"
SHARES, STEPS = (Fraction(1, 4), Fraction(1, 2)), (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
ROUNDS, SQUARES, DRAWN = (1, 2, 6), (1, 4, 9), 30


def cases() -> tuple[Case, ...]:
    """Short and long steps, few and many rounds."""
    return tuple(
        nonconvex_case(at, share, step, rounds)
        for at in instances(alike=True)
        for share in SHARES
        for step in STEPS
        for rounds in ROUNDS
    )


def at_own_step(units: bool) -> tuple[Case, ...]:
    """With the corollary's step size, where its number of rounds is a square and 2 mu1 > 1."""
    found = []
    for at in instances(alike=True):
        for rounds in SQUARES:
            plain = nonconvex_case(at, Fraction(1, 2), Fraction(1, 2), rounds)
            k = at.constants
            at_start = k | {"gamma": plain.listing.gamma, "c": plain.c, "K": rounds}
            alpha = fold(f.UNIT_STEP6 if units else f.STEP6, FractionAlgebra(), as_fractions(at_start))
            if alpha > 0:
                found.append(Case(at, Listing(alpha, plain.listing.gamma), plain.c, rounds))
    return tuple(found)


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """The repaired and the sharpened theorem at instances of ours and at drawn ones, both corollaries."""
    drawn = tuple(
        nonconvex_case(at, share, step, 2)
        for at in drawn_instances(DRAWN, alike=True, salt=budget.salt)
        for share in SHARES
        for step in STEPS
    )
    both = (REPAIRED, SHARPENED)
    return (
        *enumerated(both, METRIC, cases(), drawn_gradient, budget),
        *searched(both, METRIC, drawn, drawn_gradient, budget),
        *enumerated((COROLLARY,), METRIC, at_own_step(units=False), drawn_gradient, budget),
        *enumerated((UNITS,), METRIC, at_own_step(units=True), drawn_gradient, budget),
        outside(REPAIRED, METRIC, two_workers(Fraction(1, 2), Fraction(1, 100), 2)),
    )


CHECK = EmpiricalCheck(
    (REPAIRED, SHARPENED, COROLLARY, UNITS), "mean squared gradient (FLECS-CGD, Theorem 5 repaired)", find
)
