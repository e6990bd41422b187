"""Optimisation problems: a problem claims nothing but that it can be solved, so show a feasible point."""

from __future__ import annotations

from fedproof.bounds.statement import Statement
from fedproof.proof.counterexamples import feasible_point
from fedproof.proof.instance import Instance, at
from fedproof.validate.statement_verdict import StatementVerdict, standing


def judge(statement: Statement) -> StatementVerdict:
    """The problem is well posed if an exact feasible point exists; its optimum is `tune`'s business."""
    facts = tuple(standing(statement))
    point = feasible_point(facts)
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
