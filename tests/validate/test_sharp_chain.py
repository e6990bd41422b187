"""The sharpened statements in practice: what Algorithm 1 does keeps them, planted falsehoods break them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import fedproof as fp
from fedproof.bounds.catalog import statement_ids
from fedproof.tuning.handle import statement
from fedproof.validate.checks.fedproxvr import descent, digits, lemma1, theorem1
from fedproof.validate.checks.fedproxvr._family import two_point
from fedproof.validate.checks.fedproxvr._forms import LocalForms, client_samples
from fedproof.validate.checks.fedproxvr._optimum import best_setting
from fedproof.validate.checks.fedproxvr._rounds import cases
from fedproof.validate.checks.fedproxvr._theory import PRINTED, SHARPENED, Setting, holds, local_settings
from fedproof.validate.discovery import checks
from fedproof.validate.verdict import Effort, Finding, settle
from tests.validate.test_lemma1 import Idle, Lazy, WrongSign, planted

QUICK = Effort(seeds=400)
ESTIMATORS = ("sarah", "svrg")
PARTS = ("lemma1.sarah", "lemma1.svrg", "eq87", "theorem1", "corollary1", "certified.sarah", "certified.svrg")


def words(*findings: Finding) -> list[str]:
    """Verdicts, repeated on the same draws."""
    return [v.verdict for v in settle(findings, lambda: findings)]


@cache
def tight(estimator: str) -> tuple[lemma1.Case, ...]:
    """The worst clients at one step-size parameter, each theta the least of the sharpened lemma."""
    return tuple(lemma1.worst_cases(estimator, Fraction(0), (6,), SHARPENED)[0])


def test_every_sharpened_claim_about_runs_is_checked() -> None:
    """Lemma 1, (87), Theorem 1, Corollary 1 and the chains: whatever is sharpened and about runs."""
    checked = {id for check in checks().values() for id in check.ids}
    sharpened = {id for id in statement_ids() if id.endswith(SHARPENED)}

    assert {f"fedproxvr.{part}{SHARPENED}" for part in PARTS} <= checked & sharpened
    assert {id for id in sharpened - checked if fp.statement(id).statement.claim.kind == "bound"} == set()


def test_lemma_1_holds_and_is_nearly_reached() -> None:
    """Exact rows are consistent with at most 1% (SARAH) and 15% (SVRG) to spare, runs with more."""
    findings = lemma1.find(QUICK, form=SHARPENED)
    results = settle(findings, lambda: findings)

    assert [v.verdict for v in results] == ["consistent"] * 4
    assert [v.metric for v in results] == ["local_inexactness_rms", "local_inexactness"] * 2
    assert [v.id for v in results] == [f"fedproxvr.lemma1.{e}{SHARPENED}" for e in ESTIMATORS for _ in "12"]
    slacks = [v.slack for v in results]
    assert 1 < slacks[0] < 1.01  # type: ignore[operator]
    assert 1 < slacks[2] < 1.15  # type: ignore[operator]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_theta_is_what_the_sharpened_lower_bound_leaves(estimator: str) -> None:
    """theta^2 = (beta + mu) / ((mu - lam) (tau + 1)) with L = 1, written out here once more."""
    for case in tight(estimator):
        s, lam = case.setting, case.problem.constants["weak_convexity"].value

        assert case.theta**2 == pytest.approx(
            float((s.beta + s.mu) / ((s.mu - lam) * (s.tau + 1))), rel=1e-12
        )


def test_settings_reach_the_upper_ends_of_the_sharpened_ranges() -> None:
    """At beta = 6, mu = 6, lam = 0, L = 1: tau <= 5 x 12 for SARAH, tau (tau + 1) <= 2 x 5 x 12 for SVRG."""
    ends = {
        estimator: max(s.tau for s in local_settings(estimator, Fraction(0), (6,), SHARPENED) if s.mu == 6)
        for estimator in ESTIMATORS
    }

    assert ends == {"sarah": 60, "svrg": 10}
    assert 10 * 11 <= 120 < 11 * 12


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_third_of_theta_is_violated(estimator: str) -> None:
    """With theta divided by three the exact row and the runs are violated."""
    third = [replace(c, theta=c.theta / 3, ratio=c.ratio * 3) for c in tight(estimator)]
    worst = max(third, key=lambda c: c.ratio)

    assert words(lemma1.exact("x", worst, 1, worst.algorithm)) == ["violated"]
    assert words(lemma1.sampled("x", third, QUICK)) == ["violated"]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_twenty_times_the_local_steps_break_the_lemma(estimator: str) -> None:
    """Samples of curvature 1 and -1, tau twenty times its upper end: the claim fails, as the range says."""
    most = {"sarah": 60, "svrg": 10}[estimator]
    clients = client_samples(two_point((2,), Fraction(0)))
    square = {}
    for tau in (most, 20 * most):
        algorithm = lemma1.algorithm_of(Setting(estimator, Fraction(6), Fraction(6), tau, SHARPENED))
        found = LocalForms(clients, algorithm).inexactness.max() * (tau + 1) * 6 / 12
        square[tau] = found

    assert square[most] < 1 < square[20 * most]
    handle = statement(f"fedproxvr.lemma1.{estimator}{SHARPENED}")
    applies = [handle.check(L=1, lam=0, mu=6, beta=6, theta=1, tau=tau).applicable for tau in square]
    assert applies == [True, False]


def test_the_range_of_sarah_has_little_to_spare() -> None:
    """A linear F_n with curvatures 1 and -1 at beta = 40, mu = 4: an eighth more steps break the lemma."""
    clients = client_samples(two_point((2,), Fraction(0)))
    most, ratios = 39 * 44, []
    for tau in (most, most + most // 8):
        algorithm = lemma1.algorithm_of(Setting("sarah", Fraction(40), Fraction(4), tau, SHARPENED))
        ratios.append(LocalForms(clients, algorithm).inexactness[0, 0, 0] * (tau + 1) * 4 / 44)

    assert ratios[0] < 1 < ratios[1]


def test_wrong_algorithms_do_not_pass() -> None:
    """SARAH with its sign turned, idle and lazy local work: none of them is consistent with Lemma 1.

    On a linear F_n with curvatures 1 and -1 a turned sign makes no difference: the exact row is controlled at
    other cases too, and so it tells in both forms.
    """
    for form in (PRINTED, SHARPENED):
        turned = lemma1.find(QUICK, planted(WrongSign), form)

        assert all(word != "consistent" for word in words(*turned))
    assert words(lemma1.sampled("x", tight("sarah"), QUICK, planted(Lazy))) == ["violated"]
    assert words(lemma1.sampled("x", tight("sarah"), QUICK, planted(Idle))) != ["consistent"]


def test_rounds_keep_the_sharpened_chain() -> None:
    """(87), Theorem 1, Corollary 1 and both chains: every row consistent."""
    for check, rows in ((descent, 4), (theorem1, 9)):
        findings = check.find(QUICK, form=SHARPENED)

        assert words(*findings) == ["consistent"] * rows
        assert all(f.id.endswith(SHARPENED) for f in findings)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_cases_are_admitted_by_the_sharpened_chain(estimator: str) -> None:
    """Every fifth case satisfies its conditions, has the Theta that check gives, and reaches its theta."""
    handle = statement(f"fedproxvr.certified.{estimator}{SHARPENED}")
    chosen = cases(estimator, SHARPENED)[::5]

    assert len(chosen) > 20
    assert len({c.setting.tau for c in chosen}) > 5
    for case in chosen:
        found = handle.check(**case.numbers)

        assert found.applicable
        assert case.factor == pytest.approx(found.derived["Theta"], rel=1e-9)
        assert case.reached <= found.derived["theta"]


def test_the_proposed_setting_is_near_the_optimum() -> None:
    """No random admissible parameters have less than 9/10 of the training time of the lattice's best."""
    id, known = f"fedproxvr.certified.sarah{SHARPENED}", {"L": 1, "lam": 0.5, "sigma2": 1}
    best = best_setting(id, known, 0.001)
    assert best is not None
    handle = statement(id)

    def time(**free: float) -> float:
        found = handle.check(**known, **free)
        return (1 + 0.001 * free["tau"]) / found.derived["Theta"] if found.applicable else np.inf

    rng = np.random.default_rng(4)
    around = [{n: float(v * np.exp(rng.normal(0, 0.3))) for n, v in best.items()} for _ in range(60)]

    assert np.isfinite(time(**best))
    assert min(time(**free) for free in around) > 0.9 * time(**best)


