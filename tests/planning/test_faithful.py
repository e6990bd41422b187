"""A row of a plan is about what was measured, about the run that it names, and about the ranked metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import fedproof as fp
from fedproof.bounds.catalog import statement
from fedproof.planning import api
from fedproof.planning.api import _of_a_run, guarantees
from fedproof.planning.faithful import SQUARED, about, unfaithful
from fedproof.tuning.guarantee import SQUARED_GRADIENT, Costs, Guarantee, Setting

COSTS = Costs(1e6, 1e6, step_seconds=1e-5, bits_per_value=64, dimension=10, clients=5, samples=20)
#: more than any theorem needs, so that nothing is missing
KNOWN = {
    "smoothness_sample": 1.0, "smoothness": 1.0, "weak_convexity": 0.0, "loss_strong_convexity": 0.5,
    "lipschitz_sample": 1.0, "initial_gap": 1.0, "dissimilarity": 0.5, "gradient_dissimilarity": 0.5,
    "gradient_variance": 2.0, "subgradient_bound": 0.1, "initial_dissimilarity": 0.5, "mean_shift_error": 0.5,
}  # fmt: skip


def of(id: str) -> Guarantee:
    """The first guarantee of a statement."""
    return next(g for g in guarantees() if g.statement == id)


def solved(guarantee: Guarantee) -> Setting:
    """Its best setting."""
    return guarantee.solve({w: KNOWN[w] for w in guarantee.needs}, 0.1, COSTS)


def said(guarantee: Guarantee, setting: Setting, known: Mapping[str, float] = KNOWN) -> str:
    """What is wrong with a setting."""
    return unfaithful(guarantee, statement(guarantee.statement), setting, known, COSTS.clients)


@pytest.mark.parametrize("guarantee", guarantees(), ids=lambda g: f"{g.statement}-{g.algorithm}")
def test_what_the_papers_plan_is_about_their_constants(guarantee: Guarantee) -> None:
    """Every shipped planner takes the constants as they are, or on the safe side, and runs what it names."""
    assert said(guarantee, solved(guarantee)) == ""


@pytest.mark.parametrize(
    ("id", "letters", "run", "expected"),
    [
        (
            "fedproxvr.certified.sarah",
            {"L": 0.99},
            {},
            "L = 0.99 is on the wrong side of the smoothness_sample, 1",
        ),
        ("fedproxvr.certified.sarah", {"Delta": "999/1000"}, {}, "Delta = 0.999 is on the wrong side"),
        ("flecs.theorem4.repaired", {"mu": 0.75}, {}, "mu = 0.75 is on the wrong side"),
        ("composite.theorem3.5.sharpened", {}, {"stepsize": 5.0}, "stepsize = 5.0 is run"),
        ("composite.theorem3.5.sharpened", {}, {"local_steps": 77}, "local_steps = 77 is run"),
        (
            "composite.theorem3.5.sharpened",
            {},
            {"batch_size": 1},
            "sigma2 = 0 is on the wrong side of the gradient_variance",
        ),
    ],
)
def test_other_constants_and_other_runs_are_told(
    id: str, letters: Mapping[str, Any], run: Mapping[str, Any], expected: str
) -> None:
    """A bound for a smoother loss, a smaller gap or another step size is none for the row."""
    guarantee = of(id)
    right = solved(guarantee)
    mixed = {n: v for n, v in {**right.run, **run}.items() if v is not ...}
    changed = replace(right, letters={**right.letters, **letters}, run=mixed)
    assert expected in said(guarantee, changed)


def test_the_safe_side_is_safe() -> None:
    """A larger smoothness and a smaller strong convexity are constants of the problem too."""
    for id, letters in (("fedproxvr.certified.sarah", {"L": 2}), ("flecs.theorem4.repaired", {"mu": 0.25})):
        guarantee = of(id)
        right = solved(guarantee)
        assert said(guarantee, replace(right, letters={**right.letters, **letters})) == ""


def test_a_constant_that_nobody_measured_is_not_taken() -> None:
    """A planner that takes a constant of which no value is known has made it up."""
    guarantee = of("fedproxvr.certified.sarah")
    known = {w: v for w, v in KNOWN.items() if w != "smoothness_sample"}
    needs = tuple(w for w in guarantee.needs if w in known)
    found = said(replace(guarantee, needs=needs), solved(guarantee), known)
    assert "no value of the smoothness_sample is known" in found


def test_the_metric_is_the_statements() -> None:
    """Only a bound on the mean squared gradient, one to one, is ranked as such."""
    lyapunov, gradient = of("flecs.theorem4.repaired"), of("fedproxvr.certified.sarah")
    bound = statement(lyapunov.statement)

    assert about(replace(lyapunov, about=SQUARED_GRADIENT), bound) != SQUARED_GRADIENT
    assert "not on 2 times it" in said(replace(gradient, per=lambda known: 2.0), solved(gradient))
    asked = {str(getattr(statement(g.statement).claim, "metric", "")) for g in guarantees()}
    assert asked >= SQUARED
    assert {about(g, statement(g.statement)) == SQUARED_GRADIENT for g in guarantees()} == {True, False}


def test_where_no_dissimilarity_exists_a_run_can_be_judged() -> None:
    """The twin that asks for it at a run's models alone is named, and only where that is what is missing."""
    id = "fedproxvr.certified.sarah.sharpened"
    assert "`validate fedproxvr.certified.sarah.along --history LOG`" in _of_a_run(id, ("dissimilarity",))
    assert _of_a_run(id, ("dissimilarity", "initial_gap")) == ""
    assert _of_a_run("fedprox.theorem1.general", ("lipschitz_sample",)) == ""


def test_an_algorithm_that_nobody_has_is_told_in_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelled name ends one row and not the plan."""
    wrong = replace(of("fedprox.theorem1.general"), needs=("smoothness",), algorithm="fedprix")
    named = replace(wrong, solve=lambda numbers, accuracy, costs: solved(of("fedprox.theorem1.general")))
    monkeypatch.setattr(api, "guarantees", lambda: (named,))
    found = fp.plan("quadratic", clients=5, epsilon="0.1", rounds=1, step_seconds="1e-6")

    assert found.recommended is None
    assert "fedprix" in found.plans[0].why


def test_a_theorem_admits_the_step_that_is_run() -> None:
    """The decimals of the step size give beta = 1/(eta L) exactly; one longer by 4e-15 is refused."""
    guarantee = of("fedproxvr.certified.sarah.sharpened")
    setting = solved(guarantee)
    assert api._short(guarantee, setting, 0.1) == ""

    longer = replace(setting, run={**setting.run, "stepsize": setting.run["stepsize"] * (1 + 4e-15)})
    assert "its own bound is" in api._short(guarantee, longer, 0.1)
