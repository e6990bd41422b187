"""Theorem 2 of FedProx in practice: the truth passes, planted falsehoods do not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.papers.fedprox.checks import theorem2
from fedproof.papers.fedprox.checks._experiments import Experiment, admitted, nonsmooth
from fedproof.papers.fedprox.checks._instances import nonsmooth_lines, ridge, robust
from fedproof.papers.fedprox.checks._oracle import ProximalPoint
from fedproof.papers.fedprox.checks._runs import enumerated, sampled
from fedproof.solvers.driver import run
from fedproof.solvers.local.to_duality_gap import ToDualityGap
from fedproof.validate.verdict import BoundComparison, SamplingBudget
from fedproof.vocabulary.errors import InputError
from tests.papers.verdicts import PLAIN, words

APART, CONCAVE = nonsmooth_lines()[1], nonsmooth_lines()[4]
FORMS = (theorem2.GENERAL, theorem2.EXPLICIT, theorem2.PRINTED)


def on_the_line(id: str, cases: Any, budget: SamplingBudget = PLAIN) -> BoundComparison:
    """Cases in fractions."""
    return enumerated(id, admitted(id, cases), theorem2.runs(), "", budget)


def test_the_theorem_holds_in_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    """All forms keep their bounds on the line and on data, and what lies outside is said."""
    short, data = theorem2.short()[::3], theorem2.on_data()[1:6:4]
    monkeypatch.setattr(theorem2, "short", lambda: short)
    monkeypatch.setattr(theorem2, "on_data", lambda: data)
    found = theorem2.find(SamplingBudget(30))

    assert {row.id for row in found} == set(theorem2.CHECK.ids)
    assert words(*found) == ["consistent"] * 6 + ["not applicable"] * 3
    assert [row.detail for row in found[6:]] == [
        "Not applicable: 2 nu rho < 1 fails.",
        "Not applicable: eta <= rho fails.",
        "Not applicable: no G (none exists: the slope of the loss grows without bound).",
    ]


def test_planted_bounds_are_violated() -> None:
    """Down to a kink the general form has a twentieth to spare, that with the step size a factor below 3."""
    much, found = SamplingBudget(tighten=100), theorem2.runs()
    for id, few in zip(FORMS, (Fraction(11, 10), 3, 5), strict=True):
        planted = SamplingBudget(tighten=few)
        data = sampled(id, admitted(id, theorem2.on_data()[2:3]), found, 30, "", much)
        assert words(on_the_line(id, theorem2.long(), planted), data) == ["violated"] * 2


def test_longer_steps_and_wrong_solvers_are_caught() -> None:
    """Steps a thousand times as long, or an oracle that is pushed, break the general form at small steps."""
    line = replace(nonsmooth_lines()[3], origin=Fraction(0))
    case = [nonsmooth(line, 1, 6, Fraction(1, 2), eta=Fraction(1, 200))]
    longer = SamplingBudget(change=lambda m: replace(m, prox_weight=m.prox_weight / 1000))
    pushed = SamplingBudget(change=lambda m: replace(m, local_solver=ProximalPoint(1)))

    assert words(on_the_line(theorem2.GENERAL, case)) == ["consistent"]
    assert words(on_the_line(theorem2.GENERAL, case, longer)) == ["violated"]
    assert words(on_the_line(theorem2.GENERAL, case, pushed)) == ["violated"]


@pytest.mark.parametrize(("line", "count", "rounds"), [(APART, 2, 3), (CONCAVE, 1, 5)])
def test_expectations_are_those_of_every_sequence_of_draws(line: Any, count: int, rounds: int) -> None:
    """The mean over all ordered draws, each run by hand, is the expectation that is enumerated."""
    case = nonsmooth(line, count, rounds, Fraction(3, 4), eta=Fraction(1, 3))
    total = Fraction(0)
    for drawn in product(range(line.n_clients), repeat=count * (rounds - 1)):
        path = [line.origin]
        for t in range(rounds - 1):
            anchors = np.full((count, 1), path[-1], dtype=object)
            chosen = np.array(drawn[t * count : (t + 1) * count])
            path.append(sum(line.proximal_points(anchors, Fraction(3), chosen)[:, 0]) / count)
        total += sum(line.envelope(np.array([w], dtype=object), Fraction(3, 4))[1][0] ** 2 for w in path)
    number = rounds * line.n_clients ** (count * (rounds - 1))

    assert theorem2.runs().expected(case, case.method)[0] == total / number


def test_down_to_a_kink_by_hand() -> None:
    """The gradient stays 1; the bound is (1/eta + 1/rho) (D - rho/2) / T + 2 eta / rho from a distance D."""
    eta, rho, rounds = Fraction(1, 10), Fraction(1), 30
    line = ridge((rounds - 1) * eta + rho)
    case = nonsmooth(line, 1, rounds, rho, eta=eta)
    gap = line.origin - rho / 2

    assert theorem2.runs().expected(case, case.method)[0] == 1
    assert case.bound(theorem2.GENERAL) == pytest.approx(float(11 * gap / rounds + 2 * eta / rho))


def test_step_sizes_are_the_theorem_s() -> None:
    """eta is rho / sqrt(T) as the statement says, and other T are refused."""
    for case in (*theorem2.short()[:4], *theorem2.on_data()):
        asked = fp.statement(theorem2.EXPLICIT)
        check = asked.check(**{name: case.letters[name] for name in asked.names})
        assert check.applicable
        assert check.derived["eta"] == pytest.approx(float(case.stepsize), rel=1e-14)
    with pytest.raises(InputError):
        nonsmooth(APART, 1, 5, Fraction(1))


def test_what_inexact_solves_lose_covers_what_finer_ones_find() -> None:
    """Runs with eps = 1e-6 and 1e-12 and the same draws differ by no more than is added for the first."""
    coarse = nonsmooth(robust("absolute", 4, 8, 8), 2, 9, Fraction(4), ToDualityGap("1e-6"))
    fine = replace(coarse, solver=ToDualityGap("1e-12"))
    metrics = {"square": theorem2.squared_at_most(coarse)}
    first, second = (
        np.array(
            run(e.method, e.problem, 8, 3, participation=e.participation, metrics=metrics).metrics["square"]
        )
        for e in (coarse, fine)
    )

    assert 0 < np.abs(first - second).max() <= theorem2.lost(coarse)
    assert theorem2.lost(fine) < theorem2.lost(coarse) / 900


def test_what_is_lost_by_hand() -> None:
    """Of a convex loss 2 G / rho times T - 1 errors of sqrt(2 eps eta); nothing of exact solves."""
    case: Experiment = theorem2.on_data()[0]
    once = sqrt(2 * 1e-10 * float(case.stepsize))

    assert theorem2.lost(case) == pytest.approx(2 * float(case.letters["G"]) / 4 * 15 * once)
    assert theorem2.lost(theorem2.short()[0]) == 0


def test_a_client_that_misses_its_accuracy_ends_the_run() -> None:
    """One step of the oracle does not reach 1e-10: nothing is concluded from such runs."""
    lazy = SamplingBudget(change=lambda m: replace(m, local_solver=ToDualityGap("1e-10", most_steps=1)))
    row = sampled(
        theorem2.EXPLICIT, admitted(theorem2.EXPLICIT, theorem2.on_data()[:1]), theorem2.runs(), 30, "", lazy
    )

    assert np.isnan(row.measured or 0)
    assert words(row) == ["inconclusive"]
