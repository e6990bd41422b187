"""Theorem 3.8: its proof, rounds of Algorithm 1 in fractions that keep what it says, planted falsehoods."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from fedproof.algebra.expressions import printed
from fedproof.papers.composite.notation import L, eta_t, mu_sc
from fedproof.papers.composite.proofs import drift_mean, potential, theorem38
from fedproof.papers.composite.proofs.descent import ADDED
from fedproof.proof.decide import decide
from fedproof.proof.step import Step
from tests.papers.composite.fractions_ import Round, drawn, true_of
from tests.papers.planting import without

ROUNDS = (theorem38.HERE, theorem38.FOLDED, theorem38.ROUND, potential.SPREAD)


def longest(share: Fraction) -> Any:
    """eta~ = share mu_sc/L^2."""
    return lambda smooth, curved, _: share * curved / smooth**2


def test_rounds_keep_every_bound() -> None:
    """30 rounds with the longest step admitted: expectations over every sign of the noise, exactly."""
    for case in drawn(1, 30, longest(Fraction(1, 10))):
        values = case.values()
        assert [s.id for s in ROUNDS if not true_of(s.claim, values)] == []
    for case in drawn(2, 15, longest(Fraction(1, 150))):
        assert true_of(theorem38.ROUND_PRINTED.claim, case.values())


def test_the_oracle_is_the_algorithm_by_hand() -> None:
    """One client, f = x^2/2 - 2 x, no penalty, eta = 1/10, two steps from 0: x = 1/5, 19/50; then Lambda."""
    case = Round(
        curvatures=(Fraction(1),), slopes=(Fraction(2),), weight=Fraction(0), least=Fraction(-100),
        eta=Fraction(1, 10), eta_g=Fraction(1), tau=2, model=Fraction(0), corrections=(Fraction(0),),
        sigma=Fraction(0),
    )  # fmt: skip

    assert case.after((0, 0)) == (Fraction(19, 50), (Fraction(0),), Fraction(1, 25))
    assert case.solution == 2


def test_longer_steps_break_the_rounds() -> None:
    """Planted falsehood: eta~ = mu_sc/L^2, ten times as long; the algorithm itself does not keep it."""
    rounds = drawn(2, 200, longest(Fraction(1)))

    assert any(not true_of(theorem38.ROUND.claim, c.values()) for c in rounds)


@pytest.mark.parametrize("name", ["alone", "shared"])
def test_smaller_noise_constants_break_the_rounds(name: str) -> None:
    """Planted falsehood: 21/5 divided by five, or 3/5 by twenty, fails where only noise moves the model."""
    alone, shared = (Fraction(21, 25), Fraction(3, 5)) if name == "alone" else (Fraction(1), Fraction(3, 100))

    def breaks(case: Round) -> bool:
        still = replace(
            case, model=case.solution, sigma=Fraction(1), weight=Fraction(0), least=Fraction(-100)
        )
        start = tuple(
            still.mean_gradient(still.solution) - still.gradient(i, still.solution) for i in range(case.n)
        )
        still = replace(still, model=still.solution, corrections=start)
        values = still.values()
        noise = values[theorem38.dist1] + values[theorem38.spread] / 9
        here = float(still.size**2 / still.n / still.tau)
        return float(noise) > here * float(alone + shared * still.n / still.eta_g**2)

    assert any(map(breaks, drawn(4, 400, longest(Fraction(1, 10)))))


def test_halved_noise_of_second_order_is_refuted() -> None:
    """Planted falsehood: 3/2 in place of 3 before the squared errors, where 2 is needed."""
    step = theorem38.SECOND_ORDER
    with printed():
        low, high = step.claim.args
        halved = replace(step, claim=low <= high / 2)

    assert decide(halved).verdict == "refuted"


@pytest.mark.parametrize("reason", ["composite.assumption3.4.unbiased", "composite.convention.past"])
@pytest.mark.parametrize("step", [theorem38.SECOND_ORDER, drift_mean.APART], ids=lambda s: s.id)
def test_errors_must_be_centred(step: Step, reason: str) -> None:
    """Without orthogonality to what F_t tells, or where F_t tells less, the step is refuted by numbers."""
    assert decide(without(step, reason)).verdict == "refuted"


def test_clients_must_be_independent() -> None:
    """Two clients with the same errors: sigma^2 is not divided by n, and the round is off by that factor."""
    assert decide(without(ADDED, "composite.convention.independent")).verdict == "refuted"


def test_the_step_size_is_needed() -> None:
    """With eta~ <= mu_sc/L^2, and no more, the round is not proved."""
    with printed():
        loose = (L * eta_t <= 1, L**2 * eta_t <= mu_sc, mu_sc * eta_t <= 1)
    step = theorem38.ROUND
    given = tuple(h for h in step.given if h not in theorem38.SHORT) + loose

    assert decide(replace(step, given=given), briefly=True).verdict != "proved"


def test_server_step_sizes_below_one_are_not_claimed() -> None:
    """Rounds with eta_g = 1/4 and eta~ as long as the theorem admits break the bound on the drift."""

    def quarter(random: Random) -> Fraction:
        return Fraction(1, random.choice((4, 8)))

    rounds = drawn(5, 300, longest(Fraction(1, 10)), quarter)

    assert any(not true_of(theorem38.HERE.claim, c.values()) for c in rounds)
