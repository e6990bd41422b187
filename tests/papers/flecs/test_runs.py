"""FLECS-CGD's Theorem 4, repaired, over seeds: the truth passes, planted falsehoods do not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from fedproof.papers.flecs.checks import runs
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import words


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of the cases."""
    some = runs.cases()[::4]
    monkeypatch.setattr(runs, "cases", lambda: some)


@pytest.mark.usefixtures("few")
def test_runs_keep_the_bound() -> None:
    """After five and after thirty rounds."""
    assert words(*runs.find(SamplingBudget(seeds=40))) == ["consistent"] * 2


@pytest.mark.usefixtures("few")
def test_planted_falsehoods_are_seen() -> None:
    """A quarter of the bound, and steps sixty times as long as the longest that is admitted."""
    quarter = runs.find(SamplingBudget(seeds=40, tighten=4))
    long = SamplingBudget(seeds=40, change=lambda method: replace(method, stepsize=60 * method.stepsize))

    assert words(*quarter)[0] == "violated"
    assert "violated" in words(*runs.find(long))


@pytest.mark.parametrize("factor", [2, "1e-9"])
def test_shifts_that_move_too_far_or_not_at_all_are_seen(
    monkeypatch: pytest.MonkeyPatch, factor: Any
) -> None:
    """Twice gamma leaves the shifts' errors as they are, and so does none: the bound falls below both."""
    last = runs.cases()[-1]
    monkeypatch.setattr(runs, "cases", lambda: (last,))
    gamma = float(Fraction(factor)) * last.letters["gamma"]
    planted = SamplingBudget(seeds=40, change=lambda method: replace(method, shift_stepsize=gamma))

    assert words(*runs.find(planted))[1] == "violated"


def test_the_lyapunov_function_begins_at_psi_0() -> None:
    """Before the first round it is Psi_0 of the statement, to what is left of the least loss."""
    for case in runs.cases()[::3]:
        assert case.lyapunov(0, case.method)[0] == pytest.approx(case.letters["Psi0"], rel=1e-9)
