"""Sec. 3: assumption (5), the proximal operator, heterogeneous L_n and lambda_n; verdicts and oracles."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
import sympy as sp
from numpy.typing import NDArray

from fedproof.bounds import catalog
from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.proofs import heterogeneous as H
from fedproof.papers.fedproxvr.proofs import section3 as S
from fedproof.proof.decide import decide
from fedproof.proof.notation import steps_of
from fedproof.proof.step import Step
from fedproof.validate.audit import judge
from tests.papers.fedproxvr.paths import World, agrees
from tests.papers.fedproxvr.worlds import changed, clients, lengths, world
from tests.papers.planting import scaled, without


@pytest.mark.parametrize("step", steps_of(S), ids=lambda s: s.id)
@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_section_3_is_so_in_random_rounds(step: Step, seed: int) -> None:
    """What it assumes and claims holds of three clients, or of quadratics with one minimiser."""
    c = clients(seed)
    rng = np.random.default_rng(seed)
    at_start = c.at(c.start)
    sizes, h = np.array([3.0, 5.0, 2.0]), rng.uniform(0, 2, 3)
    here = changed(
        world(c, 1),
        D=sizes, F=h, S=sizes * h, D_all=sizes.sum(), client=2, weight=1 / 3,
        Bd=sqrt((lengths(at_start) ** 2).mean() / lengths(at_start.mean(0)) ** 2),
        V_n=lengths(at_start[1] - at_start.mean(0)) ** 2,
        hn=h[0] + h.mean() + 0.1, hbar=h.mean(), s0=2.0, point=3.0 / (h[0] + 0.1), eta=0.3,
    )  # fmt: skip
    free, x = rng.normal(size=2), rng.normal(size=2)
    prox = 0.3 / (1 + 0.3 * c.mu) * (c.mu * c.start + x / 0.3)
    rows = np.ones((4, 1))
    vectors = {**here.vectors, "free": rows * free, "given_point": rows * x, "prox": rows * prox}
    if step.id.endswith("variance"):
        vectors |= {"x": at_start, "m": np.tile(at_start.mean(0), (3, 1))}
    if step.id.endswith("stationary"):
        vectors |= {"bar": 0 * rows * free, "grad": 0 * rows * free}

    assert agrees(step, [World(here.numbers, vectors, here.sequences)]) == 1


def test_the_prox_is_the_least_point_found_by_descent() -> None:
    """(10) against a numerical minimiser of (9)."""
    mu, eta, start, x, w = 2.0, 0.3, 1.5, -0.7, 0.0
    for _ in range(200):
        w -= 0.2 * (mu * (w - start) + (w - x) / eta)

    assert w == pytest.approx(eta / (1 + eta * mu) * (mu * start + x / eta))


def test_5_excludes_convex_quadratics_with_different_minimisers() -> None:
    """F_1 = (w-1)^2, F_2 = (w+1)^2: at w = 0 no sigma_n bounds |2| by sigma_n times 0."""
    assert decide(S.STATIONARY).verdict == "proved"
    assert abs(2 * (0 - 1)) > 0 == (2 * (0 - 1) + 2 * (0 + 1)) / 2


POINT = {k: Fraction(v) for k, v in (H.NUMBERS | {"beta": "1000000", "tau": "600000000000"}).items()}


def witness() -> tuple[Fraction, ...]:
    """Weights, curvatures, lambdas and mu, typed by hand."""
    return Fraction(1, 801), Fraction(9), Fraction(81, 80), Fraction(9, 800), Fraction(3601, 400)


def factor(L: float, mt: float, mu: float, theta: float, sigma2: float) -> float:
    """Theta, typed from the page."""
    kept = 1 - theta * sqrt(2 * (1 + sigma2)) - 2 * L / mt * sqrt((1 + theta**2) * (1 + sigma2))
    return (kept - 2 * L * mu / mt**2 * (1 + theta**2) * (1 + sigma2)) / mu


def test_the_witness_is_two_clients_that_satisfy_everything() -> None:
    """Means, (5) and both radicals come out as said, in fractions."""
    p, l1, c, lam2, mu = witness()
    curvature = (1 - p) * c - p * l1
    sigma = ((l1 + curvature) / curvature, (c - curvature) / curvature)

    assert curvature == 1
    assert mu > l1 > 0
    assert p * l1 + (1 - p) * c == POINT["L"]
    assert p * l1 + (1 - p) * lam2 == POINT["lam"]
    assert p * sigma[0] ** 2 + (1 - p) * sigma[1] ** 2 == Fraction(1, 8)
    assert (1 + POINT["theta"] ** 2) * (1 + Fraction(1, 8)) == Fraction(15, 14) ** 2
    assert 2 * (1 + Fraction(1, 8)) == Fraction(3, 2) ** 2


@pytest.mark.parametrize("beta2", [POINT["beta"], POINT["beta"] * 9 * Fraction(80, 81)])
def test_both_clients_satisfy_lemma_1(beta2: Fraction) -> None:
    """With one beta, and with one step size for both, which is another beta for client 2."""
    _, l1, c, lam2, mu = witness()
    common = {"mu": mu, "tau": POINT["tau"], "theta": POINT["theta"]}
    lemma = statement("fedproxvr.lemma1.sarah")

    assert lemma.check(L=l1, lam=l1, beta=POINT["beta"], **common).applicable
    assert lemma.check(L=c, lam=lam2, beta=beta2, **common).applicable


def returned(curvature: Fraction, eta: float, mu: float, tau: float) -> float:
    """The mean of the local model over t' = 0..tau, from w = 1, in closed form."""
    k = float(curvature)
    best, lost = mu / (mu + k), (mu + k) * eta / (1 + eta * mu)
    powers = (1 - (1 - lost) ** (tau + 1)) / (lost * (tau + 1))
    return best + powers * (1 - best)


