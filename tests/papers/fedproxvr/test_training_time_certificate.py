"""The certificate of problem (23)'s minimum: sound away from the minimiser, and taken away by sabotage."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import minimize_scalar

from fedproof.algebra import arithmetic
from fedproof.papers.fedproxvr.notation import L, beta, lam, mt, mu, sigma2, tau, theta
from fedproof.papers.fedproxvr.proofs import convexity, sharp_convexity
from fedproof.papers.fedproxvr.statements import formulas, sharp_formulas
from fedproof.papers.fedproxvr.training_time import certificate
from fedproof.papers.fedproxvr.training_time.certificate import Bounds
from fedproof.papers.fedproxvr.training_time.formulations import PRINTED, SHARPENED
from fedproof.papers.fedproxvr.training_time.minimise import enclosed, minimise, ratio_of
from fedproof.papers.fedproxvr.training_time.newton import Newton, descend
from fedproof.papers.fedproxvr.training_time.problem import Instances, Point, Problem
from tests.papers.fedproxvr import referee

SIGMA2, GAMMA = np.array([0, 1, 100.0])[:, None], np.geomspace(1e-8, 1e3, 60)[None]
#: every form's problem, with instances (lam, sigma2, gamma); at two of them short steps bind
CASES = [
    (Problem("sarah", form=PRINTED), (0.5, 1.0, 0.01)),
    *((Problem("sarah", form=SHARPENED), c) for c in ((0.5, 1.0, 0.01), (0.0, 0.0, 1e-7), (0.0, 0.0, 2e-6))),
]


def bounds_at(
    problem: Problem, case: tuple[float, float, float], margin: Any, tau: Any, **options: Any
) -> Bounds:
    """The certificate at points (mu - lam, tau) of one instance."""
    ones = np.ones_like(np.atleast_1d(np.asarray(margin, dtype=float)))
    lam, s2, gamma = (x * ones for x in case)
    plain = Instances(lam, s2, gamma)
    at = Point(np.maximum(margin * ones, problem.floor(plain)), tau * ones)
    lifted = options.pop("beta", None)
    sure = enclosed(plain, ratio_of(lam, ones))
    return certificate.certify(problem, sure, at, None if lifted is None else lifted * ones, **options)


def off(problem: Problem, case: tuple[float, float, float], scale: float) -> tuple[Bounds, float]:
    """Bounds from points off the minimiser by up to `scale` in log, and the least value."""
    form = "sharpened" if problem.form is SHARPENED else "printed"
    best, rng = minimise(1.0, *case, form=form), np.random.default_rng(2)
    margin, steps = (
        float(x) * np.exp(scale * rng.uniform(-1, 1, 400))
        for x in (best.prox_weight - case[0], best.local_steps)
    )
    return bounds_at(problem, case, margin, steps), float(best.objective)


@pytest.mark.parametrize(("problem", "case"), CASES)
@pytest.mark.parametrize(("scale", "tight"), [(1e-1, 0), (1e-2, 0), (1e-4, 0), (1e-12, 1)])
def test_it_is_sound_away_from_the_minimiser(problem: Problem, case: Any, scale: float, tight: float) -> None:
    """At any point the bounds enclose the true minimum; only close to the minimiser are they tight."""
    bounds, truth = off(problem, case, scale)

    assert np.all(bounds.lower <= truth * (1 + 1e-13))
    assert np.all(bounds.upper >= truth * (1 - 1e-13))
    assert np.any(bounds.lower > 0)
    assert np.mean(bounds.upper - bounds.lower <= 1e-9 * bounds.lower) == tight


HALF = (0.5, 1.0, 0.01)


def best_margin(tau: float) -> float:
    """The best mu - lam of (23) as printed for one tau, by the product's own Newton."""
    ones = np.ones(1)
    instances = Instances(0.5 * ones, ones, 0.01 * ones)
    found = descend(CASES[0][0], instances, Point(22 * ones, tau * ones), Newton(), False)
    return float(found.margin[0])


