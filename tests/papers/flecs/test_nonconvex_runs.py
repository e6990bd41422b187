"""FLECS-CGD's Theorem 5 and Corollary 6, repaired, over seeds: the constants, and planted falsehoods."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fedproof.papers.flecs.checks import nonconvex_runs
from fedproof.problems.problem import Array
from fedproof.validate.verdict import SamplingBudget
from tests.papers.verdicts import words

IDS = ("theorem5.repaired", "theorem5.sharpened", "corollary6.repaired", "corollary6.units")
CASES = nonconvex_runs.cases()
#: a convex loss with batches, one that is not with full gradients
FEW = (CASES[1], CASES[4])


def clients(case: Any, model: Array) -> Array:
    """All clients' gradients at a model."""
    problem = case.problem
    ids = np.arange(problem.n_clients)
    found: Array = problem.client_gradients(np.repeat(model[None], len(ids), axis=0), ids)
    return found


def test_runs_keep_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The theorems after five and thirty rounds, each corollary at its step size; a thousandth is broken."""
    monkeypatch.setattr(nonconvex_runs, "cases", lambda: FEW)
    rows = nonconvex_runs.find(SamplingBudget(seeds=30))
    less = nonconvex_runs.find(SamplingBudget(seeds=30, tighten=1000))

    assert [row.id.removeprefix("flecs.") for row in rows] == [IDS[0]] * 2 + [IDS[1]] * 2 + [*IDS[2:]]
    assert words(*rows) == ["consistent"] * 6
    assert words(*less) == ["violated"] * 6


@pytest.mark.parametrize("case", FEW, ids=lambda case: case.describe())
def test_steps_that_are_too_long_are_seen(monkeypatch: pytest.MonkeyPatch, case: Any) -> None:
    """A thousand times the step size breaks the bounds of a convex loss and of one that is not."""
    monkeypatch.setattr(nonconvex_runs, "cases", lambda: (case,))
    long = SamplingBudget(seeds=30, change=lambda method: replace(method, stepsize=1000 * method.stepsize))

    assert "violated" in words(*nonconvex_runs.find(long))


@pytest.mark.parametrize(
    "planted", [{"stepsize": 1e-9}, {"shift_stepsize": 4}], ids=lambda planted: str(planted)
)
def test_the_round_bowl_sees_mistakes(monkeypatch: pytest.MonkeyPatch, planted: dict[str, float]) -> None:
    """No step at all and shifts that overshoot break its bounds."""
    monkeypatch.setattr(nonconvex_runs, "cases", lambda: CASES[-1:])

    def change(method: Any) -> Any:
        return replace(method, **{name: times * getattr(method, name) for name, times in planted.items()})

    assert words(*nonconvex_runs.find(SamplingBudget(seeds=40))) == ["consistent"] * 6
    assert "violated" in words(*nonconvex_runs.find(SamplingBudget(seeds=40, change=change)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.describe())
def test_the_constants_hold_where_one_looks(case: Any) -> None:
    """zeta^2 and the batches' variance at ten models, L between forty; alike means the same gradients."""
    at, rng, problem = case.letters, np.random.default_rng(5), case.problem
    models = 0.5 * rng.normal(size=(40, problem.dimension))
    slopes = np.array([problem.gradient(model) for model in models])
    lengths = np.linalg.norm(np.diff(models, axis=0), axis=1)
    rows = np.repeat(np.arange(problem.n_clients), problem.sizes)

    assert (np.linalg.norm(np.diff(slopes, axis=0), axis=1) <= at["L"] * lengths).all()
    for model, slope in zip(models[:10], slopes, strict=False):
        own = clients(case, model)
        assert np.mean(np.sum((own - slope) ** 2, axis=1)) <= at["zeta2"] + 1e-20
        residuals = problem.features @ model - problem.labels
        samples = problem.model.slope(residuals)[:, None] * problem.features
        samples += problem.regulariser.gradient(model)
        spread = np.mean(np.sum((samples - own[rows]) ** 2, axis=1))
        assert case.batch is None or spread / case.batch <= at["sigma2"]
    assert at["gamma"] * (1 + at["omega"]) < 1


def test_two_of_the_losses_are_not_convex() -> None:
    """At w_0 the objective's Hessian has an eigenvalue below 0 for Cauchy's loss, and none for Huber's."""
    found = []
    for case in CASES[:-1:2]:
        problem, start = case.problem, case.problem.start()
        hessian = np.array([problem.hessian_product(start, row) for row in np.eye(problem.dimension)])
        found.append(bool(np.linalg.eigvalsh(hessian)[0] < -1e-6))

    assert found == [False, True, True]
