"""The sharpened statements in practice: what Algorithm 1 does keeps them, planted falsehoods break them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

import pytest

import fedproof as fp
from fedproof.bounds.catalog import statement_ids
from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.checks import _experiments, descent, digits, lemma1, sharp_lemma1, theorem1
from fedproof.papers.fedproxvr.checks._family import two_point
from fedproof.papers.fedproxvr.checks._hyperparameters import (
    FEW,
    PRINTED,
    SHARPENED,
    Hyperparameters,
    admitted_theta,
    least_theta,
    local_hyperparameters,
)
from fedproof.papers.fedproxvr.checks._quadratic_forms import LocalForms, client_samples
from fedproof.validate.api import checks
from fedproof.validate.empirical.theory import compares
from fedproof.validate.verdict import SamplingBudget, assign_verdicts
from tests.papers.fedproxvr.test_lemma1 import Idle, Lazy, WrongSign, planted
from tests.papers.verdicts import PLAIN, words

QUICK = SamplingBudget(seeds=100)
cases = partial(_experiments.cases, size=12)
pytestmark = pytest.mark.usefixtures("smaller_families")
ESTIMATORS = ("sarah", "svrg")
PARTS = (
    "lemma1.sarah", "lemma1.svrg", "lemma1.svrg.few", "eq87", "theorem1", "corollary1", "certified.sarah",
    "certified.svrg",
)  # fmt: skip


@cache
def tight(estimator: str) -> tuple[lemma1.LocalSolveExperiment, ...]:
    """The worst clients at one step-size parameter, each theta the least of the sharpened lemma."""
    return tuple(lemma1.worst_solves(estimator, Fraction(0), (6,), SHARPENED)[0])


def test_every_sharpened_claim_about_runs_is_checked() -> None:
    """Lemma 1, (87), Theorem 1, Corollary 1 and the chains: whatever is sharpened and about runs."""
    checked = {id for check in checks().values() for id in check.ids}
    sharpened = {id for id in statement_ids() if id.endswith(SHARPENED)}

    assert {f"fedproxvr.{part}{SHARPENED}" for part in PARTS} <= checked & sharpened
    # these say the bound of a theorem that is checked, at the rounds where it is the accuracy
    restated = {f"composite.theorem{number}.rounds{SHARPENED}" for number in ("3.5", "3.6")}
    left = {id for id in sharpened - checked if fp.statement(id).statement.claim.kind == "bound"}
    assert left == restated


def test_lemma_1_holds_and_is_nearly_reached() -> None:
    """Exact rows are consistent with at most 2% to spare (15% with few local steps), runs with more."""
    findings = sharp_lemma1.CHECK.find(QUICK)
    results = assign_verdicts(findings, lambda: findings)
    ids = [f"fedproxvr.lemma1.{part}{SHARPENED}" for part in ("sarah", "svrg", "svrg.few")]

    assert [v.verdict for v in results] == ["consistent"] * 6
    assert [v.metric for v in results] == ["local_inexactness_rms", "local_inexactness"] * 3
    assert [v.id for v in results] == [id for id in ids for _ in "12"]
    assert [v.slack < most for v, most in zip(results[::2], (1.02, 1.02, 1.15), strict=True)] == [True] * 3  # type: ignore[operator]
    assert all(v.slack > 1 for v in results)  # type: ignore[operator]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_theta_is_what_the_sharpened_conditions_leave(estimator: str) -> None:
    """With L = 1 theta^2 is the larger of what the lower bound and the condition on beta ask for: by hand."""
    by_steps = 0
    for case in tight(estimator):
        s, lam = case.setting, case.problem.constants["weak_convexity"].value
        m = s.mu - lam
        steps, room = (s.beta + s.mu) / (m * (s.tau + 1)), (s.beta - 1) * (s.beta + s.mu) + 1
        floor = (s.beta + s.mu) / (m * room) if estimator == "sarah" else (1 + s.mu) / (m**2 * (s.beta - 1))
        by_steps += steps >= floor

        assert case.theta**2 == pytest.approx(float(max(steps, floor)), rel=1e-12)
    assert 0 < by_steps < len(tight(estimator))


def test_settings_reach_where_more_steps_help_no_more_and_go_beyond() -> None:
    """At beta = mu = 6, lam = 0, L = 1: 5 x 12 for SARAH, 5 x 12 x 6/7 - 1 for SVRG, and ten times as many.

    With few local steps SVRG asks for tau (tau + 1) <= 2 x 5 x 12.
    """
    asked = [("sarah", SHARPENED), ("svrg", SHARPENED), ("svrg", FEW)]
    taus = [
        [s.tau for s in local_hyperparameters(estimator, Fraction(0), (6,), form) if s.mu == 6]
        for estimator, form in asked
    ]

    assert taus == [[1, 60, 600], [1, 51, 510], [1, 10]]
    assert 50 < 5 * 12 * Fraction(6, 7) - 1 < 51
    assert 10 * 11 <= 120 < 11 * 12


@pytest.mark.parametrize(("estimator", "form"), [*((e, SHARPENED) for e in ESTIMATORS), ("svrg", FEW)])
def test_the_theta_of_runs_and_of_exact_rows_is_one(estimator: str, form: str) -> None:
    """The double that Lemma 1 admits exactly is the least one to rounding, and one below is not admitted."""
    handle = statement(f"fedproxvr.lemma1.{estimator}{form}")
    for setting in local_hyperparameters(estimator, Fraction(1, 2), (2, 6), form):
        theta = admitted_theta(setting, Fraction(1, 2))
        below = theta * (1 - 1e-12)

        assert theta == pytest.approx(least_theta(setting, 0.5), rel=1e-14)
        assert handle.check(**setting.values, lam="1/2", theta=theta).applicable
        assert not handle.check(**setting.values, lam="1/2", theta=below).applicable


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_third_of_theta_is_violated(estimator: str) -> None:
    """With theta divided by three the exact row and the runs are violated."""
    third = SamplingBudget(100, tighten=3)

    assert words(lemma1.exact(tight(estimator), 1, third)) == ["violated"]
    assert words(lemma1.sampled(tight(estimator), third)) == ["violated"]


def least_square(tau: int, beta: int, mu: int) -> float:
    """theta^2 by the lower bound alone, L = 1 and lam = 0."""
    return (beta + mu) / (mu * (tau + 1))


@pytest.mark.parametrize(
    ("estimator", "form", "most"), [("sarah", SHARPENED, 60), ("svrg", SHARPENED, 50), ("svrg", FEW, 10)]
)
def test_twenty_times_the_local_steps_break_the_least_theta(estimator: str, form: str, most: int) -> None:
    """Curvatures 1 and -1, beta = mu = 6: far beyond its condition the least theta fails, as check says."""
    clients = client_samples(two_point((2,), Fraction(0)))
    handle = statement(f"fedproxvr.lemma1.{estimator}{form}")
    kept, applies = [], []
    for tau in (most, 20 * most):
        setting, square = (
            Hyperparameters(estimator, Fraction(6), Fraction(6), tau, form),
            least_square(tau, 6, 6),
        )
        kept.append(LocalForms(clients, setting.algorithm).inexactness.max() < square)
        theta = square**0.5 * (1 + 1e-12)
        applies.append(handle.check(**setting.values, lam=0, theta=theta).applicable)

    assert kept == [True, False]
    assert applies == [True, False]


@pytest.mark.parametrize(("estimator", "mu", "most"), [("sarah", 4, 39 * 44), ("svrg", 40, 3042)])
def test_the_least_theta_has_little_to_spare(estimator: str, mu: int, most: int) -> None:
    """A linear F_n with curvatures 1 and -1 at beta = 40: an eighth more steps break the least theta."""
    clients = client_samples(two_point((2,), Fraction(0)))
    kept = []
    for tau in (most, most + most // 8):
        algorithm = Hyperparameters(estimator, Fraction(40), Fraction(mu), tau, SHARPENED).algorithm
        kept.append(LocalForms(clients, algorithm).inexactness[0, 0, 0] < least_square(tau, 40, mu))

    assert kept == [True, False]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_without_the_condition_on_beta_the_lemma_is_violated(estimator: str) -> None:
    """Planted falsehood: theta by the lower bound alone, whatever beta, fails at the settings far beyond."""
    planted_cases = []
    for c in tight(estimator):
        s, lam = c.setting, float(c.problem.constants["weak_convexity"].value)
        theta = float((s.beta + s.mu) / ((float(s.mu) - lam) * (s.tau + 1))) ** 0.5
        planted_cases.append(replace(c, theta=theta, ratio=c.ratio * c.theta / theta))

    assert words(lemma1.exact(planted_cases, 1, PLAIN)) == ["violated"]


def test_wrong_algorithms_do_not_pass() -> None:
    """SARAH with its sign turned, idle and lazy local work: none of them is consistent with Lemma 1.

    On a linear F_n with curvatures 1 and -1 a turned sign makes no difference: the exact row is controlled at
    other cases too, and so it tells in both forms.
    """
    for form in (PRINTED, SHARPENED):
        turned = lemma1.find(planted(WrongSign, 400), form)

        assert all(word != "consistent" for word in words(*turned))
    assert words(lemma1.sampled(tight("sarah"), planted(Lazy, 100))) == ["violated"]
    assert words(lemma1.sampled(tight("sarah"), planted(Idle, 100))) != ["consistent"]


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

    assert len(chosen) > 10
    assert len({c.setting.tau for c in chosen}) > 5
    for case in chosen:
        found = handle.check(**case.numbers)

        assert found.applicable
        assert case.factor == pytest.approx(found.derived["Theta"], rel=1e-9)
        assert case.reached <= found.derived["theta"]


def test_planted_falsehoods_about_rounds_are_violated() -> None:
    """A third of the descent, of the bound on the mean gradient, of the rounds: all violated."""
    everything, third = cases("sarah", SHARPENED), SamplingBudget(tighten=3)

    assert words(descent.exact("sarah", SamplingBudget(tighten=3), SHARPENED)) == ["violated"]
    assert words(descent.sampled("sarah", planted(Lazy, 100), SHARPENED)) == ["violated"]
    for printed in (True, False):
        assert words(theorem1.bounded("x", everything, lambda c: c.factor, printed, third)) == ["violated"]
    assert words(theorem1.rounds_to_accuracy(everything, third)) == ["violated"]
    assert words(theorem1.sampled("sarah", planted(Idle, 100), SHARPENED)) != ["consistent"]


def test_digits_keep_the_sharpened_lemma() -> None:
    """SVRG is consistent on real data; SARAH does not keep a quarter of theta."""
    assert words(digits.local("svrg", SamplingBudget(seeds=40), SHARPENED)) == ["consistent"]
    assert words(digits.local("sarah", SamplingBudget(seeds=40, tighten=4), SHARPENED)) == ["violated"]


def test_a_claim_is_decided_exactly() -> None:
    """theta^2 = 3/6 at beta = 2, mu = 1, tau = 5, L = 1, lam = 0; a millionth of a millionth counts."""
    numbers = {n: Fraction(v) for n, v in {"L": 1, "lam": 0, "mu": 1, "beta": 2, "tau": 5}.items()}
    chain, tiny = f"fedproxvr.certified.sarah{SHARPENED}", Fraction(1, 10**12)

    assert compares(Fraction(1, 2), "<=", chain, "theta", numbers, power=2)
    assert not compares(Fraction(1, 2) + tiny, "<=", chain, "theta", numbers, power=2)
    assert not compares(Fraction(1, 2) - tiny, ">=", chain, "theta", numbers, power=2)
