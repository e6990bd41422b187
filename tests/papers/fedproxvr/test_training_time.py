"""Problem (23): the minimum against a referee of another make, and the certificate against sabotage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from fedproof.algebra import arithmetic as _arithmetic
from fedproof.papers.fedproxvr.training_time import certificate as _certificate
from fedproof.papers.fedproxvr.training_time.certificate import Bounds
from fedproof.papers.fedproxvr.training_time.formulations import PRINTED, limit_theta
from fedproof.papers.fedproxvr.training_time.minimise import enclosed, minimise, ratio_of
from fedproof.papers.fedproxvr.training_time.newton import Newton, descend
from fedproof.papers.fedproxvr.training_time.problem import Instances, Point, Problem
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.papers.fedproxvr import referee_training_time as referee

SIGMA2 = np.array([0, 0.1, 1, 5, 20, 100.0])[:, None]
GAMMA = np.geomspace(1e-8, 1e3, 200)[None]


@pytest.mark.parametrize(
    ("lam", "s2", "gamma"),
    [
        (0.5, 1, 0.01),
        (0.5, 1, 0.009),
        (0.5, 1, 0.011),
        (0.45, 1, 0.01),
        (0.55, 1, 0.01),
        (0.5, 0.8, 0.01),
        (0.5, 1.2, 0.01),
        (0.0, 0.0, 0.01),
        (0.5, 0.0, 1e-3),
        (0.5, 10, 1.0),
        (2.0, 3, 1e-4),
    ],
)
def test_the_minimum_is_the_referees(lam: float, s2: float, gamma: float) -> None:
    """Objective to 1e-9, mu and beta to 1e-5, relatively, by grid, simplex and Newton in (mu, beta)."""
    objective, mu, beta = referee.solve(lam, s2, gamma)
    best = minimise(1.0, lam, s2, gamma)

    assert best.certified
    assert best.objective == pytest.approx(objective, rel=1e-9)
    assert best.prox_weight == pytest.approx(mu, rel=1e-5)
    assert best.inverse_stepsize == pytest.approx(beta, rel=1e-5)
    assert best.lower_bound <= objective * (1 + 1e-15)


def test_other_numbers_follow_from_mu_and_beta() -> None:
    """tau, theta and Theta are (16), (22) and the display under (17) at the minimiser."""
    best = minimise(1.0, 0.5, SIGMA2, GAMMA)
    mu, beta = best.prox_weight, best.inverse_stepsize
    tau = (5 * beta**2 - 4 * beta) / 8
    t2 = referee.theta2(mu, beta, tau, 0.5)

    np.testing.assert_allclose(best.local_steps, tau, rtol=1e-12)
    np.testing.assert_allclose(best.inexactness**2, t2, rtol=1e-12)
    np.testing.assert_allclose(best.federated_factor, referee.theta_big(mu, t2, 0.5, SIGMA2), rtol=1e-11)
    np.testing.assert_allclose(best.objective, (1 + GAMMA * tau) / best.federated_factor, rtol=1e-12)


def test_no_feasible_point_beats_the_lower_bound() -> None:
    """Random feasible (mu, beta) of the referee's formula never fall below the bound."""
    rng = np.random.default_rng(1)
    for s2, gamma in [(0.0, 1e-6), (1.0, 1e-2), (100.0, 10.0)]:
        bound = minimise(1.0, 0.5, s2, gamma).lower_bound
        mu, beta = 0.5 + np.exp(rng.uniform(0.5, 9, 20000)), 3 + np.exp(rng.uniform(-1, 9, 20000))
        tau = (5 * beta**2 - 4 * beta) / 8
        feasible = referee.theta_big(mu, referee.theta2(mu, beta, tau, 0.5), 0.5, s2) > 0

        assert feasible.sum() > 1000
        assert np.all(referee.value(mu, beta, 0.5, s2, gamma)[feasible] >= bound)


