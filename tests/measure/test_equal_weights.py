"""The loss in which every client counts the same: its constants against direct computations, and its runs."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import fedproof as fp
from fedproof.measure.api import measure
from fedproof.measure.measure_result import MeasureResult
from fedproof.problems.catalog import every_client_alike
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised.equal_clients import EqualClients
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.partition import Partition
from fedproof.problems.supervised.regularisers import L2
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.errors import InputError, UnknownName

SIZES = (1, 3, 12)


def shell(*words: str) -> subprocess.CompletedProcess[str]:
    """A command."""
    return subprocess.run(
        [sys.executable, "-m", "fedproof", *words], capture_output=True, text=True, check=False
    )


@cache
def tiny(l2: bool = True, model: str = "logistic") -> EqualClients:
    """Three clients of one, three and twelve rows of two features, labels mixed within each that can be."""
    rng = np.random.default_rng(7)
    x = np.concatenate([rng.normal(size=(sum(SIZES), 2)), np.ones((sum(SIZES), 1))], axis=1)
    y = rng.integers(0, 2, sum(SIZES)) if model == "logistic" else rng.normal(size=sum(SIZES))
    made = Logistic() if model == "logistic" else LeastSquares()
    return EqualClients.of(
        Supervised(made, x, y, Partition.of_sizes(SIZES), regulariser=L2("1/10") if l2 else None)
    )


def by_hand(problem: Supervised, w: np.ndarray) -> tuple[float, np.ndarray]:
    """The plain mean of the clients' losses and their gradients, one a row, from the rows alone."""
    losses, gradients, first = [], [], 0
    for size in SIZES:
        x, y = problem.features[first : first + size], problem.labels[first : first + size]
        first += size
        z = x @ w
        if isinstance(problem.model, Logistic):
            each, slope = np.logaddexp(0, z) - y * z, 1 / (1 + np.exp(-z)) - y
        else:
            each, slope = (z - y) ** 2 / 2, z - y
        add = 0 if problem.regulariser is None else 0.1
        losses.append(each.mean() + add / 2 * w @ w)
        gradients.append((slope[:, None] * x).mean(axis=0) + add * w)
    return float(np.mean(losses)), np.array(gradients)


@cache
def measured(l2: bool = True, model: str = "logistic") -> MeasureResult:
    """Its constants."""
    return measure(tiny(l2, model), rounds=3, seeds=2, tau=3)


@pytest.mark.parametrize("model", ["logistic", "least_squares"])
@pytest.mark.parametrize("l2", [True, False])
def test_the_gap_is_that_of_the_plain_mean(model: str, l2: bool) -> None:
    """By another minimiser on losses from the rows; its proved ends contain it, and by size it is another."""
    problem = tiny(l2, model)
    start = problem.start()
    best = minimize(lambda w: by_hand(problem, w)[0], start, method="BFGS", options={"gtol": 1e-9}).fun
    gap = by_hand(problem, start)[0] - best
    entry = measured(l2, model).constants["initial_gap"]
    by_size = measure(Supervised(problem.model, problem.features, problem.labels, problem.partition,
                                 regulariser=problem.regulariser), only=["initial_gap"])  # fmt: skip

    assert entry.kind == "certified"
    assert float(entry.lower) - 1e-9 <= gap <= float(entry.upper) + 1e-9
    assert float(entry.value) == pytest.approx(gap, rel=1e-5)
    assert abs(float(by_size.constants["initial_gap"].value) - gap) > 1e-3


@pytest.mark.parametrize("model", ["logistic", "least_squares"])
def test_the_dissimilarity_is_that_of_the_plain_mean(model: str) -> None:
    """The largest ratio at the trajectory's models, weights 1/3 each, from the rows."""
    problem = tiny(True, model)
    run = fp.run("fedproxvr", problem, rounds=3, seed=0, tau=3, metrics=("dissimilarity",))
    _, each = by_hand(problem, run.model)
    mean = each.mean(axis=0)
    ratio = np.square(each - mean).sum(axis=1).mean() / (mean @ mean)

    assert run.metrics["dissimilarity"][-1] == pytest.approx(ratio)
    details = measured(True, model).constants["dissimilarity"].details
    assert details["largest_on_trajectory"] >= ratio * (1 - 1e-9)


def test_the_constants_of_each_client_are_what_they_are() -> None:
    """L_n, L and zeta^2 speak of clients one by one or of their plain mean: zeta^2 against models far out."""
    problem, found = tiny(), measured()
    first, tops = 0, []
    for size in SIZES:
        x = problem.features[first : first + size]
        tops.append(np.linalg.eigvalsh(x.T @ x / size)[-1] / 4 + 0.1)
        first += size
    rng = np.random.default_rng(0)
    far = [by_hand(problem, 10 * rng.normal(size=3))[1] for _ in range(200)]
    spread = max(np.square(each - each.mean(axis=0)).sum(axis=1).mean() for each in far)

    assert float(found.constants["smoothness"].value) == pytest.approx(max(tops))
    assert float(found.constants["loss_strong_convexity"].value) == 0.1
    assert spread <= float(found.constants["gradient_dissimilarity"].value)


def test_a_penalty_leaves_no_minimiser_of_another_loss() -> None:
    """What is solved on rows weighs them alike: F* of the plain mean is bounded from below alone."""
    both = fp.Composite(tiny(), fp.penalty("l1", weight="1/100"))

    assert both.solution is None
    assert both.constants["least_loss"].value == 0


def test_a_run_averages_as_the_loss_weighs() -> None:
    """One exact local step of 1/L moves by the plain mean of the gradients; a cohort is averaged alike."""
    problem = tiny()
    run = fp.run("fedavg", problem, rounds=1, stepsize="1/2", local_steps=1, batch_size="full")
    _, each = by_hand(problem, problem.start())

    assert run.participation["average"] == "plain"
    assert run.model == pytest.approx(problem.start() - each.mean(axis=0) / 2)
    assert fp.run("fedavg", problem, rounds=1, participation=2).participation["average"] == "plain"


def test_the_loss_that_is_there_already_is_itself() -> None:
    """Equal clients keep their problem; a quadratic of unlike clients has no such loss, and says so."""
    assert EqualClients.of(tiny()) is tiny()
    assert fp.problem("quadratic", clients=2, weights="equal").n_clients == 2
    with pytest.raises(UnknownName, match="weights"):
        fp.problem("digits", weights="heavy")
    with pytest.raises(InputError, match="equal for clients of unlike size") as error:
        every_client_alike(random_quadratic(0, 2, 2, [1, 3]))
    assert "\n" not in str(error.value)


def test_the_shell_runs_measures_plans_and_judges_it(tmp_path: Any) -> None:
    """--weights equal: a record of such a run is judged beside its problem by a theorem on the plain mean."""
    data = ["breast_cancer", "--clients", "4", "--option", "split=power", "--weights", "equal"]
    steps = ["stepsize=1/100", "shift_stepsize=1/10", "--rounds", "2", "--json", "--quiet"]
    done = shell("run", "diana", *steps, "--problem", *data)
    record = json.loads(done.stdout)
    (tmp_path / "run.json").write_text(done.stdout)
    judged = shell("validate", "flecs.theorem5.repaired", "--history", str(tmp_path / "run.json"),
                   "--problem", *data, "--json")  # fmt: skip
    assert record["participation"]["average"] == "plain"
    assert "every client counts the same" in record["problem"]
    assert judged.returncode == 0, judged.stderr
    assert "every client counts the same" in shell("measure", *data, "--json").stdout
