"""The lemma behind the sharpened certificate: its scalar facts, and the whole of it at random points."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from fedproof.papers.fedproxvr.notation import L, lam, mt, mu, sigma2, theta
from fedproof.papers.fedproxvr.proofs import sharp_convexity as convexity
from fedproof.papers.fedproxvr.statements import sharp_formulas
from fedproof.proof.engines.smt import prove
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Step
from tests.papers.fedproxvr import referee_sharpened as referee

CASES = [(0.0, 0.0, 0.0), (0.5, 1.0, 1e-2), (10.0, 0.1, 1e-6), (0.0, 5.0, 10.0)]


@pytest.mark.parametrize("fact", steps_of(convexity), ids=lambda fact: fact.id)
def test_both_engines_prove_each_fact(fact: Step) -> None:
    """z3 and cvc5 each find the negation unsatisfiable."""
    assert prove(fact.given, fact.claim).proved_by == ("z3", "cvc5")


def test_the_facts_have_names_of_their_own() -> None:
    """Eleven facts, none under another's id."""
    assert len({fact.id for fact in steps_of(convexity)}) == len(steps_of(convexity)) == 11


@pytest.mark.parametrize("fact", steps_of(convexity), ids=lambda fact: fact.id)
def test_a_reversed_fact_is_refuted(fact: Step) -> None:
    """Planted falsehood: the same claim the other way round fails at some point."""
    outcome = prove(fact.given, sp.Not(fact.claim))

    assert not outcome.proved
    assert outcome.refutable


def test_progress_is_what_deviation_leaves() -> None:
    """1 - q at a rational point, by hand: the form that shows convexity, and the statement's own."""
    at = {L: 3, lam: sp.Rational(3, 2), mt: sp.Rational(7, 2), mu: 5, sigma2: sp.Rational(9, 16)}
    at |= {theta: sp.Rational(1, 8)}
    left = 1 - sp.Rational(1, 4) * sp.Rational(9, 2) / 7 - sp.Rational(5, 4) / 8 * (1 + sp.Rational(9, 7))

    assert convexity.LEFT.doit().subs(at) == left
    assert convexity.PROGRESS.doit().subs(at) == sp.Rational(3, 8) * left
    assert 1 - sharp_formulas.DEVIATION.doit().subs(at) == sp.Rational(3, 8) * left


def _log_objective(
    u: np.ndarray, r: np.ndarray, b: np.ndarray, lam_: float, s2: float, g: float
) -> np.ndarray:
    """G from the referee's formulas, infinite where q >= 1."""
    m = lam_ + np.exp(u)
    beta = np.exp(b) - m
    with np.errstate(all="ignore"):
        q = referee.deviation(m, referee.theta(m, beta, np.exp(r), lam_), lam_, s2)
        return np.where(q < 1, np.log(referee.value(m, beta, np.exp(r), lam_, s2, g)), np.inf)


@pytest.mark.parametrize("case", CASES)
def test_midpoints_of_feasible_points(case: tuple[float, float, float]) -> None:
    """G at a midpoint is at most the mean of G at the ends, in all three coordinates together."""
    rng = np.random.default_rng(5)
    ends = [
        (rng.uniform(-1, 8, 200000), rng.uniform(0, 20, 200000), rng.uniform(0, 12, 200000)) for _ in "ab"
    ]
    first, second = (_log_objective(*end, *case) for end in ends)
    both = np.isfinite(first) & np.isfinite(second)
    middle = _log_objective(*((p + q) / 2 for p, q in zip(*ends, strict=True)), *case)

    assert both.sum() > 1000
    assert np.all(middle[both] <= (first[both] + second[both]) / 2 + 1e-9)


@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
@pytest.mark.parametrize("case", CASES)
def test_midpoints_with_the_least_beta(case: tuple[float, float, float], estimator: str) -> None:
    """With the least admissible beta the same holds in (u, r) alone."""
    rng = np.random.default_rng(6)

    def reduced(u: np.ndarray, r: np.ndarray) -> np.ndarray:
        m = case[0] + np.exp(u)
        return _log_objective(u, r, np.log(referee.least_beta(m, np.exp(r), case[0], estimator) + m), *case)

    ends = [(rng.uniform(-1, 8, 100000), rng.uniform(0, 20, 100000)) for _ in "ab"]
    first, second = (reduced(*end) for end in ends)
    both = np.isfinite(first) & np.isfinite(second)
    middle = reduced(*((p + q) / 2 for p, q in zip(*ends, strict=True)))

    assert both.sum() > 1000
    assert np.all(middle[both] <= (first[both] + second[both]) / 2 + 1e-9)