def _certify_away(scale: float, seed: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bounds from points off the minimiser by up to `scale` in log, and the true minimum (40 digits)."""
    truth, best = referee.solve(0.5, 1.0, 0.01)[0], minimise(1.0, 0.5, 1.0, 0.01)
    rng, count = np.random.default_rng(seed), 200
    point = Point(
        (best.prox_weight - 0.5) * np.exp(scale * rng.uniform(-1, 1, count)),
        best.local_steps * np.exp(scale * rng.uniform(-1, 1, count)),
    )
    ones = np.ones(count)
    case = enclosed(Instances(0.5 * ones, ones, 0.01 * ones), ratio_of(0.5 * ones, ones))
    bounds = _certificate.certify(Problem("sarah"), case, point)
    return bounds.lower, bounds.upper, np.full(count, truth)


@pytest.mark.parametrize(("scale", "tight"), [(1e-1, 0), (1e-2, 0), (1e-4, 0), (1e-6, 0), (1e-12, 1)])
def test_the_certificate_is_sound_away_from_the_minimiser(scale: float, tight: float) -> None:
    """At any point the bounds enclose the true minimum; only close to the minimiser are they tight."""
    lower, upper, truth = _certify_away(scale)

    assert np.all(lower <= truth * (1 + 1e-14))
    assert np.all(upper >= truth * (1 - 1e-14))
    assert np.any(lower > 0)
    assert np.mean(upper - lower <= 1e-9 * lower) == tight


def _bounds_at(problem: Problem, margin: float, tau: float, gamma: float = 0.01, **options: Any) -> Bounds:
    one = np.ones(1)
    case = enclosed(Instances(0.5 * one, one, gamma * one), ratio_of(0.5 * one, one))
    beta = options.pop("beta", None)
    lifted = None if beta is None else beta * one
    return _certificate.certify(problem, case, Point(margin * one, tau * one), lifted, **options)


def _best_margin(problem: Problem, tau: float) -> float:
    """The best mu - lam for one tau, by the product's own Newton."""
    one = np.ones(1)
    found = descend(
        problem, Instances(0.5 * one, one, 0.01 * one), Point(22 * one, tau * one), Newton(), False
    )
    return float(found.margin[0])


@pytest.mark.parametrize("factor", [0.7, 0.9, 1.1, 1.5])
def test_each_part_of_the_gradient_counts(factor: float) -> None:
    """With one derivative zero and the other not, the lower bound still stays below the minimum."""
    best, problem = minimise(1.0, 0.5, 1.0, 0.01), Problem("sarah")
    tau, margin = factor * float(best.local_steps), factor * (float(best.prox_weight) - 0.5)

    def along(q: float) -> float:
        beta = (4 + np.sqrt(16 + 160 * np.exp(q))) / 10
        return float(referee.value(0.5 + margin, beta, 0.5, 1.0, 0.01, tau=np.exp(q)))

    fixed = minimize_scalar(along, bounds=(4.5, 7), method="bounded", options={"xatol": 1e-9})
    for bounds in (
        _bounds_at(problem, _best_margin(problem, tau), tau),
        _bounds_at(problem, margin, float(np.exp(fixed.x))),
    ):
        assert bounds.lower[0] <= best.objective
        assert bounds.upper[0] > best.objective * (1 + 1e-4)


def test_one_sided_bounds_hold_on_their_side_only_where_the_slope_points_out() -> None:
    """tau at most (at least) a point's: tight where the minimiser is beyond it, loose where among them."""
    best, problem = minimise(1.0, 0.5, 1.0, 0.01), Problem("sarah")
    for factor, tight, loose in ((0.8, "below", "above"), (1.25, "above", "below")):
        tau = factor * float(best.local_steps)
        margin = _best_margin(problem, tau)
        near = _bounds_at(problem, margin, tau, side=tight)
        far = _bounds_at(problem, margin, tau, side=loose)

        assert near.upper[0] - near.lower[0] <= 1e-9 * near.lower[0]
        assert near.lower[0] > best.objective
        assert far.lower[0] <= best.objective


@pytest.mark.parametrize(("factor", "tight"), [(1.0, True), (0.9, False), (1.2, False), (2.0, False)])
def test_a_beta_that_is_not_the_best_costs_the_bound(factor: float, tight: bool) -> None:
    """In the relaxed problem the derivative in beta counts too, on either side of the best beta."""
    best = minimise(1.0, 0.5, 1.0, 0.01, tau="integer")
    beta, tau = factor * float(best.inverse_stepsize), float(best.local_steps)

    def along(u: float) -> float:
        found = referee.value(0.5 + np.exp(u), beta, 0.5, 1.0, 0.01, tau=tau)
        return float(found) if found > 0 else 1e9

    u = minimize_scalar(along, bounds=(2, 6), method="bounded", options={"xatol": 1e-9}).x
    below, above = (
        _bounds_at(Problem("sarah", "relaxed"), float(np.exp(u)), tau, beta=beta, side=side)
        for side in ("below", "above")
    )

    assert max(below.lower[0], above.lower[0]) <= best.objective
    assert (below.lower[0] > 0.99999 * best.objective) == tight


def test_the_limit_problem_counts_its_gradient() -> None:
    """At gamma = 0 away from the best mu the lower bound stays below the infimum."""
    best, problem = minimise(1.0, 0.5, 1.0, 0.0), Problem("sarah", "limit")
    bounds = _bounds_at(problem, 1.1 * (float(best.prox_weight) - 0.5), 1.0, gamma=0.0)

    assert 0 < bounds.lower[0] <= best.objective < bounds.upper[0]


def test_a_gap_that_leaves_the_box_out_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted falsehood: without the width of the box, lower bounds exceed the true minimum."""
    monkeypatch.setattr(_certificate, "_log_above", np.zeros_like)
    lower, _, truth = _certify_away(1e-2)

    assert np.any(lower > truth * (1 + 1e-9))


def test_the_bound_on_a_logarithm() -> None:
    """Above log x and above 0, and infinite where x is not a number that has one."""
    x = np.array([1e-300, 0.5, 1.0, 1.5, 2.0, 1e300])

    assert np.all(_certificate._log_above(x) >= np.maximum(np.log(x), 0))
    assert np.all(np.isinf(_certificate._log_above(np.array([np.inf, np.nan]))))


def test_a_broken_bounding_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals widened by 1e-7, or a single NaN among them, take the certificate away."""
    outward = _arithmetic._outward
    monkeypatch.setattr(
        _arithmetic, "_outward", lambda lo, hi: outward(lo - 1e-7 * abs(lo), hi + 1e-7 * abs(hi))
    )

    assert not np.any(minimise(1.0, 0.5, SIGMA2, GAMMA).certified)
    monkeypatch.setattr(_arithmetic, "_outward", lambda lo, hi: outward(lo, hi * np.nan))
    blind = minimise(1.0, 0.5, SIGMA2, GAMMA)

    assert not np.any(blind.certified)
    assert np.all(blind.lower_bound == 0)


def test_a_tolerance_that_is_not_met_is_not_certified() -> None:
    """certified compares the proved gap with the tolerance asked for."""
    assert not minimise(1.0, 0.5, 1.0, 0.01, tolerance=1e-16).certified


def test_svrg_takes_the_largest_tau_of_14() -> None:
    """At the optimum tau is the largest real tau that (14) admits, by bisection on (14) itself."""
    best = minimise(1.0, 0.5, [0, 1, 10.0], 0.01, estimator="svrg")

    for beta, tau in zip(best.inverse_stepsize, best.local_steps, strict=True):
        assert tau == pytest.approx(referee.svrg_tau(beta), rel=1e-10)


def test_svrg_matches_a_search_in_beta() -> None:
    """For SVRG nested one-variable searches over (beta, mu) find the same objective."""
    best = minimise(1.0, 0.5, 1.0, 0.01, estimator="svrg")

    def inner(log_beta: float) -> float:
        beta = 3 + np.exp(log_beta)
        tau = referee.svrg_tau(beta)

        def at(u: float) -> float:
            found = referee.value(0.5 + np.exp(u), beta, 0.5, 1.0, 0.01, tau=tau)
            return float(np.log(found)) if found > 0 else 50.0

        return float(minimize_scalar(at, bounds=(4, 6.5), method="bounded", options={"xatol": 1e-9}).fun)

    found = minimize_scalar(inner, bounds=(5.3, 6.5), method="bounded", options={"xatol": 1e-7})
    assert float(best.objective) == pytest.approx(np.exp(found.fun), rel=1e-9)


def test_svrg_far_beyond_its_lemma_says_so() -> None:
    """With lam = 1000 L a larger beta would do better, the lemma is silent: a bound, but no certificate."""
    best = minimise(1.0, 1e3, 0.0, 0.1, estimator="svrg")

    assert not best.certified
    assert 0 < best.lower_bound < best.objective


@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
def test_no_whole_tau_is_better(estimator: str) -> None:
    """Brute force over every whole tau, each minimised over mu and beta by another route."""
    for lam, s2, gamma in [(0.0, 0.0, 0.1), (0.5, 1.0, 0.01), (2.0, 0.0, 1.0)]:
        best = minimise(1.0, lam, s2, gamma, estimator=estimator, tau="integer")  # type: ignore[arg-type]
        around = int(best.local_steps)
        whole = np.arange(max(1, around // 2), 2 * around)
        mu = lam + np.geomspace(3, 3000, 4000)[:, None]
        scale = (
            8 * whole
            if estimator == "sarah"
            else 32 * (whole + 2) * (np.sqrt(whole + 1) + np.sqrt(whole + 2)) ** 2
        )
        beta = np.maximum((4 + np.sqrt(16 + 20 * scale)) / 10, 3 + np.sqrt(9 + mu**2))
        with np.errstate(all="ignore"):
            found = referee.value(mu, beta, lam, s2, gamma, tau=whole)
        found = np.where(found > 0, found, np.inf)

        assert best.certified
        assert best.local_steps == whole[np.argmin(found.min(axis=0))]
        assert float(best.objective) == pytest.approx(found.min(), rel=1e-5)
        assert best.objective <= found.min()
        assert np.all(found >= best.lower_bound)


def test_a_whole_tau_keeps_lemma_1() -> None:
    """The best whole tau lies between the bounds of (13) with its own theta."""
    best = minimise(1.0, 0.5, SIGMA2, GAMMA, tau="integer")
    mu, beta, tau = best.prox_weight, best.inverse_stepsize, best.local_steps

    assert np.all(tau == np.round(tau))
    assert np.all(tau <= (5 * beta**2 - 4 * beta) / 8 * (1 + 1e-12))
    np.testing.assert_allclose(referee.theta2(mu, beta, tau, 0.5), best.inexactness**2, rtol=1e-12)
    assert np.any(~best.matched)


def test_a_free_beta_gains_where_computation_is_dear() -> None:
    """Under (13) itself the whole-number optimum beats (23) at gamma = 0.1 and loses only rounding below."""
    plain, whole = (minimise(1.0, 0.5, 1.0, [1e-6, 0.1], tau=t) for t in ("real", "integer"))  # type: ignore[arg-type]

    assert whole.objective[1] < 0.9 * plain.objective[1]
    assert whole.objective[0] == pytest.approx(plain.objective[0], rel=1e-6)


def test_scaling_with_L_in_the_referees_formula() -> None:
    """The referee's Theta at L = 3 is a third of its value at L = 1: units of L lose nothing."""
    t2 = referee.theta2(60.0, 20.0, 240.0, 1.5, L=3.0)

    assert t2 == pytest.approx(referee.theta2(20.0, 20.0, 240.0, 0.5))
    assert referee.theta_big(60.0, t2, 1.5, 1.0, L=3.0) == pytest.approx(
        referee.theta_big(20.0, t2, 0.5, 1.0) / 3
    )


@pytest.mark.parametrize(("estimator", "limit"), [("sarah", 0.0), ("svrg", 3 * np.sqrt(128 / 5))])
def test_without_computation_delay_the_infimum_is_not_attained(estimator: str, limit: float) -> None:
    """At gamma = 0 the infimum is the limit of tau without end, and small gamma come down to it."""
    best = minimise(1.0, 0.5, [0, 1, 100.0], 0.0, estimator=estimator)  # type: ignore[arg-type]
    near = minimise(1.0, 0.5, [0, 1, 100.0], 1e-24, estimator=estimator)  # type: ignore[arg-type]

    assert np.all(best.certified)
    assert not np.any(best.attained)
    assert np.all(np.isinf(best.local_steps))
    np.testing.assert_allclose(near.objective, best.objective, rtol=1e-4)
    assert np.all(near.objective > best.lower_bound)
    assert np.all(near.lower_bound > best.lower_bound * (1 - 1e-9))
    for s2, objective in zip([0, 1, 100.0], best.objective, strict=True):

        def at(u: float, s2: float = s2) -> float:
            mu = 0.5 + np.exp(u)
            found = 1 / referee.theta_big(mu, limit / np.exp(u), 0.5, s2)
            return float(np.log(found)) if found > 0 else 50.0

        searched = minimize_scalar(at, bounds=(1.2, 10), method="bounded", options={"xatol": 1e-10})
        assert objective == pytest.approx(np.exp(searched.fun), rel=1e-9)


def test_the_limits_of_theta() -> None:
    """theta^2 mu tends to 0 (SARAH) and to 3 sqrt(128/5) (SVRG) along the least beta."""
    beta = 1e9
    tau = referee.svrg_tau(beta)

    assert limit_theta(PRINTED, "sarah") == 0
    svrg = limit_theta(PRINTED, "svrg")
    assert float(svrg.subs(dict.fromkeys(svrg.free_symbols, 1)) ** 2) == pytest.approx(3 * np.sqrt(128 / 5))
    assert referee.theta2(20.0, beta, tau, 0.0) * 20 == pytest.approx(3 * np.sqrt(128 / 5), rel=1e-6)


def test_no_computation_delay_costs_no_less_in_whole_steps() -> None:
    """At gamma = 0 whole and real tau have the same infimum."""
    real, whole = (minimise(1.0, 0.5, 1.0, 0.0, tau=t) for t in ("real", "integer"))  # type: ignore[arg-type]

    assert real.objective == whole.objective


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


def test_unknown_options() -> None:
    """Options are checked by name."""
    with pytest.raises(UnknownName, match="did you mean sarah"):
        minimise(1.0, 0.5, 1.0, 0.1, estimator="sara")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="did you mean sharpened"):
        minimise(1.0, 0.5, 1.0, 0.1, form="sharp")  # type: ignore[arg-type]
