"""Falsehoods planted beside the remarks and the rows of Table 1: none of them is found to hold."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from sympy import Eq, Integer, Max, sqrt

from fedproof.algebra.expressions import printed
from fedproof.bounds.claims import Bound, Identity, Implies, Monotone, Order
from fedproof.bounds.statement import Statement
from fedproof.papers.fedprox.notation import (
    I2,
    G,
    H_lgd,
    I,
    T,
    cube,
    epsilon,
    g2,
    h2,
    letters,
    rate_I,
    rate_T,
)
from fedproof.papers.fedprox.statements import complexity as m
from fedproof.papers.fedprox.statements import formulas as f
from fedproof.papers.fedprox.statements import remarks as r
from fedproof.papers.fedprox.statements import table1 as t
from fedproof.papers.fedprox.table1 import row


def verdict(statement: Statement) -> str:
    """What the judge of its kind says."""
    judge: Any = import_module(f"fedproof.validate.claims.{statement.claim.kind}").judge
    return str(judge(statement).verdict)


def order(left: str, right: str) -> Order:
    """One row of the table of the order of another."""
    return Order(row(left).complexity, row(right).complexity, epsilon, Integer(0))


with printed():
    _RATE = Max(cube**2, rate_I)
    PLANTED = [
        (r.REMARK1_SLOWER, Implies((), f.CUBE_ROOT <= f.RATE)),
        (r.REMARK1_DEVICES, Monotone(m.ROUNDS1, I, "increasing")),
        (r.REMARK1_LINEAR, Identity(m.ROUNDS1 * I, m.ROUNDS1.xreplace({I: I2}) * I2)),
        (r.REMARK6_COMPARABLE, Implies((), rate_T <= _RATE)),
        (r.REMARK6_SLOWER, Implies((), sqrt(I) * _RATE <= rate_T)),
        (r.REMARK6_FULL, Implies((), 1 / sqrt(T) <= m.RATE_FEW)),
        (r.HOMOGENEOUS, Implies((Eq(h2, g2), Eq(H_lgd, 0)), r.LGD)),
        (r.SHARED, Implies((r.LGD, Eq(g2, 0)), Eq(h2, 0))),
        (t.FASTER, order("theorem1", "stem")),
        (t.KHANDURI, order("theorem1", "khanduri")),
        (t.SCAFFOLD, order("theorem1", "li")),
    ]


@pytest.mark.parametrize(("statement", "claim"), PLANTED)
def test_a_false_remark_is_refuted(statement: Statement, claim: Any) -> None:
    """Each false neighbour of a remark is refuted; the remark itself holds, by the conformance tests."""
    named = letters(*{*(x.symbol for x in statement.letters), *((H_lgd,) if statement is r.SHARED else ())})

    assert verdict(replace(statement, letters=named, claim=claim)) == "refuted"


def test_a_smaller_bound_is_not_proved() -> None:
    """Half the target and half of (0, G)-LGD's bound are not what the proofs end with."""
    assert verdict(replace(t.ROUNDS_MANY, claim=Bound("drawn_squared_gradient", epsilon / 2))) == "open"
    assert verdict(replace(r.REMARK3, claim=Bound("drawn_squared_device_gradient", G**2 / 2))) == "open"
