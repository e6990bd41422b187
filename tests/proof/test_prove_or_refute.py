"""Refuted, proved, vacuous or open: the one way in which a relation is settled, and its plants."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.bounds import catalog
from fedproof.bounds.claims import Claim, Exists, Implies, Monotone, Order
from fedproof.bounds.statement import Condition, Statement
from fedproof.papers.fedproxvr.notation import L, beta, lam, letters, mu, tau, theta
from fedproof.proof.counterexamples import find_counterexample
from fedproof.proof.decide import decide
from fedproof.proof.prove_or_refute import can_hold, prove_or_refute
from fedproof.proof.step import Step
from fedproof.validate.audit import judge
from fedproof.vocabulary.source import Source

x, y = sp.symbols("x y", real=True)


def planted(claim: Claim, *conditions: sp.Basic) -> Statement:
    """A statement with this claim about L, lam, mu, theta, mu > lam among its conditions."""
    relations = (mu > lam, *conditions)
    rows = tuple(Condition(str(r), r) for r in relations)
    return Statement("planted", "planted", Source("fedproxvr", "nowhere"), letters(L, lam, mu, theta), claim,
                     conditions=rows)  # fmt: skip


def test_what_follows_from_the_impossible_is_vacuous() -> None:
    """Contradictory hypotheses prove nothing that holds, for statements and for steps."""
    assert prove_or_refute([x > 1, x < 0], x > 5).verdict == "vacuous"
    assert judge(planted(Implies((mu > 1, mu < 0), mu > 5))).verdict == "vacuous"
    assert decide(Step(x > 5, given=(x > 1, x < 0))).verdict == "open"


def test_a_hypothesis_that_is_undefined_at_a_point_does_not_hold_there() -> None:
    """lam/mu = 0 is no hypothesis at mu = 0, so mu = 0 refutes nothing."""
    assert prove_or_refute([mu >= 0, lam >= 0, sp.Eq(lam / mu, 0)], mu > 0).verdict == "holds"


@pytest.mark.parametrize(
    ("hypotheses", "claim", "verdict"),
    [
        ([x >= 0], 1 / x >= 0, "open"),
        ([x >= -4, x < 0], sp.Le(0, sp.sqrt(x), evaluate=False), "open"),
        ([x >= 0], 1 / x >= 1, "refuted"),
    ],
)
def test_a_claim_is_not_refuted_where_it_is_undefined(
    hypotheses: list[sp.Basic], claim: sp.Basic, verdict: str
) -> None:
    """Neither a relation nor a step is: what refutes is a point at which both sides have a value."""
    found, step = prove_or_refute(hypotheses, claim), decide(Step(claim, given=tuple(hypotheses)))
    assert found.verdict == step.verdict == verdict
    assert all(evaluate_relation(claim, v.witness).defined for v in (found, step) if v.witness)


@pytest.mark.parametrize("low", [-1, 0])
def test_a_monotone_claim_is_not_refuted_where_it_is_undefined(low: int) -> None:
    """1/(mu - 1) falls from mu > 1 on; that it is undefined at mu = 1 is no two points that break it."""
    fall = Monotone(1 / (mu + low), mu, "decreasing")
    found = judge(replace(planted(fall), conditions=(Condition("x", mu >= -low),)))
    assert found.verdict != "refuted"


@pytest.mark.parametrize(
    "hypotheses",
    [
        [sp.Eq(x**2, 2), x > 0],
        [sp.Eq(x, sp.sqrt(y)), y > 0],
        [sp.Eq(x**2 + y**2, 1), x > 0, y > 0],
        [sp.Eq(sp.Max(x, y), 3)],
    ],
)
def test_equations_without_a_linear_symbol_break_nothing(hypotheses: list[sp.Basic]) -> None:
    """The search may find nothing; it never raises, and engines still say that the hypotheses can hold."""
    point = find_counterexample(hypotheses, x > 10**6)

    assert point is None or point["x"] <= 10**6
    assert can_hold(hypotheses) is True


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (Exists(letters(beta, tau), (beta > 3, tau <= 1 - mu)), "tau >= 0 fails at mu = 2"),
        (Exists(letters(beta, tau), (tau <= beta * lam, tau >= L)), "fails at lam = 0"),
        (Exists(letters(beta, tau), (tau >= beta, tau <= beta - 1)), "fails everywhere"),
        (Exists(letters(beta), (1 / beta > mu,)), "fails as beta grows"),
    ],
)
def test_false_existence_is_not_called_true(claim: Claim, why: str) -> None:
    """Domains and zeros count: what fails at some admissible values does not hold."""
    assert judge(planted(claim)).verdict in ("open", "refuted"), why


def test_true_existence_holds_by_growth() -> None:
    """One or two chosen symbols, with the bounds moving apart or the relations coming true."""
    assert (
        judge(planted(Exists(letters(beta, tau), (beta > 3, tau >= beta * L, tau <= beta**2)))).verdict
        == "holds"
    )
    assert judge(planted(Exists(letters(beta), (L / beta < mu,)))).verdict == "holds"


def test_orders_know_signs() -> None:
    """-beta^2 <= C beta is true; beta^2 is not O(beta); nor is 1/(mu - lam) bounded by 1/mu as mu falls."""
    assert judge(planted(Order(-(mu**2), mu, mu))).verdict == "holds"
    assert judge(planted(Order(mu**2, mu, mu))).verdict == "refuted"


def test_the_limit_moves_what_depends_on_the_symbol() -> None:
    """mu - lam is not held fixed while mu grows: 1/(mu - lam) = O(1/mu), and mu = O(mu - lam)."""
    printed = catalog.statement("fedproxvr.remark1.4.order")
    mt = printed.where[0].symbol
    shrinking = replace(printed, claim=Order(1 / mt, 1 / mu, mu))
    growing = replace(printed, claim=Order(mu**2, mt, mu))

    assert judge(shrinking).verdict == "holds"
    assert judge(growing).verdict == "refuted"
