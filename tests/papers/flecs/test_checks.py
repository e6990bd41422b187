"""FLECS-CGD's checks: their moments by another route, planted falsehoods, and what they say of each form."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as Fr
from typing import Any

import pytest

from fedproof.papers.flecs.checks import refuted, theorem4, theorem5
from fedproof.papers.flecs.checks._cases import drawn_gradient, lyapunov, nonconvex_case
from fedproof.papers.flecs.checks._moments import (
    Instance,
    Listing,
    all_or_nothing,
    exact,
    gap,
    moments,
    off,
    one_entry,
    squared_gradient,
)
from fedproof.validate.verdict import SamplingBudget
from tests.papers.flecs.listing import rounds
from tests.papers.verdicts import PLAIN, words

ONE, ZERO = Fr(1), Fr(0)
ALPHA, GAMMA = Fr(2, 5), Fr(1, 3)


def pair(noise: Any) -> Instance:
    """Two workers with different curvatures, omega = 1/2."""
    return exact(
        "pair", [[1], [Fr(1, 2)]], [[1], [-2]], [1], omega=Fr(1, 2), noise=noise, start=[1], shifts=[[1], [0]]
    )


@pytest.mark.parametrize("noise", [0, "1/2"])
def test_the_moments_are_those_of_all_outcomes(noise: Any) -> None:
    """Gap, shifts and gradient after two rounds, against every path of the listing's own lines."""
    at = pair(noise)
    slopes = ((ONE, -ONE), (Fr(1, 2), ONE))
    (*_, after) = rounds((ONE, (ONE, ZERO)), slopes, Fr(1, 2), ALPHA, GAMMA, 2, Fr(noise))
    last = moments(at, Listing(ALPHA, GAMMA), 2)[-1]
    best = at.solution[0]
    targets = [a * best + b for a, b in slopes]

    assert best == 0
    assert gap(at, last) == sum(p * Fr(3, 8) * w**2 for (w, _), p in after.items())
    assert squared_gradient(at, last) == sum(p * Fr(9, 16) * w**2 for (w, _), p in after.items())
    spread = [sum((s - t) ** 2 for s, t in zip(h, targets, strict=True)) * p for (_, h), p in after.items()]
    assert off(at, last) == sum(spread) / 2


@pytest.mark.parametrize("outcomes", [all_or_nothing(Fr(3, 4), 2), one_entry(2), one_entry(3)])
def test_the_compressors_are_in_their_classes(outcomes: Any) -> None:
    """Probabilities are 1 together, every entry is unbiased and varies by omega times its square."""
    omega = Fr(3, 4) if outcomes[0][1] == (0, 0) else len(outcomes) - 1

    assert sum(p for p, _ in outcomes) == 1
    for j in range(len(outcomes[0][1])):
        assert sum(p * by[j] for p, by in outcomes) == 1
        assert sum(p * (by[j] - 1) ** 2 for p, by in outcomes) == omega


def test_the_floats_are_near_the_fractions() -> None:
    """The same recursion in floats gives the same numbers to rounding."""
    case = nonconvex_case(pair(0), Fr(1, 2), Fr(1, 2), 4)
    floating = replace(case, at=case.at.in_floats(), listing=Listing(float(case.listing.alpha), 1 / 3))
    same = replace(case, listing=replace(case.listing, gamma=Fr(1, 3)))

    assert drawn_gradient(floating, floating.listing) == pytest.approx(
        float(drawn_gradient(same, same.listing))
    )


def test_the_printed_forms_are_exceeded_by_the_numbers_of_the_audit() -> None:
    """By 19, 4 and 45 times the bound, by 5 with a short step, by 3 from h_0 = grad F(w_0), exactly."""
    rows = refuted.CHECK.find(PLAIN)

    assert words(*rows) == ["violated"] * 5
    assert [round(row.measured / row.bound) for row in rows] == [19, 5, 4, 3, 45]
    assert all(row.refuted for row in rows)


def test_no_reading_of_five_halves_saves_theorem_4() -> None:
    """The short step is admitted with 2/5 for 5/2; by hand the shift is (1 - gamma)^K and the model stays."""
    case = refuted.slow_shifts()
    alpha, gamma, omega = case.listing.alpha, case.listing.gamma, case.at.omega
    last = case.c * alpha**2 * (1 - gamma) ** (2 * case.rounds)

    assert alpha == Fr(2, 5) / (1 + omega)
    assert case.c == min((1 - alpha / 2 - omega) / (1 - gamma), 1 / (2 * gamma))
    assert lyapunov(case, case.listing) == last > 4 * (1 - alpha / 2) ** case.rounds * case.letters["Psi0"]


@pytest.mark.parametrize("check", [theorem4.CHECK, theorem5.CHECK])
def test_the_repaired_forms_are_kept(check: Any) -> None:
    """Everywhere that they apply, and they say nothing of the instances that break the printed ones."""
    rows = check.find(PLAIN)

    assert {word for row, word in zip(rows, words(*rows), strict=True) if row.applies} == {"consistent"}
    assert [row.id for row in rows if not row.applies] == [check.ids[0]]


@pytest.mark.parametrize(
    ("check", "planted"),
    [
        (theorem4.CHECK, lambda listing: replace(listing, alpha=-listing.alpha)),
        (theorem4.CHECK, lambda listing: replace(listing, keeps=2)),
        (theorem5.CHECK, lambda listing: replace(listing, alpha=-listing.alpha)),
        (theorem5.CHECK, lambda listing: replace(listing, keeps=3)),
    ],
)
def test_a_planted_falsehood_is_caught(check: Any, planted: Any) -> None:
    """Steps up the slope, and shifts that grow on their own, exceed a bound."""
    assert "violated" in words(*check.find(SamplingBudget(change=planted)))


def test_the_metrics_at_the_start_are_what_they_are_called() -> None:
    """After no round the Lyapunov function is Psi_0, and the gradient is that at w_0."""
    case = replace(nonconvex_case(pair(0), Fr(1, 2), Fr(1, 2), 1), rounds=0)

    assert lyapunov(case, case.listing) == case.letters["Psi0"]
    assert drawn_gradient(replace(case, rounds=1), case.listing) == Fr(9, 16)
