"""The planner: what it recommends is admitted, its promises are kept, what does not apply is blamed."""

from __future__ import annotations

import json
import math
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fedproof as fp
from fedproof.bounds.catalog import statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.cli import main
from fedproof.planning import api as planning
from fedproof.planning.api import guarantees
from fedproof.planning.pilots import defaults
from fedproof.planning.plan_result import PlanResult
from fedproof.planning.verdicts import here
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.box import Box
from fedproof.problems.data.labels import check_targets
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.supervised.equal_clients import EqualClients
from fedproof.problems.supervised.linear import Linear
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.supervised import Supervised
from fedproof.tuning.guarantee import Costs
from fedproof.validate.statement_verdict import StatementVerdict
from fedproof.vocabulary.errors import FedproofError, InputError
from fedproof.vocabulary.schema import schema
from tests.cli.keeping import faults

PRICES = Costs(1e6, 1e6, step_seconds=1e-6, bits_per_value=32, dimension=5, clients=2, samples=1)
EACH = {"epsilon": "0.1", "rounds": 6, "step_seconds": "1e-6"}
pytestmark = pytest.mark.usefixtures("audits_as_declared")


@pytest.fixture(scope="module")
def digits() -> PlanResult:
    """Few clients of different sizes."""
    return fp.plan("digits", clients=6, problem_options={"labels_per_client": 4}, **EACH)


@pytest.fixture(scope="module")
def convex() -> PlanResult:
    """Strongly convex losses, of equally large clients."""
    return fp.plan("binary_logistic", clients=4, problem_options={"l2": "1/20"}, **EACH)


def test_every_paper_with_plans_has_an_applicable_theorem(digits: PlanResult, convex: PlanResult) -> None:
    """On softmax regression of real data, or with a square, each paper's theorem applies."""
    rows = (*digits.plans, *convex.plans)
    applicable = {p.statement.split(".", 1)[0] for p in rows if p.applicable}

    assert applicable == {g.statement.split(".", 1)[0] for g in guarantees()}


def test_no_bound_is_below_what_its_run_measured(digits: PlanResult) -> None:
    """The short run of each theorem keeps the promise, on data and on quadratics."""
    found = fp.plan("quadratic", clients=3, **EACH)
    pilots = [p.pilot for one in (digits, found) for p in one.plans if p.pilot is not None]

    assert len(pilots) >= 10
    assert all(pilot.bound is not None and pilot.measured <= pilot.bound for pilot in pilots)


def test_recommended_is_the_quickest_certified_row(digits: PlanResult) -> None:
    """Rows on estimates are never recommended, however quick."""
    certified = [p for p in digits.plans if p.certified and p.seconds is not None]

    assert digits.recommended == min(certified, key=lambda p: p.seconds or math.inf)
    assert any(p.rests_on and not p.certified for p in digits.plans)


def test_what_comes_out_is_admitted_in_exact_arithmetic(digits: PlanResult) -> None:
    """The statement itself admits the parameters of each row, with a bound of at most the accuracy."""
    for row in (p for p in digits.plans if p.applicable):
        asked = StatementHandle(statement(row.statement))
        found = asked.check(**{k: v for k, v in row.parameters.items() if k in asked.names})

        assert found.applicable, row.statement
        assert found.bound is not None
        assert found.bound <= 0.1, row.statement


def test_a_run_above_its_bound_is_not_certified(digits: PlanResult) -> None:
    """Were the recommended row's run worse than promised, the row would say so and lose its certificate."""
    best = digits.recommended
    assert best is not None
    assert best.pilot is not None
    assert best.pilot.bound is not None
    worse = replace(best, pilot=replace(best.pilot, measured=best.pilot.bound * 1.01))

    assert best.certified
    assert not worse.certified
    assert worse.label == "exceeded by its run"


def test_a_row_carries_what_it_rests_on(digits: PlanResult) -> None:
    """The numbers that went in, with which a stranger finds the rounds again, and the proof's grounds."""
    for row in (p for p in digits.to_dict()["plans"] if p["applicable"]):
        asked = next(g for g in guarantees() if g.statement == row["statement"])
        size = int(max(fp.problem("digits", clients=6, labels_per_client=4).sizes))
        again = asked.solve(row["constants"], 0.1, Costs(1e6, 1e6, 1e-6, 64, 650, 6, size))

        assert again.rounds == row["rounds"], row["statement"]
        assert set(row["constants"]) == set(asked.needs)
    best = digits.recommended
    assert best is not None
    audited = planning._judged(best, partial(here, best.statement), lambda said: None)
    assert audited.verdict == best.verdict
    assert {g["id"] for g in audited.assumes if g["kind"] == "assumption"}
    assert not [g for g in audited.assumes if g["kind"] == "carried"]