@pytest.mark.parametrize("eta2", ["own", "common"])
def test_the_run_breaks_17_at_one_round(eta2: str) -> None:
    """The squared gradient at the new model exceeds what `check` returns, and F grows."""
    p, l1, c, _, mu = witness()
    beta, tau = float(POINT["beta"]), float(POINT["tau"])
    eta = 1 / (beta * float(l1))
    first = returned(-l1, eta, float(mu), tau)
    second = returned(c, eta if eta2 == "common" else 1 / (beta * float(c)), float(mu), tau)
    model = float(p) * first + (1 - float(p)) * second
    bound = statement("fedproxvr.theorem1").check(
        L=POINT["L"],
        lam=POINT["lam"],
        sigma2=Fraction(1, 8),
        mu=mu,
        theta=POINT["theta"],
        Delta=Fraction(1, 2),
        T=1,
    )

    assert bound.applicable
    assert bound.bound is not None
    assert model**2 > 1.5 * bound.bound
    assert model**2 / 2 > 20 * 0.5
    # the other index range, s = 0..T-1, fails at T = 2
    assert 1 + model**2 > bound.bound


def test_the_closed_form_is_what_the_algorithm_does() -> None:
    """Lines 4 to 10 step by step at few steps."""
    mu, eta, k, w, tau = 9.0, 0.01, -8.5, 1.0, 300
    models = []
    for _ in range(tau + 1):
        models.append(w)
        w = eta / (1 + eta * mu) * (mu * 1.0 + (w - eta * k * w) / eta)

    assert returned(Fraction(-17, 2), eta, mu, tau) == pytest.approx(np.mean(models))


@pytest.mark.parametrize("seed", range(20))
def test_the_steps_bound_runs_of_any_two_clients(seed: int) -> None:
    """The lower bound on the new model, in exact runs of a few steps."""
    rng = np.random.default_rng(seed)
    p, l1, c = (Fraction(int(x), 20) for x in rng.integers(1, 19, 3))
    mu, tau = l1 + Fraction(int(rng.integers(1, 9)), 10), int(rng.integers(0, 30))
    eta = 1 / (int(rng.integers(3, 9)) * l1)
    eta2 = min(eta, 1 / c)
    low, model = Fraction(0), Fraction(0)
    for weight, k, step in ((p, -l1, eta), (1 - p, c, eta2)):
        w, total = Fraction(1), Fraction(0)
        for _ in range(tau + 1):
            total += w
            w = step / (1 + step * mu) * (mu + (w - step * k * w) / step)
        best, r = mu / (mu + k), (1 - step * k) / (1 + step * mu)
        model += weight * total / (tau + 1)
        low += weight * (best - (best - 1) / ((tau + 1) * (1 - r)) if k < 0 else best)

    assert model >= low


