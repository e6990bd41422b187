"""Theorem 4 of FLECS-CGD against a round computed here, by the listing's lines in fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fedproof.bounds.statement_handle import statement


def lyapunov(alpha: Fraction, gamma: Fraction, weight: Fraction, rounds: int) -> Fraction:
    """Psi after some rounds: one worker with w^2/2, exact messages, A = 1, w_0 = 1, h_0 = 0."""
    w, h = Fraction(1), Fraction(0)
    for _ in range(rounds):
        g = w
        c = g - h
        sent, h = c + h, h + gamma * c
        w = w - alpha * sent
    return w**2 / 2 + weight * alpha**2 * h**2


def values(alpha: Fraction, gamma: Fraction, weight: Fraction, rounds: int) -> dict[str, object]:
    """The statements' letters for that instance."""
    ones = dict.fromkeys(("L", "mu", "mu1", "mu2", "n"), 1)
    given = {"alpha": alpha, "gamma": gamma, "c": weight, "omega": "1/100", "sigma2": 0, "Psi0": "1/2"}
    return ones | given | {"K": rounds}


def test_the_printed_bound_is_exceeded_in_the_first_round() -> None:
    """At the longest steps that the printed conditions admit the Lyapunov function is far above its bound."""
    alpha, gamma = Fraction(19, 10), Fraction(1, 2)
    weight = min((1 - alpha / 2 - Fraction(1, 100)) / (1 - gamma), 1 / (2 * gamma))
    found = statement("flecs.theorem4").check(**values(alpha, gamma, weight, 1))
    assert found.applicable
    assert found.bound is not None
    assert lyapunov(alpha, gamma, weight, 1) > 19 * Fraction(found.bound)
    assert not statement("flecs.theorem4.repaired").check(**values(alpha, gamma, weight, 1)).applicable


@pytest.mark.parametrize("alpha", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_the_repaired_bound_is_kept(alpha: Fraction) -> None:
    """For as long as its conditions hold, over twenty rounds."""
    gamma, weight = Fraction(9, 10), Fraction(1, 10)
    for rounds in range(1, 21):
        found = statement("flecs.theorem4.repaired").check(**values(alpha, gamma, weight, rounds))
        assert found.applicable
        assert found.bound is not None
        assert lyapunov(alpha, gamma, weight, rounds) <= found.bound
