"""Descent, Theorem 1, Corollary 1 and the rate in practice: the truth passes, planted falsehoods do not."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest

from fedproof.bounds.catalog import statement_ids
from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.checks import _experiments, descent, rate, theorem1
from fedproof.papers.fedproxvr.checks._experiments import worst_direction
from fedproof.papers.fedproxvr.checks._hyperparameters import PRINTED, SHARPENED
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithm import ModelState
from fedproof.solvers.algorithms.fedavg import FedAvg
from fedproof.solvers.algorithms.fedproxvr import FedProxVR
from fedproof.solvers.cohort import Cohort
from fedproof.validate.api import checks
from fedproof.validate.empirical.theory import bound_at
from fedproof.validate.replicas import generator, run_rounds
from fedproof.validate.verdict import SamplingBudget
from tests.papers.fedproxvr.test_lemma1 import Idle, Lazy, WrongSign, planted
from tests.papers.verdicts import PLAIN, words

QUICK = SamplingBudget(seeds=40)
cases = partial(_experiments.cases, size=12)
_CACHED = (descent._worst, theorem1.sampled_experiment, rate.slow_experiment)


@pytest.fixture(scope="module", autouse=True)
def smaller_families() -> Iterator[None]:
    """Half of the problems for whole rounds; what is nearest to each bound is among them."""
    with pytest.MonkeyPatch.context() as patch:
        for check in (descent, theorem1, rate):
            patch.setattr(check, "cases", cases)
        for found in _CACHED:
            found.cache_clear()
        yield
    for found in _CACHED:
        found.cache_clear()


FORMS = (PRINTED, SHARPENED)
either_form = pytest.mark.parametrize("form", FORMS)
THIRD = SamplingBudget(tighten=3)


@either_form
def test_theory_of_rounds_holds_in_practice(form: str) -> None:
    """Every row on descent, Theorem 1, Corollary 1 and the closed chains is consistent."""
    found = (*descent.find(QUICK, form=form), *theorem1.find(QUICK, form=form))
    parts = ("eq87", "theorem1", "corollary1", "certified.sarah", "certified.svrg")

    assert words(*found) == ["consistent"] * 13
    assert {row.id for row in found} == {f"fedproxvr.{part}{form}" for part in parts}


@either_form
@pytest.mark.parametrize("estimator", ["sarah", "svrg"])
def test_cases_are_admitted_with_their_exact_constants(estimator: str, form: str) -> None:
    """Every fifth case satisfies the closed chain's conditions, has check's Theta, and reaches its theta."""
    handle = statement(f"fedproxvr.certified.{estimator}{form}")
    chosen = cases(estimator, form)[::5]

    assert len({c.setting.tau for c in chosen}) > 4
    for case in chosen:
        found = handle.check(**case.numbers)

        assert found.applicable
        assert case.factor == pytest.approx(found.derived["Theta"], rel=1e-9)
        assert case.reached <= found.derived["theta"]
        assert case.factor_reached >= case.factor


def test_every_sharpened_claim_about_runs_is_checked() -> None:
    """Lemma 1, (87), Theorem 1, Corollary 1 and the chains: whatever is sharpened and about runs."""
    checked = {id for check in checks().values() for id in check.ids}
    sharpened = {id for id in statement_ids() if id.endswith(SHARPENED)}
    left = {id for id in sharpened - checked if statement(id).statement.claim.kind == "bound"}

    # these say the bound of a theorem that is checked, at the rounds where it is the accuracy
    assert left == {f"composite.theorem{number}.rounds{SHARPENED}" for number in ("3.5", "3.6")}


def test_worst_direction_is_the_maximum() -> None:
    """No random direction has a larger quotient, and the one returned reaches it."""
    rng = np.random.default_rng(2)
    a, b = (m @ m.T for m in rng.standard_normal((2, 3, 3)))
    top, x = worst_direction(a, b)
    others = rng.standard_normal((2000, 3))

    assert x @ a @ x / (x @ b @ x) == pytest.approx(top)
    assert (np.einsum("ni,ij,nj->n", others, a, others)
            <= top * (1 + 1e-12) * np.einsum("ni,ij,nj->n", others, b, others)).all()  # fmt: skip


def test_worst_start_of_a_descent_is_the_worst() -> None:
    """From no random start does a round of the worst case gain less per squared gradient."""
    case, least, _ = descent.worst("sarah", 400)
    form, square = case.forms.descent, case.forms.matrix @ case.forms.matrix
    x = np.random.default_rng(3).standard_normal((500, len(form)))

    assert (
        np.einsum("ni,ij,nj->n", x, form, x) / np.einsum("ni,ij,nj->n", x, square, x) >= least - 1e-12
    ).all()
    assert descent.by_steps(case, case.algorithm) == pytest.approx(least, rel=1e-9)


@either_form
def test_a_third_is_violated(form: str) -> None:
    """Of the descent, of the bound on the mean squared gradient in both ranges of rounds, of the rounds."""
    tried = cases("sarah", form)
    means = (theorem1.bounded("x", tried, lambda c: c.factor, printed, THIRD) for printed in (True, False))
    rows = (descent.exact("sarah", THIRD, form), *means, theorem1.rounds_to_accuracy(tried, THIRD))

    assert words(*rows) == ["violated"] * 4


@either_form
def test_clients_that_do_not_move_do_not_descend(form: str) -> None:
    """Work that goes a hundredth of its way gains less than Theta; work that stays decides nothing."""
    assert words(descent.sampled("sarah", planted(Lazy, 100), form)) == ["violated"]
    assert words(descent.sampled("sarah", planted(Idle, 40), form)) == ["inconclusive"]
    assert words(theorem1.sampled("sarah", planted(Idle, 40), form)) != ["consistent"]


def test_a_wrong_sign_is_not_consistent_in_descent() -> None:
    """SARAH with its correction turned about fails the exact row's and the runs' controls."""
    assert words(descent.exact("sarah", planted(WrongSign))) != ["consistent"]
    assert words(descent.sampled("sarah", planted(WrongSign, 2000))) != ["consistent"]


def test_the_numbers_shown_are_those_of_the_statement() -> None:
    """In one dimension, from w^(0) - w* = 1: Delta = a/2, and the bound is what the statement gives."""
    case = next(c for c in cases("sarah") if c.problem.dimension == 1)
    finding = theorem1.bounded("x", (case,), lambda c: c.factor, True, PLAIN)
    rounds = int(finding.problem.split("T=")[1].split(":")[0])
    gap = Fraction(case.problem.mean_matrix[0, 0]) / 2
    forms = case.forms.squared_gradients(rounds)[1:, 0, 0]

    assert finding.bound == pytest.approx(
        bound_at("fedproxvr.certified.sarah", **case.numbers, Delta=gap, T=rounds), rel=1e-9
    )
    assert finding.measured == pytest.approx(forms.mean(), rel=1e-9)


def test_least_rounds_is_the_first() -> None:
    """One round fewer than the least misses the accuracy; an accuracy out of reach is None."""
    case = cases("sarah")[7]
    x = (case.problem.start() - case.problem.centre).astype(float)
    forms = case.forms.squared_gradients(3000)
    means = np.cumsum([x @ g @ x for g in forms[1:]]) / np.arange(1, 3001)
    goal = float(means[0]) / 3
    found = theorem1.least_rounds(case, x, goal, 3000)

    assert found == int(np.flatnonzero(means <= goal)[0]) + 1
    assert theorem1.least_rounds(case, x, 0.0, 3000) is None


def test_the_two_ranges_differ_by_the_first_and_the_last_round() -> None:
    """The sum over 1..T is that over 0..T-1, less round 0 and plus round T."""
    case = cases("svrg")[4]
    forms = case.forms.squared_gradients(9)
    printed, proof = case.forms.summed(9, True), case.forms.summed(9, False)

    assert np.allclose(printed - proof, forms[9] - forms[0], atol=1e-14)
    assert np.allclose(proof, forms[:9].sum(axis=0))


@pytest.mark.parametrize("estimator", ["sarah", "svrg", "sgd"])
def test_stacked_runs_are_the_algorithms_own_rounds(estimator: str) -> None:
    """Three replicas over two rounds are the algorithm's own rounds, each replica on its own draws."""
    problem = random_quadratic(8, 3, 2, 4).as_float()
    algorithm = FedProxVR(0.3, 6, 0.5, estimator)
    path = run_rounds(algorithm, problem, 2, 3, generator(9))
    same = generator(9)
    states = [ModelState(problem.start())] * 3
    for after in path[1:]:
        samples = same.integers(0, np.tile(problem.sizes, 3)[:, None, None], (9, 6, 1)).reshape(3, 3, 6, 1)
        stop = same.integers(0, 7, 9).reshape(3, 3)
        for r in range(3):
            draws = {"samples": samples[r], "returned": stop[r]}
            states[r], _ = algorithm.round(problem, states[r], Cohort.of(problem), draws)

        assert np.allclose(after, [state.model for state in states], rtol=1e-12)
    assert not np.allclose(path[2, 0], path[2, 1])


def test_stacked_runs_are_those_of_any_local_work() -> None:
    """FedAvg's runs are its own rounds too: nothing of one algorithm is written a second time."""
    problem, algorithm = random_quadratic(8, 3, 2, 4).as_float(), FedAvg(0.3, 5)
    after = run_rounds(algorithm, problem, 1, 1, generator(9))[1, 0]
    draws = {"samples": generator(9).integers(0, problem.sizes[:, None, None], (3, 5, 1))}
    state, _ = algorithm.round(problem, ModelState(problem.start()), Cohort.of(problem), draws)

    assert np.allclose(after, state.model, rtol=1e-12)


def test_the_rate_in_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The squared gradient falls faster than 1/s; s^-20 is violated, s^-1 on few seeds undecided."""
    monkeypatch.setattr(rate, "squared_gradients", cache(rate.squared_gradients))
    assert words(*rate.find(QUICK)) == ["consistent"]
    assert words(*rate.find(SamplingBudget(40, tighten=20))) == ["violated"]
    assert words(*rate.find(SamplingBudget(seeds=10))) == ["inconclusive"]
