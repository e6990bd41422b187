"""Enclosures of the minimiser, and what they prove about how it moves."""

from __future__ import annotations

import numpy as np
import pytest

from fedproof.papers.fedproxvr.training_time.minimise import minimise
from fedproof.papers.fedproxvr.training_time.minimiser_enclosure import enclose_minimiser
from fedproof.vocabulary.errors import InputError
from tests.papers.fedproxvr import referee

GAMMA = np.geomspace(1e-8, 1e3, 111)[None]
SIGMA2 = np.concatenate([[0], np.geomspace(1e-2, 1e2, 20)])[:, None]


@pytest.mark.parametrize("case", [(0.5, 1.0, 0.01), (0.0, 0.0, 1.0), (2.0, 10.0, 1e-5)])
def test_the_referees_minimiser_is_inside(case: tuple[float, float, float]) -> None:
    """mu, beta and the objective of the 40-digit referee lie in the proved ends, which are tight."""
    objective, mu, beta = referee.solve(*case)
    at = enclose_minimiser(1.0, *case)

    for (lo, hi), exact in [(at["objective"], objective), (at["mu"], mu), (at["beta"], beta)]:
        assert lo <= exact <= hi
        assert hi - lo < 1e-10 * exact


@pytest.mark.parametrize("lam", [0.0, 0.5, 10.0])
def test_the_directions_of_figure_1(lam: float) -> None:
    """Proved between neighbours, as gamma grows, and as sigma2 grows up to 100: which rise, which fall."""
    at = enclose_minimiser(1.0, lam, SIGMA2, GAMMA)
    moves = {0: ("mu beta", "theta Theta"), 1: ("mu theta", "beta tau Theta")}

    assert np.all(np.isfinite(at["objective"]))
    for axis, (rising, falling) in moves.items():
        for names, sign in ((rising, 1), (falling, -1)):
            for low, high in (np.moveaxis(np.array(at[name]), axis + 1, 1) for name in names.split()):
                before, after = (high[:-1], low[1:]) if sign > 0 else (high[1:], low[:-1])
                assert np.all(before < after)


def test_theta_can_rise_with_sigma2() -> None:
    """Far outside any plausible figure the fall of theta* stops: sigma2 1e5 -> 1e6 at gamma = 1e-12."""
    at = enclose_minimiser(1.0, 0.5, [1e5, 1e6], 1e-12)

    assert np.all(np.isfinite(at["objective"]))
    assert at["theta"][1][0] < 2.4173e-5 < 2.555e-5 < at["theta"][0][1]


def test_nothing_is_claimed_away_from_the_minimiser() -> None:
    """A point that Newton has not brought close gives no enclosure, and NaN ends."""
    from fedproof.papers.fedproxvr.training_time.newton import Newton

    at = enclose_minimiser(1.0, 0.5, 1.0, GAMMA, rule=Newton(iterations=1))

    assert all(np.all(np.isnan(ends)) for ends in at.values())


def test_scaling_and_agreement_with_minimise() -> None:
    """At L = 3 the ends hold what `minimise` returns."""
    at, best = enclose_minimiser(3.0, 1.5, 1.0, GAMMA), minimise(3.0, 1.5, 1.0, GAMMA)

    for (lo, hi), found in [(at["mu"], best.prox_weight), (at["Theta"], best.federated_factor)]:
        assert np.all((lo <= found * (1 + 1e-11)) & (found <= hi * (1 + 1e-11)))


def test_without_a_minimiser() -> None:
    """gamma = 0 has none, and says so."""
    with pytest.raises(InputError, match="delay_ratio: got 0"):
        enclose_minimiser(1.0, 0.5, 1.0, 0.0)
