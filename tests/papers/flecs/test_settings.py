"""Section 5's settings: what the dithering's omega is, and that no theorem admits gamma = 1."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fedproof.bounds import catalog
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.validate.settings import judge_setting

FOUND = {s.where: s for s in catalog.settings("flecs")}
DATA = [where for where in FOUND if "levels" in where]


@pytest.mark.parametrize("where", DATA)
def test_omega_is_that_of_the_compressor(where: str) -> None:
    """The stated omega is what the dithering itself has for these features and levels, rounded down."""
    values = dict(FOUND[where].parameters) | dict(FOUND[where].extra)
    exact = float(Dithering(levels=int(values["s"]), norm="inf").omega(int(values["d"])).value)

    assert 0 <= exact - float(values["omega"]) < 1e-6


@pytest.mark.parametrize("where", DATA)
def test_no_theorem_admits_a_lossy_compressor_at_gamma_1(where: str) -> None:
    """By the shifts' step size alone."""
    for found in judge_setting(FOUND[where]):
        assert found.admissible is False
        assert len(found.violates) == 1
        assert "gamma" in found.violates[0]


@pytest.mark.parametrize("where", DATA)
def test_mu1_and_mu2_are_those_of_the_truncation(where: str) -> None:
    """1/Omega and 1/omega of the stated truncation constants."""
    values = dict(FOUND[where].parameters) | dict(FOUND[where].extra)

    assert Fraction(values["mu1"]) * Fraction(values["trunc_hi"]) == 1
    assert Fraction(values["mu2"]) * Fraction(values["trunc_lo"]) == 1
    assert values["rho"] == values["mu1"]
