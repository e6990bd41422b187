"""Theorems 3.5, 3.6 and 3.8 of composite in practice: the truth passes, planted falsehoods do not."""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.papers.composite.checks import (
    _experiments,
    rate,
    residuals,
    theorem35,
    theorem36,
)
from fedproof.papers.composite.checks._experiments import (
    full_experiments,
    least_server,
    noisy_experiments,
    short_experiments,
    strong_experiments,
)
from fedproof.papers.composite.checks._family import RunExperiment, family, line, stationary
from fedproof.papers.composite.checks._metrics import losses, runs_of, squared_mapping
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.driver import run
from fedproof.validate.empirical import comparison, regimes
from fedproof.validate.empirical.copies import Path
from fedproof.validate.empirical.regimes import admits, admitted
from fedproof.validate.empirical.runs import BLOCK, Runs, run_from
from fedproof.validate.empirical.theory import bound_at, bounds, holds, metric, wants
from fedproof.validate.statistics import MeanTest
from fedproof.validate.verdict import BoundComparison, SamplingBudget
from tests.papers.verdicts import PLAIN, words

ANY = ("composite.theorem3.5.any_server.sharpened", "composite.theorem3.6.any_server.sharpened")
PRINTED, SHARP = "composite.theorem3.5", "composite.theorem3.5.sharpened"


def full(id: str, cases: Any, rounds: int, budget: SamplingBudget = PLAIN) -> BoundComparison:
    """Full-gradient runs that nothing else shares."""
    return regimes.full(id, cases, rounds, runs_of(metric(id)), budget)


def enumerated(id: str, cases: Any, budget: SamplingBudget = PLAIN) -> BoundComparison:
    """All outcomes of short runs that nothing else shares."""
    return regimes.enumerated(id, cases, runs_of(metric(id)), budget)


def sampled(id: str, cases: Any, horizons: Any, seeds: int, **planted: Any) -> BoundComparison:
    """Seeds that nothing else shares."""
    return regimes.sampled(id, cases, horizons, seeds, runs_of(metric(id)), SamplingBudget(**planted))


