"""Verdicts on FedProxVR's remarks; every refutation is re-checked here by hand-typed fractions."""

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
from fedproof.validate.audit import audit, judge
from fedproof.vocabulary.errors import UnknownName
from fedproof.vocabulary.source import Source


def lower(point: dict[str, Fraction], beta: str = "beta", mu: str = "mu") -> Fraction:
    """(13), left, typed from the page."""
    b, m = point[beta], point[mu]
    top = 3 * (b**2 * point["L"] ** 2 + m**2)
    return top / (point["theta"] ** 2 * (m - point["lam"]) * point["L"] * (b - 3))


def upper(beta: Fraction) -> Fraction:
    """(13), right, typed from the page."""
    return (5 * beta**2 - 4 * beta) / 8


def test_remark_1_4_the_lower_bound_can_fall_as_mu_grows() -> None:
    """At the witness two values of mu show it, by hand-typed fractions."""
    p = dict(judge(catalog.statement("fedproxvr.remark1.4.monotone")).witness)

    assert p["lam"] < p["mu"] < p["mu_later"]
    assert p["beta"] > 3
    assert lower(p) > lower(p, mu="mu_later")


def test_remark_1_3_the_tau_of_16_is_not_the_smallest() -> None:
    """(15) holds at beta, yet another beta admits a smaller tau."""
    p = dict(judge(catalog.statement("fedproxvr.remark1.3.tau.everywhere")).witness)

    assert lower(p) == upper(p["beta"])
    assert lower(p, "beta2") <= p["tau2"] <= upper(p["beta2"])
    assert p["tau2"] < upper(p["beta"])


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


def test_remark_1_1_no_beta_serves_svrg_at_some_constants() -> None:
    """At the witness even the friendliest a leaves the upper bound below the lower one, for every beta."""
    p = dict(judge(catalog.statement("fedproxvr.remark1.1.svrg")).witness)
    # (14) implies tau^2 <= (5/128) beta^2, since a >= 16 tau;
    # the lower bound is at least 3 L beta/(theta^2 (mu - lam))
    slope = 3 * p["L"] / (p["theta"] ** 2 * (p["mu"] - p["lam"]))

    assert slope**2 > Fraction(5, 128)


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


def test_an_unknown_id_is_refused() -> None:
    """The nearest known id is offered."""
    with pytest.raises(UnknownName, match=r"fedproxvr\.remark2\.1"):
        audit("fedproxvr.remark2.1x")
