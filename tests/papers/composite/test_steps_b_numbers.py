"""The numbers that refute composite's printed steps, by hand; the verdicts of its theorems."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sympy import Integer

from fedproof.bounds import catalog
from fedproof.papers.composite.notation import vartheta as letter_vartheta
from fedproof.proof.decide import decide
from fedproof.validate.proof_basis import basis, needs
from tests.papers.composite.rounds import Setup, run

BY_ID = {s.id.removeprefix("composite."): s for s in catalog.steps("composite")}


def point(id: str) -> dict[str, Fraction]:
    """The witness of a refuted step."""
    return {k: Fraction(v) for k, v in (decide(BY_ID[id]).witness or {}).items()}


def test_46_by_hand() -> None:
    """18 clients, f_i = g = 0: E Omega^2 is the spread of independent errors, and more than (46) grants."""
    p = point("eq46")
    n, step, eta_g = 18, Fraction(1, 10), Fraction(3, 2)
    eta = step / eta_g
    spread = eta**2 * (1 - Fraction(1, n))  # mean over i of E|mean of e - e_i|^2, variance 1

    assert (p["n"], p["eta_t"], p["eta_g"], p["eta"]) == (n, step, eta_g, eta)
    assert p["Om2"] == spread / step == Fraction(17, 405)
    assert p["eta_t"] * p["L"] <= Fraction(1, 10)
    assert eta_g**2 >= Fraction(n, 8)
    assert p["Om2"] > 6 * step / n + 56 * p["L"] ** 2 * step**3 / eta_g**2 * p["B_g"] ** 2


@pytest.mark.parametrize("id", ["eq45", "eq51"])
def test_45_and_51_by_hand(id: str) -> None:
    """The same instance: F = 0 before and after, the spread of independent errors, and no movement."""
    p = point(id)
    n, step, eta_g = 18, Fraction(1, 10), Fraction(3, 2)
    spread = (step / eta_g) ** 2 * (1 - Fraction(1, n))
    right = 6 * step**2 / n + 56 * p["L"] ** 2 * step**4 / eta_g**2 * p["B_g"] ** 2

    assert {k: p[k] for k in ("F0", "F1", "Fs", "G2", "moved", "LamSq")} == dict.fromkeys(
        ("F0", "F1", "Fs", "G2", "moved", "LamSq"), 0
    )
    assert (p["n"], p["eta_t"], p["eta_g"], p["eta"]) == (n, step, eta_g, step / eta_g)
    assert p["spread"] == spread == Fraction(17, 4050)
    assert spread > right


def test_46_by_running_the_algorithm() -> None:
    """The same by all outcomes of a round for 3 clients: E Omega^2 = (n-1)/n eta~ sigma^2/eta_g^2."""
    n, eta_g, eta = 3, 1.6, 0.05
    zero = np.zeros((n, 2, 2))
    noise = np.tile([1.0, 0.0], (n, 1))
    s = Setup(zero, np.zeros((n, 2)), noise, 0.0, eta, eta_g, 1, np.zeros(2), np.zeros((n, 2)))
    o = run(s)
    ends = [s.eta * -o.e[0][i] for i in range(n)]
    middle = sum(ends) / n
    spread = np.mean([np.mean(np.sum((x - middle) ** 2, 1)) for x in ends])

    assert spread / s.eta_t == pytest.approx((n - 1) / n * s.eta_t / eta_g**2)


def test_the_degenerate_case_by_hand() -> None:
    """mu = 3/eta~: nothing of the potential is left, and the residual 6 eta~ sigma^2/(n tau b) is less."""
    mu, eta_t, L, B_g, eta_g = Fraction(30), Fraction(1, 10), 1, Fraction(1, 10), Fraction(3, 2)
    third = 168 * (L * eta_t * B_g / eta_g) ** 2 / mu
    step = BY_ID["theorem3.6.degenerate"]

    assert mu * eta_t == 3
    assert mu > L
    assert Fraction(17, 405) > 18 / (mu * 18) + third
    assert decide(step).verdict == "proved"
    assert (
        decide(replace(step, claim=step.claim.func(step.claim.lhs / 2, step.claim.rhs))).verdict != "proved"
    )


@pytest.mark.parametrize("mu", [Fraction(1, 100), Fraction(1), Fraction(50)])
def test_prox_pl_fails_for_every_mu_by_hand(mu: Fraction) -> None:
    """l1 least squares at x = (0, 1/mu) with vartheta = 1: D_g(x, a)/2 is at most 1/2 on a fine grid of y."""
    M = 1 / mu
    for a in (mu, 1 + mu):
        grid = [M * Fraction(k, 400) for k in range(-400, 801)]
        lowest = min(a / 2 * (y - M) ** 2 + abs(y) - M for y in grid)

        assert -a * lowest <= Fraction(1, 2) < mu * M


@pytest.mark.parametrize("mu", [Fraction(1, 100), Fraction(1), Fraction(50)])
def test_by_how_much_it_fails_there(mu: Fraction) -> None:
    """The statement's vartheta^2/2 is reached: at M = vartheta/mu the minimiser in D_g is next to M."""
    vartheta, big = Fraction(3), 1 + mu
    M = vartheta / mu
    y = max(M - vartheta / big, Fraction(0))
    half = -big * (big / 2 * (y - M) ** 2 + vartheta * y - vartheta * M)
    claim: Any = catalog.statement("composite.prox_pl.global.least_squares").claim

    assert mu * vartheta * M - half == vartheta**2 / 2
    assert claim.relation == ">="
    assert Fraction(str(claim.expr.xreplace({letter_vartheta: Integer(3)}).doit())) == vartheta**2 / 2


