"""The instance that breaks Theorem 3, by another route: every draw enumerated, every local problem solved."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from fedproof.bounds import catalog
from fedproof.bounds.statement_handle import statement
from fedproof.validate.audit import judge


def local(w: Fraction, sign: int, eta: Fraction) -> Fraction:
    """The minimiser of h(u) + sign u + (u - w)^2/(2 eta), h(u) = u^2/2 up to 1 and |u| - 1/2 beyond.

    Its derivative rises, so the piece in which it is 0 is looked for.
    """
    inside = (w - sign * eta) / (1 + eta)
    if abs(inside) <= 1:
        return inside
    side = 1 if inside > 1 else -1
    return w - eta * (side + sign)


def mean_squared_gradient(eta: Fraction, rounds: int) -> Fraction:
    """(1/T) sum of E|h'(w_t)|^2 over t = 0..T - 1, one of two devices drawn a round."""
    total = Fraction(0)
    for t in range(rounds):
        for draws in product((1, -1), repeat=t):
            w = Fraction(0)
            for sign in draws:
                w = local(w, sign, eta)
            total += max(min(w, Fraction(1)), Fraction(-1)) ** 2 / 2**t
    return total / rounds


@pytest.mark.parametrize("eta", [Fraction(1, 8), Fraction(1, 100)])
def test_the_lower_bound_of_the_proof_holds(eta: Fraction) -> None:
    """The mean over the rounds is at least the level less what the start takes away, at most the level."""
    rounds = 9
    level, start = eta / (2 + eta), ((1 + eta) / (2 + eta)) ** 2 / rounds
    assert level - start <= mean_squared_gradient(eta, rounds) <= level


def test_the_printed_bound_is_exceeded_where_the_true_one_is_not() -> None:
    """By the closed form of E w_t^2, which the enumeration confirms, at the witness of the audit."""
    eta, rounds, b = Fraction(1, 10000), 20000, 1000

    def second(t: int, eta: Fraction = eta) -> Fraction:
        return eta / (2 + eta) * (1 - (1 + eta) ** (-2 * t))

    small = Fraction(1, 8)
    assert sum(second(t, small) for t in range(9)) / 9 == mean_squared_gradient(small, 9)
    kept = 1 / (1 + float(eta)) ** 2
    measured = float(eta / (2 + eta)) * (1 - (1 - kept**rounds) / (1 - kept) / rounds)
    given = {"L": 1, "G": 2, "Delta": 0, "T": rounds, "I": 1, "b": b, "eta": eta, "eps": Fraction(1, 10**15)}
    printed = statement("fedprox.theorem3.general").check(**given)
    mended = statement("fedprox.theorem3.general.repaired").check(
        **given | {"H2": 1, "eps": Fraction(1, 10**20)}
    )
    assert printed.applicable
    assert printed.bound < measured
    assert mended.applicable
    assert measured < mended.bound


def test_no_constant_is_enough_for_the_rate() -> None:
    """Along the family the measured mean over the printed rate grows as the index does."""
    ratios = []
    for n in (4, 8, 16):
        eta, rounds = Fraction(1, 8 * n), n**3
        kept = 1 / (1 + float(eta)) ** 2
        measured = float(eta / (2 + eta)) * (1 - (1 - kept**rounds) / (1 - kept) / rounds)
        ratios.append(measured / (4 / n**2))
        assert ratios[-1] >= n / 136
    assert ratios[1] / ratios[0] > 1.7
    assert ratios[2] / ratios[1] > 1.7
    assert judge(catalog.statement("fedprox.theorem3")).verdict == "refuted"
