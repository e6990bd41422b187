"""Lemma 1 in practice: the truth passes, planted falsehoods do not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import pytest

import fedproof as fp
from fedproof.papers.fedproxvr.checks import lemma1
from fedproof.papers.fedproxvr.checks._hyperparameters import local_hyperparameters
from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithms.fedproxvr import FedProxVR, Iterate
from fedproof.validate.empirical.theory import definition_value
from fedproof.validate.verdict import SamplingBudget, assign_verdicts
from tests.papers.verdicts import words

QUICK = SamplingBudget(seeds=200)


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
def cases() -> tuple[lemma1.LocalSolveExperiment, ...]:
    """The worst client of a few settings of SARAH."""
    return tuple(lemma1.worst_solves("sarah", Fraction(1, 2), (20,))[0])


def test_lemma_1_holds_in_runs() -> None:
    """Both estimators: exact over the family and in runs, consistent, with at least half of theta spare."""
    findings = lemma1.find(QUICK)
    results = assign_verdicts(findings, lambda: findings)

    assert [v.verdict for v in results] == ["consistent"] * 4
    assert [v.confidence for v in results] == [1.0, 1 - 1e-4] * 2
    assert all(v.slack is not None and v.slack > 1.9 for v in results)
    assert [v.seeds for v in results] == [None, 200, None, 200]


def test_theta_is_what_the_lower_bound_leaves() -> None:
    """theta^2 = 3 (beta^2 + mu^2) / (tau (mu - lam) (beta - 3)) with L = 1, written out here once more."""
    for case in cases():
        s, lam = case.setting, case.problem.constants["weak_convexity"].value
        square = 3 * (s.beta**2 + s.mu**2) / (s.tau * (s.mu - lam) * (s.beta - 3))

        assert case.theta == pytest.approx(float(square) ** 0.5, rel=1e-12)


def test_settings_are_admissible_and_reach_the_ends_of_tau() -> None:
    """Every setting satisfies Lemma 1 at theta = 1, and one step fewer than the least does not."""
    handle = fp.statement("fedproxvr.lemma1.sarah")
    found = local_hyperparameters("sarah", Fraction(1, 2), (6, 20))
    values = [{"L": 1, "lam": "1/2", "mu": s.mu, "beta": s.beta, "theta": 1} for s in found]

    assert len(found) >= 8
    assert all(handle.check(tau=s.tau, **v).applicable for s, v in zip(found, values, strict=True))
    assert not handle.check(tau=found[0].tau - 1, **values[0]).applicable


def test_a_bound_ten_times_too_small_is_violated() -> None:
    """With theta divided by ten both rows come back violated."""
    tight = SamplingBudget(200, tighten=10)

    assert words(lemma1.exact(cases(), 1, tight), lemma1.sampled(cases(), tight)) == ["violated"] * 2


def test_a_wrong_sign_in_sarah_is_not_consistent() -> None:
    """SARAH with its correction turned about fails the exact row and the runs."""
    turned = planted(WrongSign, 200)

    assert "consistent" not in words(lemma1.exact(cases(), 1, turned), lemma1.sampled(cases(), turned))


def test_runs_that_hardly_run_are_violated() -> None:
    """Local work that goes a hundredth of its way has inexactness near 1, above every theta."""
    assert words(lemma1.sampled(cases(), planted(Lazy, 200))) == ["violated"]


def test_runs_that_do_not_run_are_not_consistent() -> None:
    """Local work that returns its start gives equal draws, from which nothing is concluded."""
    assert words(lemma1.sampled(cases(), planted(Idle, 200))) == ["inconclusive"]


def test_one_undecided_setting_leaves_the_row_undecided() -> None:
    """Where theta of one setting lies on what is measured there, the others cannot make it consistent."""
    first, *others = cases()
    on = float(lemma1.norms(first, first.setting.algorithm, 200, 0).mean())

    tight = replace(first, theta=on, ratio=first.ratio * first.theta / on)

    assert words(lemma1.sampled([tight, *others], QUICK)) == ["inconclusive"]


def test_too_few_seeds_are_inconclusive() -> None:
    """Twenty runs decide nothing, however clear they look."""
    assert words(lemma1.sampled(cases(), SamplingBudget(seeds=20))) == ["inconclusive"]


def test_other_draws_on_the_repetition() -> None:
    """The salt makes every draw anew, the same salt none."""
    case = cases()[0]
    one, same, other = (lemma1.norms(case, case.setting.algorithm, 5, salt) for salt in (0, 0, 1))

    assert (one == same).all()
    assert (one != other).any()


def test_derived_theta_needs_only_its_own_letters() -> None:
    """Letters that a definition does not depend on are ignored."""
    given = {"L": 1, "lam": 0, "mu": 20, "beta": 20, "tau": 28}

    assert definition_value("fedproxvr.certified.svrg", "theta", **given, sigma2=3) == definition_value(
        "fedproxvr.certified.sarah", "theta", **given
    )
