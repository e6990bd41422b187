"""Lemma 1 in practice, printed and sharpened: the truth passes, planted falsehoods do not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import pytest

from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.checks import lemma1
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
from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithms.fedproxvr import FedProxVR, Iterate
from fedproof.validate.empirical.theory import compares, definition_value
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import PLAIN, words

QUICK = SamplingBudget(seeds=200)
LEMMAS = [*((e, f) for f in (PRINTED, SHARPENED) for e in ("sarah", "svrg")), ("svrg", FEW)]


@dataclass(frozen=True)
class WrongSign(FedProxVR):
    """SARAH with the sign of its correction turned."""

    def step(self, problem: Problem, at: Iterate, cohort: Array, batch: Array | None) -> Iterate:
        """One step whose direction is mirrored about the last direction."""
        true = super().step(problem, at, cohort, batch)
        direction = 2 * at.direction - true.direction
        shrink = 1 / (1 + float(self.stepsize) * float(self.prox_weight))
        point = true.point - float(self.stepsize) * shrink * (direction - true.direction)
        return replace(true, direction=direction, point=point)


@dataclass(frozen=True)
class Idle(FedProxVR):
    """Local work that stays where it starts."""

    def begin(self, problem: Problem, anchor: Array, cohort: Array, batch: Array | None) -> Iterate:
        """The start."""
        return replace(super().begin(problem, anchor, cohort, batch), point=anchor)

    def step(self, problem: Problem, at: Iterate, cohort: Array, batch: Array | None) -> Iterate:
        """No move."""
        return at


@dataclass(frozen=True)
class Lazy(FedProxVR):
    """Local work that goes a hundredth of every step."""

    def begin(self, problem: Problem, anchor: Array, cohort: Array, batch: Array | None) -> Iterate:
        """A hundredth of the first step."""
        true = super().begin(problem, anchor, cohort, batch)
        return replace(true, point=anchor + (true.point - anchor) / 100)

    def step(self, problem: Problem, at: Iterate, cohort: Array, batch: Array | None) -> Iterate:
        """A hundredth of a step."""
        true = super().step(problem, at, cohort, batch)
        return replace(true, point=at.point + (true.point - at.point) / 100)


def planted(kind: type[FedProxVR], seeds: int | None = None) -> SamplingBudget:
    """A broken algorithm with the same numbers in place of each."""
    change = lambda a: kind(a.stepsize, a.local_steps, a.prox_weight, a.estimator)  # noqa: E731
    return SamplingBudget(seeds, change=change)


@cache
def cases(estimator: str = "sarah", form: str = PRINTED) -> tuple[lemma1.LocalSolveExperiment, ...]:
    """The worst client of a few settings, each theta the least of its form."""
    least, beta = (
        (Fraction(1, 2), 20 if estimator == "sarah" else 100) if form == PRINTED else (Fraction(0), 6)
    )
    return tuple(lemma1.worst_solves(estimator, least, (beta,), form)[0])


def test_it_holds_in_runs_and_is_nearly_reached_sharpened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact and sampled rows are consistent: half of theta to spare as printed, little of it sharpened."""
    monkeypatch.setattr(lemma1, "LEAST", {form: of[:1] for form, of in lemma1.LEAST.items()})
    few = {
        PRINTED: {"sarah": (20,), "svrg": (100,)},
        SHARPENED: {"sarah": (24,), "svrg": (24,)},
        FEW: {"svrg": (6, 40)},
    }
    monkeypatch.setattr(lemma1, "BETAS", few)
    rows = {form: lemma1.find(QUICK, form) for form in few}
    slack = {form: [row.bound / row.measured for row in found] for form, found in rows.items()}

    assert words(*(row for found in rows.values() for row in found)) == ["consistent"] * 10
    assert [(row.id, row.seeds) for row in rows[FEW]] == [
        (f"fedproxvr.lemma1.svrg{FEW}", s) for s in (None, 200)
    ]
    assert {row.metric for row in rows[SHARPENED]} == {"local_inexactness_rms", "local_inexactness"}
    assert min(slack[PRINTED]) > 1.9
    assert all(1 < s < 1.03 for s in slack[SHARPENED][::2])
    assert 1 < slack[FEW][0] < 1.2


