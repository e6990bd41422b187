"""Verdicts on FedProxVR's remarks, and what refutes them, in hand-typed fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Implies, Monotone, Order
from fedproof.bounds.statement import Condition, Statement
from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedproxvr.notation import L, beta, lam, letters, mu, theta
from fedproof.papers.fedproxvr.proofs import heterogeneous as H
from fedproof.validate.audit import judge
from fedproof.vocabulary.source import Source


def lower(point: dict[str, Fraction]) -> Fraction:
    """(13), left, typed from the page."""
    b, m = point["beta"], point["mu"]
    top = 3 * (b**2 * point["L"] ** 2 + m**2)
    return top / (point["theta"] ** 2 * (m - point["lam"]) * point["L"] * (b - 3))


def upper(beta: Fraction) -> Fraction:
    """(13), right, typed from the page."""
    return (5 * beta**2 - 4 * beta) / 8


def test_remark_1_5_svrg_need_not_take_more_local_steps() -> None:
    """At the witness's constants the least beta of SVRG is larger, and its tau smaller, than SARAH's."""
    p = dict(judge(catalog.statement("fedproxvr.remark1.5.tau")).witness)
    constants = {k: p[k] for k in ("L", "lam", "mu", "theta")}
    least = statement("fedproxvr.lemma1.svrg").range("beta", **constants)
    beta_svrg = least.intervals[0][0]
    taus = statement("fedproxvr.lemma1.svrg").range("tau", beta=beta_svrg, **constants)

    assert lower(p) == upper(p["beta"])
    assert beta_svrg > p["beta"]
    assert taus.intervals[-1][1] < upper(p["beta"])


def test_a_planted_direction_of_an_optimum_is_refuted() -> None:
    """beta* does not grow with gamma."""
    printed = catalog.statement("fedproxvr.discussion1.beta.gamma")
    planted = replace(printed, claim=replace(printed.claim, direction="increasing"))

    assert judge(planted).verdict == "refuted"


def _planted(claim: object, *conditions: Condition) -> Statement:
    nowhere = Source("fedproxvr", "nowhere")
    return Statement(
        "planted", "planted", nowhere, letters(L, lam, mu, beta, theta), claim, conditions=conditions
    )


def test_planted_falsehoods_are_refuted() -> None:
    """A wrong direction, a wrong order and a wrong implication do not pass."""
    convex = Condition("mu > lam", mu > lam)

    assert judge(_planted(Monotone(mu**2 - 2 * mu, mu, "increasing"), convex)).verdict == "refuted"
    assert judge(_planted(Order(mu**2, mu, mu), convex)).verdict == "refuted"
    assert judge(_planted(Implies((mu > 0,), mu >= lam * 2), convex)).verdict == "refuted"
    assert judge(_planted(Implies((), mu > 0), convex)).verdict == "holds"


def test_a_falsehood_without_a_nice_witness_is_not_called_true() -> None:
    """Where no exact point is found, refutable engines leave the claim open, not holding."""
    narrow = Implies((mu**2 <= 2 + sp.Rational(1, 10**6), mu**2 >= 2), mu**2 < 2)

    assert judge(_planted(narrow, Condition("mu > lam", mu > lam))).verdict == "open"


POINT = {k: Fraction(v) for k, v in (H.NUMBERS | {"beta": "1000000", "tau": "600000000000"}).items()}
#: of two clients: the first one's weight, curvatures -l1 and c, the second one's lambda, and mu
WEIGHT, L1, C, LAM2, MU = (
    Fraction(1, 801),
    Fraction(9),
    Fraction(81, 80),
    Fraction(9, 800),
    Fraction(3601, 400),
)


def test_the_two_clients_that_refute_theorem_1_with_means_satisfy_everything() -> None:
    """Means, (5) and both radicals come out as said; Lemma 1 with one beta, with one step size for both."""
    curvature = (1 - WEIGHT) * C - WEIGHT * L1
    sigma = ((L1 + curvature) / curvature, (C - curvature) / curvature)
    common = {"mu": MU, "tau": POINT["tau"], "theta": POINT["theta"]}
    clients = ((L1, L1, 1), (C, LAM2, 1), (C, LAM2, Fraction(80, 9)))

    assert curvature == 1
    assert MU > L1 > 0
    assert WEIGHT * L1 + (1 - WEIGHT) * C == POINT["L"]
    assert WEIGHT * L1 + (1 - WEIGHT) * LAM2 == POINT["lam"]
    assert WEIGHT * sigma[0] ** 2 + (1 - WEIGHT) * sigma[1] ** 2 == Fraction(1, 8)
    for smooth, weak, more in clients:
        found = statement("fedproxvr.lemma1.sarah").check(
            L=smooth, lam=weak, beta=POINT["beta"] * more, **common
        )
        assert found.applicable


def returned(curvature: Fraction, eta: float) -> float:
    """The mean of the local model over t' = 0..tau, from w = 1, in closed form."""
    k, mu, tau = float(curvature), float(MU), float(POINT["tau"])
    best, lost = mu / (mu + k), (mu + k) * eta / (1 + eta * mu)
    powers = (1 - (1 - lost) ** (tau + 1)) / (lost * (tau + 1))
    return best + powers * (1 - best)


@pytest.mark.parametrize("smooth", [L1, C])
def test_their_run_breaks_17_at_one_round(smooth: Fraction) -> None:
    """The squared gradient at the new model exceeds what `check` returns, and so does (0..T-1) at T = 2."""
    steps = [1 / (float(POINT["beta"]) * float(x)) for x in (L1, smooth)]
    model = float(WEIGHT) * returned(-L1, steps[0]) + (1 - float(WEIGHT)) * returned(C, steps[1])
    given = {k: POINT[k] for k in ("L", "lam", "theta")}
    bound = statement("fedproxvr.theorem1").check(
        **given, sigma2=Fraction(1, 8), mu=MU, Delta=Fraction(1, 2), T=1
    )

    assert bound.applicable
    assert bound.bound is not None
    assert model**2 > 1.5 * bound.bound
    assert model**2 / 2 > 20 * 0.5
    assert 1 + model**2 > bound.bound


@pytest.mark.parametrize(("beta", "tau"), [(5, 10), (7, 20)])
def test_fig_2_is_within_the_bounds_of_sarah_and_not_of_svrg(beta: int, tau: int) -> None:
    """By the exact ranges of both statements at any other numbers."""
    svrg = statement("fedproxvr.lemma1.svrg").range("tau", L=1, lam="1/2", mu=100000, theta=1, beta=beta)

    assert tau <= upper(Fraction(beta))
    assert svrg.empty


def test_lemma_1_speaks_of_one_client() -> None:
    """With own L_n and lambda_n it is the same statement."""
    for variant in ("sarah", "svrg"):
        own = catalog.statement(f"fedproxvr.section3.heterogeneous.lemma1.{variant}")
        one = catalog.statement(f"fedproxvr.lemma1.{variant}")
        assert (own.claim, own.conditions, own.proof) == (one.claim, one.conditions, one.proof)
