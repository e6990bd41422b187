"""The cheapest runs of FedProx and FedMSPP: against a grid and formulas typed a second time."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.solvers.cohort import Participation
from fedproof.tuning.branch_and_bound import MOST, CostModel, RoundBound, minimise_cost
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.result import jsonable

FIRST, OWN_FIRST = "fedprox.theorem1.general", "fedprox.theorem1.explicit"
THIRD, OWN_THIRD = "fedprox.theorem3.general.repaired", "fedprox.theorem3.repaired"
IDS = (FIRST, OWN_FIRST, THIRD, OWN_THIRD)
STEPS = np.geomspace(1e-4, 1, 20001)
"""Of the longest step."""


def needed(id: str, given: dict[str, float], I: int, b: int) -> float:  # noqa: E741
    """The fewest rounds on a grid of steps, or with the theorem's own step, by plain numbers."""
    L, G, gap, H2, goal = (given[k] for k in ("L", "G", "Delta", "H2", "epsilon"))
    spread = (G**2 / b + H2) / I
    if id == OWN_FIRST:
        return _own((6 * L * gap + 34 / 9 * G**2) / goal, I)
    if id == OWN_THIRD:
        return _own((32 * L * gap + 23 / 8 * G**2) / goal, G**2 / spread)
    if id == FIRST:
        eta = STEPS / (3 * L)
        left = goal - 4 * L**2 * G**2 * eta**2 - 10 * L * G**2 * eta / I
        rounds = np.where(left > 0, 2 * gap / (eta * np.maximum(left, 1e-300)), np.inf)
    else:
        eta = STEPS / (8 * L)
        left = goal - 16 * L**2 * G**2 * eta**2 - 21 * L * eta * spread
        rounds = np.where(left > 0, 4 * gap / (eta * np.maximum(left, 1e-300)), np.inf)
    return max(1.0, math.ceil(float(rounds.min()) * (1 - 1e-12)))


def _own(ratio: float, draws: float) -> float:
    """The least T with T^(-2/3) and 1/sqrt(T J) at most 1/ratio."""
    return float(max(1, math.ceil(max(ratio**1.5, ratio**2 / draws) * (1 - 1e-12))))


def enumerated(id: str, given: dict[str, float], devices: int, batch: int) -> float:
    """The least cost over all small I and b, one after the other."""

    def every() -> Iterator[float]:
        for I in range(1, devices + 1):  # noqa: E741  # the letter of the paper
            for b in range(1, batch + 1):
                work = b if id in (THIRD, OWN_THIRD) else given["samples"]
                yield needed(id, given, I, b) * (
                    given["d_com"] + I * (given["d_dev"] + work * given["d_smp"])
                )

    return min(every())


def drawn(seed: int) -> dict[str, float]:
    """Constants and prices."""
    rng = random.Random(seed)
    return {
        "L": 10 ** rng.uniform(-1, 1), "G": 10 ** rng.uniform(-0.5, 0.5), "Delta": 10 ** rng.uniform(-1, 1),
        "H2": rng.choice([0.0, 0.1, 1.0]), "epsilon": 10 ** rng.uniform(-1.5, 0.5), "d_com": 1.0,
        "d_dev": rng.choice([0.02, 0.3]), "d_smp": rng.choice([0.001, 0.05]), "samples": rng.choice([1, 40]),
    }  # fmt: skip


def asked(id: str, given: dict[str, float], **more: Any) -> Any:
    """The verb, with the letters that the theorem takes."""
    third = id in (THIRD, OWN_THIRD)
    return fp.tune(id, **{k: v for k, v in given.items() if k != "H2" or third}, **more)


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("seed", range(4))
def test_the_cheapest_is_that_of_enumeration(id: str, seed: int) -> None:
    """With at most 12 devices and 9 samples the grid finds nothing cheaper, and hardly anything as cheap."""
    given, batch = drawn(seed), 9 if id in (THIRD, OWN_THIRD) else 1
    caps = {"I_max": 12} | ({"b_max": batch} if batch > 1 else {})
    best, least = asked(id, given, **caps), enumerated(id, given, 12, batch)

    assert best.certified
    assert best.lower_bound <= best.objective <= least * (1 + 1e-12)
    assert least <= best.objective * (1.01 if id in (FIRST, THIRD) else 1 + 1e-9)


@pytest.mark.parametrize("id", IDS)
def test_nothing_lies_below_the_lower_bound(id: str) -> None:
    """Without caps no random numbers of devices and samples cost less."""
    given, rng = drawn(11), random.Random(5)
    best = asked(id, given)
    for _ in range(60):
        I, b = (math.ceil(10 ** rng.uniform(0, 4)) for _ in range(2))  # noqa: E741
        work = b if id in (THIRD, OWN_THIRD) else given["samples"]
        cost = needed(id, given, I, b) * (given["d_com"] + I * (given["d_dev"] + work * given["d_smp"]))
        assert cost >= best.lower_bound * (1 - 1e-9)


