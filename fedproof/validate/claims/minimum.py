"""Optimisation problems: a problem claims nothing but that it can be solved, so show a feasible point."""

from __future__ import annotations

import sympy as sp

from fedproof.bounds.claims import Minimum
from fedproof.bounds.statement import Statement
from fedproof.proof.counterexamples import feasible_point
from fedproof.proof.instance import Instance, at
from fedproof.validate.statement_verdict import StatementVerdict, standing


def judge(statement: Statement) -> StatementVerdict:
    """The problem is well posed if its objective has a value at an exact feasible point.

    Letters that count are whole there. Its optimum is `tune`'s business.
    """
    claim = statement.claim
    assert isinstance(claim, Minimum)
    facts, objective = tuple(standing(statement)), statement.expand(claim.objective)
    defined = sp.Le(objective, objective, evaluate=False)
    counts = {x.symbol: sp.Symbol(x.name, integer=True) for x in statement.letters if x.quantity.whole}
    point = feasible_point([said.xreplace(counts) for said in (*facts, defined)])
    if point is None:
        return StatementVerdict(statement.id, "open", (), "no exact feasible point was found")
    return StatementVerdict(
        statement.id,
        "holds",
        ("exact witness",),
        f"feasible, for example at {at(point)}",
        point,
        Instance(facts, None, point),
    )
