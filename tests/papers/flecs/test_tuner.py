"""The fewest bits under FLECS-CGD's Theorem 4: against random settings by formulas typed a second time."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import fedproof as fp
from fedproof.bounds.catalog import statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.compressors.natural import Natural
from fedproof.vocabulary.errors import InputError, MissingName

GIVEN: dict[str, Any] = {
    "L": 1, "mu": 0.2, "mu1": 1, "mu2": 1, "n": 20, "sigma2": 0, "gap": 1, "shift2": 2, "eps": 1e-5, "d": 60,
}  # fmt: skip


def needed(given: dict[str, Any], omega: float, alpha: float, gamma: float, c: float) -> float:
    """Rounds that Theorem 4 with conditions that suffice asks for; infinite outside them."""
    L, mu, m1, m2, n = (given[k] for k in ("L", "mu", "mu1", "mu2", "n"))
    rate = alpha * mu * m1 / 2
    admitted = (
        gamma * (1 + omega) <= 1 and rate <= 1 and omega / n <= c * (gamma - rate)
        and L**2 * m2**2 * alpha * (1 + 2 * omega / n + 2 * c * gamma) <= 1.5 * mu * m1
    )  # fmt: skip
    floor = ((omega + 1) / (2 * n) + gamma * c) * 2 * L * m2**2 * alpha / (mu * m1) * given["sigma2"]
    start = given["gap"] + c * L * m2**2 * alpha**2 * given["shift2"]
    left = given["eps"] - floor
    if not admitted or left <= 0:
        return math.inf
    return max(1.0, math.ceil(math.log(left / start) / math.log(1 - rate)))


@pytest.mark.parametrize("noise", [0.0, 0.001])
def test_no_random_setting_takes_clearly_fewer_bits(noise: float) -> None:
    """Of 4,000 random step sizes and weights for each of three compressors none beats the answer by 1 %."""
    given = {**GIVEN, "sigma2": noise, "eps": 1e-5 if not noise else 5e-3}
    best, rng = fp.tune("flecs", **given), random.Random(7)
    for compressor in (Natural(), Dithering(levels=1, norm="inf"), Dithering(levels=64, norm="inf")):
        omega = float(compressor.omega(60).value)
        bits = 2 * compressor.bits(60) + 32
        for _ in range(4000):
            alpha, c = 10 ** rng.uniform(-4, 1), 10 ** rng.uniform(-4, 2)
            gamma = rng.uniform(0.2, 1) / (1 + omega)
            assert needed(given, omega, alpha, gamma, c) * bits >= 0.99 * best.objective


def test_what_comes_out_is_admitted_and_counted() -> None:
    """The statement admits it with a bound of at most eps; one round less does not do; bits are bits."""
    best = fp.tune("flecs", **GIVEN)
    at, run = dict(best.argmin or {}), dict(best.run or {})
    q = Dithering(run["gradient_compressor.levels"], norm=run["gradient_compressor.norm"])
    omega = float(q.omega(60).value)
    known = {k: GIVEN[k] for k in ("L", "mu", "mu1", "mu2", "n", "sigma2")}
    start = GIVEN["gap"] + at["c"] * at["alpha"] ** 2 * GIVEN["shift2"]
    asked = StatementHandle(statement("flecs.theorem4.repaired"))
    assert at.pop("m") == run["memory"] == 1
    found = asked.check(**known, omega=omega, **at, Psi0=start)
    before = asked.check(**known, omega=omega, **{**at, "K": at["K"] - 1}, Psi0=start)

    assert found.applicable
    assert found.bound is not None
    assert found.bound <= GIVEN["eps"] < (before.bound or 0)
    assert best.objective == at["K"] * (2 * q.bits(60) + 32)
    assert best.lower_bound <= best.objective
    assert best.certified


def test_the_run_is_one_that_the_algorithm_takes() -> None:
    """Its hyper-parameters are those of `flecs_cgd`, and a few rounds stay finite."""
    problem = fp.problem("quadratic", clients=4, dimension=6, condition=2)
    given = {**GIVEN, "L": float(problem.constants["smoothness"].value), "n": 4, "d": 6, "eps": 1e-3}
    run = dict(fp.tune("flecs", **given).run or {})
    history = fp.run(run.pop("algorithm"), problem, **{**run, "rounds": 5})

    assert history.rounds == 5
    assert not history.diverged


def test_bad_input_is_one_line() -> None:
    """What is missing is named, and an accuracy out of reach is said to be that, with the cure."""
    with pytest.raises(MissingName, match="gap"):
        fp.tune("flecs", **{k: v for k, v in GIVEN.items() if k != "gap"})
    for wrong in ({"mu": 2}, {"mu1": 2}, {"m": 61}, {"d": 10.5}):
        with pytest.raises(InputError, match=f"^{next(iter(wrong))}: got"):
            fp.tune("flecs", **{**GIVEN, **wrong})
    with pytest.raises(InputError, match=r"1e\+15 rounds reach, not 9.21e\+15; .* lower sigma2"):
        fp.tune("flecs", **{**GIVEN, "sigma2": 1, "eps": 1e-14})


def test_a_wide_truncation_is_answered_or_refused_in_one_line() -> None:
    """A round that does next to nothing is no division by 0; the paper's own constants are out of reach."""
    found = fp.tune("flecs", **{**GIVEN, "mu1": "1e-3", "mu2": "1e2"})

    assert dict(found.argmin or {})["K"] > 1e12
    with pytest.raises(InputError, match="rounds reach"):
        fp.tune("flecs", **{**GIVEN, "mu1": "1e-8", "mu2": "1e5"})


