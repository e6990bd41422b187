"""The cheapest run by branch and bound, against enumeration; `tune` on composite, against its theorems."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest

import fedproof as fp
from fedproof.tuning.branch_and_bound import CostModel, RoundBound, minimise_cost
from fedproof.vocabulary.errors import InputError, MissingName, UnknownName
from tests.refusals import refused

CONSTANTS: dict[str, Any] = {"L": 2, "n": 12, "sigma2": 3, "Omega1": "7/2", "eps": "1/5"}
PRICES: dict[str, Any] = {"d_com": "1/2", "d_cmp": "1/50", "d_smp": "1/500"}
IDS: dict[str, dict[str, Any]] = {
    "composite.theorem3.5": {"B_g": 1},
    "composite.theorem3.5.sharpened": {},
    "composite.theorem3.6.repaired": {"B_g": 1, "mu": "1/10"},
    "composite.theorem3.6.sharpened": {"mu": "1/10"},
    "composite.theorem3.8.sharpened": {"mu_sc": "1/10", "Omega1_sc": "7/2", "Omega1": None},
}


def constants_of(id: str) -> dict[str, Any]:
    """What a theorem takes, eps left out."""
    return {k: v for k, v in {**CONSTANTS, **IDS[id]}.items() if k != "eps" and v is not None}


def _longest_step(id: str) -> Fraction:
    """1/(10 L), or mu_sc/(10 L^2)."""
    return Fraction(1, 400) if "3.8" in id else Fraction(1, 20)


def harmonic(start: float, noise: float) -> RoundBound:
    """start / (step R) + noise / samples <= 1, with one step."""
    return RoundBound(lambda s, left: start / (s * left), lambda s, m: noise / m, 1.0, (0.1, 0.1))


def enumerated(round_bound: RoundBound, costs: CostModel, cap: int, most_steps: int) -> float:
    """The least cost over all small numbers, one after the other."""
    pairs = ((t, b) for t in range(1, most_steps + 1) for b in range(1, cap + 1))
    return min(round_bound.enough_rounds(0.1, t * b) * costs.of(t, b) for t, b in pairs)


@pytest.mark.parametrize("seed", range(8))
def test_the_cheapest_is_that_of_enumeration(seed: int) -> None:
    """With and without a cap on the batch the search ends at the least cost, and proves it."""
    rng = random.Random(seed)
    round_bound = harmonic(10 ** rng.uniform(-1, 2), 10 ** rng.uniform(-1, 0.7))
    costs = CostModel(10 ** rng.uniform(-1, 1), rng.choice([0.0, 0.01, 1.0]), 10 ** rng.uniform(-2, 0))

    capped, free = minimise_cost(round_bound, costs, most_batch=6), minimise_cost(round_bound, costs)

    assert capped.cost == pytest.approx(enumerated(round_bound, costs, 6, 80), rel=1e-12)
    assert free.cost == pytest.approx(enumerated(round_bound, costs, 500, 3), rel=1e-12)
    assert max(capped.gap, free.gap) < 1e-9
    assert free.local_steps == 1


def test_a_smaller_step_is_found_where_it_is_cheaper() -> None:
    """With a residual that rises with the step the search finds the best step, as a fine grid does."""
    round_bound = RoundBound(
        lambda s, left: math.log(4 / left) / s, lambda s, m: s * (1 + 1 / m), 1.0, (1e-9, 2.0)
    )
    found = minimise_cost(round_bound, CostModel(1.0, 0.0, 0.5))
    grid = (
        round_bound.enough_rounds(k / 10_000, m) * (1 + 0.5 * m)
        for k in range(1, 20_000)
        for m in (1, 2, 3, 4)
    )

    assert found.lower_bound <= min(grid) == found.cost


def test_an_accuracy_out_of_reach_has_no_cost() -> None:
    """Where no batch under the cap pays, local steps do; where nothing does, the cost is infinite."""
    assert minimise_cost(harmonic(1, 50), CostModel(1, 0, 0), most_batch=2).local_steps > 25
    never = RoundBound(lambda s, left: 1 / left, lambda s, m: 2.0, 1.0, (1.0, 1.0))
    assert math.isinf(minimise_cost(never, CostModel(1, 0, 0)).cost)


#: an awkward L, of which 1/(10 L) is no decimal; full gradients; an accuracy that only a tiny step reaches
ODD: list[tuple[str, dict[str, Any]]] = [
    ("3.5.sharpened", {"L": "0.528", "n": 100, "sigma2": 0, "Omega1": "2.489", "eps": "0.131"}),
    ("3.8", {"L": "0.504", "n": 5, "sigma2": 0, "B_g": "0.216", "Omega1_sc": "0.325", "mu_sc": "0.0504",
             "d_com": 10, "eps": "0.045", "b_max": 7}),
    ("3.8", {"L": 1, "n": 4, "sigma2": 1, "B_g": 1000, "Omega1_sc": 1, "mu_sc": "0.1", "eps": "1e-7"}),
]  # fmt: skip
ASKED = [(id, constants_of(id) | PRICES | {"eps": "1/5"} | cap) for id in IDS for cap in ({}, {"b_max": 4})]
ASKED += [(f"composite.theorem{id}", values) for id, values in ODD]


@pytest.mark.parametrize(("id", "values"), ASKED)
def test_tuned_numbers_keep_their_promise(id: str, values: dict[str, Any]) -> None:
    """The theorem applies to the decimals that `tune` gives, and its bound there is at most eps."""
    best, eps = fp.tune(id, **values), float(Fraction(values["eps"]))
    assert best.argmin is not None
    constants = {k: v for k, v in values.items() if k not in (*PRICES, "eps", "b_max")}

    check = fp.statement(id).check(**constants, **best.argmin)

    assert check.applicable == ("do not satisfy" not in best.note)  # where eta_g is the root of n
    assert not check.applicable or (check.bound is not None and check.bound <= eps)
    assert best.argmin["b"] <= values.get("b_max", math.inf)
    assert 0 < best.lower_bound <= best.objective
    if eps == 0.2:
        assert check.bound is not None
        assert check.bound > 0.19
        assert best.objective <= best.lower_bound * 1.001
    if "d_com" in values and constants["sigma2"] == 0:
        assert best.gap < 1e-9


@pytest.mark.parametrize("id", IDS)
def test_no_admissible_numbers_are_cheaper(id: str) -> None:
    """Random admissible runs that keep the accuracy cost at least the lower bound."""
    constants = constants_of(id)
    rng, best = random.Random(5), fp.tune(id, **constants, eps="1/5", **PRICES)
    kept = 0
    for _ in range(150):
        tau, b = rng.choice([1, 2, 5]), int(10 ** rng.uniform(1, 4))
        server, R = Fraction(round(10 ** rng.uniform(0.3, 3))), int(10 ** rng.uniform(1.5, 4.5))
        eta = _longest_step(id) / server / tau * rng.choice([1, Fraction(9, 10)])
        check = fp.statement(id).check(**constants, tau=tau, b=b, eta=eta, eta_g=server, R=R)
        if check.applicable and check.bound is not None and check.bound <= 0.2:
            kept += 1
            assert R * (0.5 + tau * (0.02 + b * 0.002)) >= best.lower_bound
    assert kept > 10


def test_the_sharpened_theorem_is_cheaper() -> None:
    """Under the sharpened theorem the same accuracy costs less, and both say which conditions bind."""
    printed = fp.tune("composite", **CONSTANTS, **PRICES, B_g=1)
    sharp = fp.tune("composite", form="sharpened", **CONSTANTS, **PRICES)

    assert sharp.objective < 0.7 * printed.objective
    assert (printed.form, sharp.form) == ("printed", "sharpened")
    assert "(13) step" in sharp.active


def test_the_run_is_ready() -> None:
    """`run` takes what `tune` gives as it stands."""
    best = fp.tune("composite", form="sharpened", L=1, n=4, sigma2=0, Omega1=1, eps=1)
    assert best.run is not None

    history = fp.run(problem=_lasso(), **best.run)

    assert history.rounds == best.run["rounds"]


def _lasso() -> Any:
    from fedproof.problems.composite.composite import Composite
    from fedproof.problems.composite.penalties.l1 import L1
    from fedproof.problems.quadratics.quadratic import Quadratic

    return Composite(Quadratic.of([[[1]]] * 4, [[-1]] * 4, sizes=[1] * 4).as_float(), L1("1/4"))


@pytest.mark.parametrize(
    ("values", "error", "said"),
    [
        ({"eps": 0}, InputError, "eps: got 0"),
        ({"b_max": "1.5"}, InputError, "a whole number"),
        ({"n": "2.5"}, InputError, "whole"),
        ({"lam": 1}, UnknownName, "lam"),
        ({"smoothness": 1}, InputError, "L once"),
        ({"form": "short"}, UnknownName, "form"),
        ({"L": 0}, InputError, "L: got 0"),
    ],
)
def test_bad_input(values: dict[str, Any], error: type[Exception], said: str) -> None:
    """What cannot be meant is one line that names it."""
    refused(error, said, fp.tune, "composite", **{**CONSTANTS, "B_g": 1, **values})


def test_what_is_missing_is_named() -> None:
    """A constant that the theorem needs is asked for by its letter."""
    refused(MissingName, "B_g", fp.tune, "composite", **CONSTANTS)
    refused(InputError, "sharpened", fp.tune, "composite.theorem3.5.sharpened", form="printed", **CONSTANTS)


def test_constants_that_fail_the_theorem_are_refused() -> None:
    """mu > L is no question of step sizes: the condition is named."""
    refused(InputError, "mu <= L", fp.tune, "composite.theorem3.6.sharpened", **CONSTANTS, mu=3)
    refused(InputError, "above its L", fp.tune, "composite.theorem3.6", **CONSTANTS, B_g=1, mu=100)


def test_a_cost_without_rounds_and_a_letter_without_use() -> None:
    """Samples alone may cost; B_g is taken by the sharpened theorem, which has no use for it."""
    best = fp.tune("composite", form="sharpened", **CONSTANTS, B_g=1, d_com=0, d_smp=1)

    assert best.certified
    assert best.argmin is not None
    assert best.objective == best.argmin["R"] * best.argmin["tau"] * best.argmin["b"]