@pytest.mark.parametrize(("estimator", "form"), LEMMAS[:4])
def test_theta_is_what_the_conditions_leave(estimator: str, form: str) -> None:
    """With L = 1: (13), left, printed; sharpened the larger of it and what the condition on beta asks."""
    for case in cases(estimator, form):
        s, lam = case.setting, case.problem.constants["weak_convexity"].value
        b, m, room = s.beta, s.mu - lam, (s.beta - 1) * (s.beta + s.mu) + 1
        floor = (b + s.mu) / (m * room) if estimator == "sarah" else (1 + s.mu) / (m**2 * (b - 1))
        square = max((b + s.mu) / (m * (s.tau + 1)), floor)
        square = 3 * (b**2 + s.mu**2) / (s.tau * m * (b - 3)) if form == PRINTED else square

        assert case.theta**2 == pytest.approx(float(square), rel=1e-12)


@pytest.mark.parametrize(
    ("estimator", "form", "taus"),
    [("sarah", SHARPENED, [1, 60, 600]), ("svrg", SHARPENED, [1, 51, 510]), ("svrg", FEW, [1, 10])],
)
def test_settings_reach_where_more_steps_help_no_more(estimator: str, form: str, taus: list[int]) -> None:
    """At beta = mu = 6, lam = 0: 5 x 12 for SARAH, 60 x 6/7 - 1 for SVRG, ten times those; 10 x 11 <= 120."""
    found = local_hyperparameters(estimator, Fraction(0), (6,), form)

    assert [s.tau for s in found if s.mu == 6] == taus


def test_printed_settings_are_at_the_ends_of_tau() -> None:
    """Every setting satisfies Lemma 1 at theta = 1, and one step fewer than the least does not."""
    handle = statement("fedproxvr.lemma1.sarah")
    found = local_hyperparameters("sarah", Fraction(1, 2), (6, 20))
    values = [{"L": 1, "lam": "1/2", "mu": s.mu, "beta": s.beta, "theta": 1} for s in found]

    assert len(found) >= 8
    assert all(handle.check(tau=s.tau, **v).applicable for s, v in zip(found, values, strict=True))
    assert not handle.check(tau=found[0].tau - 1, **values[0]).applicable


@pytest.mark.parametrize(("estimator", "form"), LEMMAS[2:])
def test_the_theta_of_runs_and_of_exact_rows_is_one(estimator: str, form: str) -> None:
    """The double that Lemma 1 admits exactly is the least one to rounding, and one below is not."""
    handle = statement(f"fedproxvr.lemma1.{estimator}{form}")
    for setting in local_hyperparameters(estimator, Fraction(1, 2), (2,), form):
        theta = admitted_theta(setting, Fraction(1, 2))

        assert theta == pytest.approx(least_theta(setting, 0.5), rel=1e-14)
        assert handle.check(**setting.values, lam="1/2", theta=theta).applicable
        assert not handle.check(**setting.values, lam="1/2", theta=theta * (1 - 1e-12)).applicable


@pytest.mark.parametrize(
    ("estimator", "form", "by"), [("sarah", PRINTED, 10), *((e, SHARPENED, 3) for e in ("sarah", "svrg"))]
)
def test_a_part_of_theta_is_violated(estimator: str, form: str, by: int) -> None:
    """With theta divided by ten, sharpened by three, the exact row and the runs are violated."""
    part, found = SamplingBudget(100, tighten=by), cases(estimator, form)

    assert words(lemma1.exact(found, 1, part), lemma1.sampled(found, part)) == ["violated"] * 2


@pytest.mark.parametrize("form", [PRINTED, SHARPENED])
def test_wrong_algorithms_do_not_pass(form: str) -> None:
    """SARAH with its sign turned, seen where F_n is not linear; work that hardly moves, or not at all."""
    found = cases("sarah", form)
    bent = found if form == PRINTED else lemma1.worst_solves("sarah", Fraction(1), (6,), form)[0]
    turned = planted(WrongSign, 400)

    assert "consistent" not in words(lemma1.exact(bent, 1, turned))
    assert form == SHARPENED or "consistent" not in words(lemma1.sampled(bent, turned))
    assert words(lemma1.sampled(found, planted(Lazy, 200))) == ["violated"]
    assert words(lemma1.sampled(found, planted(Idle, 200))) == ["inconclusive"]


