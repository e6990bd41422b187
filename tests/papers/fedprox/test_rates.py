"""The rates of FedProx's Theorems 1 and 2: what is fitted beside what is promised."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fedproof.papers.fedprox.checks import rate, theorem1, theorem2
from fedproof.papers.fedprox.checks._experiments import on_line
from fedproof.papers.fedprox.checks._instances import smooth_lines
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import PLAIN, words

FAR, BETWEEN = "opposite slopes, from far outside", "opposite slopes, from between"


def test_bounds_are_kept_at_every_horizon_and_planted_ones_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """All means lie below their bounds; a sixth of a bound is exceeded by those that start outside."""
    monkeypatch.setattr(rate, "FEW", (1, (16, 64)))
    monkeypatch.setattr(rate, "MANY", (12, (8, 64)))
    found = rate.find(PLAIN)
    planted = rate.fitted(
        theorem1.EXPLICIT, rate.smooth(FAR, 1, (16, 64)), theorem1.runs(), SamplingBudget(tighten=6)
    )

    assert words(*found) == ["consistent"] * 4
    assert words(planted) == ["violated"]


def test_bounds_fall_as_the_paper_says() -> None:
    """T^-1/2 from I^3 on and T^-2/3 below, read off the bounds themselves; Theorem 2's tends to T^-1/2."""
    for case, power in ((rate.FEW, 1 / 2), (rate.MANY, 2 / 3)):
        bounds = [e.bound(theorem1.EXPLICIT) for e in rate.smooth(FAR, *case)]
        assert rate.exponent(np.array(bounds), case[1]) == pytest.approx(power)
    far = [e.bound(theorem2.EXPLICIT) for e in rate.kinked(1, (10**6, 10**8))]
    assert rate.exponent(np.array(far), (10**6, 10**8)) == pytest.approx(1 / 2, abs=1e-3)


def test_the_fit_is_that_of_runs_without_chance() -> None:
    """One client: the fitted exponent is that of the exact means, and its interval is a point."""
    line = smooth_lines()[1]
    cases = [on_line(line, 1, rounds, pushed=False) for rounds in (4, 16)]
    exact = [float(theorem1.runs().expected(e, e.method)[0]) for e in cases]
    cases = rate.smooth(line.name, 1, (4, 16))
    row = rate.fitted(theorem1.EXPLICIT, cases, theorem1.runs(), SamplingBudget(3))
    shown = rate.exponent(np.array(exact), (4, 16))

    assert f"falls like T^-{shown:.3f} (99% interval {shown:.3f} to {shown:.3f}" in row.detail


def test_clients_that_run_away_do_not_fall() -> None:
    """With steps a thousand times as long the fitted exponent is near 0."""
    longer = SamplingBudget(change=lambda m: replace(m, prox_weight=m.prox_weight / 1000))
    row = rate.fitted(theorem1.EXPLICIT, rate.smooth(FAR, 1, (16, 100)), theorem1.runs(), longer)

    assert abs(float(row.detail.partition("T^-")[2].partition(" ")[0])) < 0.2
