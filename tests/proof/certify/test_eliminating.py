"""Weights of hypotheses in claims linear in numbers are found term by term, and falsehoods stay open."""

from __future__ import annotations

from typing import Any

import sympy as sp

import fedproof as fp
from fedproof.proof.certify.apart import linear
from fedproof.proof.certify.eliminating import eliminated
from fedproof.proof.rules.normalise_step import meant, normalised
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Step, times

L, s, F0, F1, G, D, S = sp.symbols("L s F0 F1 G D S", real=True)
i, n = sp.symbols("i n", real=True)
x = sequence("x", nonnegative=True)
SIZES = (L > 0, s > 0, L * s <= sp.Rational(1, 10), G >= 0, D >= 0)
#: a step falls but for a drift, which a step's length and the gradient bound; the spread follows the drift
FALL = F1 <= F0 - s / 2 * G + s * L**2 * D
SPREAD = S <= L * s * S / 2 + 3 * s**2 * L**2 * D
DRIFT = (1 - L**2 * s**2) * D <= 2 * s**2 * G


def step(constant: Any, *given: Any) -> Step:
    """A round of a potential: its fall by a constant times s G."""
    return Step(F1 + s * L**2 * D <= F0 - constant * s * G, (*SIZES, *given), rule="sum")


ROUND = step(sp.Rational(2, 5), FALL, DRIFT)


def weights(asked: Step) -> list[dict[int, sp.Expr]]:
    """The ways that are proposed: weights by place."""
    return [{k: sp.factor(u.factor) for k, u in uses} for uses, _ in eliminated(meant(normalised(asked)))]


def test_what_a_term_lacks_gives_the_weight() -> None:
    """A fall enters once, and what bounds the drift with what the drift's coefficient is of its own."""
    (found,) = weights(ROUND)

    assert found == {5: 1, 6: sp.factor(2 * s * L**2 / (1 - L**2 * s**2))}
    assert fp.decide(ROUND).verdict == "proved"


def test_more_than_the_hypotheses_give_is_not_proved() -> None:
    """With 12/25 for 2/5 what is left of G is negative: no way is proposed and nothing is proved."""
    too_much = step(sp.Rational(12, 25), FALL, DRIFT)

    assert weights(too_much) == []
    assert fp.decide(too_much, briefly=True).verdict != "proved"


def test_weights_that_are_given_are_kept() -> None:
    """What has a weight enters with it, and the rest is found beside it."""
    given = step(sp.Rational(2, 5), times(1, FALL), DRIFT)

    assert weights(given)[0][5] == 1


def test_numbers_with_a_product_are_not_both_apart() -> None:
    """Of L s D no two are terms of their own; a number of conditions alone is none."""
    found = linear(meant(normalised(ROUND)))

    assert found.names == {F0, F1, G, D}
    assert found.signed == {G, D}


def test_sums_stand_beside_numbers() -> None:
    """A term summed over a range is cancelled as a number is."""
    mean = Step(
        total(x(i), i, 1, n) / n <= F0,
        (n >= 1, s > 0, total(x(i), i, 1, n) <= s * D, s * D <= n * F0),
        rule="sum",
    )

    assert fp.decide(mean).verdict == "proved"
