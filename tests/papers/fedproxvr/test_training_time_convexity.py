"""The lemma behind the certificate: its scalar facts, and the whole of it at random points."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from fedproof.papers.fedproxvr.notation import L, beta, lam, mt, mu, sigma2, tau, theta
from fedproof.papers.fedproxvr.proofs import convexity
from fedproof.papers.fedproxvr.statements import formulas
from fedproof.proof.engines.smt import prove
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Step
from tests.papers.fedproxvr import referee_training_time as referee


@pytest.mark.parametrize("fact", steps_of(convexity), ids=lambda fact: fact.id)
def test_both_engines_prove_each_fact(fact: Step) -> None:
    """z3 and cvc5 each find the negation unsatisfiable."""
    assert prove(fact.given, fact.claim).proved_by == ("z3", "cvc5")


def test_the_facts_are_those_of_the_lemma() -> None:
    """Eleven facts, with names of their own."""
    assert len({fact.id for fact in steps_of(convexity)}) == 11


@pytest.mark.parametrize(
    "fact", [convexity.BETA_BENDS_UP, convexity.EXCESS_BENDS_DOWN, convexity.SVRG_FIRST], ids=lambda f: f.id
)
def test_a_reversed_fact_is_not_proved(fact: Step) -> None:
    """Planted falsehood: the same claim the other way round is refuted."""
    outcome = prove(fact.given, sp.Not(fact.claim))

    assert not outcome.proved
    assert outcome.refutable


def test_bends_by_coefficients() -> None:
    """Shifted to beta = 3 + x or tau = x, each derivative's numerator has coefficients of one sign."""
    x = sp.Symbol("x", nonnegative=True)
    cases = [
        (convexity.BETA_SLOPE, beta, 3 + x, 1),
        (convexity.EXCESS_SLOPE, beta, 3 + x, -1),
        (convexity.SVRG_SLOPES[0], tau, x, 1),
        (convexity.SVRG_SLOPES[1] ** 2, tau, x, 1),
    ]
    for slope, symbol, shifted, sign in cases:
        top, bottom = sp.fraction(sp.together(sp.diff(slope, symbol).subs(symbol, shifted)))
        bottom = sp.Poly(sp.expand(bottom), x)
        flip = sp.sign(bottom.LC())

        assert all(c * flip > 0 for c in bottom.coeffs())
        assert all(c * flip * sign > 0 for c in sp.Poly(sp.expand(top), x).coeffs())


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
    """mu Theta = 1 - p1 - p2 - p3 with each p a product of theta, 1 + theta^2, mu, 1/mt."""
    s = 1 + sigma2
    grown = sp.Symbol("grown", positive=True)
    p = (
        sp.sqrt(2) * sp.sqrt(s) * theta
        + 2 * L * sp.sqrt(s) * sp.sqrt(grown) / mt
        + 2 * L * s * mu * grown / mt**2
    )
    at = {L: 3, mt: sp.Rational(7, 2), mu: 5, sigma2: sp.Rational(2, 9), theta: sp.Rational(1, 8)}
    assert abs(sp.N((formulas.DESCENT - 1 + p.subs(grown, 1 + theta**2)).subs(at), 40)) < 1e-35
    least = 3 * (beta**2 * L**2 + mu**2) / (mt * L * (beta - 3) * tau)
    assert sp.simplify(formulas.THETA_LEAST.doit() ** 2 - least) == 0


def test_scaling_with_L_is_an_identity() -> None:
    """mu, lam, mt -> c mu, c lam, c mt with L -> c L leave mu Theta and theta as they are."""
    c = sp.Symbol("c", positive=True)
    scaled = {L: c * L, mu: c * mu, mt: c * mt, lam: c * lam}
    for formula in (formulas.DESCENT, formulas.THETA_LEAST**2):
        plain = formula.doit()
        assert sp.simplify(plain.subs(scaled, simultaneous=True) - plain) == 0


def _log_objective(
    u: np.ndarray, q: np.ndarray, v: np.ndarray, lam_: float, s2: float, gamma: float
) -> np.ndarray:
    beta_ = (4 + np.sqrt(16 + 160 * np.exp(v))) / 10
    with np.errstate(all="ignore"):
        found = referee.value(lam_ + np.exp(u), beta_, lam_, s2, gamma, tau=np.exp(q))
        return np.where((found > 0) & (beta_ > 3), np.log(found), np.inf)


@pytest.mark.parametrize("case", [(0.0, 0.0, 0.0), (0.5, 1.0, 1e-2), (10.0, 0.1, 1e-6), (0.0, 5.0, 10.0)])
def test_midpoints_of_feasible_points(case: tuple[float, float, float]) -> None:
    """G at a midpoint is at most the mean of G at the ends, in all three coordinates together."""
    rng = np.random.default_rng(5)
    ends = [
        (rng.uniform(1, 10, 200000), rng.uniform(2, 20, 200000), rng.uniform(2, 20, 200000)) for _ in "ab"
    ]
    first, second = (_log_objective(*end, *case) for end in ends)
    both = np.isfinite(first) & np.isfinite(second)
    middle = _log_objective(*((p + q) / 2 for p, q in zip(*ends, strict=True)), *case)

    assert both.sum() > 1000
    assert np.all(middle[both] <= (first[both] + second[both]) / 2 + 1e-12)


def test_in_mu_and_beta_it_is_not_convex() -> None:
    """The paper is right that (23) is not convex in its own variables: a midpoint far above both ends."""
    ends = [(55.5, 15.7), (800.0, 28.0)]
    first, second, middle = (
        referee.value(m, b, 0.5, 1.0, 0.01) for m, b in [*ends, tuple(np.mean(ends, axis=0))]
    )

    assert 0 < first
    assert 0 < second
    assert middle < 0 or middle > first + second


def test_svrg_is_not_convex_in_u_and_q_alone() -> None:
    """Along v = r(q), log(beta - 3) is convex in q, not concave: the certificate needs g_v >= 0."""
    q = np.linspace(0, 12, 200)
    t = np.exp(q)
    scale = 32 * (t + 2) * (np.sqrt(t + 1) + np.sqrt(t + 2)) ** 2
    excess = np.log((4 + np.sqrt(16 + 20 * scale)) / 10 - 3)

    assert np.all(np.diff(excess, 2) > 0)