@pytest.mark.parametrize("id", IDS)
def test_the_statement_admits_what_is_found_and_not_one_round_less(id: str) -> None:
    """At the argmin the conditions hold and the bound keeps the accuracy; with fewer rounds none does."""
    given = drawn(3)
    best = asked(id, given)
    letters = {k: v for k, v in given.items() if k in ("L", "G", "Delta") or (k == "H2" and "3" in id)}
    names = [x for x in best.argmin if x != "eta" or id in (FIRST, THIRD)]
    point = {**letters, **{name: best.argmin[name] for name in names}}
    found: Any = fp.statement(id).check(**point)
    fewer: Any = fp.statement(id).check(**{**point, "T": point["T"] - 1, "eps": point["eps"] / 2})

    assert found.applicable
    assert found.bound <= given["epsilon"]
    assert fewer.bound > given["epsilon"]
    assert not fp.statement(id).check(**{**point, "eps": point["eps"] * 1.01}).applicable


def test_a_free_step_is_never_dearer_than_the_theorems() -> None:
    """The step of Theorem 1 is one of those that the general form admits, with a larger bound."""
    for seed in range(6):
        given = drawn(seed)
        assert asked(FIRST, given).objective <= asked(OWN_FIRST, given).objective


def test_a_long_step_is_held_by_its_condition() -> None:
    """For a large accuracy eta is at 1/(3 L), which is named; for a small one it is free."""
    assert asked(FIRST, {**drawn(0), "epsilon": 1e4}).active == ("3 L eta <= 1",)
    assert asked(FIRST, {**drawn(0), "epsilon": 1e-3}).active == ()


def test_fedmspp_says_what_fedprox_costs() -> None:
    """Where samples cost nothing FedProx is cheaper; where a device has many dear ones it is dearer."""
    given = {**drawn(1), "H2": 0.0, "d_dev": 0.0}
    cheap = asked(THIRD, {**given, "samples": 10, "d_smp": 0.0}, b_max=10)
    dear = asked(THIRD, {**given, "samples": 10**6, "d_smp": 0.01})
    plain = asked(FIRST, {**given, "samples": 10**6, "d_smp": 0.01})

    assert "is cheaper under fedprox.theorem1.general" in cheap.note
    assert f"is dearer under fedprox.theorem1.general: {plain.objective:.6g}" in dear.note


def test_what_is_found_runs() -> None:
    """The call of `run` runs, draws as the theorem does, and is JSON."""
    best = asked(THIRD, {**drawn(2), "epsilon": 30.0})
    history = fp.run(problem="robust", clients=6, **best.run)

    assert history.rounds == best.argmin["T"]
    assert history.participation["replacement"] is True
    assert best.run["participation"] == Participation(int(best.argmin["I"]), True, average="plain")
    assert json.loads(json.dumps(jsonable(best)))["run"]["participation"]["average"] == "plain"


@pytest.mark.parametrize("wrong", [{"samples": 1.5}, {"I_max": 0}, {"epsilon": 0}, {"L": "1e60"}])
def test_numbers_that_cannot_be_meant_are_refused(wrong: dict[str, Any]) -> None:
    """Parts of a sample, no device, no accuracy, a number beyond all magnitudes."""
    with pytest.raises(InputError):
        asked(FIRST, {**drawn(0), **wrong})


@pytest.mark.parametrize("seed", range(4))
def test_the_search_takes_samples_that_are_no_product(seed: int) -> None:
    """With draws I / (1/b + h), h > 0, the search ends at the least cost of all small numbers."""
    rng = random.Random(seed)
    spread, noise = rng.choice([0.05, 0.5]), 10 ** rng.uniform(-0.5, 0.5)
    found = RoundBound(
        lambda s, left: 5 / (s * left), lambda s, m: noise / m, 1.0, (0.1, 0.1),
        lambda steps, batch: steps / (1 / batch + spread),
    )  # fmt: skip
    costs = CostModel(1.0, rng.choice([0.01, 0.2]), 10 ** rng.uniform(-2, -1))
    pairs = [(t, b) for t in range(1, 60) for b in range(1, 31)]
    least = min(found.enough_rounds(0.1, found.samples(t, b)) * costs.of(t, b) for t, b in pairs)

    assert minimise_cost(found, costs, most_batch=30).cost == pytest.approx(least, rel=1e-12)
    assert minimise_cost(found, costs, most_batch=30).gap < 1e-9
    assert minimise_cost(found, costs, most_batch=30, most_steps=2).local_steps <= 2
    assert minimise_cost(found, costs, most_batch=MOST).cost <= least


def test_more_rounds_than_any_plan_has_are_refused() -> None:
    """L = G = Delta = 1e20 to 1e-20 takes no finite number of rounds in doubles: one line."""
    with pytest.raises(InputError, match=r"expected one that at most 1e\+15 rounds reach"):
        fp.tune("fedprox", L="1e20", G="1e20", Delta="1e20", epsilon="1e-20")