@pytest.mark.parametrize("factor", [0.7, 0.9, 1.1, 1.5])
def test_each_part_of_the_gradient_counts(factor: float) -> None:
    """With one derivative zero and the other not, the lower bound still stays below the minimum."""
    best, problem = minimise(1.0, *HALF), CASES[0][0]
    steps, margin = factor * float(best.local_steps), factor * (float(best.prox_weight) - 0.5)

    def along(q: float) -> float:
        least = referee.PRINTED.least_beta["sarah"](0.5 + margin, np.exp(q), 0.5)
        return float(referee.PRINTED.value(0.5 + margin, least, np.exp(q), *HALF))

    fixed = minimize_scalar(along, bounds=(4.5, 7), method="bounded", options={"xatol": 1e-9})
    for at in ((best_margin(steps), steps), (margin, float(np.exp(fixed.x)))):
        bounds = bounds_at(problem, HALF, *at)
        assert bounds.lower[0] <= best.objective
        assert bounds.upper[0] > best.objective * (1 + 1e-4)


def test_one_sided_bounds_hold_on_their_side_only_where_the_slope_points_out() -> None:
    """tau at most (at least) a point's: tight where the minimiser is beyond it, loose where among them."""
    best = minimise(1.0, *HALF)
    for factor, tight, loose in ((0.8, "below", "above"), (1.25, "above", "below")):
        steps = factor * float(best.local_steps)
        near, far = (
            bounds_at(CASES[0][0], HALF, best_margin(steps), steps, side=side) for side in (tight, loose)
        )

        assert near.upper[0] - near.lower[0] <= 1e-9 * near.lower[0]
        assert near.lower[0] > best.objective
        assert far.lower[0] <= best.objective


@pytest.mark.parametrize(("factor", "tight"), [(1.0, True), (0.9, False), (1.2, False), (2.0, False)])
def test_a_beta_that_is_not_the_best_costs_the_bound(factor: float, tight: bool) -> None:
    """In the relaxed problem the derivative in beta counts too, on either side of the best beta."""
    best = minimise(1.0, *HALF, tau="integer", over="theorem")
    beta, steps = factor * float(best.inverse_stepsize), float(best.local_steps)

    def along(u: float) -> float:
        found = referee.PRINTED.value(0.5 + np.exp(u), beta, steps, *HALF)
        return float(found) if found > 0 else 1e9

    u = minimize_scalar(along, bounds=(2, 6), method="bounded", options={"xatol": 1e-9}).x
    relaxed = Problem("sarah", "relaxed")
    below, above = (
        bounds_at(relaxed, HALF, float(np.exp(u)), steps, beta=beta, side=side) for side in ("below", "above")
    )

    assert max(below.lower[0], above.lower[0]) <= best.objective
    assert (below.lower[0] > 0.99999 * best.objective) == tight


def test_the_limit_problem_counts_its_gradient() -> None:
    """At gamma = 0 away from the best mu the lower bound stays below the infimum."""
    best = minimise(1.0, 0.5, 1.0, 0.0)
    bounds = bounds_at(Problem("sarah", "limit"), (0.5, 1.0, 0.0), 1.1 * (float(best.prox_weight) - 0.5), 1.0)

    assert 0 < bounds.lower[0] <= best.objective < bounds.upper[0]


@pytest.mark.parametrize(("margin", "inside"), [(0.7072, True), (0.7071, False), (0.1, False)])
def test_steps_that_are_not_short_are_not_admitted(margin: float, inside: bool) -> None:
    """At lam = 0 the certificate gives no upper bound where mu < 1/sqrt(2), even where Theta > 0."""
    one, page = np.ones(1), referee.SHARPENED
    sure = enclosed(Instances(0 * one, 0 * one, 1e-7 * one), ratio_of(0 * one, one))
    bounds = certificate.certify(CASES[1][0], sure, Point(margin * one, 1e9 * one))
    beta = page.least_beta["sarah"](margin, 1e9, 0.0)

    assert page.factor(margin, page.theta(margin, beta, 1e9, 0.0), 0.0, 0.0) > 0
    assert np.isfinite(bounds.upper[0]) == inside