def test_lemma_1_speaks_of_one_client() -> None:
    """With own L_n and lambda_n it is the same statement."""
    for variant in ("sarah", "svrg"):
        own = catalog.statement(f"fedproxvr.section3.heterogeneous.lemma1.{variant}")
        one = catalog.statement(f"fedproxvr.lemma1.{variant}")
        assert (own.claim, own.conditions, own.proof) == (one.claim, one.conditions, one.proof)


def test_a_counterexample_must_satisfy_the_statement() -> None:
    """With a condition that the instance breaks, or a step that is open, nothing is refuted."""
    broken = catalog.statement("fedproxvr.section3.heterogeneous.theorem1")
    condition = broken.conditions[0]
    turned = replace(condition, relation=sp.Lt(*condition.relation.args))
    unknown = replace(condition, relation=sp.Symbol("somewhere", real=True) > 0)

    assert judge(replace(broken, conditions=(turned,))).verdict == "open"
    assert judge(replace(broken, conditions=(*broken.conditions, unknown))).verdict == "open"
    assert judge(replace(broken, counterexample=broken.counterexample[:-1])).verdict == "open"


def heterogeneous(rng: np.random.Generator) -> tuple[NDArray[np.float64], ...]:
    """Weights, curvatures, L_n, lambda_n of clients in one dimension with F_n = h w^2/2."""
    weights = rng.dirichlet(np.ones(3))
    h = rng.uniform(0.05, 0.3, 3)
    h[0] = -rng.uniform(0.5, 3)
    weights = np.array([0.004, 0.5, 0.496]) if rng.random() < 0.5 else weights * [0.01, 1, 1]
    weights = weights / weights.sum()
    return weights, h, np.abs(h), np.maximum(-h, 0.001)


def test_the_repaired_means_survive_what_breaks_the_printed_ones() -> None:
    """(87) with both Theta: random clients, one concave, solved exactly or as badly as (11) allows."""
    rng = np.random.default_rng(0)
    printed = repaired = 0
    for _ in range(4000):
        p, h, smooth, weak = heterogeneous(rng)
        mean = float(p @ h)
        mu = float(weak.max() * (1 + 10 ** rng.uniform(-4, 1.5)))
        if mean <= 0:
            continue
        sigma2 = float(p @ ((h - mean) / mean) ** 2)
        theta = float(rng.choice([0.01, 0.1]))
        wrong = rng.choice([-1, 0, 1], 3) * theta * np.abs(h)
        new = float(p @ ((mu * 1.0 + wrong) / (mu + h)))
        fall = mean / 2 * (1 - new**2)
        theta_printed = factor(float(p @ smooth), mu - float(p @ weak), mu, theta, sigma2)
        reach = float(p @ ((1 + ((h - mean) / mean) ** 2) / (mu - weak) ** 2)) / (1 + sigma2)
        theta_repaired = factor(sqrt(float(p @ smooth**2)), 1 / sqrt(reach), mu, theta, sigma2)
        printed += theta_printed > 0 and fall < theta_printed * mean**2
        if theta_repaired > 0:
            repaired += 1
            assert fall >= theta_repaired * mean**2 * (1 - 1e-12)
            worst = factor(smooth.max(), mu - weak.max(), mu, theta, sigma2)
            assert theta_repaired >= worst - 1e-12

    assert printed > 20
    assert repaired > 200


@pytest.mark.parametrize(
    "step",
    [
        scaled(S.B_TO_5, sp.Rational(1, 2)),
        scaled(S.EQ10, sp.Integer(2)),
        scaled(S.EQ2, sp.Integer(2)),
        without(S.VARIANCE, "meaning"),
        scaled(H.GEOMETRIC, sp.Integer(2)),
        replace(H.SECOND, claim=sp.Ge(H.m1, 1, evaluate=False)),
    ],
    ids=lambda s: s.id,
)
def test_planted_falsehoods_are_refuted(step: Step) -> None:
    """Constants doubled or halved, a mean that is none, a client that stands still."""
    assert decide(step, briefly=True).verdict == "refuted"
