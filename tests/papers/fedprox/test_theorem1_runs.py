"""Theorem 1 of FedProx in practice: the truth passes, planted falsehoods do not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.papers.fedprox.checks import theorem1
from fedproof.papers.fedprox.checks._experiments import Experiment, admitted, on_line, pace, smooth
from fedproof.papers.fedprox.checks._instances import equal_digits, robust, slope, smooth_lines
from fedproof.papers.fedprox.checks._oracle import ProximalPoint
from fedproof.papers.fedprox.checks._runs import Runs, enumerated, sampled, squared_gradients, states
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.solvers.metrics import METRICS
from fedproof.validate.statistics import mean_test
from fedproof.validate.verdict import BoundComparison, SamplingBudget
from fedproof.vocabulary.errors import InputError
from tests.papers.verdicts import PLAIN, words

APART = smooth_lines()[5]
THREE = replace(smooth_lines()[-1], origin=Fraction(1, 4))


def runs() -> Runs:
    """Runs that nothing else shares."""
    return Runs("drawn_squared_gradient", squared_gradients, lambda _: METRICS["squared_gradient"])


def on_the_line(id: str, cases: Any, budget: SamplingBudget = PLAIN) -> BoundComparison:
    """Cases in fractions."""
    return enumerated(id, admitted(id, cases), runs(), "", budget)


def over_seeds(id: str, cases: Any, budget: SamplingBudget = PLAIN) -> BoundComparison:
    """Cases of which 30 seeds are run."""
    return sampled(id, admitted(id, cases), runs(), 30, "", budget)


def stepping(times: int) -> SamplingBudget:
    """The same method with steps so many times as long."""
    return SamplingBudget(change=lambda method: replace(method, prox_weight=method.prox_weight / times))


def test_the_theorem_holds_in_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    """All forms keep their bounds on the line, over seeds and on data, and what lies outside is said."""
    short, data = theorem1.short()[::4], theorem1.on_data()[::3]
    monkeypatch.setattr(theorem1, "short", lambda: short)
    monkeypatch.setattr(theorem1, "on_data", lambda: data)
    monkeypatch.setattr(theorem1, "LONG", 100)
    for name in ("long", "descents"):
        monkeypatch.setattr(theorem1, name, getattr(theorem1, name).__wrapped__)
    found = theorem1.find(SamplingBudget(30))

    assert {row.id for row in found} == set(theorem1.CHECK.ids)
    assert words(*found) == ["consistent"] * 9 + ["not applicable"] * 3
    assert [row.detail for row in found[9:]] == [
        "Not applicable: 3 L eta <= 1 fails.",
        "Not applicable: no G (none exists: the slope of the loss grows without bound).",
        "Not applicable: no L (none exists: the loss has kinks).",
    ]


def test_planted_bounds_are_violated() -> None:
    """A third of a bound is exceeded on a slope and over seeds: no form has a factor 3 to spare."""
    third, much, same = SamplingBudget(tighten=3), SamplingBudget(tighten=200), runs()
    for id in (theorem1.GENERAL, theorem1.EXPLICIT, theorem1.PRINTED):
        rows = (
            enumerated(id, admitted(id, theorem1.descents()[:1]), same, "", third),
            sampled(id, admitted(id, theorem1.long()[1:]), same, 30, "", third),
            sampled(id, admitted(id, theorem1.on_data()[:1]), same, 30, "", much),
        )
        assert words(*rows) == ["violated"] * 3


def test_longer_steps_are_caught() -> None:
    """A client that goes all the way to its own minimiser keeps neither form, in fractions and over seeds."""
    short = [on_line(APART, 1, 6, Fraction(1, 300), pushed=False)]
    long = [on_line(APART, 1, 400).in_floats()]

    assert words(on_the_line(theorem1.GENERAL, short)) == ["consistent"]
    assert words(on_the_line(theorem1.GENERAL, short, stepping(1000))) == ["violated"]
    assert words(over_seeds(theorem1.EXPLICIT, long)) == ["consistent"]
    assert words(over_seeds(theorem1.EXPLICIT, long, stepping(1000))) == ["violated"]


def test_a_wrong_solver_is_caught() -> None:
    """An oracle that is pushed far beyond eps, or does nothing, does not pass for one within eps."""
    case = [on_line(APART, 1, 6, Fraction(1, 300))]
    far = SamplingBudget(change=lambda method: replace(method, local_solver=ProximalPoint(1)))
    way = [replace(c, rounds=1600) for c in theorem1.descents()[:1]]
    idle = SamplingBudget(change=lambda method: replace(method, prox_weight=method.prox_weight * 10**9))

    assert words(on_the_line(theorem1.GENERAL, case, far)) == ["violated"]
    assert words(on_the_line(theorem1.GENERAL, way)) == ["consistent"]
    assert words(on_the_line(theorem1.GENERAL, way, idle)) == ["violated"]


@pytest.mark.parametrize(("line", "count", "rounds"), [(APART, 2, 4), (THREE, 1, 5), (APART, 1, 7)])
def test_expectations_are_those_of_every_sequence_of_draws(line: Any, count: int, rounds: int) -> None:
    """The mean over all ordered draws, each run by hand, is the expectation that is enumerated."""
    case = on_line(line, count, rounds, Fraction(1, 5), pushed=False)
    total = Fraction(0)
    for drawn in product(range(line.n_clients), repeat=count * (rounds - 1)):
        model, path = line.origin, [line.origin]
        for t in range(rounds - 1):
            chosen = np.array(drawn[t * count : (t + 1) * count])
            anchors = np.full((count, 1), model, dtype=object)
            model = sum(line.proximal_points(anchors, 1 / case.stepsize, chosen)[:, 0]) / count
            path.append(model)
        total += sum(line.gradient(np.array([w], dtype=object))[0] ** 2 for w in path)
    number = rounds * line.n_clients ** (count * (rounds - 1))

    assert runs().expected(case, case.method)[0] == total / number


def test_seeds_have_the_exact_expectation() -> None:
    """The mean of many runs of the driver lies where the enumeration says, and a salt draws anew."""
    case = on_line(THREE, 2, 8, None)
    exact = float(runs().expected(replace(case, rounds=4), case.method)[0])
    few = replace(case.in_floats(), rounds=4)
    values, others = (runs().sampled(few, few.method, 200, salt) for salt in (0, 1))
    test = mean_test(values, exact)

    assert min(test.p_above, test.p_below) > 1e-4
    assert (values != others).any()


def test_a_run_without_chance_is_its_expectation() -> None:
    """One client: the mean over w_0 to w_{T-1} of a run of the driver is the exact one, of T models."""
    case = on_line(smooth_lines()[1], 1, 4)
    exact = runs().expected(case, case.method)

    assert exact[1] == 4
    assert runs().sampled(case.in_floats(), case.method, 1, 0) == pytest.approx(float(exact[0]), rel=1e-12)


def test_probabilities_add_up() -> None:
    """In every round the shares of the possible models sum to 1."""
    case = on_line(THREE, 2, 4, Fraction(1, 5))

    assert [sum(shares) for _, shares in states(case, case.method)] == [1] * 4


@pytest.mark.parametrize("line", smooth_lines(), ids=lambda line: line.name)
def test_a_push_stays_within_eps(line: Any) -> None:
    """Q at the pushed point is at most eps above its least value, in fractions."""
    case = on_line(line, 1, 4)
    mu, eps, clients = 1 / case.stepsize, case.numbers["eps"], np.arange(line.n_clients)
    anchors = np.repeat(line.kinks[None], len(clients), axis=0)
    where = replace(line, copies=len(line.kinks))

    def surrogate(points: Any) -> Any:
        return line.copy_losses(points, clients) + mu / 2 * (points - anchors) ** 2

    least = surrogate(where.proximal_points(anchors, mu, clients))
    pushed = surrogate(case.solver.solve(where, anchors, mu, clients, {}).models)
    assert ((0 <= pushed - least) & (pushed - least <= eps)).all()


def test_a_push_at_a_bend_loses_all_of_eps() -> None:
    """Where the curvature is L the push is the largest that eps allows."""
    line = slope(Fraction(0))
    case = on_line(line, 1, 4)
    point, mu, one = np.array([[Fraction(1, 2)]], dtype=object), 1 / case.stepsize, np.zeros(1, dtype=int)
    ends = [s.solve(line, point, mu, one, {}).models for s in (ProximalPoint(), case.solver)]
    low, high = (line.copy_losses(u, one)[0, 0] + mu / 2 * (u[0, 0] - point[0, 0]) ** 2 for u in ends)

    assert high - low == case.numbers["eps"]


def test_step_size_and_accuracy_are_the_theorem_s() -> None:
    """eta is what the statement says, eps lies on the edge of its conditions, and a tenth more is refused."""
    for case in (*theorem1.short()[:8], *theorem1.on_data()):
        asked = fp.statement(theorem1.EXPLICIT)
        letters = {name: case.letters[name] for name in asked.names if name in case.letters}
        check = asked.check(**letters)
        beyond = asked.check(**letters | {"eps": letters["eps"] * Fraction(11, 10)})

        assert check.applicable
        assert check.derived["eta"] == pytest.approx(float(case.stepsize), rel=1e-14)
        assert not beyond.applicable


def test_only_rational_paces_are_taken() -> None:
    """T = 10 draws of one client have an irrational step size."""
    assert pace(8, 2) == pace(4, 1) == Fraction(1, 2)
    for rounds, count in ((10, 1), (10, 5)):
        with pytest.raises(InputError):
            pace(rounds, count)


def test_data_weigh_every_device_alike() -> None:
    """Digits and robust have equally large clients, so that the loss is the mean over devices."""
    for problem in (equal_digits(), robust("huber")):
        assert len(set(problem.sizes.tolist())) == 1
        model = np.linspace(-1, 1, problem.dimension)
        every = problem.client_losses(
            np.repeat(model[None], problem.n_clients, 0), np.arange(problem.n_clients)
        )
        assert every.mean() == pytest.approx(problem.loss(model), rel=1e-12)


def test_local_solves_on_data_reach_their_accuracy() -> None:
    """No client of any round misses eps, and every certificate is at most eps."""
    for case in theorem1.on_data()[::3]:
        history = fp.run(
            "fedprox", case.problem, rounds=8, mu=1 / case.stepsize, local_solver=case.solver,
            participation=case.participation, metrics=("unsolved", "suboptimality"),
        )  # fmt: skip
        assert isinstance(case.solver, ToSuboptimality)
        assert not any(history.metrics["unsolved"][1:])
        assert max(history.metrics["suboptimality"][1:]) <= float(case.numbers["eps"])
        assert history.participation["replacement"]
        assert history.participation["average"] == "plain"


def test_a_smooth_case_takes_the_accuracy_of_both_conditions() -> None:
    """eps is the smaller of both ends, here by hand for L eta = 1/3: 2 G^2 eta / 9 / (4/3) over I^2."""
    line = slope(Fraction(1))
    case: Experiment = smooth(line, 1, 5, Fraction(1, 3))
    asked = fp.statement(theorem1.GENERAL)

    assert case.numbers["eps"] == Fraction(2, 9) * Fraction(1, 3) / Fraction(4, 3)
    assert asked.check(**{name: case.letters[name] for name in asked.names}).applicable
