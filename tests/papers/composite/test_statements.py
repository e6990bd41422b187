"""The theorems and lemmas of composite federated learning against formulas typed from the page."""

from __future__ import annotations

from fractions import Fraction
from math import prod
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


def at(values: tuple[Fraction, ...]) -> dict[str, Any]:
    """The values by name, with mu and what the lemmas speak of."""
    found = dict(zip(NAMES, values, strict=True)) | {"mu": Q(1, 8), "G2": Q(3), "moved": Q(7)}
    return found | {
        "LamSq": Q(5) * found["n"],
        "Lam2": Q(5),
        "et": found["eta"] * found["eta_g"] * found["tau"],
    }


def noise(p: dict[str, Any]) -> Any:
    """sigma^2/(n tau b)."""
    return p["sigma2"] / (p["n"] * p["tau"] * p["b"])


def pulled(p: dict[str, Any]) -> Any:
    """L^2 eta~^2 B_g^2/eta_g^2."""
    return (p["L"] * p["et"] * p["B_g"] / p["eta_g"]) ** 2


def printed36(p: dict[str, Any]) -> Any:
    """Theorem 3.6, and repaired."""
    kept = (1 - p["mu"] * p["et"] / 3) ** int(p["R"])
    return kept * p["Omega1"] + (18 * noise(p) + 168 * pulled(p)) / p["mu"]


def inside(p: dict[str, Any]) -> Any:
    """n tau times the drift of a step, without a bound on subgradients."""
    own = 2 * p["et"] ** 2 * p["G2"] + 4 * p["Lam2"] + 8 * p["tau"] * p["eta"] ** 2 * p["sigma2"] / p["b"]
    return p["n"] * p["tau"] * own


def printed_drift(p: dict[str, Any]) -> Any:
    """(21)."""
    n, tau, step = p["n"], p["tau"], p["eta"] ** 2
    drift = 5 * tau**3 * step * n * 4 * p["B_g"] ** 2 + 5 * n * tau**3 * step * p["G2"] + 5 * tau * p["LamSq"]
    return drift + 10 * n * tau**2 * step * p["sigma2"] / p["b"]


def spread(p: dict[str, Any], drift: Any) -> Any:
    """Lemma A.2 with this drift, the movement on the right."""
    L, n, tau, step = p["L"], p["n"], p["tau"], p["eta"] ** 2
    moved = 2 * step * tau**2 * L**2 * p["moved"] + 4 * step * tau * L**2 * drift / n
    return moved + 4 * step * tau * p["sigma2"] / p["b"]


def sharpened35(p: dict[str, Any]) -> Any:
    """Theorem 3.5 sharpened, from its derivation."""
    share = Q("2.25") + Q("0.8") * p["n"] / p["eta_g"] ** 2
    return p["Omega1"] / (Q("0.47") * p["et"] * p["R"]) + share * noise(p)


def sharpened36(p: dict[str, Any]) -> Any:
    """Theorem 3.6 sharpened, from its derivation."""
    share = Q(10, 9) / p["mu"] * (1 + Q("0.46") * p["n"] / p["eta_g"] ** 2)
    return (1 - Q("0.9") * p["mu"] * p["et"]) ** int(p["R"]) * p["Omega1"] + share * noise(p)


def printed35(p: dict[str, Any]) -> Any:
    """Theorem 3.5."""
    return p["Omega1"] / (Q("0.3") * p["et"] * p["R"]) + 20 * noise(p) + 187 * pulled(p)


#: statements, and what they promise, typed from the page or from their derivation
PAGE = {
    "theorem3.5": printed35,
    "theorem3.5.sharpened": sharpened35,
    "theorem3.6": printed36,
    "theorem3.6.repaired": printed36,
    "theorem3.6.sharpened": sharpened36,
    "lemmaA1": printed_drift,
    "lemmaA2": lambda p: spread(p, printed_drift(p)),
    "lemmaA1.sharpened": lambda p: Q(5, 4) * inside(p),
    "lemmaA2.sharpened": lambda p: spread(p, Q(5, 4) * inside(p)),
    "lemmaA1.short.sharpened": lambda p: Q("1.15") * inside(p),
    "lemmaA2.short.sharpened": lambda p: spread(p, Q("1.15") * inside(p)),
}


def bound(id: str, **values: Any) -> float:
    """The bound that `check` promises."""
    letters = {letter.name for letter in catalog.statement(id).letters}
    found = fp.statement(id).check(**{k: str(v) for k, v in values.items() if k in letters})
    assert found.applicable, found.headline()
    assert found.bound is not None
    return found.bound


@pytest.mark.parametrize("values", POINTS)
@pytest.mark.parametrize("id", PAGE)
def test_a_bound_is_that_of_the_page(id: str, values: tuple[Fraction, ...]) -> None:
    """At three admissible points; a number of rounds in the exponent is exact."""
    given = at(values)

    assert bound(f"composite.{id}", **given) == pytest.approx(float(PAGE[id](given)), rel=1e-14)


def test_theorem_3_8_is_that_of_the_page() -> None:
    """At n = 16, eta_g = 4, mu_sc = L = 1 and the longest step: eta~ = 1/150."""
    et, n, tau, b, s, B, omega, R = Q(1, 150), 16, 2, 3, Q(5), Q(1, 2), Q(7), 50
    page = (1 - et / 3) ** R * omega + 30 * et * s / (n * tau * b) + 21 * et * B**2 / Q(16)
    given = {
        "L": 1, "n": n, "tau": tau, "b": b, "sigma2": s, "B_g": B, "mu_sc": 1, "eta": et / 8, "eta_g": 4,
        "Omega1_sc": omega, "R": R,
    }  # fmt: skip

    assert bound("composite.theorem3.8", **given) == pytest.approx(float(page), rel=1e-14)


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
    given = at(values)
    written = {name: str(given[name]) for name in NAMES} | {"R": "1e90"}
    found = fp.statement("composite.theorem3.5").check(**written)

    assert found.derived["res_sigma"] == pytest.approx(float(20 * noise(given)), rel=1e-14)
    assert found.derived["res_g"] == pytest.approx(float(187 * pulled(given)), rel=1e-14)
    assert found.bound == pytest.approx(found.derived["res_sigma"] + found.derived["res_g"], rel=1e-14)


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

    assert sum(map(prod, shapes)) == int(claim.left.doit()) == int(claim.right)
