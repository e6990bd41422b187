"""Theorem 5 and Corollary 6 of FLECS-CGD against rounds enumerated by the listing's lines in fractions."""

from __future__ import annotations

from fractions import Fraction as Fr
from typing import Any

import pytest

from fedproof.bounds.statement_handle import statement
from tests.papers.flecs.listing import mean_squared_gradient, rounds

ONE, ZERO = Fr(1), Fr(0)
#: w^2/2 + w and w^2/2 - w
TWO = ((ONE, ONE), (ONE, -ONE))


def measured(alpha: Any, gamma: Any, many: int, start: Any = ZERO, noise: Any = ZERO) -> Fr:
    """The metric with two workers, omega = 1, from h_0 = 0, exactly."""
    states = rounds((Fr(start), (ZERO, ZERO)), TWO, ONE, Fr(alpha), Fr(gamma), many - 1, Fr(noise))
    return mean_squared_gradient(states, TWO)


def letters(
    gamma: Any, c: Any, many: int, alpha: Any, start: Any = ZERO, noise: Any = ZERO
) -> dict[str, Any]:
    """The statements' letters there: h_*^i is -1 and 1."""
    kappa0 = Fr(start) ** 2 / 2 + Fr(c) * Fr(alpha) ** 2 / 2
    ones = dict.fromkeys(("L", "mu1", "mu2", "omega", "zeta2"), 1)
    return ones | {"n": 2, "sigma2": Fr(noise) ** 2, "gamma": gamma, "c": c, "K": many, "kappa0": kappa0}


@pytest.mark.parametrize("gamma", ["1/10", "1/4", "2/5"])
@pytest.mark.parametrize(("c", "factor"), [("1/100", 4), ("1/1000", 40), ("1/100000", 4000)])
def test_the_printed_theorem_is_exceeded_by_any_factor(gamma: str, c: str, factor: int) -> None:
    """From the solution and h_0 = 0, at shifts between both roots of T, the smaller c the more."""
    given = letters(gamma, c, 2, "1/2") | {"alpha": "1/2"}
    found = statement("flecs.theorem5").check(**given)

    assert found.applicable
    assert found.bound is not None
    assert measured("1/2", gamma, 2) == Fr(1, 16)
    assert Fr(1, 16) > factor * Fr(found.bound)
    assert not statement("flecs.theorem5.repaired").check(**given).applicable


def test_the_printed_corollary_is_exceeded() -> None:
    """Within Theorem 5's conditions, with the corollary's own step size and start."""
    given = letters("1/4", "1/1000", 4, Fr(1000, 2001))
    found = statement("flecs.corollary6").check(**given)

    assert found.applicable
    assert found.bound is not None
    assert measured(Fr(1000, 2001), "1/4", 4) > 14 * Fr(found.bound)
    assert not statement("flecs.corollary6.repaired").check(**given).applicable


@pytest.mark.parametrize("noise", [0, "1/2"])
@pytest.mark.parametrize(
    ("start", "c", "gamma"), [(0, 4, "1/4"), (1, 4, "1/4"), (2, 10, "2/5"), (1, 10, "1/10")]
)
def test_the_repaired_theorem_is_kept(start: int, c: int, gamma: str, noise: Any) -> None:
    """In exact expectation, over all messages and samples, as the proof ends and sharper."""
    many = 3
    alpha = min(Fr(1, 2), 1 / (1 + 2 * c * Fr(gamma)))
    given = letters(gamma, c, many, alpha, start, noise) | {"alpha": alpha}
    metric = measured(alpha, gamma, many, start, noise)
    for id in ("flecs.theorem5.repaired", "flecs.theorem5.sharpened"):
        found = statement(id).check(**given)
        assert found.applicable
        assert found.bound is not None
        assert metric <= Fr(found.bound)


@pytest.mark.parametrize("many", [1, 4])
@pytest.mark.parametrize("form", ["repaired", "units"])
def test_the_repaired_corollary_is_kept(form: str, many: int) -> None:
    """At its own step size after one round and after four."""
    c, gamma, root = Fr(4), Fr(1, 4), {1: 1, 4: 2}[many]
    alpha = 1 / ((1 + 2 * c * gamma) * root)
    found = statement(f"flecs.corollary6.{form}").check(**letters(gamma, c, many, alpha, 1))

    assert found.applicable
    assert found.bound is not None
    assert measured(alpha, gamma, many, 1) <= Fr(found.bound)


def test_in_other_units_of_the_loss_the_corollary_has_no_step_size() -> None:
    """Losses a thousand times as large have mu1 = 1/1000: 2 mu1 - 1 < 0; mu1 for it admits them."""
    scaled = letters("1/4", Fr(4, 10**6), 4, 1) | {"L": 1000, "mu1": "1/1000", "mu2": "1/1000"}

    assert not statement("flecs.corollary6.repaired").check(**scaled).applicable
    assert statement("flecs.corollary6.units").check(**scaled).applicable


def test_the_repaired_condition_is_needed() -> None:
    """The instance that breaks the printed theorem fails the repaired condition alone."""
    given = letters("1/4", "1/100", 2, "1/2") | {"alpha": "1/2"}
    found = statement("flecs.theorem5.repaired").check(**given).to_dict()

    assert [row["label"] for row in found["conditions"] if not row["holds"]] == ["c and gamma"]
