"""Theorems 3.5 and 3.6 for any server step size: proofs, rounds of Algorithm 1 in fractions, falsehoods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import sympy as sp

import fedproof as fp
from fedproof.algebra.expressions import printed
from fedproof.papers.composite import notation as sy
from fedproof.papers.composite.proofs import any_server
from fedproof.papers.composite.proofs.descent import F0, F1
from fedproof.papers.composite.proofs.metric_relations import Fs
from fedproof.papers.composite.statements import strengthened_formulas as strong
from fedproof.proof.decide import decide
from tests.papers.composite.fractions_ import drawn, true_of

A, B = (f"composite.theorem{k}.any_server.sharpened" for k in ("3.5", "3.6"))


def server(random: Random) -> Fraction:
    """Server step sizes on both sides of 1."""
    return Fraction(random.choice((1, 2, 4, 8, 16)), 4)


def longest(share: Fraction, local: Fraction) -> Any:
    """eta~ = the smaller of share/L and local eta_g/L."""
    return lambda smooth, _, eta_g: min(share, local * eta_g) / smooth


def tiny(random: Random) -> Fraction:
    """Server step sizes far below 1."""
    return Fraction(1, random.choice((32, 64)))


def rounds(
    seed: int, many: int, share: Fraction, local: Fraction, server: Any = server
) -> Iterator[dict[Any, Any]]:
    """What the proofs' numbers are in rounds of this length."""
    for case in drawn(seed, many, longest(share, local), server):
        values = case.values()
        before, after, least = case.loses()
        values |= {F0: before, F1: after, Fs: least, sy.mu: values[sy.mu_sc]}
        noise = ((1 + strong.CARRIED) * strong.NOISE).xreplace(values).doit()
        yield values | {any_server.floor: sp.nsimplify(noise)}


def test_rounds_keep_every_bound() -> None:
    """30 rounds with server step sizes from 1/4 to 4, as long as is admitted: exact expectations."""
    tenth = Fraction(1, 10)
    claims = [s.claim for s in (any_server.HERE, any_server.ROUND35, any_server.ROUND36)]

    for values in rounds(1, 30, tenth, tenth):
        assert [c for c in claims if not true_of(c, values)] == []


def test_without_the_condition_on_local_steps_rounds_break() -> None:
    """Planted falsehood: eta~ <= 1/(10 L) alone, where eta_g <= 1/32 makes eta tau L 3 and more."""
    claim = any_server.ROUND35.claim
    tenth = Fraction(1, 10)

    assert any(not true_of(claim, v) for v in rounds(2, 200, tenth, Fraction(10), tiny))
    assert all(true_of(claim, v) for v in rounds(2, 15, tenth, tenth, tiny))


def test_a_whole_descent_is_not_kept() -> None:
    """Planted falsehood: eta~ |G|^2 in place of 19/40 of it, which a step of size eta~ cannot reach."""
    tenth = Fraction(1, 10)
    step = any_server.ROUND35
    with printed():
        whole = step.claim.xreplace({strong.DESCENT: sp.Integer(1)})
    assert whole != step.claim

    assert any(not true_of(whole, v) for v in rounds(3, 100, tenth, tenth))


def test_half_the_noise_is_not_proved() -> None:
    """Planted falsehood: 523/200 in place of 523/100 before the corrections' noise."""
    step = any_server.ROUND
    with printed():
        halved = step.claim.xreplace({sp.Rational(523, 100): sp.Rational(523, 200)})
    assert halved != step.claim

    assert decide(replace(step, claim=halved), briefly=True).verdict != "proved"


def test_the_potential_at_the_start() -> None:
    """With L = 2, eta = 1/100, eta_g = 1/2, tau = 4: 3 + (8/100)^2 (2/100) 5."""
    found = fp.statement("composite.any_server.start").check(
        L=2, n=3, tau=4, eta="1/100", eta_g="1/2", gap=3, zeta2=5
    )

    assert found.derived["Omega1_hat"] == pytest.approx(3 + 0.08**2 * 0.02 * 5, rel=1e-12)


def test_small_server_steps_are_admitted_and_long_local_ones_are_not() -> None:
    """eta_g = 1/5 with eta tau = 1/10 and L = 1 is admitted; a thousandth more is not."""
    numbers = {"L": 1, "n": 4, "tau": 5, "b": 1, "sigma2": 1, "eta_g": "1/5", "Omega1_hat": 1, "R": 10}

    for id, more in ((A, {}), (B, {"mu": "1/2"})):
        assert fp.statement(id).check(**numbers, **more, eta="1/50").applicable
        assert not fp.statement(id).check(**numbers, **more, eta="1001/50000").applicable