def test_messages_are_counted_as_a_run_counts_them(convex: PlanResult) -> None:
    """Bits up and down of FLECS, FLECS-CGD and DIANA are those of a run's own record."""
    problem = fp.problem("binary_logistic", clients=4, l2="1/20")
    rows = [p for p in convex.plans if p.applicable and p.statement.startswith("flecs.")]
    for row in rows:
        one = fp.run(row.algorithm, problem, rounds=1, **row.run)

        assert row.rounds is not None
        assert row.uplink_bits == row.rounds * one.uplink_bits[0] / 4, row.algorithm
        assert row.downlink_bits == row.rounds * one.downlink_bits[0] / 4, row.algorithm
    assert {row.algorithm for row in rows} == {"flecs", "flecs_cgd", "diana"}


def test_a_gap_is_not_ranked_with_squared_gradients(convex: PlanResult) -> None:
    """Theorem 4 promises a small gap: it has a table of its own, and is not recommended before others."""
    first = [table.title for table in convex.tables()][:2]

    assert [("gradient" in title, "gap" in title) for title in first] == [(True, False), (False, True)]
    assert convex.recommended is not None
    assert convex.recommended.about == "mean squared gradient"
    assert kept(convex)


def test_without_a_minimiser_flecs_is_not_applicable() -> None:
    """Separable data have no minimiser, which the theorems take for granted: the rows say so."""
    found = fp.plan("breast_cancer", clients=3, **EACH)
    refused = {(p.statement, p.algorithm): p for p in found.plans if not p.applicable}

    assert refused["flecs.theorem5.repaired", "diana"].blame == ("mean_shift_error",)
    assert "no minimiser is proved to exist" in refused["flecs.theorem5.repaired", "diana"].why
    assert "loss_strong_convexity" in refused["flecs.theorem4.repaired", "flecs"].blame


def test_the_start_counts_no_more_than_the_gap() -> None:
    """However far apart the clients begin, the step sizes are dealt so that the potential is the gap's."""
    numbers = {"smoothness": 0.2, "initial_gap": 0.2, "initial_dissimilarity": 10.0}
    costs = Costs(1e6, 1e6, 1e-6, 64, 100, 10, 50)
    asked = next(g for g in guarantees() if g.statement == "composite.theorem3.5.sharpened")
    near, far = (asked.solve({**numbers, "initial_dissimilarity": v}, 0.003, costs) for v in (0.0, 10.0))
    at = {name: Fraction(far.letters[name]) for name in ("eta", "tau", "eta_g", "Omega1")}

    assert (
        at["Omega1"] * Fraction(1000001, 1000000) >= Fraction(0.2) + at["eta"] * at["tau"] / at["eta_g"] * 10
    )
    assert near.rounds <= far.rounds <= 1.002 * near.rounds + 1


def test_seconds_and_bits_are_those_of_the_network(digits: PlanResult) -> None:
    """A model down and one up in each round; a tenth of the speed takes ten times as long."""
    slow = fp.plan("digits", clients=6, problem_options={"labels_per_client": 4}, uplink=100_000, **EACH)
    by_id = {(p.statement, p.rests_on): p for p in slow.plans}
    row = next(p for p in digits.plans if p.statement == "composite.theorem3.5")
    other = by_id[row.statement, row.rests_on]

    assert row.bits == 2 * row.rounds * 650 * 64
    assert other.rounds == row.rounds
    assert other.seconds == pytest.approx(10 * row.seconds, rel=0.05)


def test_constants_that_are_missing_are_blamed() -> None:
    """A quadratic has no Lipschitz losses, hinge losses no smoothness: each is named, with why."""
    found = fp.plan("quadratic", clients=3, **EACH)
    refused = {p.statement: p for p in found.plans if not p.applicable}

    assert refused["fedprox.theorem1.general"].blame == ("lipschitz_sample",)
    kinked = fp.plan("breast_cancer", clients=3, problem_options={"model": "hinge"}, **EACH)
    assert kinked.recommended is None
    assert {w for p in kinked.plans for w in p.blame} >= {"smoothness_sample"}
    assert "no theorem applies" in kinked.headline()


def test_a_penalty_is_for_theorems_with_one() -> None:
    """FedProxVR and FedProx are about losses without a penalty."""
    options = {"penalty": "l1", "penalty_weight": "0.001"}
    found = fp.plan("digits", clients=5, problem_options=options, **EACH)
    known = {p.statement for p in found.plans if p.applicable}

    assert "composite.theorem3.5.sharpened" in known
    assert not any(id.startswith(("fedprox.", "fedproxvr.")) for id in known)