def test_a_shift_step_that_is_as_good_as_none_is_answered() -> None:
    """A step size as near to 0 as one likes beside the longest alpha, whose decimals must be admitted."""
    given = {
        "L": 8, "mu": "0.000810384", "mu1": "0.807", "mu2": "1728233839005291/1125899906842624", "n": 223,
        "sigma2": "0.0153457", "eps": "7286463909115273/4611686018427387904",
        "gap": "5998794703657501/9007199254740992", "shift2": "4.90465", "d": 255,
    }  # fmt: skip
    best = fp.tune("flecs.theorem4", **given)

    assert (best.argmin["gamma"], best.certified) == (1e-100, True)


@pytest.mark.parametrize("id", ["flecs.theorem4", "flecs.theorem4.repaired"])
def test_a_start_at_the_accuracy_asks_for_more_than_a_step_of_no_length(id: str) -> None:
    """At gap = eps a step of 1e-17 brings and costs less than the last place; its rounds are not one."""
    given = {
        "L": 0.1, "mu": "7964597926606213/144115188075855872", "mu1": 1.93766, "n": 10, "d": 79, "gap": 0.5,
        "mu2": "7488540424395387/2251799813685248", "sigma2": "5072270953758419/72057594037927936",
        "eps": 0.5, "shift2": 0,
    }  # fmt: skip
    best = fp.tune(id, **given)

    # noise alpha (1/n) L mu2^2/(mu mu1) sigma2 against gap alpha mu mu1/2 a round: 0.0727/0.0268 rounds
    assert best.argmin["K"] >= 3


def test_the_longest_step_is_rounded_to_the_side_that_is_admitted() -> None:
    """As printed alpha is at most 5 mu mu1/(2 L^2 mu2^2 (1 + omega/n)), and best there."""
    given = {
        "L": "5404319552844595/9007199254740992", "mu": "1570855550026829/72057594037927936",
        "mu1": "4515196396410975/2251799813685248", "mu2": "4638707616191611/2251799813685248", "n": 22,
        "sigma2": 0, "eps": "3602879701896397/36028797018963968", "gap": 1, "shift2": "1/2", "d": 49,
    }  # fmt: skip
    best = fp.tune("flecs.theorem4", **given)

    # by hand: omega = 3, gamma = 1/4, alpha mu mu1/2 = 0.00137582, c = mu/(2 L gamma) = 0.07267,
    # Psi0 = 1 + c L mu2^2 alpha^2/2 = 1.000367; K >= log(Psi0/eps)/0.00137677 = 1672.7
    assert (best.argmin["K"], best.certified) == (1673, True)


@pytest.mark.parametrize(
    ("id", "given"),
    [
        ("theorem5.repaired", "L=2 mu1=1.08e-11 mu2=1.08e-11 shift2=1.22e18 eps=0.99 n=50 d=100 zeta2=1"),
        ("corollary6.repaired", "L=1e-8 mu1=1 mu2=1 shift2=1e30 eps=1e-3 n=2 d=10 zeta2=0"),
        ("theorem4.repaired", "L=1e-16 mu=1e-16 mu1=1 mu2=1 shift2=1e18 eps=0.99 n=2 d=10"),
    ],
)
def test_a_weight_that_is_as_good_as_none_stays_so_beside_far_shifts(id: str, given: str) -> None:
    """Where omega is 0 no c is too small: c L mu2^2 alpha^2 shift2 must not count beside the accuracy."""
    asked = dict(pair.split("=") for pair in given.split())
    assert fp.tune(f"flecs.{id}", **asked, gap=1, sigma2=0).certified
