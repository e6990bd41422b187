"""Whatever the constants are, what a planner recommends is admitted exactly; no bound is below its run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.planning.api import guarantees
from tests.planning.many_constants import drawn, results, wrong

#: of each guarantee; `python -m tests.planning.many_constants 1000` draws more
DRAWS = 6
pytestmark = pytest.mark.usefixtures("audits_as_declared")


def test_every_recommendation_is_admitted_exactly() -> None:
    """Constants over eight decades, zeros among them: all settings are admitted, most draws have one."""
    settings = 0
    for guarantee, found, _ in results(DRAWS):
        assert set(found) <= {"", "none"}, (guarantee.statement, guarantee.algorithm, found)
        settings += found[""]

    assert settings >= len(guarantees()) * DRAWS / 2


def test_a_planner_that_stops_early_is_found_out() -> None:
    """Half of the rounds, or a step twice as long, and the theorem no longer admits it or promises less."""
    one = next(g for g in guarantees() if g.statement == "composite.theorem3.5")

    def hasty(*asked: Any) -> Any:
        found = one.solve(*asked)
        return replace(found, rounds=max(1, found.rounds // 2))

    def long(*asked: Any) -> Any:
        found = one.solve(*asked)
        return replace(found, letters={**found.letters, "eta": 2 * found.letters["eta"]})

    for mistaken in (hasty, long):
        rng = np.random.default_rng(1)
        said = {wrong(replace(one, solve=mistaken), *drawn(one, rng)) for _ in range(6)}
        assert said - {"", "none"}


def test_no_bound_is_below_what_its_run_measured() -> None:
    """Equal clients, a strongly convex loss: a run of each theorem that holds keeps its bound."""
    found = fp.plan(
        "binary_logistic", clients=2, problem_seed=3, problem_options={"l2": "1/4"}, epsilon="0.1", rounds=8,
        step_seconds="1e-6", seed=5,
    )  # fmt: skip
    proved = [p for p in found.plans if p.applicable and not p.rests_on]
    rows = [p for p in proved if p.verdict.startswith("holds")]
    pilots = [p.pilot for p in rows if p.pilot is not None]

    assert len(pilots) >= 4
    assert all(pilot.kept for pilot in pilots), [p.label for p in rows]