@dataclass(frozen=True)
class Shifted(Linear):
    """A squared loss less a constant, so that it may be negative."""

    classes: int = 0
    name, outputs = "shifted", 1
    curvature_bound, curvature_text = Fraction(1), "1"

    def check(self, labels: Any, where: str) -> None:
        check_targets(labels, where)

    def score_losses(self, z: Any, y: Any) -> Any:
        return (z[0] - y) ** 2 / 2 - 9

    def score_gradients(self, z: Any, y: Any) -> Any:
        return z - y

    def score_products(self, z: Any, dz: Any, y: Any) -> Any:
        return dz

    def predictions(self, w: Any, x: Any) -> Any:
        return x @ w


def kept(found: PlanResult) -> bool:
    """No row that is certified, or recommended, has a run above its bound."""
    rows = [p for p in found.plans if p.certified or p is found.recommended]
    return all(p.pilot is None or p.pilot.measured <= (p.pilot.bound or math.inf) for p in rows)


def test_negative_losses_have_no_certified_gap() -> None:
    """Of a loss that may be negative, on clients of different sizes, nothing is certified for their mean."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 3))
    made = Supervised(Shifted(), x, 4 * x[:, 0] - 3, Partition.of_sizes([10, 20, 30]))
    found = fp.plan(made, **EACH)

    assert not any(p.certified for p in found.plans if "composite" in p.statement)
    assert kept(found)


def test_a_start_that_the_penalty_moves_is_the_start() -> None:
    """A box away from 0: the gap is that at the start of the runs, and no certified run exceeds its bound."""
    whole = Quadratic.of([[[1, -2], [-2, 4]]], [[-1, 2]], sizes=[1])
    moved = Composite(whole.as_float(), Box(1, 10))
    x = np.tile([[10.0, -30.0], [1.0, 2.0]], (10, 1))
    made = Supervised(LeastSquares(), x, x[:, 0], Partition.of_sizes([5, 15]))
    for problem in (moved, Composite(whole, Box(1, 10)), Composite(made, Box(1, 10))):
        found = fp.plan(problem, **EACH)
        assert kept(found)
        assert all(p.pilot is None or p.pilot.kept for p in found.plans if p.applicable)


def test_an_interrupt_is_no_answer() -> None:
    """Nothing is planned on constants that were not measured."""

    def stop(said: str) -> None:
        if "smoothness" in said:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fp.plan("quadratic", clients=3, progress=stop, **EACH)


def test_what_a_theorem_is_found_to_be_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """A theorem that an audit does not find to hold is neither certified nor recommended."""
    refuted = nullcontext(lambda id: lambda: StatementVerdict(id, "refuted", (), ""))
    monkeypatch.setattr(planning, "beside", lambda: refuted)
    found = fp.plan("quadratic", clients=3, **EACH)

    assert found.recommended is None
    assert {p.label for p in found.plans if p.applicable} == {"theorem refuted"}


def test_what_is_to_be_minded_is_shown(digits: PlanResult) -> None:
    """Rows about the plain mean over clients of different sizes say so in the tables too."""
    shown = {table.title: table for table in digits.tables()}

    assert any("counts the same" in row[2] for row in shown["Mind"].rows)
    assert {row[4] for row in shown["Short runs"].rows} >= {"squared gradient, w_1 to w_T"}


def test_equal_clients_have_the_mean_of_the_clients_losses() -> None:
    """Loss, gradient and Hessian of the plain mean are the means of the clients', whatever their sizes."""
    whole = fp.problem("digits", clients=5)
    same, rng = EqualClients.of(whole), np.random.default_rng(0)
    model, ids = rng.normal(size=whole.dimension), np.arange(5)
    models = np.repeat(model[None], 5, axis=0)
    step = 1e-5 * rng.normal(size=whole.dimension)

    assert same.loss(model) == pytest.approx(whole.client_losses(models, ids).mean())
    assert np.allclose(same.gradient(model), whole.client_gradients(models, ids).mean(axis=0))
    change = same.gradient(model + step) - same.gradient(model - step)
    assert np.allclose(2 * same.hessian_product(model, step[None])[0], change, atol=1e-9)


@settings(max_examples=15, deadline=None)
@given(
    L=st.floats(1e-2, 1e2), G=st.floats(1e-2, 1e2), gap=st.floats(1e-2, 1e2),
    accuracy=st.floats(1e-4, 1e-1),
)  # fmt: skip
def test_fewest_rounds_are_admitted_and_near_the_best(
    L: float, G: float, gap: float, accuracy: float
) -> None:
    """The bound is kept; no step size of a fine grid needs a per cent fewer rounds."""
    asked = next(g for g in guarantees() if g.statement == "fedprox.remark2.general")
    numbers = {"smoothness_sample": L, "lipschitz_sample": G, "initial_gap": gap}
    found = asked.solve(numbers, accuracy, Costs(1e6, 1e6, 1e-6, 64, 100, 10, 50))
    at, rounds = found.letters, found.rounds
    steps = np.geomspace(1e-9, 1, 20001) / (3 * L)
    left = accuracy - 28 * L**2 * G**2 * steps**2
    least = np.min(4 * gap / (steps[left > 0] * left[left > 0]))
    exact = Fraction(4) * Fraction(gap) / (Fraction(at["eta"]) * rounds)
    exact += 28 * Fraction(L) ** 2 * Fraction(G) ** 2 * Fraction(at["eta"]) ** 2

    assert exact <= Fraction(accuracy) * (1 + Fraction(1, 10**12))
    assert rounds <= 1.01 * least + 2


