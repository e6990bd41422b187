"""The theorems and lemmas of composite federated learning against formulas typed from the page."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.bounds import catalog

Q = Fraction
NAMES = ("L", "n", "tau", "b", "sigma2", "B_g", "eta", "eta_g", "Omega1", "R")
#: admitted by (13): L, n, tau, b, sigma2, B_g, eta, eta_g, Omega1, R
POINTS = (
    (Q(1), Q(18), Q(5), Q(4), Q(1), Q(1), Q(1, 100), Q(2), Q(1), Q(100)),
    (Q(3, 2), Q(1), Q(1), Q(1), Q(7, 3), Q(1, 10), Q(1, 30), Q(3, 2), Q(11), Q(7)),
    (Q(1, 7), Q(200), Q(10), Q(32), Q(0), Q(5), Q(1, 100), Q(5), Q(2, 9), Q(1000)),
)


def point(values: tuple[Fraction, ...]) -> dict[str, Fraction]:
    """The values by name."""
    return dict(zip(NAMES, values, strict=True))


def printed35(L, n, tau, b, s, B, eta, eta_g, omega, R):  # type: ignore[no-untyped-def]
    """Theorem 3.5, typed from the page."""
    et = eta * eta_g * tau
    return omega / (Q("0.3") * et * R) + 20 * s / (n * tau * b) + 187 * L**2 * et**2 * B**2 / eta_g**2


def printed36(mu, L, n, tau, b, s, B, eta, eta_g, omega, R):  # type: ignore[no-untyped-def]
    """Theorem 3.6, typed from the page."""
    et = eta * eta_g * tau
    rest = 18 * s / (mu * n * tau * b) + 168 * L**2 * et**2 * B**2 / (mu * eta_g**2)
    return (1 - mu * et / 3) ** int(R) * omega + rest


def sharpened35(L, n, tau, b, s, B, eta, eta_g, omega, R):  # type: ignore[no-untyped-def]
    """Theorem 3.5 sharpened, from its derivation."""
    return omega / (Q("0.47") * eta * eta_g * tau * R) + (Q("2.25") + Q("0.8") * n / eta_g**2) * s / (
        n * tau * b
    )


def sharpened36(mu, L, n, tau, b, s, B, eta, eta_g, omega, R):  # type: ignore[no-untyped-def]
    """Theorem 3.6 sharpened, from its derivation."""
    kept = (1 - Q("0.9") * mu * eta * eta_g * tau) ** int(R)
    return kept * omega + Q(10, 9) / mu * (1 + Q("0.46") * n / eta_g**2) * s / (n * tau * b)


def bound(id: str, **values: Any) -> float:
    """The bound that `check` promises."""
    letters = {letter.name for letter in catalog.statement(id).letters}
    found = fp.statement(id).check(**{k: str(v) for k, v in values.items() if k in letters})
    assert found.applicable, found.headline()
    assert found.bound is not None
    return found.bound


@pytest.mark.parametrize("values", POINTS)
def test_theorem_3_5_is_that_of_the_page(values: tuple[Fraction, ...]) -> None:
    """Printed and sharpened bounds at three admissible points."""
    assert bound("composite.theorem3.5", **point(values)) == pytest.approx(
        float(printed35(*values)), rel=1e-14
    )
    assert bound("composite.theorem3.5.sharpened", **point(values)) == pytest.approx(
        float(sharpened35(*values)), rel=1e-14
    )


@pytest.mark.parametrize("values", POINTS)
def test_theorem_3_6_is_that_of_the_page(values: tuple[Fraction, ...]) -> None:
    """Printed, repaired and sharpened bounds; a number of rounds in the exponent is exact."""
    given = point(values) | {"mu": Q(1, 8)}
    page = pytest.approx(float(printed36(Q(1, 8), *values)), rel=1e-14)

    assert bound("composite.theorem3.6", **given) == page
    assert bound("composite.theorem3.6.repaired", **given) == page
    assert bound("composite.theorem3.6.sharpened", **given) == pytest.approx(
        float(sharpened36(Q(1, 8), *values)), rel=1e-14
    )


def test_theorem_3_8_is_that_of_the_page() -> None:
    """At n = 16, eta_g = 4, mu_sc = L = 1 and the longest step: eta~ = 1/150."""
    et, n, tau, b, s, B, omega, R = Q(1, 150), 16, 2, 3, Q(5), Q(1, 2), Q(7), 50
    page = (1 - et / 3) ** R * omega + 30 * et * s / (n * tau * b) + 21 * et * B**2 / Q(16)
    given = {
        "L": 1,
        "n": n,
        "tau": tau,
        "b": b,
        "sigma2": s,
        "B_g": B,
        "mu_sc": 1,
        "eta": et / 8,
        "eta_g": 4,
        "Omega1_sc": omega,
        "R": R,
    }

    assert bound("composite.theorem3.8", **given) == pytest.approx(float(page), rel=1e-14)


@pytest.mark.parametrize("values", POINTS)
def test_the_lemmas_are_those_of_the_page(values: tuple[Fraction, ...]) -> None:
    """(21) and Lemma A.2, with the subtracted movement on the right."""
    L, n, tau, b, s, B, eta, *_ = values
    G2, lam_sq, moved = Q(3), Q(5), Q(7)
    drift = 5 * tau**3 * eta**2 * n * 4 * B**2 + 5 * n * tau**3 * eta**2 * G2 + 5 * tau * lam_sq
    drift += 10 * n * tau**2 * eta**2 * s / b
    spread = 2 * eta**2 * tau**2 * L**2 * moved + 4 * eta**2 * tau * L**2 * drift / n
    spread += 4 * eta**2 * n**2 * tau**2 * s / (n * tau * b) / n
    given = point(values) | {"G2": G2, "LamSq": lam_sq, "moved": moved}

    assert bound("composite.lemmaA1", **given) == pytest.approx(float(drift), rel=1e-14)
    assert bound("composite.lemmaA2", **given) == pytest.approx(float(spread), rel=1e-14)


@pytest.mark.parametrize("values", POINTS)
def test_the_lemmas_without_a_bound_on_subgradients(values: tuple[Fraction, ...]) -> None:
    """5/4 (1.15 for short steps) n tau (2 eta~^2 |G|^2 + 4 Lam2 + 8 tau eta^2 sigma^2/b), and Lemma A.2's."""
    L, n, tau, b, s, _, eta, eta_g, *_ = values
    G2, lam2, moved = Q(3), Q(5), Q(7)
    inside = 2 * (eta * eta_g * tau) ** 2 * G2 + 4 * lam2 + 8 * tau * eta**2 * s / b
    given = point(values) | {"G2": G2, "Lam2": lam2, "moved": moved}
    for variant, factor in (("", Q(5, 4)), (".short", Q("1.15"))):
        drift = factor * n * tau * inside
        spread = (
            2 * (eta * tau * L) ** 2 * moved + 4 * eta**2 * tau * L**2 * drift / n + 4 * eta**2 * tau * s / b
        )
        assert bound(f"composite.lemmaA1{variant}.sharpened", **given) == pytest.approx(
            float(drift), rel=1e-14
        )
        assert bound(f"composite.lemmaA2{variant}.sharpened", **given) == pytest.approx(
            float(spread), rel=1e-14
        )