def test_what_amends_theorem_36() -> None:
    """mu <= L, how clients draw and what is known of it, and Lipschitz gradients; no more."""
    conventions = {f"composite.convention.{x}" for x in ("independent", "lipschitz", "past")}
    extra = {
        r for r in needs(catalog.statement("composite.theorem3.6")) if not r.startswith("unstated: mu <= L")
    }

    assert extra <= conventions
    assert len(extra) < len(needs(catalog.statement("composite.theorem3.6")))


BOUNDED = "convention: on a bounded set of models"
PAST = "composite.convention.past"
LIPSCHITZ = "composite.convention.lipschitz"


@pytest.mark.parametrize(
    ("id", "conventions"),
    [
        ("section3.pl.least_squares", {BOUNDED, "convention: with L in D_g, as in [11]"}),
        (
            "section4.pl.logistic",
            {f"{BOUNDED}, with features that span the space, so that f is strongly convex there"},
        ),
        ("lemmaA1", {LIPSCHITZ, PAST}),
        ("lemmaA2", {LIPSCHITZ, PAST}),
        ("theorem3.8", {"composite.convention.independent", LIPSCHITZ, PAST}),
        ("theorem3.8.sharpened", set()),
        ("theorem3.5.any_server.sharpened", set()),
        ("lemmaA2.short.sharpened", set()),
    ],
)
def test_what_amends_the_printed_statements(id: str, conventions: set[str]) -> None:
    """The conventions of what is cited or left unsaid, and nothing else; the sharpened need none."""
    assert set(needs(catalog.statement(f"composite.{id}"))) == conventions


def test_sharpened_theorems_ask_for_the_inequality_of_11_alone() -> None:
    """Assumption 3.3(2) is no hypothesis of Theorem 3.6 sharpened, in any of its forms."""
    for id in ("theorem3.6.sharpened", "exact.pl", "theorem3.6.any_server.sharpened"):
        found = catalog.statement(f"composite.{id}")
        assert "composite.assumption3.3.2.weak" in found.assumptions
        assert "composite.assumption3.3.2" not in found.assumptions
        assert needs(found) == []
    printed = catalog.statement("composite.theorem3.6.repaired")
    assert "composite.assumption3.3.2.weak" not in basis(printed)["reasons"]
