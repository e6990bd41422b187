"""Square roots as values of letters: exact, and one line where they cannot be meant."""

from __future__ import annotations

import re
from fractions import Fraction
from math import sqrt

import pytest
import sympy as sp

from fedproof.bounds.statement_handle import statement
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.surd import Surd, product, rooted
from fedproof.vocabulary.values import parse_exact, parse_value
from tests.refusals import refused

CHAIN = statement("fedproxvr.lemma1.sarah")
ROUNDS = statement("composite.theorem3.6.rounds")
RUN = {
    "L": "1.33", "n": 8, "tau": 88, "b": 100, "sigma2": "0.04", "B_g": 1, "mu": 1, "eta": "0.0002",
    "eta_g": 2, "Omega1": "0.045", "eps_F": "358.47",
}  # fmt: skip


@pytest.mark.parametrize("root", ["sqrt(2)", "1/sqrt(3)", "sqrt(5/7)"])
def test_a_range_does_not_see_a_change_of_units(root: str) -> None:
    """L, lam and mu in other units: the same beta and tau, to the last digit of the exact ends."""
    plain = CHAIN.range("tau", L=1, lam="1/2", mu=20, beta=30, theta=1)
    scaled = CHAIN.range("tau", L=root, lam=f"{root}/2", mu=f"20*{root}", beta=30, theta=1)

    assert not plain.empty
    assert (scaled.exact, scaled.integers) == (plain.exact, plain.integers)


#: 40 digits of sqrt(2), rounded down
BELOW = "1.414213562373095048801688724209698078569"


@pytest.mark.parametrize(
    ("mu", "lam", "holds"),
    [
        ("sqrt(2)", BELOW, True), ("sqrt(2)", "sqrt(2)", False), ("sqrt(8)/2", "sqrt(2)", False),
        (BELOW, "sqrt(2)", False), ("sqrt(2)", 1, True), ("sqrt(2)", "sqrt(3)", False),
    ],
)  # fmt: skip
def test_a_condition_is_decided_exactly(mu: str, lam: object, holds: bool) -> None:
    """mu > lam where no double tells them apart."""
    found = CHAIN.check(L=1, lam=lam, mu=mu, beta=30, theta=1, tau=40)

    assert {c.label: d.holds for c, d in found.conditions}["mu > lam"] is holds


def test_a_bound_at_a_root_is_its_nearest_double() -> None:
    """Theorem 3.6's bound is eps_F itself; a letter that is counted is not whole."""
    found = ROUNDS.check(**RUN | {"eps_F": "100*sqrt(20)", "R": 3, "tau": "sqrt(7700)"})

    assert found.bound == 100 * sqrt(20)
    assert found.whole == {"n": True, "tau": False, "b": True, "R": True}


def test_a_sympy_number_is_read_like_its_text() -> None:
    """sqrt(20), which SymPy writes 2*sqrt(5)."""
    asked = {"lam": 0, "mu": 90, "beta": 30, "theta": 1}

    assert CHAIN.range("tau", L=sp.sqrt(20), **asked).exact == CHAIN.range("tau", L="sqrt(20)", **asked).exact


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"L": "-sqrt(2)"}, "L: got -sqrt(2), expected a number > 0"),
        ({"L": "1 + sqrt(2)"}, "write L=2.414213562373095, the nearest decimal"),
        ({"L": "sqrt(sqrt(2))"}, "write L=1.189207115002721, the nearest decimal"),
        ({"L": "sqrt(1e999)"}, "a root between 1e-100 and 1e100; rescale the question"),
        ({"theta": "sqrt(2)"}, "theta: got sqrt(2), expected a number > 0 and <= 1"),
    ],
)
def test_what_is_no_root_of_a_fraction_or_outside_a_domain_is_refused(
    values: dict[str, str], said: str
) -> None:
    """One line that says what to type."""
    asked = {"L": 1, "lam": 0, "mu": 20, "beta": 30, "theta": 1, "tau": 40}

    refused(InputError, re.escape(said), CHAIN.check, **asked | values)


def test_a_root_is_no_exponent() -> None:
    """The line of other numbers that are not whole."""
    said = "R: got sqrt(20), expected a whole number, for it is an exponent; write R=5"

    refused(InputError, re.escape(said), ROUNDS.check, **RUN | {"R": "sqrt(20)"})


@pytest.mark.parametrize(
    ("text", "square", "negative"),
    [("2*sqrt(5)", 20, False), ("-1/sqrt(2)", Fraction(1, 2), True), ("sqrt(2)^3", 8, False),
     ("(-sqrt(2))^-3", Fraction(1, 8), True), ("sqrt(6)/sqrt(3)", 2, False)],
)  # fmt: skip
def test_products_and_powers_of_roots_are_roots(text: str, square: Fraction, negative: bool) -> None:
    """Their squares are typed here."""
    assert parse_exact(text) == Surd(Fraction(square), negative)


@pytest.mark.parametrize("text", ["sqrt(2)*sqrt(8)", "sqrt(2)^2*2", "(0*sqrt(2)+2)^2"])
def test_roots_that_multiply_to_a_fraction_are_one(text: str) -> None:
    """And are fractions for whoever takes fractions alone."""
    assert parse_value(text) == 4


def test_roots_are_ordered_as_numbers() -> None:
    """Among fractions on either side of 0, beside doubles."""
    roots = [rooted(Fraction(k, 7)) for k in range(1, 30)]
    both = [*roots, *(product(Fraction(-1), r) for r in roots)]
    fractions = [Fraction(k, 5) for k in range(-12, 13)]

    for root in both:
        for at in fractions:
            assert (root < at, root > at) == (float(root) < float(at), float(root) > float(at))
