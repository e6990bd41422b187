"""Problem (23), printed and sharpened: its minimum against a referee of another make, and its answer."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from fedproof.papers.fedproxvr.training_time import formulations
from fedproof.papers.fedproxvr.training_time.formulations import limit_theta
from fedproof.papers.fedproxvr.training_time.minimise import minimise
from fedproof.papers.fedproxvr.training_time.newton import Newton
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.papers.fedproxvr import referee
from tests.papers.fedproxvr.referee import FORMS, SHARPENED

SIGMA2 = np.array([0, 0.1, 1, 5, 20, 100.0])[:, None]
GAMMA = np.geomspace(1e-8, 1e3, 200)[None]
#: the relative gap to which every instance is proved
GAPS = {"printed": 1e-9, "sharpened": 1e-11}

either_form = pytest.mark.parametrize("form", sorted(FORMS))
either_estimator = pytest.mark.parametrize("estimator", ["sarah", "svrg"])


@pytest.mark.parametrize(
    ("lam", "s2", "gamma"),
    [(0.5, 1, 0.01), (0.5, 1, 0.011), (0.55, 1, 0.01), (0.0, 0.0, 0.01), (0.5, 10, 1.0), (2.0, 3, 1e-4)],
)
def test_the_printed_minimum_is_the_referees(lam: float, s2: float, gamma: float) -> None:
    """Objective to 1e-9, mu and beta to 1e-5, relatively, by grid, simplex and Newton in (mu, beta)."""
    objective, mu, beta = referee.solve(lam, s2, gamma)
    best = minimise(1.0, lam, s2, gamma)

    assert best.certified
    assert best.objective == pytest.approx(objective, rel=1e-9)
    assert best.prox_weight == pytest.approx(mu, rel=1e-5)
    assert best.inverse_stepsize == pytest.approx(beta, rel=1e-5)
    assert best.lower_bound <= objective * (1 + 1e-15)


@pytest.mark.parametrize(
    ("form", "estimator", "case"),
    [("printed", "svrg", (0.5, 1.0, 0.01))]
    + [
        ("sharpened", estimator, case)
        for estimator in ("sarah", "svrg")
        for case in ((0.5, 0.0, 1e-3), (0.0, 0.0, 1e-7), (2.0, 4.0, 0.1), (0.0, 0.1, 10.0))
    ],
)
def test_the_minimum_is_that_of_a_search(form: Any, estimator: Any, case: tuple[float, float, float]) -> None:
    """Objective to 1e-9 by differential evolution in mu, beta and, sharpened, any tau that they admit."""
    found = FORMS[form].search(*case, estimator, slack=2.0 if form == "sharpened" else 1e-12)
    best = minimise(1.0, *case, form=form, estimator=estimator)

    assert best.certified
    assert best.objective == pytest.approx(found, rel=1e-9)
    assert best.lower_bound <= found * (1 + 1e-15)


@either_form
@either_estimator
def test_other_numbers_follow_from_mu_and_beta(form: Any, estimator: Any) -> None:
    """tau, theta, Theta and the objective are the referee's at the minimiser, which is admissible."""
    page, best = FORMS[form], minimise(1.0, 0.5, SIGMA2, GAMMA, form=form, estimator=estimator)
    mu, beta, tau = best.prox_weight, best.inverse_stepsize, best.local_steps
    theta = page.theta(mu, beta, tau, 0.5)

    np.testing.assert_allclose(beta, page.least_beta[estimator](mu, tau, 0.5), rtol=1e-12)
    np.testing.assert_allclose(best.inexactness, theta, rtol=1e-12)
    np.testing.assert_allclose(best.federated_factor, page.factor(mu, theta, 0.5, SIGMA2), rtol=1e-11)
    np.testing.assert_allclose(best.objective, (1 + GAMMA * tau) / best.federated_factor, rtol=1e-12)
    assert np.all(page.admits(mu, beta, tau * (1 - 1e-10), 0.5, SIGMA2, estimator))


