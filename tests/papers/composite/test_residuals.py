"""Floors of composite's metrics: which powers of the residuals are seen, and planted ones that are not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from fedproof.papers.composite.checks import residuals
from fedproof.papers.composite.checks.residuals import Base
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import PLAIN, words

MEAN, GAP = residuals.METRICS


def test_what_is_seen_of_the_residuals() -> None:
    """Every slope keeps its claim; the gap's floor falls with eta~ and does not grow as mu falls."""
    findings = residuals.find(PLAIN)
    seen = {(f.id, f.metric, "f = 0" in f.problem): f.measured for f in findings}

    assert words(*findings) == ["consistent"] * 15
    for id in (MEAN, GAP):
        for name, power in (("sigma2", 1), ("n", -1), ("tau", -1), ("b", -1), ("eta_t", 1)):
            assert seen[id, f"floor_slope_{name}", False] == pytest.approx(power, abs=0.12)
    assert seen[MEAN, "floor_slope_eta_t", True] == pytest.approx(0, abs=0.05)
    assert seen[GAP, "floor_slope_mu", False] == pytest.approx(0, abs=0.12)
    assert all((seen[id, "floor_of_subgradients", False] or 0) < 1e-12 for id in (MEAN, GAP))


def test_claimed_slopes_are_the_powers_in_print() -> None:
    """1 in sigma^2, -1 in n, tau, b, 0 in eta~ where B_g = 0, and -1 in mu for Theorem 3.6."""
    for id in (MEAN, GAP):
        for name, power in (("sigma2", 1), ("n", -1), ("tau", -1), ("b", -1), ("eta_t", 0)):
            assert residuals.claimed(id, Base(), name) == pytest.approx(power, abs=1e-9)
    assert residuals.claimed(GAP, Base(), "mu") == pytest.approx(-1)


def test_the_floor_of_one_client_by_hand() -> None:
    """tau = 1, no penalty: x' = (1 - mu eta~) x - eta~ e, so E x^2 = eta~ sigma^2 / (n mu (2 - mu eta~))."""
    base = Base(tau=1)
    a, eta = 0.75, 0.1
    square = eta * 0.25 / (a * (2 - a * eta))
    floors = residuals.floors(base, 4000, PLAIN)

    assert floors[GAP].mean() == pytest.approx(a / 2 * square, rel=0.05)
    assert floors[MEAN].mean() == pytest.approx(a**2 * square, rel=0.05)


def test_planted_slopes_are_violated() -> None:
    """Claims of sigma^4, 1/n^2 and a residual that vanishes with eta~ at the kink; few seeds decide none."""
    kink = Base(share=Fraction(1, 2), flat=True)

    assert words(residuals.varied(MEAN, Base(), "b", SamplingBudget(seeds=20))) == ["inconclusive"]
    assert words(residuals.varied(MEAN, Base(), "sigma2", SamplingBudget(600, tighten=16))) == ["violated"]
    assert words(residuals.varied(GAP, Base(), "n", SamplingBudget(600, tighten=4))) == ["violated"]
    assert words(residuals.varied(MEAN, kink, "eta_t", SamplingBudget(600, tighten=4))) == ["violated"]


def test_without_correction_there_is_a_floor() -> None:
    """Full gradients without corrections do not come to 0, and the row says so."""
    bare = SamplingBudget(change=lambda method: replace(method, correction="none"))

    assert words(residuals.no_floor(MEAN, bare)) == ["violated"]
    assert words(residuals.no_floor(MEAN, PLAIN)) == ["consistent"]