def fails(id: str, **values: Any) -> list[str]:
    """Labels of the conditions that fail."""
    return [c.label for c, d in fp.statement(id).check(**values).conditions if not d.holds]


def test_the_edges_of_13_are_admitted_and_nothing_beyond() -> None:
    """eta~ = 1/(10 L), eta_g = 3/2 and n = 18 hold with equality."""
    edge = {"L": 1, "n": 18, "tau": 1, "eta": "1/15", "eta_g": "3/2"}

    assert fails("composite.theorem3.5", **edge) == []
    assert fails("composite.theorem3.5", **edge | {"eta": Q(1000, 14999)}) == ["(13) step"]
    assert fails("composite.theorem3.5", **edge | {"n": 19}) == ["(13) server"]
    assert fails("composite.theorem3.5", **edge | {"n": 1, "eta_g": "1.4999"}) == ["(13) server"]
    assert fails("composite.theorem3.5.sharpened", **edge | {"n": 10**6, "eta_g": 1}) == []
    assert fails("composite.theorem3.5.sharpened", **edge | {"eta_g": "0.999"}) == ["eta_g >= 1"]


def test_the_edges_of_the_other_conditions() -> None:
    """sqrt(20) is between 4.4721 and 4.4722; eta_g = sqrt(n) exactly; 150 L^2; mu = L."""
    lemma = {"L": 1, "n": 1, "tau": 1, "eta_g": 2}
    strongly = {"L": 2, "n": 16, "tau": 1, "mu_sc": "1/2", "eta": "1/4800", "eta_g": 4}
    pl = {"L": 1, "n": 1, "tau": 1, "eta": "1/100", "eta_g": 2}

    assert fails("composite.lemmaA1", **lemma, eta=Q(10000, 44722)) == []
    assert fails("composite.lemmaA1", **lemma, eta=Q(10000, 44721)) == ["eta~ <= eta_g/(sqrt(20) L)"]
    assert fails("composite.lemmaA1.short.sharpened", **lemma, eta="1/8") == []
    assert fails("composite.lemmaA1.short.sharpened", **lemma, eta=Q(100, 799)) == ["eta~ <= eta_g/(8 L)"]
    assert fails("composite.theorem3.8", **strongly) == []
    assert fails("composite.theorem3.8", **strongly | {"eta": "1/4799"}) == ["Theorem 3.8 step"]
    assert fails("composite.theorem3.8", **strongly | {"n": 17}) == ["Theorem 3.8 server"]
    assert fails("composite.theorem3.6.repaired", **pl, mu=1) == []
    assert fails("composite.theorem3.6.repaired", **pl, mu="1.01") == ["mu <= L"]
    assert fails("composite.theorem3.6", **pl, mu="1.01") == []
    assert fails("composite.theorem3.6", **pl | {"tau": "1/2"}, mu=1) == ["tau >= 1"]