def least_square(tau: int, beta: int, mu: int) -> float:
    """theta^2 by the sharpened lower bound alone, L = 1 and lam = 0."""
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
        setting = Hyperparameters(estimator, Fraction(6), Fraction(6), tau, form)
        square = least_square(tau, 6, 6)
        kept.append(LocalForms(clients, setting.algorithm).inexactness.max() < square)
        theta = square**0.5 * (1 + 1e-12)
        applies.append(handle.check(**setting.values, lam=0, theta=theta).applicable)

    assert kept == applies == [True, False]


@pytest.mark.parametrize(("estimator", "mu", "most"), [("sarah", 4, 39 * 44), ("svrg", 40, 3042)])
def test_the_least_theta_has_little_to_spare(estimator: str, mu: int, most: int) -> None:
    """A linear F_n with curvatures 1 and -1 at beta = 40: an eighth more steps break the least theta."""
    clients = client_samples(two_point((2,), Fraction(0)))
    kept = []
    for tau in (most, most + most // 8):
        algorithm = Hyperparameters(estimator, Fraction(40), Fraction(mu), tau, SHARPENED).algorithm
        kept.append(LocalForms(clients, algorithm).inexactness[0, 0, 0] < least_square(tau, 40, mu))

    assert kept == [True, False]


@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
def test_without_the_condition_on_beta_the_lemma_is_violated(estimator: str) -> None:
    """Planted falsehood: theta by the lower bound alone, whatever beta, fails at the settings far beyond."""
    falsely = []
    for c in cases(estimator, SHARPENED):
        s, lam = c.setting, float(c.problem.constants["weak_convexity"].value)
        theta = float((s.beta + s.mu) / ((float(s.mu) - lam) * (s.tau + 1))) ** 0.5
        falsely.append(replace(c, theta=theta, ratio=c.ratio * c.theta / theta))

    assert words(lemma1.exact(falsely, 1, PLAIN)) == ["violated"]


def test_one_undecided_setting_leaves_the_row_undecided() -> None:
    """Where theta of one setting lies on what is measured there, the others cannot make it consistent."""
    first, *others = cases()
    on = float(lemma1.norms(first, first.setting.algorithm, 200, 0).mean())
    tight = replace(first, theta=on, ratio=first.ratio * first.theta / on)

    assert words(lemma1.sampled([tight, *others], QUICK)) == ["inconclusive"]
    assert words(lemma1.sampled(cases(), SamplingBudget(seeds=20))) == ["inconclusive"]


def test_other_draws_on_the_repetition() -> None:
    """The salt makes every draw anew, the same salt none."""
    case = cases()[0]
    one, same, other = (lemma1.norms(case, case.setting.algorithm, 5, salt) for salt in (0, 0, 1))

    assert (one == same).all()
    assert (one != other).any()


def test_a_derived_theta_is_of_its_own_letters_and_compared_exactly() -> None:
    """Other letters are ignored; theta^2 = 3/6 at beta = 2, mu = 1, tau = 5, and 1e-12 counts."""
    given = {"L": 1, "lam": 0, "mu": 20, "beta": 20, "tau": 28}
    plain = definition_value("fedproxvr.certified.sarah", "theta", **given)
    numbers = {n: Fraction(v) for n, v in {"L": 1, "lam": 0, "mu": 1, "beta": 2, "tau": 5}.items()}
    chain, tiny = f"fedproxvr.certified.sarah{SHARPENED}", Fraction(1, 10**12)
    sides = [
        (Fraction(1, 2), "<=", True),
        (Fraction(1, 2) + tiny, "<=", False),
        (Fraction(1, 2) - tiny, ">=", False),
    ]

    assert definition_value("fedproxvr.certified.svrg", "theta", **given, sigma2=3) == plain
    for measured, relation, kept in sides:
        assert compares(measured, relation, chain, "theta", numbers, power=2) is kept  # type: ignore[arg-type]
