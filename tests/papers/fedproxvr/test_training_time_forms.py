"""What holds of the training-time problem in either form: certificates, units, directions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fedproof.papers.fedproxvr.training_time.minimise import minimise
from fedproof.papers.fedproxvr.training_time.newton import Newton

SIGMA2 = np.array([0, 0.1, 1, 5, 20, 100.0])[:, None]
GAMMA = np.geomspace(1e-8, 1e3, 200)[None]
#: the relative gap to which every instance is proved
GAPS = {"printed": 1e-9, "sharpened": 1e-11}

either_form = pytest.mark.parametrize("form", sorted(GAPS))


@either_form
@pytest.mark.parametrize("tau", ["real", "integer"])
@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
@pytest.mark.parametrize("lam", [0.0, 0.5, 10.0])
def test_every_instance_is_certified(form: Any, estimator: Any, tau: Any, lam: float) -> None:
    """1,200 instances in one call, each proved to a small relative gap, lower bound below objective."""
    best = minimise(1.0, lam, SIGMA2, GAMMA, estimator=estimator, tau=tau, form=form)

    assert best.objective.shape == (6, 200)
    assert np.all(best.certified)
    assert np.all(best.gap <= GAPS[form])
    assert np.all(best.lower_bound <= best.objective)
    assert np.all(best.objective - best.lower_bound <= best.lower_bound * best.gap * (1 + 1e-14))


@pytest.mark.parametrize(
    ("form", "estimator", "tau"),
    [("printed", "sarah", "real")]
    + [("sharpened", estimator, tau) for estimator in ("sarah", "svrg") for tau in ("real", "integer")],
)
def test_extreme_instances_are_certified(form: Any, estimator: Any, tau: Any) -> None:
    """From tiny to huge gamma, sigma2 and lam, together."""
    lam = np.array([0, 1e-300, 1e-8, 1, 1e4, 1e8])[:, None, None]
    sigma2 = np.array([0, 1e-12, 1, 1e4, 1e8])[:, None]
    best = minimise(1.0, lam, sigma2, np.geomspace(1e-14, 1e14, 15), estimator=estimator, tau=tau, form=form)

    assert np.all(best.certified)


@either_form
def test_a_minimiser_that_stops_early_is_not_certified(form: Any) -> None:
    """Too few iterations leave a gradient, hence a gap; the bounds still hold."""
    truth = minimise(1.0, 0.5, SIGMA2, GAMMA, form=form)
    early = minimise(1.0, 0.5, SIGMA2, GAMMA, form=form, rule=Newton(iterations=2))

    assert not np.any(early.certified)
    assert np.all(early.lower_bound <= truth.objective)
    assert np.all(early.objective >= truth.lower_bound)


@either_form
@pytest.mark.parametrize("factor", [1e-150, 0.3, 7.0, 1e150])
def test_scaling_with_L(form: Any, factor: float) -> None:
    """mu and the objective scale with L when lam does; beta, tau, theta do not move."""
    one = minimise(1.0, 0.5, SIGMA2, 0.01, form=form)
    other = minimise(factor, 0.5 * factor, SIGMA2, 0.01, form=form)

    assert np.all(other.certified)
    powers = {
        "objective": 1,
        "prox_weight": 1,
        "federated_factor": -1,
        "local_steps": 0,
        "inverse_stepsize": 0,
    }
    for name, power in powers.items():
        np.testing.assert_allclose(getattr(other, name), getattr(one, name) * factor**power, rtol=1e-9)


@either_form
def test_objective_grows_with_every_input(form: Any) -> None:
    """The least training time never falls as lam, sigma2 or gamma grow: it is a minimum of such functions."""
    best = minimise(1.0, np.linspace(0, 3, 5)[:, None, None], SIGMA2, GAMMA, form=form)

    for axis in range(3):
        assert np.all(np.diff(best.objective, axis=axis) > 0)