@settings(max_examples=4, deadline=None)
@given(values=st.lists(st.floats(1e-2, 1e2), min_size=10, max_size=10), accuracy=st.floats(1e-3, 1e-1))
def test_random_constants_give_admissible_settings(values: list[float], accuracy: float) -> None:
    """Each theorem's setting is admitted by the theorem, or there is a clear error."""
    words = (
        "smoothness_sample", "smoothness", "lipschitz_sample", "initial_gap", "dissimilarity",
        "initial_dissimilarity", "subgradient_bound", "mean_shift_error", "gradient_dissimilarity",
        "loss_strong_convexity",
    )  # fmt: skip
    numbers = {**dict(zip(words, values, strict=True)), "weak_convexity": 0.0}
    costs = Costs(1e6, 1e6, 1e-6, 64, 100, 10, 50)
    for guarantee in guarantees():
        try:
            found = guarantee.solve({w: numbers[w] for w in guarantee.needs}, accuracy, costs)
        except FedproofError:
            continue
        asked = StatementHandle(statement(guarantee.statement))
        letters = {k: v for k, v in found.letters.items() if k in asked.names}
        checked = asked.check(**letters, **{guarantee.rounds: found.rounds})

        assert checked.bound is not None, guarantee.statement
        assert checked.bound <= accuracy, guarantee.statement


def test_a_start_that_is_there_is_said_in_one_line() -> None:
    """Who asks for less than the start has gets one line about it."""
    easy, hard = (fp.plan("quadratic", clients=2, **{**EACH, "epsilon": e}) for e in ("1e6", "1e-3"))

    assert "the start is already there" in easy.headline()
    assert "the start is already there" not in hard.headline()


def test_the_shell_and_its_errors(capsys: pytest.CaptureFixture[str]) -> None:
    """The contract's keys are there; nonsense is one line."""
    arguments = ["plan", "quadratic", "--clients", "3", "--epsilon", "0.1", "--rounds", "3", "--json"]
    assert main(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) >= {"constants", "plans", "pilot"}
    keys = {"algorithm", "statement", "applicable", "parameters", "rounds", "seconds", "bits", "blame"}
    assert all(keys <= set(row) for row in document["plans"])
    assert list(faults(document, schema("plan"))) == []
    for wrong in (["--epsilon", "0"], ["--epsilon", "x"], ["--epsilon", "1", "--uplink", "0"]):
        assert main(["plan", "quadratic", "--clients", "3", *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_costs_refuse_what_is_not_positive() -> None:
    """A network of no speed has no plan."""
    costs = Costs(1e6, 1e6, 1e-6, 64, 100, 10, 50)
    with pytest.raises(InputError, match="uplink"):
        replace(costs, uplink=-1.0)


def test_a_setting_that_misses_the_accuracy_is_not_recommended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a theorem's own search says, the planner asks the statement whether the bound is reached."""
    (one,) = (g for g in guarantees() if g.statement == "composite.theorem3.5")
    hasty = replace(one, solve=lambda *asked: replace(one.solve(*asked), rounds=1))
    monkeypatch.setattr(planning, "guarantees", lambda: (hasty,))
    found = fp.plan("quadratic", clients=3, **EACH)

    assert found.recommended is None
    assert not any(p.applicable for p in found.plans)
    assert all("after 1 rounds" in p.why for p in found.plans)


def test_a_network_without_end_is_refused() -> None:
    """Messages that take 1e30 seconds and more are a slip of the hand."""
    with pytest.raises(InputError, match="seconds for a model down and up"):
        Costs(1e-300, 1e6, 1e-6, 64, 100, 10, 50)


@pytest.mark.parametrize(
    ("smoothness", "steps"), [(4.0, {"fedavg": 1 / 4, "fedprox": 1 / 8}), (None, {"fedavg": 1.0})]
)
def test_naive_beginnings_take_the_step_of_their_label(
    smoothness: float | None, steps: dict[str, float]
) -> None:
    """1/L, and 1/(2 L) with a weight L; a step of 1 where L is not known."""
    found = list(defaults(fp.problem("quadratic", clients=2), smoothness, 1, PRICES, 0.1))

    assert {pilot.algorithm: pilot.parameters["stepsize"] for pilot in found} == steps
    assert [pilot.parameters.get("prox_weight") for pilot in found] == [None, smoothness][: len(found)]
