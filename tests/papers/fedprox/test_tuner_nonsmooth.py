"""The fewest rounds under Theorems 2 and 4: against a grid and formulas typed a second time."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import fedproof as fp

FREE = ("fedprox.theorem2.general", "fedprox.theorem4.general")
OWN = ("fedprox.theorem2.explicit", "fedprox.theorem4.explicit")
STEPS = np.geomspace(1e-6, 1, 100_001)
"""Of rho."""


def drawn(seed: int) -> dict[str, float]:
    """Constants that the theorems admit, and prices."""
    rng = random.Random(seed)
    nu = rng.choice([0.0, 10 ** rng.uniform(-2, 0)])
    return {
        "G": 10 ** rng.uniform(-0.5, 0.5), "nu": nu, "rho": rng.uniform(0.05, 0.45) / max(nu, 0.5),
        "Delta_rho": 10 ** rng.uniform(-1, 1), "epsilon": 10 ** rng.uniform(-1, 0.5), "d_com": 1.0,
        "d_dev": rng.choice([0.02, 0.3]),
    }  # fmt: skip


def needed(id: str, given: dict[str, float]) -> float:
    """The fewest rounds, by plain numbers."""
    G, nu, rho, gap, goal = (given[k] for k in ("G", "nu", "rho", "Delta_rho", "epsilon"))
    if id in OWN:
        root = (
            -(2 * gap + 4 * G**2 * rho) + math.sqrt((2 * gap + 4 * G**2 * rho) ** 2 + 4 * gap * rho * goal)
        ) / (2 * gap)
        return max(1.0, math.ceil((1 - 1e-9) / root**2))
    eta = STEPS * rho
    left = goal - 2 * G**2 * eta / (rho * (1 - nu * rho))
    rounds = gap * (1 / rho + 1 / eta - 2 * nu) / (1 - nu * rho) / np.maximum(left, 1e-300)
    return max(1.0, math.ceil(float(np.where(left > 0, rounds, np.inf).min()) * (1 - 1e-9)))


@pytest.mark.parametrize("id", [*FREE, *OWN])
@pytest.mark.parametrize("seed", range(6))
def test_the_fewest_rounds_are_those_of_a_grid(id: str, seed: int) -> None:
    """One device and one sample are enough, as the bounds have neither; the cost is proved."""
    given = drawn(seed)
    best = fp.tune(id, **given)

    assert best.certified
    assert best.argmin["I"] == 1
    assert best.argmin.get("b", 1) == 1
    assert abs(best.argmin["T"] - needed(id, given)) <= 1 + 1e-7 * best.argmin["T"]
    assert best.objective == pytest.approx(best.argmin["T"] * (given["d_com"] + given["d_dev"]))


@pytest.mark.parametrize("id", [*FREE, *OWN])
def test_the_statement_admits_what_is_found_and_not_one_round_less(id: str) -> None:
    """The bound keeps the accuracy; with a round less it does not."""
    given = drawn(3)
    best = fp.tune(id, **given)
    asked: Any = fp.statement(id)
    point = {k: v for k, v in {**given, **best.argmin}.items() if k in asked.names}

    assert asked.check(**point).bound <= given["epsilon"]
    assert asked.check(**{**point, "T": point["T"] - 1}).bound > given["epsilon"]


def test_a_free_step_is_never_dearer_and_is_held_by_rho() -> None:
    """The general form admits the theorem's own step; a long one is held by eta <= rho."""
    for seed in range(6):
        given = drawn(seed)
        assert fp.tune(FREE[0], **given).objective <= fp.tune(OWN[0], **given).objective
    assert fp.tune(FREE[0], **{**drawn(0), "epsilon": 1e4}).active == ("eta <= rho",)


def test_what_is_found_runs_on_a_loss_with_kinks() -> None:
    """The call of `run` solves the local problems exactly, as the theorem asks."""
    for id in (FREE[0], FREE[1]):
        best = fp.tune(id, **{**drawn(2), "epsilon": 30.0})
        history = fp.run(problem=fp.problem("breast_cancer", clients=4, model="hinge"), **best.run)

        assert history.rounds == best.argmin["T"]
        assert not history.diverged


def test_constants_outside_the_theorem_are_named() -> None:
    """2 nu rho >= 1 is no case of Theorem 2."""
    with pytest.raises(fp.InputError, match="2 nu rho < 1"):
        fp.tune(FREE[0], **{**drawn(1), "nu": 1.0, "rho": 0.75})