@pytest.mark.parametrize("values", POINTS)
def test_a_check_tells_the_two_sources_of_the_residual(values: tuple[Fraction, ...]) -> None:
    """Variance and subgradients are told apart and add up to the bound of endless rounds."""
    given = {k: str(v) for k, v in point(values).items()} | {"R": "1e90"}
    found = fp.statement("composite.theorem3.5").check(**given)
    L, n, tau, b, s, B, eta, *_ = values

    assert found.derived["res_sigma"] == pytest.approx(float(20 * s / (n * tau * b)), rel=1e-14)
    assert found.derived["res_g"] == pytest.approx(float(187 * L**2 * (eta * tau) ** 2 * B**2), rel=1e-14)
    assert found.bound == pytest.approx(found.derived["res_sigma"] + found.derived["res_g"], rel=1e-14)


def test_the_sharpened_bounds_are_below_the_printed_ones() -> None:
    """At random points that (13) admits, in exact fractions, edges among them."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        n, tau, b, R = (int(rng.integers(1, 60)) for _ in range(4))
        L, s, B, omega, mu_share = (Q(int(rng.integers(1, 400)), 100) for _ in range(5))
        eta_g = max(Q(3, 2), Q(sqrt(n / 8)).limit_denominator(1000) + Q(1, 1000)) * int(rng.integers(1, 3))
        eta = 1 / (10 * L * eta_g * tau) / int(rng.integers(1, 4))
        values = (L, Q(n), Q(tau), Q(b), s, B, eta, eta_g, omega, Q(R))
        mu = min(L, L * mu_share / 4)
        assert sharpened35(*values) < printed35(*values)
        assert sharpened36(mu, *values) < printed36(mu, *values)


def test_the_start_potential_is_that_of_its_definition() -> None:
    """(10) at r = 1 with Lambda^1 = eta tau grad f_i(P), for random gradients."""
    rng = np.random.default_rng(1)
    n, tau, eta, eta_g, gap = 7, 5, 0.125, 2.5, 3.25
    gradients = rng.normal(size=(n, 4))
    spread = np.sum((eta * tau * (gradients - gradients.mean(0))) ** 2)
    zeta2 = np.mean(np.sum((gradients - gradients.mean(0)) ** 2, axis=1))
    found = fp.statement("composite.eq10.start").check(
        n=n, tau=tau, eta=eta, eta_g=eta_g, gap=gap, zeta2=zeta2
    )

    assert found.derived["Omega1"] == pytest.approx(gap + spread / (n * eta * eta_g * tau), rel=1e-13)


def test_the_network_has_the_printed_number_of_parameters() -> None:
    """Counted from arrays of the layers' shapes."""
    shapes = [
        (32, 1, 3, 3),
        (32,),
        (32, 32, 3, 3),
        (32,),
        (64, 32 * 7 * 7),
        (64,),
        (32, 64),
        (32,),
        (10, 32),
        (10,),
    ]
    claim: Any = catalog.statement("composite.section4.cnn").claim

    assert sum(np.empty(shape).size for shape in shapes) == int(claim.left.doit()) == int(claim.right)