def test_the_theorems_hold_in_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows of both checks are consistent, exact or sampled, at every third of the experiments."""
    for name in ("full_experiments", "short_experiments", "noisy_experiments"):
        every = getattr(_experiments, name)()
        monkeypatch.setattr(_experiments, name, lambda every=every: every[::3])
    for id, (every, rounds) in theorem36.DISTANCES.items():
        thinned = (lambda batch, every=every: every(batch)[::3], rounds // 2)
        monkeypatch.setitem(theorem36.DISTANCES, id, thinned)
    found = tuple(row for check in (theorem35, theorem36) for row in check.find(SamplingBudget(60)))

    assert {row.id for row in found} == {*theorem35.CHECK.ids, *theorem36.CHECK.ids}
    assert words(*found) == ["consistent"] * 30


def test_copies_are_runs_of_the_driver() -> None:
    """Models and |G|^2 of a full-gradient path are those of `run` on the same problem."""
    case = full_experiments()[4]
    problem = case.instance.rounded
    path = run_from([case], case.method, 7, None, 2, exact=False)
    record = run(case.method, problem, 7, x0=case.start)

    assert path.models[-1] == pytest.approx(np.stack([record.model] * 2), rel=1e-13)
    squares = squared_mapping(problem, path.models[:, 0], case.method.effective_stepsize)
    assert squares == pytest.approx(np.array(record.metrics["squared_prox_gradient"]), rel=1e-12)


def test_solutions_are_the_best_of_a_grid() -> None:
    """No point of a grid around x* has a smaller F, whatever the instance."""
    for instance in family():
        offsets = np.array(
            list(product((-1.0, -0.1, -0.001, 0, 0.001, 0.1, 1.0), repeat=instance.smooth.dimension))
        )
        points = instance.solution.astype(float) + offsets
        values = [float(instance.rounded.loss(p)) for p in points]

        assert min(values) >= float(instance.least) - 1e-12


def test_constants_are_those_of_the_definitions() -> None:
    """x* is the best of all stationary points; sigma^2, mu_sc and mu are what samples and matrices say."""
    for instance in family():
        smooth, rho = instance.smooth, instance.penalty.curvature
        points = np.stack(list(stationary(smooth, instance.penalty)))
        rows = np.split(smooth.slopes, np.cumsum(smooth.sizes)[:-1])
        variances = [((r - r.mean(axis=0)) ** 2).sum(axis=1).mean() for r in rows]
        least = np.linalg.eigvalsh(smooth.mean_matrix.astype(float)).min()
        big, mu = float(instance.constants["L"]), instance.constants.get("mu")

        assert instance.least == min(losses(instance.problem, points))
        assert instance.constants["sigma2"] == max(variances)
        assert float(instance.strong_convexity) == pytest.approx(max(least, 0), rel=1e-9, abs=1e-12)
        if least > 1e-9:
            assert float(mu or 0) == pytest.approx(big * (least + float(rho)) / (big + float(rho)), rel=1e-9)


def longer(case: RunExperiment) -> RunExperiment:
    """The same with local steps longer by a thousandth."""
    return replace(case, method=replace(case.method, stepsize=case.method.stepsize * Fraction(1001, 1000)))


def test_experiments_lie_on_the_edges_of_their_theorems() -> None:
    """L eta~ = 1/10, or eta tau L, or eta~ = mu_sc / (10 L^2): admitted, and a little more is not.

    For Theorem 3.5 eta_g is the least of (13), rounded up to 1/64, or below 1, where any server is admitted.
    """
    case = next(c for c in full_experiments() if admits(PRINTED, c) and c.instance.smooth.n_clients == 20)
    small = case.method.server_stepsize - Fraction(1, 64)
    slow = replace(
        case.method,
        server_stepsize=small,
        stepsize=case.method.effective_stepsize / small / case.method.local_steps,
    )
    tiny = next(c for c in full_experiments() if c.method.server_stepsize < 1 and admits(ANY[1], c))

    assert least_server(20) - Fraction(1, 64) < Fraction(20, 8) ** Fraction(1, 2)
    assert not admits(PRINTED, longer(case))
    assert not admits(PRINTED, replace(case, method=slow))
    assert tiny.method.stepsize * tiny.method.local_steps * tiny.instance.constants["L"] == Fraction(1, 10)
    assert [admits(id, tiny) for id in (*ANY, PRINTED, SHARP)] == [True, True, False, False]
    assert not any(admits(id, longer(tiny)) for id in ANY)
    for far in strong_experiments(1, sharpened=True):
        assert admits("composite.theorem3.8.sharpened", far)
        assert not admits("composite.theorem3.8.sharpened", longer(far))
    assert {c.instance.smooth.n_clients for c in strong_experiments(1, sharpened=True)} >= {1, 2, 3, 9, 20}


def test_conditions_and_bounds_are_those_of_check() -> None:
    """Decided as `check` decides them, where they hold and where they do not; compiled to rounding."""
    found = []
    for case in (*full_experiments()[::11], *strong_experiments(1)[:3]):
        for id in (PRINTED, SHARP, *ANY, "composite.theorem3.8", "composite.theorem3.8.sharpened"):
            numbers = wants(id, case.letters(17))
            if numbers is not None:
                check = fp.statement(id).check(**numbers)
                found.append(holds(id, **numbers))
                assert found[-1] == check.applicable
                assert bound_at(id, **numbers) == check.bound
                assert check.bound is None or check.bound == pytest.approx(
                    float(bounds(id, **numbers)), rel=1e-12
                )
    assert 10 < sum(found) < len(found) - 10


def test_planted_bounds_are_violated() -> None:
    """A bound divided by ten fails in every way of looking at it, for both theorems."""
    short = tuple((c, r) for c, r in short_experiments() if admits(PRINTED, c))
    for id in (PRINTED, "composite.theorem3.6"):
        rows = (
            full(id, admitted(id, full_experiments()), 40, SamplingBudget(tighten=10)),
            enumerated(id, short, SamplingBudget(tighten=10)),
            sampled(id, admitted(id, noisy_experiments())[:6], (10, 40), 60, tighten=10),
        )
        assert words(*rows) == ["violated"] * 3


@pytest.mark.parametrize(
    "switches", [{"correction": "none"}, {"local_prox": "constant"}, {"communicated": "after_prox"}]
)
def test_ablations_do_not_pass_for_the_algorithm(switches: dict[str, str]) -> None:
    """Without correction, growing prox or decoupling, exact linear convergence is violated."""
    steep = [c for c in admitted("composite.exact.pl", full_experiments()) if c.method.local_steps > 1]
    finding = full(
        "composite.exact.pl", steep[:20], 200, SamplingBudget(change=lambda m: replace(m, **switches))
    )

    assert words(finding) == ["violated"]


def test_a_bound_of_zero_hides_no_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing above a bound of 0 is not the worst, something is, and what is no number decides nothing."""

    class Given(Runs):
        def full(self, cases: Any, change: Any, rounds: int) -> Any:
            return tuple({"mean_squared_prox_gradient": np.full(rounds, v)} for v in values)

    monkeypatch.setattr(regimes, "bounds", lambda id, **numbers: 0.0)
    found = []
    for values in ((0.0, -1.0), (-1.0, 0.0, 1.0), (0.0, np.nan)):
        found += words(regimes.full(SHARP, full_experiments()[: len(values)], 3, Given({}), PLAIN))

    assert found == ["consistent", "violated", "inconclusive"]