@either_estimator
def test_the_objective_in_many_digits(estimator: Any) -> None:
    """The reported objective is the referee's formula in 50 digits at the reported point, rounded up."""
    best = minimise(1.0, 0.5, 1.0, 0.01, form="sharpened", estimator=estimator)
    with mp.workdps(50):
        mu, tau, lam = (mp.mpf(float(x)) for x in (best.prox_weight, best.local_steps, 0.5))
        beta = SHARPENED.least_beta[estimator](mu, tau, lam, sqrt=mp.sqrt)
        exact = SHARPENED.value(mu, beta, tau, lam, 1, mp.mpf("0.01"), sqrt=mp.sqrt)

        assert abs(exact / mp.mpf(float(best.objective)) - 1) < 1e-14
        assert best.lower_bound <= exact <= float(best.objective)


@either_form
@either_estimator
def test_no_admissible_point_beats_the_lower_bound(form: Any, estimator: Any) -> None:
    """Random admissible (mu, beta, tau) of the referee's formulas never fall below the bound."""
    page, rng = FORMS[form], np.random.default_rng(1)
    for lam, s2, gamma in [(0.0, 0.0, 1e-8), (0.5, 1.0, 1e-2), (0.5, 100.0, 10.0)]:
        bound = minimise(1.0, lam, s2, gamma, form=form, estimator=estimator).lower_bound
        mu, tau = lam + np.exp(rng.uniform(-1, 9, 40000)), np.exp(rng.uniform(-2, 18, 40000))
        beta = page.least_beta[estimator](mu, tau, lam)
        beta = beta * np.exp(rng.exponential(0.3, 40000)) if form == "sharpened" else beta
        with np.errstate(all="ignore"):
            inside = page.admits(mu, beta, tau * (1 - 1e-12), lam, s2, estimator)
            found = page.value(mu, beta, tau, lam, s2, gamma)

        assert inside.sum() > 500
        assert np.all(found[inside] >= bound)


def test_svrg_far_beyond_its_lemma_says_so() -> None:
    """With lam = 1000 L a larger beta would do better, the lemma is silent: a bound, but no certificate."""
    best = minimise(1.0, 1e3, 0.0, 0.1, estimator="svrg")

    assert not best.certified
    assert 0 < best.lower_bound < best.objective


