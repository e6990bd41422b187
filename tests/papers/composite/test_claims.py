"""The claims between the theorems of composite federated learning, and falsehoods planted beside them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from sympy import Integer, Rational

import fedproof as fp
from fedproof.algebra.expressions import printed
from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound, Identity, Implies, Monotone, Order
from fedproof.bounds.statement import Statement
from fedproof.papers.composite.notation import b, eta_t, eta_t2, vartheta
from fedproof.papers.composite.statements import discussion as d
from fedproof.papers.composite.statements import dominates as m
from fedproof.papers.composite.statements import experiments as e
from fedproof.papers.composite.statements import formulas as f
from fedproof.validate.claims.bound import judge as judge_bound


def verdict(statement: Statement) -> str:
    """What the judge of its kind says."""
    judge: Any = import_module(f"fedproof.validate.claims.{statement.claim.kind}").judge
    return str(judge(statement).verdict)


with printed():
    PLANTED = [
        (d.UNIFORM_35, Implies((), d.RESIDUAL35 <= 186 * d.ORDER35)),
        (d.UNIFORM_36, Implies((), d.RESIDUAL36 <= 167 * d.ORDER36)),
        (d.BATCH_35, Monotone(f.THEOREM35_VARIANCE, b, "increasing")),
        (d.STEP_36, Monotone(f.THEOREM36_SUBGRADIENTS, eta_t, "decreasing")),
        (d.BATCH_35_ORDER, Order(f.THEOREM35_VARIANCE, 1 / b**2, b)),
        (d.SQUARE_35, Identity(f.THEOREM35_SUBGRADIENTS * eta_t2, f.THEOREM35_SUBGRADIENTS * eta_t)),
        (d.FULL_35, Implies((), d.FULL35.then)),
        (m.RESIDUAL35, Implies((), f.SHARP35_VARIANCE <= f.THEOREM35_VARIANCE / 3)),
        (m.RESIDUAL36, Implies((), f.SHARP36_VARIANCE <= f.THEOREM36_VARIANCE / 4)),
        (m.FACTOR36, Implies((), f.FACTOR <= f.SHARP_FACTOR)),
        (m.SIGN36, Implies((), f.SHARP_FACTOR <= 0)),
    ]


@pytest.mark.parametrize(("statement", "claim"), PLANTED, ids=lambda x: getattr(x, "id", ""))
def test_a_planted_falsehood_is_refuted(statement: Statement, claim: Any) -> None:
    """A constant too small, a direction turned, an order too good: each is refuted, not left open."""
    assert verdict(replace(statement, claim=claim)) == "refuted"


def test_another_number_of_parameters_does_not_hold() -> None:
    """One parameter less is not earned."""
    assert verdict(replace(e.CNN, claim=Identity(f.CNN_SIZE, Integer(112393)))) != "holds"


def test_the_residual_of_8_n_over_eta_g_squared_is_where_the_comparison_ends() -> None:
    """Without the server's condition of (13) the sharpened residual can exceed the printed one."""
    assert verdict(replace(m.RESIDUAL35, conditions=m.RESIDUAL35.conditions[:-1])) == "refuted"


def test_amendments_name_what_they_amend_and_know_no_bound_on_subgradients() -> None:
    """Ids begin with the printed one's; sharpened and exact have neither the letter nor the assumption."""
    for s in catalog.statements("composite"):
        if s.id.endswith((".sharpened", ".repaired")):
            assert s.amends is not None
            assert s.id.startswith(f"{s.amends}.")
            assert "not in the paper" in s.source.where
        if s.id.endswith(".sharpened") or s.id.startswith("composite.exact"):
            assert "B_g" not in {x.name for x in s.letters}
            assert "composite.assumption3.1" not in s.assumptions


def soft(at: Fraction, by: Fraction) -> Fraction:
    """The proximal point of by |x|."""
    return max(abs(at) - by, Fraction(0)) * (1 if at > 0 else -1)


def two_rounds(start: Fraction, rounds: int, c: Fraction = Fraction(2)) -> list[tuple[Fraction, Fraction]]:
    """Models of the algorithm and of FedDA with eta~ = 1/10, (x - c)^2/2 and |x|."""
    step = Fraction(1, 10)
    ours, dual, model = start, start, start
    seen = []
    for r in range(1, rounds + 1):
        ours = soft(ours - step * (ours - c), step)
        dual = dual - step * (model - c)
        model = soft(dual, r * step)
        seen.append((ours, model))
    return seen


def test_fedda_and_the_algorithm_part_in_the_second_round() -> None:
    """Both recursions by hand from x = -2/9: 1/10 against 0; a larger distance is not earned."""
    statement = catalog.statement("composite.fedda.apart")
    ours, theirs = two_rounds(Fraction(-2, 9), 2)[-1]
    claim: Any = statement.claim

    assert two_rounds(Fraction(-2, 9), 2) == [(0, 0), (Fraction(1, 10), 0)]
    assert claim.relation == ">="
    assert claim.expr == (ours - theirs) ** 2
    for other in (
        Bound("squared_difference", Rational(1, 99), ">="),
        Bound("squared_difference", claim.expr),
    ):
        assert judge_bound(replace(statement, claim=other)).verdict == "open"


def test_fedda_and_the_algorithm_agree_while_the_sign_stays() -> None:
    """From x = 5 and from x = 1/2 no entry is held at zero: five rounds alike, as the statements have it."""
    for start in (Fraction(5), Fraction(1, 2)):
        assert all(ours == theirs > 0 for ours, theirs in two_rounds(start, 5))
    for name in ("first", "settled"):
        forgetful: Any = replace(catalog.statement(f"composite.fedda.{name}"), assumptions=())
        assert judge_bound(forgetful).verdict == "holds amended"


def test_the_norms_bounds_on_subgradients_are_reached_and_no_smaller_ones_hold() -> None:
    """With every entry vartheta the norm is vartheta sqrt(d); a bound without the root is not proved."""
    for name, letters in (("l1", {"d": 9, "vartheta": "2/3"}), ("linf", {"vartheta": "2/3"})):
        statement = catalog.statement(f"composite.section3.subgradients.{name}")
        reached = fp.statement(statement.id).check(**letters).bound
        wanted = float(np.linalg.norm(np.full(9, 2 / 3))) if name == "l1" else 2 / 3
        assert reached == pytest.approx(wanted, rel=1e-14)
        smaller: Any = replace(statement, claim=Bound("subgradient_norm", vartheta / 2))
        assert judge_bound(smaller).verdict == "open"


@pytest.mark.parametrize("mu", [Fraction(1, 100), Fraction(1), Fraction(50)])
def test_by_how_much_it_fails_there(mu: Fraction) -> None:
    """The statement's vartheta^2/2 is reached: at M = vartheta/mu the minimiser in D_g is next to M."""
    weight, big = Fraction(3), 1 + mu
    M = weight / mu
    y = max(M - weight / big, Fraction(0))
    half = -big * (big / 2 * (y - M) ** 2 + weight * y - weight * M)
    claim: Any = catalog.statement("composite.prox_pl.global.least_squares").claim

    assert mu * weight * M - half == weight**2 / 2
    assert claim.relation == ">="
    assert Fraction(str(claim.expr.xreplace({vartheta: Integer(3)}).doit())) == weight**2 / 2