def test_one_p_value_speaks_for_all_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the claim the least p-value times the number of places (Bonferroni), for it the largest."""
    above, below = iter((0.5, 0.03, 0.2, 0.4)), iter((1e-9, 0.2, 1e-7, 1e-8))
    monkeypatch.setattr(
        comparison, "mean_test", lambda row, bound: MeanTest(1.0, 0.1, 60, next(above), next(below))
    )
    finding = sampled(SHARP, admitted(SHARP, noisy_experiments())[:2], (1, 2), 30)

    assert finding.p_violated == 4 * 0.03
    assert finding.p_obeyed == 0.2


def test_no_run_outlives_its_check() -> None:
    """After a comparison nothing is left of its runs, however many seeds it took."""
    full(SHARP, full_experiments()[:2], 3)
    enumerated(SHARP, short_experiments()[:2])
    sampled(SHARP, noisy_experiments()[:2], (2,), 5)
    residuals.varied("composite.theorem3.5", residuals.Base(), "b", SamplingBudget(seeds=5))
    rate.noisy(rate.IDS[0], SamplingBudget(seeds=30))
    gc.collect()

    assert not [x for x in gc.get_objects() if isinstance(x, Path)]


def test_memory_does_not_grow_with_the_seeds() -> None:
    """Seeds are run in blocks of which the metrics alone are kept: eight times as many take little more."""
    case = next(c for c in admitted(SHARP, noisy_experiments()) if c.instance.smooth.n_clients == 9)
    peaks = []
    for seeds in (500, 4000):
        tracemalloc.start()
        sampled(SHARP, (case,), (4,), seeds)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] < 1.5 * peaks[0]


def test_blocks_draw_apart() -> None:
    """The first block of many seeds is that of fewer, and the next one has other draws."""
    case = admitted(SHARP, noisy_experiments())[0]
    few, many = (
        runs_of("objective_gap").sampled(case, case.method, (3,), seeds, 0)["objective_gap"][0]
        for seeds in (BLOCK, 2 * BLOCK)
    )

    assert (many[:BLOCK] == few).all()
    assert (many[BLOCK:] != few).any()


def test_draws_that_say_nothing_decide_nothing() -> None:
    """Equal or few draws, however small; the salt makes every draw anew."""
    cases = admitted(SHARP, noisy_experiments())[:2]

    def lazy(method: FedComposite) -> FedComposite:
        return FedComposite(Fraction(1, 10**9), method.local_steps, 1, None)

    one, same, other = (sampled(SHARP, cases, (10,), 40, salt=salt).measured for salt in (0, 0, 1))

    assert words(sampled(SHARP, cases, (10,), 60, change=lazy)) == ["inconclusive"]
    assert words(sampled(SHARP, cases, (10,), 20)) == ["inconclusive"]
    assert one == same != other


def test_one_case_and_one_run_are_said_in_the_singular() -> None:
    """What a reader sees of a comparison is a sentence: no plural of one, and rounds as numbers."""
    case = admitted(SHARP, noisy_experiments())[0]
    one, two = (sampled(SHARP, (case,), horizons, 40) for horizons in ((3,), (3, 5)))
    run = full(SHARP, (case,), 1)

    assert one.problem.startswith("1 case, 40 seeds, R = 3; worst at R=3: ")
    assert one.detail.startswith("40 runs of each of 1 case: ")
    assert ", R = 3 and 5; worst at R=" in two.problem
    assert run.problem.startswith("1 case, full gradients, 1 round; worst at R=1: ")
    assert run.detail.startswith("After each of 1 round of 1 pair of problem and setting, ")


def test_a_potential_of_correction_spread_alone() -> None:
    """Omega^1 at the solution of two clients pulling apart: (1/10)^2 4 / (3/20) with eta tau = 1/10.

    The weighted one has L^2 eta~ = 3/20 in place of 1 / eta~.
    """
    instance = line([1, 1], [2, -2], Separable(Fraction(1)))
    case = RunExperiment(instance, FedComposite(Fraction(1, 20), 2, Fraction(3, 2)), instance.solution)

    assert case.numbers["Omega1"] == Fraction(4, 100) / Fraction(3, 20)
    assert case.numbers["Omega1_hat"] == Fraction(4, 100) * Fraction(3, 20)
    steep = replace(case, instance=line([2, 2], [2, -2], Separable(Fraction(1))))
    assert steep.numbers["Omega1_hat"] == 2**2 * Fraction(4, 100) * Fraction(3, 20)
    assert case.numbers["Omega1_sc"] == Fraction(4, 100)
    assert case.numbers["sigma2"] == 0