@either_form
@either_estimator
def test_no_whole_tau_is_better(form: Any, estimator: Any) -> None:
    """Brute force over whole tau, each over a grid of mu at the best admissible beta."""
    page = FORMS[form]
    for lam, s2, gamma in [(0.0, 0.0, 0.1), (0.5, 1.0, 0.01), (2.0, 0.0, 1.0)]:
        over = "theorem" if form == "printed" else "problem"
        best = minimise(1.0, lam, s2, gamma, form=form, estimator=estimator, tau="integer", over=over)  # type: ignore[arg-type]
        around = int(best.local_steps)
        whole = np.arange(max(1, around // 2), 2 * around + 2)
        mu = lam + np.geomspace(0.5, 3000, 4000)[:, None]
        beta = page.least_beta[estimator](mu, whole, lam)
        # theta is least at 3 + sqrt(9 + mu^2) as printed, and falls towards the least beta sharpened
        beta = np.maximum(beta, 3 + np.sqrt(9 + mu**2)) if form == "printed" else beta * (1 + 1e-13)
        with np.errstate(all="ignore"):
            inside = page.admits(mu, beta, whole * (1 - 1e-9), lam, s2, estimator)
            found = np.where(inside, page.value(mu, beta, whole, lam, s2, gamma), np.inf)

        assert best.certified
        assert best.local_steps == whole[np.argmin(found.min(axis=0))]
        assert float(best.objective) == pytest.approx(found.min(), rel=1e-5)
        assert np.all(found >= best.lower_bound)


def test_a_whole_tau_keeps_lemma_1() -> None:
    """The best whole tau lies between the bounds of (13) with its own theta."""
    best = minimise(1.0, 0.5, SIGMA2, GAMMA, tau="integer", over="theorem")
    mu, beta, tau = best.prox_weight, best.inverse_stepsize, best.local_steps

    assert np.all(tau == np.round(tau))
    assert np.all(tau <= (5 * beta**2 - 4 * beta) / 8 * (1 + 1e-12))
    np.testing.assert_allclose(referee.PRINTED.theta(mu, beta, tau, 0.5), best.inexactness, rtol=1e-12)
    assert np.any(~best.matched)


def test_a_free_beta_gains_where_computation_is_dear() -> None:
    """Under (13) itself the whole-number optimum beats (23) at gamma = 0.1 and loses only rounding below."""
    plain = minimise(1.0, 0.5, 1.0, [1e-6, 0.1])
    whole = minimise(1.0, 0.5, 1.0, [1e-6, 0.1], tau="integer", over="theorem")

    assert whole.objective[1] < 0.9 * plain.objective[1]
    assert whole.objective[0] == pytest.approx(plain.objective[0], rel=1e-6)


@either_estimator
def test_sharpened_is_better_than_printed(estimator: Any) -> None:
    """What the sharpened bounds attain lies below the proven bound on what the printed ones can."""
    for lam in (0.0, 0.5, 3.0):
        printed = minimise(1.0, lam, SIGMA2, GAMMA, estimator=estimator).lower_bound
        for gamma in (GAMMA, 0.0):
            ours = minimise(1.0, lam, SIGMA2, gamma, form="sharpened", estimator=estimator)
            assert np.all(ours.objective < printed)


@pytest.mark.parametrize(
    ("form", "estimator", "limit"),
    [
        ("printed", "sarah", 0.0),
        ("printed", "svrg", 3 * np.sqrt(128 / 5)),
        ("sharpened", "sarah", 0.0),
        ("sharpened", "svrg", 0.0),
    ],
)
def test_without_computation_delay_the_infimum_is_not_attained(
    form: Any, estimator: Any, limit: float
) -> None:
    """At gamma = 0 the infimum is that of tau without end, theta^2 (mu - lam) the limit; small gamma near."""
    page, s2 = FORMS[form], np.array([0, 1, 100.0])
    best = minimise(1.0, 0.5, s2, 0.0, form=form, estimator=estimator)
    near = minimise(1.0, 0.5, s2, 1e-28, form=form, estimator=estimator)
    limit_factor = limit_theta(getattr(formulations, form.upper()), estimator)
    whole = minimise(1.0, 0.5, s2, 0.0, form=form, estimator=estimator, tau="integer")

    assert np.all(best.certified)
    assert not np.any(best.attained)
    assert np.all(np.isinf(best.local_steps))
    assert np.all(best.objective == whole.objective)
    np.testing.assert_allclose(near.objective, best.objective, rtol=1e-4)
    assert np.all(near.objective > best.lower_bound)
    assert np.all(near.lower_bound > best.lower_bound * (1 - 1e-9))
    assert float(limit_factor.subs(dict.fromkeys(limit_factor.free_symbols, 1)) ** 2) == pytest.approx(limit)
    for level, objective in zip(s2, best.objective, strict=True):
        mu = 0.5 + np.geomspace(0.5, 3e4, 400001)
        with np.errstate(all="ignore"):
            found = 1 / page.factor(mu, np.sqrt(limit / (mu - 0.5)), 0.5, level)
        found = np.where((found > 0) & page.short(mu, 0.5), found, np.inf)
        assert objective == pytest.approx(found.min(), rel=1e-4)
        assert best.lower_bound[s2 == level] <= found.min()


def test_the_infimum_in_closed_form() -> None:
    """At lam = sigma2 = gamma = 0 it is 1 + sqrt 2: q = 1/(1 + sqrt 2) at mu = 1/sqrt 2, theta = 0."""
    for estimator in ("sarah", "svrg"):
        best = minimise(1.0, 0.0, 0.0, 0.0, form="sharpened", estimator=estimator)  # type: ignore[arg-type]

        assert float(best.objective) == pytest.approx(1 + np.sqrt(2), rel=1e-13)


def test_short_steps_bind_where_communication_is_dear() -> None:
    """At lam = sigma2 = 0 and small gamma mu is 1/sqrt(2), where 1/(1 + mu) + 1/mu = 2; else it is larger."""
    best = minimise(1.0, 0.0, 0.0, [1e-8, 1e-7, 1e-3], form="sharpened")
    mu = np.sqrt(0.5)

    assert best.short.tolist() == [True, True, False]
    np.testing.assert_allclose(best.prox_weight[:2], mu, rtol=1e-13)
    assert best.prox_weight[2] > 1.4
    for gamma, objective in zip([1e-8, 1e-7], best.objective[:2], strict=True):

        def along(log_tau: float, gamma: float = gamma) -> float:
            tau = np.exp(log_tau)
            beta = SHARPENED.least_beta["sarah"](mu, tau, 0.0)
            return float(SHARPENED.value(mu, beta, tau, 0.0, 0.0, gamma))

        found = minimize_scalar(along, bounds=(8, 18), method="bounded", options={"xatol": 1e-9})
        assert objective == pytest.approx(found.fun, rel=1e-12)


@either_form
@pytest.mark.parametrize("tau", ["real", "integer"])
@either_estimator
def test_every_instance_is_certified(form: Any, estimator: Any, tau: Any) -> None:
    """3,600 instances, each proved to a small relative gap, lower bound below objective; monotone in all."""
    lam = np.array([0.0, 0.5, 10.0])[:, None, None]
    best = minimise(1.0, lam, SIGMA2, GAMMA, estimator=estimator, tau=tau, form=form)

    assert best.objective.shape == (3, 6, 200)
    assert np.all(best.certified)
    assert np.all(best.gap <= GAPS[form])
    assert np.all(best.lower_bound <= best.objective)
    assert np.all(best.objective - best.lower_bound <= best.lower_bound * best.gap * (1 + 1e-14))
    for axis in range(3):
        assert np.all(np.diff(best.objective, axis=axis) > 0)


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
    powers = {
        "objective": 1,
        "prox_weight": 1,
        "federated_factor": -1,
        "local_steps": 0,
        "inverse_stepsize": 0,
    }

    assert np.all(other.certified)
    for name, power in powers.items():
        np.testing.assert_allclose(getattr(other, name), getattr(one, name) * factor**power, rtol=1e-9)


def test_arrays_and_scalars_agree() -> None:
    """Broadcasting changes shapes, never results; zero and positive gamma mix in one call."""
    table = minimise(1.0, [[0.5], [1.0]], 1.0, [0.0, 1e-3, 0.1])

    assert table.objective.shape == (2, 3)
    assert table.attained.tolist() == [[False, True, True]] * 2
    for i, lam in enumerate([0.5, 1.0]):
        for j, gamma in enumerate([0.0, 1e-3, 0.1]):
            assert float(minimise(1.0, lam, 1.0, gamma).objective) == pytest.approx(
                table.objective[i, j], rel=1e-11
            )


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("smoothness_sample", (0.0, 0.5, 1.0, 0.1)),
        ("smoothness_sample", (np.nan, 0.5, 1.0, 0.1)),
        ("weak_convexity", (1.0, [-0.5, 1], 1.0, 0.1)),
        ("dissimilarity", (1.0, 0.5, -1.0, 0.1)),
        ("delay_ratio", (1.0, 0.5, 1.0, np.inf)),
        ("delay_ratio", (1.0, 0.5, 1.0, "often")),
    ],
)
def test_values_outside_their_domain(name: str, arguments: tuple[object, ...]) -> None:
    """One line that names the quantity."""
    with pytest.raises(InputError, match=f"^{name}: got"):
        minimise(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "said"), [({"estimator": "sara"}, "sarah"), ({"form": "sharp"}, "sharpened")]
)
def test_unknown_options(options: dict[str, Any], said: str) -> None:
    """Options are checked by name."""
    with pytest.raises(UnknownName, match=f"did you mean {said}"):
        minimise(1.0, 0.5, 1.0, 0.1, **options)
