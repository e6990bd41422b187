"""A table with a column of text: theorems of three papers hold on it, and what is planned runs to its end."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fedproof as fp
from fedproof.planning.plan_result import PlanResult

pytestmark = pytest.mark.usefixtures("audits_as_declared")


@cache
def planned() -> PlanResult:
    """Hospitals with 6 to 182 rows, a column of numbers and one of text, two classes that overlap; no l2."""
    rng = np.random.default_rng(16)
    site = np.repeat(["a", "b", "c", "d", "e"], [6, 182, 40, 110, 54])
    age, sex = rng.standard_normal(len(site)), rng.choice(["f", "m"], len(site))
    sick = age + 0.5 * (sex == "m") + rng.normal(size=len(site)) > 0
    table = pd.DataFrame({"site": site, "age": age, "sex": sex, "sick": np.where(sick, "yes", "no")})
    options = {"client": "site"}
    return fp.plan(table, problem_options=options, epsilon="0.01", rounds=2, step_seconds="1e-6")


def test_theorems_that_need_no_dissimilarity_are_certified() -> None:
    """Losses with bounded slopes and a minimiser that is proved to exist, without any regulariser."""
    certified = {p.statement for p in planned().plans if p.certified}

    assert {
        "composite.theorem3.5.sharpened",
        "fedprox.remark2.general",
        "flecs.theorem5.repaired",
    } <= certified


@pytest.mark.parametrize("algorithm", ["flecs", "flecs_cgd", "diana"])
def test_all_rounds_of_a_plan_are_run_and_keep_the_bound(algorithm: str) -> None:
    """What clients send beside their gradients does not grow until no number holds it."""
    found = planned()
    row = next(
        p for p in found.plans if p.statement == "flecs.theorem5.repaired" and p.algorithm == algorithm
    )
    history: Any = fp.run(
        algorithm, found.problem_of(row), rounds=row.rounds, metrics=["squared_gradient"], seed=1, **row.run
    )

    assert not history.diverged
    assert np.mean(history.metrics["squared_gradient"][:-1]) <= 0.01