@pytest.mark.parametrize("problem", [CASES[0][0], CASES[1][0]], ids=["printed", "sharpened"])
def test_a_gap_that_leaves_the_box_out_is_seen(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted falsehood: without the width of the box, lower bounds exceed the true minimum."""
    monkeypatch.setattr(certificate, "log_above", np.zeros_like)
    bounds, truth = off(problem, HALF, 1e-2)

    assert np.any(bounds.lower > truth * (1 + 1e-9))


def test_an_end_that_is_none_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted falsehood: with mu - lam taken to be at its end everywhere, lower bounds exceed the minimum."""
    ends = Problem.ends

    def wrong(self: Problem, algebra: Any, case: Instances) -> Any:
        least = ends(self, algebra, case)
        return (replace(least[0], lo=1e9 * least[0].lo), least[1]) if hasattr(least[0], "lo") else least

    monkeypatch.setattr(Problem, "ends", wrong)
    bounds, truth = off(CASES[1][0], HALF, 0.3)

    assert np.any(bounds.lower > truth * (1 + 1e-9))


def test_a_beta_that_does_not_follow_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted falsehood: with slopes at fixed beta for those along the least one, nothing is certified."""
    first_order = certificate._first_order

    def still(*given: Any) -> Any:
        found = first_order(*given)
        return replace(found, along=found.alone)

    monkeypatch.setattr(certificate, "_first_order", still)

    assert not np.any(minimise(1.0, 0.5, SIGMA2, GAMMA, form="sharpened").certified)


def test_the_bound_on_a_logarithm() -> None:
    """Above log x and above 0, and infinite where x is not a number that has one."""
    x = np.array([1e-300, 0.5, 1.0, 1.5, 2.0, 1e300])

    assert np.all(certificate.log_above(x) >= np.maximum(np.log(x), 0))
    assert np.all(np.isinf(certificate.log_above(np.array([np.inf, np.nan]))))


def test_a_broken_bounding_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals widened by 1e-7, or a single NaN among them, take the certificate away."""
    outward = arithmetic._outward
    monkeypatch.setattr(
        arithmetic, "_outward", lambda lo, hi: outward(lo - 1e-7 * abs(lo), hi + 1e-7 * abs(hi))
    )

    assert not np.any(minimise(1.0, 0.5, SIGMA2, GAMMA).certified)
    monkeypatch.setattr(arithmetic, "_outward", lambda lo, hi: outward(lo, hi * np.nan))
    blind = minimise(1.0, 0.5, SIGMA2, GAMMA)

    assert not np.any(blind.certified)
    assert np.all(blind.lower_bound == 0)


def test_a_tolerance_that_is_not_met_is_not_certified() -> None:
    """certified compares the proved gap with the tolerance asked for."""
    assert not minimise(1.0, *HALF, tolerance=1e-16).certified


def test_slopes_are_the_derivatives_they_claim_to_be() -> None:
    """Chain rule by hand: (5b-4)/(10b-4), b(5b-4)/((10b-4)(b-3)), and r' from (14)'s eliminated weight."""
    assert sp.simplify(convexity.BETA_SLOPE - (5 * beta - 4) / (10 * beta - 4)) == 0
    excess = beta * (5 * beta - 4) / ((10 * beta - 4) * (beta - 3))
    assert sp.simplify(convexity.EXCESS_SLOPE - excess) == 0
    scale = sp.log(formulas.SVRG_BEST_A.doit() * (tau + 2))
    difference = tau * sp.diff(scale, tau) - sum(convexity.SVRG_SLOPES)
    for value in (sp.Rational(1, 7), 3, 1000):
        assert abs(sp.N(difference.subs(tau, value), 30)) < 1e-25


def test_descent_is_what_the_lemma_says_it_is() -> None:
    """mu Theta = 1 - p1 - p2 - p3, each a product of theta, 1 + theta^2, mu, 1/mt; 1 - q sharpened."""
    s, grown = 1 + sigma2, sp.Symbol("grown", positive=True)
    p = sp.sqrt(2 * s) * theta + 2 * L * sp.sqrt(s * grown) / mt + 2 * L * s * mu * grown / mt**2
    at = {L: 3, mt: sp.Rational(7, 2), mu: 5, sigma2: sp.Rational(2, 9), theta: sp.Rational(1, 8)}
    least = 3 * (beta**2 * L**2 + mu**2) / (mt * L * (beta - 3) * tau)

    assert abs(sp.N((formulas.DESCENT - 1 + p.subs(grown, 1 + theta**2)).subs(at), 40)) < 1e-35
    assert sp.simplify(formulas.THETA_LEAST.doit() ** 2 - least) == 0
    at |= {lam: sp.Rational(3, 2), sigma2: sp.Rational(9, 16)}
    left = 1 - sp.Rational(1, 4) * sp.Rational(9, 2) / 7 - sp.Rational(5, 4) / 8 * (1 + sp.Rational(9, 7))
    assert sharp_convexity.LEFT.doit().subs(at) == left
    assert sharp_convexity.PROGRESS.doit().subs(at) == sp.Rational(3, 8) * left
    assert 1 - sharp_formulas.DEVIATION.doit().subs(at) == sp.Rational(3, 8) * left