def test_nothing_is_proposed_where_nothing_is_admitted() -> None:
    """With sigma2 = 10^12 no point of the lattice has q < 1."""
    known = {"L": 1, "lam": 0, "sigma2": 1e12}

    assert best_setting(f"fedproxvr.certified.svrg{SHARPENED}", known, 0.001) is None


def test_planted_falsehoods_about_rounds_are_violated() -> None:
    """A third of the descent, of the bound on the mean gradient, of the rounds: all violated."""
    everything = cases("sarah", SHARPENED)

    assert words(descent.exact("sarah", shrink=3, form=SHARPENED)) == ["violated"]
    assert words(descent.sampled("sarah", QUICK, planted(Lazy), SHARPENED)) == ["violated"]
    for printed in (True, False):
        assert words(theorem1.bounded("x", everything, lambda c: c.factor, printed, shrink=3)) == ["violated"]
    assert words(theorem1.rounds_to_accuracy(everything, shrink=3)) == ["violated"]
    assert words(theorem1.sampled("sarah", QUICK, planted(Idle), SHARPENED)) != ["consistent"]


def test_digits_keep_the_sharpened_lemma() -> None:
    """SVRG is consistent on real data; SARAH does not keep a quarter of theta."""
    assert words(digits.local("svrg", Effort(seeds=40), form=SHARPENED)) == ["consistent"]
    assert words(digits.local("sarah", Effort(seeds=40), 4, SHARPENED)) == ["violated"]


def test_a_claim_is_decided_exactly() -> None:
    """theta^2 = 3/6 at beta = 2, mu = 1, tau = 5, L = 1, lam = 0; a millionth of a millionth counts."""
    numbers = {n: Fraction(v) for n, v in {"L": 1, "lam": 0, "mu": 1, "beta": 2, "tau": 5}.items()}
    chain, tiny = f"fedproxvr.certified.sarah{SHARPENED}", Fraction(1, 10**12)

    assert holds(Fraction(1, 2), "<=", chain, "theta", numbers, power=2)
    assert not holds(Fraction(1, 2) + tiny, "<=", chain, "theta", numbers, power=2)
    assert not holds(Fraction(1, 2) - tiny, ">=", chain, "theta", numbers, power=2)
